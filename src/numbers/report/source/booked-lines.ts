import { FIRST_DATE, moveDay } from '../../../base/calendar/index.ts';
import { quoteText } from '../../../base/database/index.ts';
import type { BookedClosing } from '../catalogue/books.ts';
import { dateLiteral } from '../catalogue/period.ts';
import type { Query, Selection } from '../request/query.ts';
import { readRule } from './fact-rules.ts';
import { filterConditions } from './filter.ts';
import { nameFiner, PHASE, readsPhases } from './finer-keys.ts';
import { repeatedKeys } from './lookups.ts';
import { selectPeriods } from './members.ts';
import { isInWindow, querySqlOf } from './query-sql.ts';
import { aliased, groupBy, list } from './sql-columns.ts';
import { keyNames, periodKeys, type RowKey, type SummaryPlan } from './summary-plan.ts';
import { lineKeys, windowParts } from './window-lines.ts';

/*
 * Booked amounts beside today's (B1): the files of the closings of a query's state (`books`), put together by two rules of sql/facts.
 */

const SPANS = readRule('facts/booked_spans');
const LINES = readRule('facts/booked_lines');
const RESTATED = readRule('facts/restated_positions');

/** The amounts of what is booked, with the SQL of each over the lines of a query. */
export interface BookedAmounts {
  readonly revenue: string;
  /** Those that reveal a cost; undefined where no measure reads them, or the reader doesn't see them. */
  readonly costs: { readonly cost: string; readonly expenses: string } | undefined;
  /** The sum of invoices and write-offs; undefined where no measure reads it. */
  readonly billed?: string;
}

/** Returns the closings by which a query is booked, whatever its cutoff: that says what is known today, and not what was booked. */
export function bookedClosings({ books }: Pick<Selection, 'books'>): readonly BookedClosing[] {
  return books?.closings ?? [];
}

/** Says why nothing that is booked is known of a query: its rows, its filters, its reader, or its closings; undefined where it is. */
export function whyBlank(query: Query): string | undefined {
  const { selection } = query;
  const { part, books } = selection;
  if (part) return 'blank, as closings keep what is booked of whole projects, of which you see a part';
  if (books?.fault !== undefined) return `blank: ${books.fault}`;
  if (bookedClosings(selection).length === 0) return undefined;
  const name = nameFiner(query);
  if (name !== undefined) return `blank by ${name}, as closings keep what is booked by project and phase`;
  const isOfTotals = bookedClosings(selection).some(({ form }) => form === 'totals');
  return isOfTotals && readsPhases(query)
    ? 'blank by phase, as closings of earlier versions have kept what is booked by project'
    : undefined;
}

/** Returns the closings by which it is known what was billed: those of earlier versions have kept nothing of it. */
export function keptClosings(selection: Pick<Selection, 'books'>): readonly BookedClosing[] {
  return bookedClosings(selection).filter(({ form }) => form === 'booked');
}

/** Returns the reason why it is unknown what has become of positions since they were closed; undefined where it is known. */
export function whyNotRestated(query: Query): string | undefined {
  const { selection } = query;
  const reason = whyBlank(query);
  if (reason !== undefined) return reason;
  if (bookedClosings(selection).length === 0) return 'blank, as no closing is in force';
  return keptClosings(selection).length === 0
    ? 'blank, as closings of earlier versions have kept nothing that is billed'
    : undefined;
}

/** Selects the differences of positions from what closings have kept of them. Requires whyNotRestated to be undefined. */
export function selectRestated(plan: SummaryPlan, amounts: BookedAmounts): string {
  return `(WITH ${statedParts(plan, amounts, keptClosings(plan.query.selection)).join(',\n')}
  SELECT * FROM (${RESTATED(plan.source)}) AS restated_positions)`;
}

/** Returns closings, what they have kept, and the same days as they are known today. */
function statedParts(plan: SummaryPlan, amounts: BookedAmounts, closings: readonly BookedClosing[]): string[] {
  return [
    `booked_chain AS (${selectChain(closings)})`,
    `booked_kept AS (${selectKept(plan, amounts, closings)})`,
    `booked_today AS (${selectToday(plan, amounts, closings)})`,
  ];
}

