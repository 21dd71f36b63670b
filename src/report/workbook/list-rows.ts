import { Exact, FEWEST_SUM_DECIMALS } from '../../exact-decimal.ts';
import type { FactValues, ListChoice, MadeFact } from '../layout/block-definition.ts';
import { holds, type ReadFact } from './block-words.ts';

/** A row of a list: its values by name, as text; null where one is unknown. */
export type ListRow = ReadonlyMap<string, string | null>;

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

/** Chooses the rows of a list, in their order. @param shared Reads a fact of the whole workbook. */
export function chooseListed(choice: ListChoice, table: SourceRows, shared: ReadFact): ChosenRows {
  const { known = [], only = {}, facts = {}, where, unless, sort = [], order, after = 0, limit } = choice;
  const wider: ReadFact = (name) => table.shared.get(name) ?? shared(name);
  const made = table.rows.map((row) => addFacts(row, facts, wider));
  const pool = made.filter((row) => known.every((name) => (row.get(name) ?? null) !== null) && hasValues(row, only));
  const kept = pool.filter(
    (row) => (!where || holds(where, reader(row, wider))) && !(unless && holds(unless, reader(row, wider))),
  );
  const grouped = choice.group === undefined ? kept : groupRows(choice, kept, wider);
  const sorted = [...grouped].sort((one, other) => compareBy(sort, one, other)).slice(after);
  if (order === 'least') sorted.reverse();
  const listed = limit === undefined ? sorted : sorted.slice(0, limit);
  const others = sorted.slice(listed.length);
  const counted = new Map([['rows', String(pool.length)], ...countRows(choice, pool, wider)]);
  return {
    listed: listed.map((row) => new Map([...table.shared, ...row])),
    facts: (name) => {
      if (name === 'others') return String(others.length);
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

function compareBy(names: readonly string[], one: ListRow, other: ListRow): number {
  for (const name of names) {
    const difference = new Exact(other.get(name) ?? 0).comparedTo(one.get(name) ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Adds facts that are made of others. */
function addFacts(row: ListRow, facts: Readonly<Record<string, MadeFact>>, wider: ReadFact): ListRow {
  const read = reader(row, wider);
  return new Map([...row, ...Object.entries(facts).map(([name, made]) => [name, makeFact(made, read)] as const)]);
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

function addUp(values: readonly (string | null)[]): string {
  const sum = values.reduce((total: InstanceType<typeof Exact>, value) => total.plus(value ?? 0), new Exact(0));
  return sum.toFixed(Math.max(FEWEST_SUM_DECIMALS, sum.decimalPlaces()));
}

/** Adds up the rows of each group, in the order of its values. */
function groupRows(choice: ListChoice, rows: readonly ListRow[], wider: ReadFact): ListRow[] {
  const { group = '', sums = [], distinct = {}, group_facts = {} } = choice;
  const keyOf = (row: ListRow) => (group === 'all' ? '' : (row.get(group) ?? ''));
  const keys = [...new Set(rows.map(keyOf))].sort();
  return keys.map((key) => {
    const own = rows.filter((row) => keyOf(row) === key);
    const valuesOf = (name: string) => own.map((row) => row.get(name) ?? null);
    const facts: [string, string | null][] = [
      [group, key],
      ['rows', String(own.length)],
      ...sums.map((name): [string, string] => [name, addUp(valuesOf(name))]),
      ...Object.entries(distinct).map(([name, of]): [string, string] => [name, String(new Set(valuesOf(of)).size)]),
      ...countRows(choice, own, wider),
    ];
    return addFacts(new Map(facts), group_facts, wider);
  });
}

function countRows({ counts = {} }: ListChoice, rows: readonly ListRow[], wider: ReadFact): [string, string][] {
  return Object.entries(counts).map(([name, condition]) => {
    const isMet = (row: ListRow) =>
      typeof condition === 'string' ? holds(condition, reader(row, wider)) : hasValues(row, condition);
    return [name, String(rows.filter(isMet).length)];
  });
}
