import { Exact, FEWEST_SUM_DECIMALS, filterInTurns, mapInTurns, sortInTurns } from '../../../base/index.ts';
import type { FactValues, ListChoice, MadeFact } from '../layout/block-definition.ts';
import { makeHolds, type ReadFact } from './block-words.ts';

/** A row of a list: its values by name, as text; null where one is unknown. A map is one. */
export interface ListRow {
  get(name: string): string | null | undefined;
  has(name: string): boolean;
}

/** The rows of a source, and facts of all of them. */
export interface SourceRows {
  readonly rows: readonly ListRow[];
  readonly shared: ListRow;
}

/** The rows that a list shows, and those that it leaves out. */
export interface ChosenRows {
  readonly listed: readonly ListRow[];
  /** Facts of all rows, and of those left out: `rows`, counts, `others` and `others.NAME`. */
  readonly facts: ReadFact;
}

/** Lays values over those of a row, without a copy: a report may have 200,000 rows, whose values take a KB each. */
export function layOver(upper: ListRow, lower: ListRow): ListRow {
  return {
    has: (name) => upper.has(name) || lower.has(name),
    get: (name) => (upper.has(name) ? upper.get(name) : lower.get(name)),
  };
}

/** Chooses the rows of a list, in their order. @param shared Reads a fact of the whole workbook. */
export async function chooseListed(choice: ListChoice, table: SourceRows, shared: ReadFact): Promise<ChosenRows> {
  const { known = [], only = {}, facts = {}, where, unless, order, after = 0, limit } = choice;
  const wider: ReadFact = (name) => table.shared.get(name) ?? shared(name);
  const [isWanted, isUnwanted] = [where, unless].map((when) => (when === undefined ? undefined : makeHolds(when)));
  const made = await mapInTurns(table.rows, (row) => addFacts(row, facts, wider));
  const pool = await filterInTurns(
    made,
    (row) => known.every((name) => (row.get(name) ?? null) !== null) && hasValues(row, only),
  );
  const kept = await filterInTurns(pool, (row) => {
    const read = reader(row, wider);
    return (!isWanted || isWanted(read)) && !isUnwanted?.(read);
  });
  const grouped = choice.group === undefined ? kept : await groupRows(choice, kept, wider);
  const sorted = (await sortRows(choice, grouped)).slice(after);
  if (order === 'least') sorted.reverse();
  const listed = limit === undefined ? sorted : sorted.slice(0, limit);
  const others = sorted.length - listed.length;
  const counted = new Map([['rows', String(pool.length)], ...(await countRows(choice, pool, wider))]);
  return {
    listed: listed.map((row) => layOver(row, table.shared)),
    facts: (name) => {
      if (name === 'others') return String(others);
      return counted.get(name) ?? listed[0]?.get(name) ?? wider(name);
    },
  };
}

function reader(row: ListRow, wider: ReadFact): ReadFact {
  return (name) => row.get(name) ?? wider(name);
}

function hasValues(row: ListRow, values: FactValues): boolean {
  return Object.entries(values).every(([name, value]) => row.get(name) === value);
}

/** Sorts rows, the largest first. */
async function sortRows({ sort = [] }: ListChoice, rows: readonly ListRow[]): Promise<ListRow[]> {
  const sized = await mapInTurns(rows, (row) => ({ row, sizes: sort.map((name) => new Exact(row.get(name) ?? 0)) }));
  const sorted = await sortInTurns(sized, (one, other) => {
    for (const [place, size] of other.sizes.entries()) {
      const difference = size.comparedTo(one.sizes[place] ?? 0);
      if (difference !== 0) return difference;
    }
    return 0;
  });
  return sorted.map(({ row }) => row);
}

/** Adds facts that are made of others, made ones included, each when it is read. */
function addFacts(row: ListRow, facts: Readonly<Record<string, MadeFact>>, wider: ReadFact): ListRow {
  const made = new Map(Object.entries(facts));
  if (made.size === 0) return row;
  const wide: ListRow = layOver(
    { has: (name) => made.has(name), get: (name) => makeFact(made.get(name) ?? {}, read) },
    row,
  );
  const read = reader(wide, wider);
  return wide;
}

function makeFact({ sum, difference, share, ratio, first }: MadeFact, read: ReadFact): string | null {
  if (first) return first.map(read).find((value) => value !== null) ?? null;
  const values = (sum ?? difference ?? share ?? ratio ?? []).map(read);
  const [a, b] = values.map((value) => (value === null ? undefined : new Exact(value)));
  if (sum) return addUp(values);
  if (!a || !b) return null;
  if (difference) return a.minus(b).toFixed();
  if (b.isZero()) return null;
  return (share ? a.times(100) : a).div(b).toDecimalPlaces(2).toFixed();
}

/** Adds up values of a group; unknown if all are. */
function addUpKnown(values: readonly (string | null)[]): string | null {
  return values.every((value) => value === null) ? null : addUp(values);
}

function addUp(values: readonly (string | null)[]): string {
  const sum = values.reduce((total: InstanceType<typeof Exact>, value) => total.plus(value ?? 0), new Exact(0));
  return sum.toFixed(Math.max(FEWEST_SUM_DECIMALS, sum.decimalPlaces()));
}

/** Adds up the rows of each group, in the order of its values. */
async function groupRows(choice: ListChoice, rows: readonly ListRow[], wider: ReadFact): Promise<ListRow[]> {
  const { group = '', sums = [], distinct = {}, group_facts = {} } = choice;
  const groups = new Map<string, ListRow[]>();
  await mapInTurns(rows, (row) => {
    const key = group === 'all' ? '' : (row.get(group) ?? '');
    groups
      .set(key, groups.get(key) ?? [])
      .get(key)
      ?.push(row);
  });
  const added: ListRow[] = [];
  for (const key of [...groups.keys()].sort()) {
    const own = groups.get(key) ?? [];
    const valuesOf = (name: string) => own.map((row) => row.get(name) ?? null);
    const facts: [string, string | null][] = [
      [group, key],
      ['rows', String(own.length)],
      ...sums.map((name): [string, string | null] => [name, addUpKnown(valuesOf(name))]),
      ...Object.entries(distinct).map(([name, of]): [string, string] => [name, String(new Set(valuesOf(of)).size)]),
      ...(await countRows(choice, own, wider)),
    ];
    added.push(addFacts(new Map(facts), group_facts, wider));
  }
  return added;
}

/** Counts the rows that meet each of the conditions of a list. */
async function countRows({ counts = {} }: ListChoice, rows: readonly ListRow[], wider: ReadFact) {
  const counted: [string, string][] = [];
  for (const [name, condition] of Object.entries(counts)) {
    const isMet = typeof condition === 'string' ? makeHolds(condition) : undefined;
    const found = await filterInTurns(rows, (row) =>
      isMet ? isMet(reader(row, wider)) : hasValues(row, condition as FactValues),
    );
    counted.push([name, String(found.length)]);
  }
  return counted;
}