/**
 * Returns the spans of days that are booked as one (`booked_spans`), and what is booked otherwise than it is known today, by the keys of a plan's
 * rows: each for every row that it belongs to (`booked_rows`), and once (`booked_once`). Requires closings, and a query that isn't blank.
 */
export function bookedParts(plan: SummaryPlan, amounts: BookedAmounts): string[] {
  const { source, querySql, query } = plan;
  const { keys, joins } = lineKeys(plan);
  const conditions = [isInWindow(querySql, 'ledger.date'), ...filterConditions(query.selection, 'ledger')];
  const repeats = repeatedKeys(plan);
  return [
    ...statedParts(plan, amounts, bookedClosings(query.selection)),
    `booked_spans AS (${SPANS(source)})`,
    `booked_lines AS (${LINES(source)})`,
    `booked_window AS (SELECT COUNT(*) > 0 AS is_cut FROM booked_spans WHERE ${isCut(querySql.start, querySql.end)})`,
    `booked_once AS (
  SELECT ${list(keys.map(aliased), ['ledger.*'])}
  FROM booked_lines AS ledger ${joins.join(' ')}
  WHERE ${conditions.join(' AND ')}
)`,
    `booked_rows AS (
  SELECT ${list(
    ['booked_once.*'],
    repeats.map(({ relation, column, name }) => `${relation}.${column} AS ${name}`),
  )}
  FROM booked_once ${repeats.map(({ relation, key }) => `LEFT JOIN ${source.relation(relation)} AS ${relation} ON ${relation}.${key} = booked_once.${key}`).join(' ')}
)`,
  ];
}

/** Returns the periods of a plan's rows (`booked_cuts`), each with whether it cuts a span that is booked as one. */
export function cutParts(plan: SummaryPlan): string[] {
  const names = periodKeys(plan).map(({ name }) => name);
  return [
    `booked_cuts AS (
  SELECT ${list(names, ['BOOL_OR(booked_spans.first_date IS NOT NULL) AS is_cut'])}
  FROM (${selectPeriods(plan)}) AS periods
  LEFT JOIN booked_spans ON ${isCut('periods.first_day', 'periods.last_day')}
  ${groupBy(names)}
)`,
  ];
}

/** Returns the condition that some days have a part of a span that is booked as one. */
function isCut(first: string, last: string): string {
  return `booked_spans.first_date <= ${last} AND booked_spans.last_date >= ${first} AND (booked_spans.first_date < ${first} OR booked_spans.last_date > ${last})`;
}

/** Returns the condition that joins the rows of a plan with their periods in `booked_cuts`. */
export function joinCuts(plan: SummaryPlan): string {
  const same = periodKeys(plan).map(({ name }) => `booked_cuts.${name} = row_keys.${name}`);
  return `row_keys LEFT JOIN booked_cuts ON ${same.join(' AND ') || 'TRUE'}`;
}

/** Returns the keys of a plan's rows, qualified for that join. */
export function cutKeys(plan: SummaryPlan): string[] {
  return keyNames(plan).map((name) => `row_keys.${name}`);
}

function selectChain(closings: readonly BookedClosing[]): string {
  const rows = closings.map(
    ({ startDate, endDate }, index) => `(${index + 1}, ${dateLiteral(startDate)}, ${dateLiteral(endDate)})`,
  );
  return `SELECT * FROM (VALUES ${rows.join(', ')}) AS chain (place, start_date, end_date)`;
}

/** The type of the amounts of files. */
const MONEY = 'DECIMAL(34, 4)';

const NOTHING = `CAST(0 AS ${MONEY})`;

