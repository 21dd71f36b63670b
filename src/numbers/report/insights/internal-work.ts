import type { Value } from '../../../base/database/index.ts';
import { Exact } from '../../../base/index.ts';
import { linkNumber } from '../plan/links.ts';
import type { Query } from '../request/query.ts';
import type { ReportContext } from '../run/context.ts';
import { stateSource } from '../source/state-source.ts';
import { keyColumnsOf, measuredFact, plainFact, type RowFact, type ToldRow, type ToldRows } from './row-facts.ts';

/** The most rows whose internal work has a query of its lines, which names them in an address. Unit: rows. */
export const MAX_LINKED_ROWS = 500;

/** The facts about the internal work of all rows, each with its unit and the measure that it adds up. */
const SUMS = [
  { name: 'internal_hours', unit: 'hours', measure: 'actual_hours' },
  { name: 'internal_cost', unit: 'money', measure: 'actual_cost' },
  { name: 'internal_unpriced', unit: 'hours', measure: 'actual_hours_without_cost_rate' },
] as const;

/** The measures that are added up. */
export const INTERNAL_MEASURES: readonly string[] = SUMS.map(({ measure }) => measure);

/** Adds to each row whether it is internal work (K1): 1 if its project or its phase is non-billable, else 0. */
export async function addInternalWork({ database }: ReportContext, query: Query, rows: ToldRows): Promise<void> {
  const source = stateSource(query.selection).alone;
  // Not from the records as they were read: the copy without rates has none.
  const readIds = async (sql: string) => new Set((await database.rows<{ id: Value }>(sql)).map(({ id }) => String(id)));
  const projects = `SELECT project_id AS id FROM ${source.relation('named_projects')} AS projects WHERE non_billable`;
  const phases = `SELECT phase_id AS id FROM ${source.relation('assignments')} AS assignments
    WHERE phase_id <> 0 GROUP BY phase_id HAVING MIN(CASE WHEN is_non_billable THEN 1 ELSE 0 END) = 1`;
  const internal = new Map([['project_id', await readIds(projects)]]);
  if (keyColumnsOf(query).includes('phase_id')) internal.set('phase_id', await readIds(phases));
  for (const { keys, facts } of rows.all) {
    const isInternal = [...internal].some(([key, ids]) => ids.has(keys[key] ?? ''));
    facts.set('internal', plainFact(isInternal ? 1 : 0, 'count'));
  }
}

/** Returns what is to be said of the internal work of all rows: its hours, its labour cost as far as that is known, and the hours without one, if there are some. */
export function sumInternalWork(query: Query, { all }: ToldRows, currency: string): ReadonlyMap<string, RowFact> {
  const internal = all.filter(({ facts }) => facts.get('internal')?.value === '1');
  // The cost of no hours is zero, and known: beside hours whose cost isn't, it must not stand for theirs.
  const worked = internal.filter(({ facts }) => SUMS.some(({ measure }) => !isZero(facts.get(measure)?.value)));
  const keys = keysOf(all, internal);
  const facts = SUMS.map(({ name, unit, measure }): [string, RowFact] => {
    const known = worked.flatMap((row) => row.facts.get(measure)?.value ?? []);
    const total = known.length === 0 ? null : Exact.sum(...known).toFixed();
    const sum = name === 'internal_unpriced' && isZero(total) ? null : total;
    const link = () => linkNumber(query, measure, keys);
    return [name, keys ? measuredFact(sum, unit, measure, link) : plainFact(sum, unit)];
  });
  return new Map([['currency', plainFact(currency, 'text')], ...facts]);
}

const isZero = (value: string | null | undefined): boolean => value == null || new Exact(value).isZero();

/** Returns the values of the key columns that choose some rows; undefined if they choose others, too, or too many. */
function keysOf(all: readonly ToldRow[], some: readonly ToldRow[]): Record<string, string[]> | undefined {
  if (some.length > MAX_LINKED_ROWS) return undefined;
  const names = Object.keys(some[0]?.keys ?? {});
  const values = new Map(names.map((name) => [name, new Set(some.map(({ keys }) => keys[name] ?? ''))]));
  const chosen = all.filter(({ keys }) => names.every((name) => values.get(name)?.has(keys[name] ?? '')));
  if (chosen.length > some.length) return undefined;
  return Object.fromEntries([...values].map(([name, set]) => [name, [...set]]));
}
