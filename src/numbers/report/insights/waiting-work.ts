import type { Value } from '../../../base/database/index.ts';
import { Exact } from '../../../base/index.ts';
import { countsAs } from '../../relation/line-kinds.ts';
import { linkNumber } from '../plan/links.ts';
import { planSummary } from '../plan/plan-summary.ts';
import type { Query } from '../request/query.ts';
import type { ReportContext } from '../run/context.ts';
import { selectPlaced } from '../source/fee-uses.ts';
import { filterConditions } from '../source/filter.ts';
import { percentsPart } from '../source/life-facts.ts';
import { isInWindow, statusLiteral } from '../source/query-sql.ts';
import type { SummaryPlan } from '../source/summary-plan.ts';
import { keyColumnsOf, measuredFact, plainFact, type ToldRow, type ToldRows } from './row-facts.ts';

/** The lines of a row that lie after the latest entry of progress of their places, and earn nothing until the next one. */
interface WaitingWork {
  readonly places: Value;
  /** The earliest of the latest entries, and the days of the window after it. */
  readonly progress_on: string;
  readonly waits_from: string;
  readonly waits_to: string;
  /** True if all lines of the row since then are of one place. */
  readonly is_whole: boolean;
  readonly has_expenses: boolean;
  readonly hours: Value;
  readonly cost: Value;
}

/**
 * Adds the work of each row that waits for progress to be entered (K6), and its profit without what that costs. Entries of 100 % leave nothing to
 * wait for.
 */
export async function addWaitingWork(
  { database, company }: ReportContext,
  query: Query,
  rows: ToldRows,
): Promise<void> {
  const plan = planSummary(query, company);
  const [entry] = await database.rows(`SELECT 1 AS one FROM ${plan.source.alone.relation('fee_progress')} LIMIT 1`);
  const found = entry ? await database.rows<WaitingWork & Record<string, Value>>(compileWaiting(plan)) : [];
  for (const row of rows.all) row.facts.set('waiting_hours', plainFact(0, 'hours'));
  for (const waiting of found) {
    const row = rows.find(keyColumnsOf(query).map((name) => waiting[name] ?? null));
    if (row) addWaiting(query, row, waiting);
  }
}

function addWaiting(query: Query, { keys, facts }: ToldRow, waiting: WaitingWork): void {
  const link = (measure: string) => () =>
    linkNumber(query, measure, { ...keys, period_start: waiting.waits_from, period_end: waiting.waits_to });
  const { hours, cost, is_whole: isWhole } = waiting;
  const profit = facts.get('actual_profit')?.value ?? null;
  facts.set('waiting_places', plainFact(waiting.places, 'count'));
  facts.set('progress_on', plainFact(waiting.progress_on, 'date'));
  facts.set(
    'waiting_hours',
    isWhole ? measuredFact(hours, 'hours', 'actual_hours', link('actual_hours')) : plainFact(hours, 'hours'),
  );
  facts.set(
    'waiting_cost',
    isWhole && !waiting.has_expenses
      ? measuredFact(cost, 'money', 'actual_cost', link('actual_cost'))
      : plainFact(cost, 'money'),
  );
  if (profit !== null) facts.set('settled_profit', plainFact(Exact.sum(profit, String(cost ?? 0)).toFixed(), 'money'));
}

function compileWaiting(plan: SummaryPlan): string {
  const { query, querySql } = plan;
  const { alone } = plan.source;
  const keys = keyColumnsOf(query);
  const levels = keys.includes('phase_id') ? "'project', 'phase'" : "'project'";
  const conditions = [
    isInWindow(querySql, 'date'),
    `date <= ${querySql.cutoff}`,
    `NOT (${countsAs('plan')})`,
    `status <> ${statusLiteral('canceled')}`,
    ...filterConditions(query.selection, 'ledger'),
  ];
  const lines = `SELECT * FROM ${alone.relation('ledger')} AS ledger WHERE ${conditions.join(' AND ')}`;
  const [cost = 'CAST(NULL AS DECIMAL(38, 4))'] = alone.costs('SUM(lines.cost)');
  return `WITH ${percentsPart(plan)}
SELECT ${keys.map((key) => `lines.${key}`).join(', ')}, COUNT(DISTINCT CONCAT(lines.phase_key, ' ', lines.task_key)) AS places,
  CAST(MIN(last_entry) AS VARCHAR) AS progress_on, CAST(GREATEST(pl_add_days(MIN(last_entry), 1), ${querySql.start}) AS VARCHAR) AS waits_from,
  CAST(LEAST(${querySql.cutoff}, ${querySql.end}) AS VARCHAR) AS waits_to,
  BOOL_AND(level IN (${levels})) AS is_whole, NOT BOOL_AND(${countsAs('work', 'lines.kind')}) AS has_expenses,
  COALESCE(SUM(CASE WHEN ${countsAs('work', 'lines.kind')} THEN lines.hours END), 0) AS hours, ${cost} AS cost
FROM ${selectPlaced({ ...plan, source: alone }, lines)} AS lines
JOIN fee_percents AS places
  ON places.project_id = lines.project_id AND places.phase_key = lines.phase_key AND places.task_key = lines.task_key
WHERE lines.agreed_fee IS NOT NULL AND lines.date > places.last_entry AND places.end_day IS NULL AND places.entered_part < places.entered_whole
GROUP BY ${keys.map((key) => `lines.${key}`).join(', ')}`;
}
