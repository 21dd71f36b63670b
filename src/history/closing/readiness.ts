import type { Days } from '../../calendar/day.ts';
import { type Database, dateParameter } from '../../database/database.ts';
import { trimZeros } from '../../exact-decimal.ts';
import { readCatalogues } from '../../generation/own-reports.ts';
import { type Company, todayOf } from '../../report/catalogue/definitions.ts';
import { parseReportRequest } from '../../report/request/number.ts';
import { runReport } from '../../report/run/run.ts';
import type { StateFacts } from '../keep-state.ts';
import type { StateWarning } from '../state-record.ts';
import type { HardClosedDays } from './hard-closed.ts';

/** Days of other closings that matter to a new one. */
export interface EarlierClosings {
  /** The first days before the period that aren't closed, if any. */
  readonly unclosed: Days | undefined;
  /** Days of the period that are closed hard, and that a soft closing opens. */
  readonly opened: readonly HardClosedDays[];
}

/** Checks what a reader of a closing should know: whether the period is over and synced, what is missing in it, and findings. */
export async function checkReadiness(
  database: Database,
  { company, day }: StateFacts,
  period: Days,
  earlier: EarlierClosings,
): Promise<StateWarning[]> {
  const unlogged = await readUnlogged(database, company, day, period);
  return [...checkDays(company, day, period, earlier), ...unlogged, ...(await readErrors(database, period))];
}

function checkDays(
  company: Company,
  day: string,
  { endDate }: Days,
  { unclosed, opened }: EarlierClosings,
): StateWarning[] {
  const none = { hours: null, people: null, amount: null };
  const warnings: StateWarning[] = [];
  if (day <= endDate) {
    const known = day < endDate ? `complete up to ${day}` : "of that day, which isn't over";
    const message = `The period ends on ${endDate}, and the records are ${known}.`;
    warnings.push({ name: 'period_not_over', message, ...none });
  }
  const synced = company.syncedAt === null ? undefined : todayOf(company, new Date(company.syncedAt));
  if (synced !== undefined && synced <= endDate) {
    const message = `The records were last synced on ${synced}, before the end of ${endDate}.`;
    warnings.push({ name: 'synced_before_end', message, ...none });
  }
  if (unclosed) {
    const message = `The days from ${unclosed.startDate} to ${unclosed.endDate} aren't closed.`;
    warnings.push({ name: 'earlier_period_open', message, ...none });
  }
  if (opened.length > 0) {
    const days = opened.map(({ startDate, endDate: last, closing }) => `${startDate} to ${last} (${closing})`);
    const message = `Days that are closed hard may change again after this soft closing: ${days.join(', ')}. Close it hard to keep them.`;
    warnings.push({ name: 'hard_closed_days_open', message, ...none });
  }
  return warnings;
}

interface Found {
  readonly hours: string | null;
  readonly people: number;
  readonly amount: string | null;
}

/** The measures of hours that nobody logged, and of what a month end has to accrue for them. */
const UNLOGGED = ['unlogged_hours', 'unlogged_cost', 'unlogged_fees'];

/**
 * Reads scheduled hours that nobody logged, with their cost and fees, as the pivot by person has them.
 * @param day The day up to which the records are complete: nobody has logged what is still to come.
 */
async function readUnlogged(database: Database, company: Company, day: string, period: Days): Promise<StateWarning[]> {
  if (day < period.startDate) return [];
  const last = day < period.endDate ? day : period.endDate;
  const measures = UNLOGGED.join(',');
  const days = { start_date: period.startDate, end_date: last, cutoff_date: last };
  const sent = { ...days, group_by: 'person', measures, fields: measures };
  const query = parseReportRequest(readCatalogues(), 'pivot', sent, { company, today: day });
  const { rows, totals } = await runReport({ database, company, now: new Date(day) }, query);
  let people = 0;
  for await (const chunk of rows) people += chunk.filter(([hours]) => /[1-9]/.test(String(hours))).length;
  if (people === 0) return [];
  const [hours, cost, fees] = (totals ?? []).map((total) => (total === null ? null : String(total)));
  const spell = (amount: string | null = null) => amount && trimZeros(amount, company.minorUnits);
  const message = 'Scheduled hours that nobody logged, by person and day, with their scheduled cost and fees.';
  return [{ name: 'unlogged_hours', message, hours: hours ?? null, people, amount: spell(cost), fees: spell(fees) }];
}

/** Reads the findings that are errors: of days of the period, and of no day. */
async function readErrors(database: Database, days: Days): Promise<StateWarning[]> {
  const rows = await database.rows<Found & { check: string; count: number }>(
    `SELECT "check", COUNT(*) AS count, CAST(SUM(hours) AS VARCHAR) AS hours, COUNT(DISTINCT people_id) AS people,
      CAST(SUM(amount_at_risk) AS VARCHAR) AS amount
    FROM marts.data_quality
    WHERE severity = 'error' AND (date IS NULL OR date BETWEEN $first AND $last)
    GROUP BY "check"
    ORDER BY "check"`,
    windowOf(days),
  );
  return rows.map(({ check, count, hours, people, amount }) => {
    const message = `The report data-quality has ${count} of these errors.`;
    return { name: check, message, hours, people, amount };
  });
}

function windowOf({ startDate, endDate }: Days) {
  return { first: dateParameter(startDate), last: dateParameter(endDate) };
}
