import type { Measure } from '../catalogue/measure-kinds.ts';
import type { Column } from '../catalogue/table.ts';
import { attributeJoins, attributesShown, namingColumns } from '../plan/compile-summary.ts';
import { list } from '../source/sql-columns.ts';
import type { StateSource } from '../source/state-source.ts';
import { keyNames } from '../source/summary-plan.ts';
import { type ChangePlan, stepParts } from './change-steps.ts';

/** The text of what the steps of all lines do to some measures, by row and cause, and by cause alone (is_total). */
export interface ChangesStatement {
  /** Its columns are is_total, those that name a row, cause, and the measures. */
  readonly sql: string;
  /** The columns that name a row. */
  readonly columns: readonly Column[];
}

/** Compiles the differences of sums of lines by their causes. Totals don't come from the rows, so the two can be compared. */
export function compileChanges(change: ChangePlan, measures: readonly Measure[]): ChangesStatement {
  const { plan } = change;
  const columns = namingColumns({ ...plan, facts: new Set() });
  const names = measures.map(({ name }) => `"${name}"`);
  const sums = names.map((name) => `SUM(${name}) AS ${name}`);
  const isChange = names.map((name) => `${name} <> 0`).join(' OR ');
  const keys = keyNames(plan);
  const shown = attributesShown(plan);
  const sql = `WITH ${[
    ...stepParts(change, measures),
    ...entryParts(change, names),
    `row_keys AS (SELECT ${list(keys, ['cause'], sums)} FROM row_entries GROUP BY ${list(keys, ['cause'])})`,
    `totals AS (SELECT ${list(['cause'], sums)} FROM entries GROUP BY cause)`,
  ].join(',\n')}
SELECT FALSE AS is_total, ${list(
    shown.map(({ name, expression }) => `${expression} AS "${name}"`),
    ['row_keys.cause'],
    names.map((name) => `row_keys.${name}`),
  )}
FROM row_keys ${attributeJoins(plan).join('\n  ')}
WHERE ${isChange}
UNION ALL
SELECT TRUE AS is_total, ${list(
    shown.map(({ name }) => `NULL AS "${name}"`),
    ['cause'],
    names,
  )}
FROM totals
WHERE ${isChange}`;
  return { sql, columns };
}

/** Returns what each cause adds and takes away (`entries`), and the same for each row that a line belongs to (`row_entries`). */
function entryParts({ plan, earlier }: ChangePlan, names: readonly string[]): string[] {
  const keys = plan.keys.filter(({ dimension }) => !dimension?.overlaps).map(({ name }) => name);
  const shared = [...keys, 'side', 'project_id'];
  const less = names.map((name) => `-${name} AS ${name}`);
  const tagsOf = (side: string, source: StateSource) =>
    `SELECT '${side}' AS side, project_id, tag FROM ${source.relation('project_tags')}`;
  const tags = `${tagsOf('then', earlier)} UNION ALL ${tagsOf('now', plan.source)}`;
  return [
    `entries AS (
  SELECT ${list(shared, ['arrival AS cause'], names)} FROM contributions WHERE arrival IS NOT NULL
  UNION ALL
  SELECT ${list(shared, ['departure AS cause'], less)} FROM contributions WHERE departure IS NOT NULL
)`,
    plan.hasOverlap
      ? `row_entries AS (
  SELECT entries.*, tags.tag AS key_tag
  FROM entries LEFT JOIN (${tags}) AS tags ON tags.side = entries.side AND tags.project_id = entries.project_id
)`
      : 'row_entries AS (SELECT * FROM entries)',
  ];
}

/** Returns a column that names a row: that of the dimension billable has another name than the cause beside it. */
export function besideCauses<Named extends Pick<Column, 'name'>>(column: Named): Named {
  return column.name === 'billable' ? { ...column, name: 'is_billable' } : column;
}
