import type { Amount, Dimension } from '../catalogue/catalogue.ts';
import { periodStart } from '../catalogue/period.ts';
import { readsAgreedFees } from './agreed-fees.ts';
import { baselineColumns } from './compared-lines.ts';
import { feeLineParts } from './fee-lines.ts';
import { filterConditions } from './filter.ts';
import { LINE_AMOUNTS } from './line-amounts.ts';
import { repeatedKeys } from './lookups.ts';
import { monthSums } from './month-sums.ts';
import { isInWindow, kindConditions, statusLiteral } from './query-sql.ts';
import type { SqlColumn } from './sql-columns.ts';
import { groupBy, list } from './sql-columns.ts';
import { keyNames, keysOnce, rowLines, type SummaryPlan } from './summary-plan.ts';

/** Columns that distinguish the lines of different measures, by the property of a set of lines that reads them. */
const DISTINCTIONS: Readonly<Record<string, string>> = {
  status: 'status',
  is_asked: 'status',
  is_billable: 'is_billable',
  is_to_date: 'is_to_date',
  is_future: 'is_future',
  is_baseline: 'is_baseline',
};

/** Returns the kind of lines, without which there are no groups, and what else tells the sets of lines of a plan apart. */
function distinctionsOf({ properties }: SummaryPlan): string[] {
  return [...new Set(['kind', ...[...properties].flatMap((property) => DISTINCTIONS[property] ?? [])])];
}

/**
 * Returns the filtered lines of the window (`lines`) and their sums by row key (`cells`).
 * `row_lines` repeats a line for every row it belongs to; `total_cells` counts it once.
 */
export function lineParts(plan: SummaryPlan): string[] {
  return [...windowParts(plan), ...cellParts(plan)];
}

/** Returns the lines of `lineParts` alone: of whole months their sums, where nothing finer is asked for. */
export function windowParts(plan: SummaryPlan): string[] {
  const { query, querySql, source } = plan;
  const { keys, joins } = lineKeys(plan);
  const conditions = [
    isInWindow(querySql, 'ledger.date'),
    `ledger.status <> ${statusLiteral('canceled')}`,
    ...kindConditions(query.selection.report, 'ledger'),
    ...filterConditions(query.selection, 'ledger'),
  ];
  const work = { ...plan, amounts: plan.amounts.filter((amount) => amount !== 'amount') };
  const sums = monthSums(work);
  const isOfFees = readsAgreedFees(plan);
  const all = sums ?? source.relation('ledger');
  const read = sums
    ? plan.amounts
    : [
        ...baselineColumns(source),
        ...[...plan.facts].flatMap(({ lineColumns = [] }) => lineColumns),
        ...plan.amounts.flatMap((amount) => LINE_AMOUNTS[amount].columns),
      ];
  const columns = [...new Set(['hours', ...read])].map((column) => `ledger.${column}`);
  const lines = `lines AS (
  SELECT ${list(
    keys.map(({ name, expression }) => `${expression} AS ${name}`),
    ['ledger.date', ...(sums ? [] : ['ledger.people_id'])],
    ['ledger.project_id', 'ledger.phase_id', 'ledger.task_meta_id', 'ledger.kind', 'ledger.status'],
  )},
    ledger.billable AS is_billable, ledger.date <= ${querySql.cutoff} AS is_to_date,${plan.properties.has('is_future') ? ` ledger.date > ${querySql.today} AS is_future,` : ''} ${columns.join(', ')}
  FROM ${withBills(plan, isOfFees ? 'fee_lines' : all)} AS ledger ${joins.join(' ')}
  WHERE ${conditions.join('\n    AND ')}
)`;
  const parts = [...(isOfFees ? feeLineParts(work, all, sums !== undefined) : []), lines];
  if (!plan.hasOverlap) return parts;
  const repeats = repeatedKeys(plan);
  const repeated = `row_lines AS (
  SELECT ${list(
    ['lines.*'],
    repeats.map(({ relation, column, name }) => `${relation}.${column} AS ${name}`),
  )}
  FROM lines ${repeats.map(({ relation, key }) => `LEFT JOIN ${source.relation(relation)} AS ${relation} ON ${relation}.${key} = lines.${key}`).join(' ')}
)`;
  return [...parts, repeated];
}