/** Selects what closings have kept. Only projects are told apart where no row is by phase. */
function selectKept(plan: SummaryPlan, { costs, billed }: BookedAmounts, closings: readonly BookedClosing[]): string {
  const phase = readsPhases(plan.query) ? 'phase_id' : '0 AS phase_id';
  const selects = closings.map(({ file, form, endDate }, index) => {
    const columns = KEPT_COLUMNS[form];
    const read = [
      columns.revenue,
      ...(costs ? [columns.cost, columns.expenses] : []),
      ...(billed === undefined ? [] : BILLED_COLUMNS),
    ];
    const types = [
      `'project_id': 'BIGINT'`,
      ...(form === 'booked'
        ? [`'phase_id': 'BIGINT'`, `'first_date': 'DATE'`, `'last_date': 'DATE'`]
        : [`'month': 'DATE'`]),
      ...read.map((name) => `'${name}': '${MONEY}'`),
    ];
    const last = dateLiteral(endDate);
    const days =
      form === 'booked'
        ? ['first_date', 'last_date']
        : ['month AS first_date', `LEAST(pl_add_days(pl_add_months(month, 1), -1), ${last}) AS last_date`];
    const amounts = [
      `${columns.revenue} AS revenue`,
      `${costs ? columns.cost : NOTHING} AS cost`,
      `${costs ? columns.expenses : NOTHING} AS expenses`,
      `${billed === undefined ? NOTHING : BILLED_COLUMNS.map((name) => `COALESCE(${name}, 0)`).join(' + ')} AS billed`,
    ];
    const from = form === 'booked' ? phase : '0 AS phase_id';
    return `SELECT ${list([`${index + 1} AS place`, 'project_id', from], days, amounts)}
  FROM read_csv(${quoteText(file)}, header = true, delim = ',', quote = '', escape = '', types = {${types.join(', ')}})
  ${form === 'totals' ? `WHERE month <= ${last}` : ''}`;
  });
  return selects.join('\n  UNION ALL ');
}

/** The columns of files, by their form. In states of earlier versions, revenue by contract was earned_revenue. */
const KEPT_COLUMNS = {
  booked: { revenue: 'revenue', cost: 'cost', expenses: 'expenses' },
  totals: { revenue: 'earned_revenue', cost: 'actual_cost', expenses: 'expense_to_date_cost' },
} as const;

/** The columns of what is billed, of closings of this version. */
const BILLED_COLUMNS = ['invoiced', 'written_off'];

/** Selects the sums of all days up to the last closing as they are known today, by month if closings begin and end with months. */
function selectToday(
  plan: SummaryPlan,
  { revenue, costs, billed }: BookedAmounts,
  closings: readonly BookedClosing[],
): string {
  const { query, source, calendar } = plan;
  const { selection, grouping } = query;
  const [first, last] = [closings[0], closings.at(-1)];
  const bounds = [first?.startDate, ...closings.map(({ endDate }) => moveDay(endDate, 'day', 1))];
  const isOfMonths = bounds.every((day) => day?.endsWith('-01'));
  const phases = grouping.dimensions.filter(({ line }) => line === PHASE);
  const keys: RowKey[] = [
    { name: 'booked_day', dimension: undefined, period: isOfMonths ? 'month' : 'day' },
    ...phases.map((dimension) => ({ name: `key_${dimension.name}`, dimension, period: undefined })),
  ];
  const own = { ...selection, baseline: undefined, startDate: FIRST_DATE, endDate: last?.endDate ?? FIRST_DATE };
  const today: SummaryPlan = {
    ...plan,
    query: { ...query, selection: own },
    source: source.alone,
    querySql: querySqlOf(own),
    calendar,
    keys,
    amounts: plan.amounts.filter(
      (amount) =>
        amount === 'earned_fee' || (amount === 'cost' && costs) || (amount === 'amount' && billed !== undefined),
    ),
    hasOverlap: false,
    facts: new Set(),
    properties: new Set(['is_to_date']),
  };
  const phase = readsPhases(query) ? 'phase_id' : '0';
  const sums = [
    `SUM(${revenue}) AS revenue`,
    `${costs ? `SUM(${costs.cost})` : NOTHING} AS cost`,
    `${costs ? `SUM(${costs.expenses})` : NOTHING} AS expenses`,
    `${billed === undefined ? NOTHING : `SUM(${billed})`} AS billed`,
  ];
  return `WITH ${windowParts(today).join(',\n')}
  SELECT ${list(['project_id', `${phase} AS phase_id`, 'booked_day AS date'], sums)}
  FROM lines WHERE is_to_date ${groupBy(['project_id', ...(readsPhases(query) ? ['phase_id'] : []), 'booked_day'])}`;
}
