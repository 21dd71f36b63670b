import type { Measure } from '../catalogue/measure-kinds.ts';
import type { Column } from '../catalogue/table.ts';
import { attributeJoins, attributesShown, namingColumns } from '../plan/compile-summary.ts';
import { listColumns } from '../plan/plan-list.ts';
import type { Query } from '../request/query.ts';
import { repeatedKeys } from '../source/lookups.ts';
import { list } from '../source/sql-columns.ts';
import type { StateSource } from '../source/state-source.ts';
import { keyNames, keysOnce } from '../source/summary-plan.ts';
import type { ChangePlan } from './change-plan.ts';
import { sumDifferences } from './differences.ts';

/** The text of what the steps of all lines do to some measures, by row and cause, and by cause alone (is_total). */
export interface ChangesStatement {
  /** Its columns are is_total, those that name a row, cause, and the measures. */
  readonly sql: string;
  readonly columns: readonly Column[];
}

/** Compiles the differences of sums of lines by their causes. Totals don't come from the rows, so the two can be compared. */
export function compileChanges(change: ChangePlan, measures: readonly Measure[]): ChangesStatement {
  const { plan } = change;
  const columns = namingColumns({ ...plan, facts: new Set() });
  const names = measures.map(({ name }) => `"${name}"`);
  const sums = names.map((name) => `SUM(${name}) AS ${name}`);
  const isChange = `cause IS NOT NULL AND (${names.map((name) => `${name} <> 0`).join(' OR ')})`;
  const keys = keyNames(plan);
  const shown = attributesShown(plan);
  const sql = `WITH ${[
    ...sumDifferences(change, measures, [...keysOnce(plan), ...repeatedKeys(plan).map(({ key }) => key)]),
    rowPart(change),
    `row_keys AS (SELECT ${list(keys, ['cause'], sums)} FROM row_differences GROUP BY ${list(keys, ['cause'])})`,
    `totals AS (SELECT ${list(['cause'], sums)} FROM differences GROUP BY cause)`,
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

/** Returns the differences by the rows that a line belongs to (`row_differences`). */
function rowPart({ plan, earlier }: ChangePlan): string {
  if (!plan.hasOverlap) return 'row_differences AS (SELECT * FROM differences)';
  const repeats = repeatedKeys(plan);
  const joins = repeats.map(({ relation, key, column }) => {
    const tagsOf = (side: string, source: StateSource) =>
      `SELECT '${side}' AS side, ${key}, ${column} FROM ${source.relation(relation)}`;
    return `LEFT JOIN (${tagsOf('then', earlier)} UNION ALL ${tagsOf('now', plan.source)}) AS ${relation}
    ON ${relation}.side = differences.side AND ${relation}.${key} = differences.${key}`;
  });
  return `row_differences AS (
  SELECT ${list(
    ['differences.*'],
    repeats.map(({ relation, column, name }) => `${relation}.${column} AS ${name}`),
  )}
  FROM differences ${joins.join('\n  ')}
)`;
}

/** Returns the columns of a report that compares states: those of lines, or those that name a row and its differences. */
export function comparedColumns(query: Query): Column[] {
  const { list: described = {}, parameters } = query.selection.report;
  const isOfLines = parameters?.includes('measure');
  const named = isOfLines ? [] : namingColumns({ query, facts: new Set() }).map(besideCauses);
  return [...named, ...listColumns(described)];
}

/** Returns a column that names a row: that of the dimension billable has another name than the cause beside it. */
export function besideCauses<Named extends Pick<Column, 'name'>>(column: Named): Named {
  return column.name === 'billable' ? { ...column, name: 'is_billable' } : column;
}
