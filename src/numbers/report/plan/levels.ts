import type { Calendar } from '../../../base/calendar/index.ts';
import type { Dimension } from '../catalogue/catalogue.ts';
import type { Measure } from '../catalogue/measure-kinds.ts';
import { isOfLives } from '../kinds/kinds.ts';
import { PLAIN, regroup } from '../request/change-query.ts';
import { lastDepth, type Query } from '../request/query.ts';
import type { SqlColumn } from '../source/sql-columns.ts';
import { keyNames, type SummaryPlan } from '../source/summary-plan.ts';
import { allCellParts, levelCellParts, windowParts } from '../source/window-lines.ts';
import { compileMeasured, quoted, type SummaryStatement } from './compile-summary.ts';
import { withParts } from './measure-sql.ts';
import { planSummary } from './plan-summary.ts';

/** The rows of a report by its first keys, each whole or by a length of periods. */
export interface Level {
  /** The number of those keys: 0 for the totals, all for the rows, between for subtotals. */
  readonly depth: number;
  readonly across: Dimension | undefined;
  readonly plan: SummaryPlan;
}

/** The statement of all levels, whose rows begin with is_total, level, period_across and a number for each of `depths`. */
export interface LevelsStatement {
  readonly sql: string;
  /** Rows with the same number have the same first keys, on every level. */
  readonly depths: readonly number[];
}

/** The columns of the statement of one level, between is_total and those of the report. */
export const ONE_LEVEL: readonly SqlColumn[] = [
  { name: 'level', expression: '0' },
  { name: 'period_across', expression: 'NULL' },
];

/** Returns the measures that have periods: those of lines, as budgets and earned value are of the whole life of a project. */
export function measuresAcross({ selection, grouping, presentation: { fields } }: Query): Measure[] {
  return grouping.measures.filter(
    (measure) => (fields?.includes(measure.name) ?? true) && !withParts(selection.catalogue, [measure]).some(isOfLives),
  );
}

/**
 * Returns the levels of a query in the order in which they are read: periods, rows, subtotals.
 * Each level sums the lines by itself, so that levels can be compared.
 * @param rows The plan of the rows.
 */
export function planLevels(query: Query, rows: SummaryPlan): Level[] {
  const { dimensions, rowDimensions = dimensions, across } = query.grouping;
  const measures = measuresAcross(query);
  const plan = (change: Query) => planSummary(change, rows.calendar);
  const periods = across.map((dimension) => {
    const groups = { measures, dimensions: [dimension], across: [], rowDimensions, interval: undefined };
    return { depth: 0, across: dimension, plan: plan(regroup(query, { ...groups, hasAllPeriods: true })) };
  });
  const withPeriods = (depth: number, whole: Query) =>
    across.map((dimension) => {
      const groups = { measures, dimensions: [...whole.grouping.dimensions, dimension], across: [] };
      return { depth, across: dimension, plan: plan(regroup(whole, groups)) };
    });
  const depths = query.grouping.hasSubtotals ? [...Array(lastDepth(query.grouping)).keys()] : [];
  const subtotals = depths.flatMap((outer) => {
    const depth = outer + 1;
    const whole = querySubtotals(query, depth);
    return [{ depth, across: undefined, plan: plan(whole) }, ...withPeriods(depth, whole)];
  });
  const depth = rows.keys.length;
  return [...periods, { depth, across: undefined, plan: rows }, ...withPeriods(depth, query), ...subtotals];
}

/** Returns the query of the groups of rows with the same first dimensions; they count the capacity of the rows' people. */
function querySubtotals(query: Query, depth: number): Query {
  const { dimensions: all, rowDimensions = all } = query.grouping;
  const { fields, sort, hasLinks } = query.presentation;
  const dimensions = all.slice(0, depth);
  const isMeasure = (name: string) => query.selection.catalogue.measures.has(name);
  const isShown = (name: string) => isMeasure(name) || dimensions.some(({ shown }) => shown.includes(name));
  const presentation = {
    ...PLAIN,
    fields: fields?.filter(isMeasure),
    sort: sort?.filter(({ column }) => isShown(column)),
    hasLinks,
  };
  return regroup(query, { dimensions, rowDimensions, interval: undefined }, presentation);
}

/**
 * Compiles levels into one statement: one pass over the ledger into sums by all keys, each level from those.
 * @param rows The plan of the rows, and its statement with `ONE_LEVEL`, which is enough where they are the only level.
 */
export function compileLevels(
  query: Query,
  { plan: rows, statement }: { readonly plan: SummaryPlan; readonly statement: SummaryStatement },
  levels: readonly Level[],
): LevelsStatement {
  if (levels.length === 1) return { sql: statement.sql, depths: [] };
  const { columns, links } = statement;
  const all = planAllKeys(query, rows, rows.calendar);
  const keys = keyNames(rows);
  const depths = [...new Set(levels.map(({ depth }) => depth))].filter((depth) => depth > 0);
  const numbers = depths.map(
    (depth) =>
      `DENSE_RANK() OVER (PARTITION BY is_total, depth >= ${depth} ORDER BY ${keys.slice(0, depth).join(', ')}) AS group_${depth}`,
  );
  const selects = levels.map((level, index) => `SELECT * FROM (${selectLevel(level, index, all)})`);
  const parts = [
    ...windowParts(all),
    ...allCellParts(all),
    ...[...all.facts].flatMap((facts) => facts.shared?.(all) ?? []),
    `levels AS (\n${selects.join('\nUNION ALL BY NAME\n')}\n)`,
  ];
  const sql = `WITH ${parts.join(',\n')}
SELECT ${['is_total', 'level', 'period_across', ...numbers, quoted([...columns, ...links])].join(', ')}
FROM levels
ORDER BY level, place`;
  return { sql, depths };
}

/** Plans the sums of lines by the keys of all levels. */
function planAllKeys(query: Query, rows: SummaryPlan, calendar: Calendar): SummaryPlan {
  const { dimensions, across } = query.grouping;
  const { measures } = rows.query.grouping;
  return planSummary(regroup(query, { measures, dimensions: [...new Set([...dimensions, ...across])] }), calendar);
}

function selectLevel({ depth, across, plan }: Level, level: number, all: SummaryPlan): string {
  const keys = keyNames(plan).map((name) => ({ name, expression: `row_keys.${name}` }));
  const { parts, columns, links, order } = compileMeasured(plan, levelCellParts(plan, all), keys);
  const own = across
    ? [`key_${across.name} AS period_across`]
    : ['CAST(NULL AS DATE) AS period_across', `ROW_NUMBER() OVER (ORDER BY ${order}) AS place`];
  return `WITH ${parts.join(',\n')}
SELECT ${[`${level} AS level`, `${depth} AS depth`, 'is_total', ...own, quoted([...columns, ...links, ...keys])].join(', ')}
FROM measures${across ? '\nWHERE NOT is_total' : ''}`;
}