/** The columns of a line of a bill, which stands beside the ledger. */
const BILL_COLUMNS = ['kind', 'date', 'project_id', 'phase_id', 'task_meta_id', 'status', 'billable', 'amount'];

/** Returns lines with those of bills, if a plan reads their amounts. */
function withBills({ amounts, source }: SummaryPlan, lines: string): string {
  if (!amounts.includes('amount')) return lines;
  return `(
    SELECT * FROM ${lines} AS lines
    UNION ALL BY NAME
    SELECT ${list(BILL_COLUMNS, source.baseline ? ['FALSE AS is_baseline'] : [])} FROM ${source.alone.relation('billing_lines')} AS bills
  )`;
}

/** Returns the keys of a line of `ledger`, and the joins that look them up. A line of several rows has the key of none of them. */
export function lineKeys({ keys: all, calendar, source }: Pick<SummaryPlan, 'keys' | 'calendar' | 'source'>): {
  keys: SqlColumn[];
  joins: string[];
} {
  const keys = all
    .filter(({ dimension }) => !dimension?.overlaps)
    .map(({ name, dimension, period }) => ({
      name,
      expression: period ? periodStart(period, 'ledger.date', calendar) : lineColumn(dimension),
    }));
  const reads = (alias: string) => keys.some(({ expression }) => expression.startsWith(`${alias}.`));
  const joins = [
    ...(reads('project')
      ? [`LEFT JOIN ${source.relation('named_projects')} AS project ON project.project_id = ledger.project_id`]
      : []),
    ...(reads('person')
      ? [`LEFT JOIN ${source.relation('named_people')} AS person ON person.people_id = ledger.people_id`]
      : []),
  ];
  return { keys, joins };
}

function cellParts(plan: SummaryPlan): string[] {
  const ofRows = cells(plan, 'cells', rowLines(plan), keyNames(plan), amountSqlOf(plan));
  return plan.hasOverlap ? [ofRows, cells(plan, 'total_cells', 'lines', [], amountSqlOf(plan))] : [ofRows];
}

/**
 * Returns the sums of lines by all keys of a plan (`all_cells`), which `levelCellParts` sums by some of them.
 * If rows overlap, `all_line_cells` counts each line once.
 */
export function allCellParts(plan: SummaryPlan): string[] {
  const ofRows = cells(plan, 'all_cells', rowLines(plan), keyNames(plan), amountSqlOf(plan));
  return plan.hasOverlap
    ? [ofRows, cells(plan, 'all_line_cells', 'lines', keysOnce(plan), amountSqlOf(plan))]
    : [ofRows];
}

/** Returns `cells` and `total_cells` of a plan with some of the keys of `all`. */
export function levelCellParts(plan: SummaryPlan, all: SummaryPlan): string[] {
  const once = all.hasOverlap ? 'all_line_cells' : 'all_cells';
  const ofRows = cells(plan, 'cells', plan.hasOverlap ? 'all_cells' : once, keyNames(plan), CELL_SUMS);
  return plan.hasOverlap ? [ofRows, cells(plan, 'total_cells', once, [], CELL_SUMS)] : [ofRows];
}

type AmountSql = (amount: Amount) => string;

const LINE_SUMS: AmountSql = (amount) => LINE_AMOUNTS[amount].expression;

const CELL_SUMS: AmountSql = (amount) => amount;

function amountSqlOf(plan: SummaryPlan): AmountSql {
  return monthSums(plan) === undefined ? LINE_SUMS : CELL_SUMS;
}

function cells(plan: SummaryPlan, name: string, from: string, keys: readonly string[], amountSql: AmountSql): string {
  const distinctions = distinctionsOf(plan);
  return `${name} AS (
  SELECT ${list(keys, distinctions)},
    ${list(plan.amounts.map((amount) => `SUM(${amountSql(amount)}) AS ${amount}`)) || '0 AS nothing'}
  FROM ${from} ${groupBy([...keys, ...distinctions])}
)`;
}

function lineColumn(dimension: Dimension | undefined): string {
  return dimension?.line ?? 'NULL';
}
