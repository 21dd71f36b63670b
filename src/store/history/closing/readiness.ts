import type { Days } from '../../../base/calendar/index.ts';
import { type Database, dateParameter } from '../../../base/database/index.ts';
import { Exact, FEWEST_SUM_DECIMALS, formatReadable, trimZeros } from '../../../base/index.ts';
import { type Company, type RowInsights, todayOf } from '../../../numbers/report/catalogue/index.ts';
import { askData } from '../../ask/open-data.ts';
import type { StateFacts } from '../keep-state.ts';
import type { StateWarning } from '../state-record.ts';
import { countProjects, type EarlierClosings, hasProgress, readLateProgress } from './late-progress.ts';

/**
 * Checks what a reader of a closing should know: whether the period is over and synced, what is missing in it, and findings.
 * @param closings What is closed before the period, and what isn't.
 */
export async function checkReadiness(
  database: Database,
  { company, day }: StateFacts,
  period: Days,
  { unclosed, latest }: EarlierClosings,
): Promise<StateWarning[]> {
  return [
    ...checkDays(company, day, period, unclosed),
    ...(await readMissing(database, company, day, period)),
    ...(await readWaitingWork(database, company, day, period)),
    ...(await readLateProgress(database, latest)),
    ...(await readErrors(database, company, period)),
  ];
}

function checkDays(company: Company, day: string, { endDate }: Days, unclosed: Days | undefined): StateWarning[] {
  const none = { hours: null, people: null, amount: null };
  const warnings: StateWarning[] = [];
  if (day <= endDate) {
    const known = day < endDate ? `those of ${day}` : "of that day, which isn't over";
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
  return warnings;
}

/** The measures of time that a month end has to accrue, and of all hours that nobody logged. */
const MISSING = ['missing_hours', 'missing_cost', 'missing_fees', 'missing_revenue', 'unlogged_hours'];

/**
 * Reads the scheduled hours of days on which people logged nothing, with their cost, fees and what they would earn, as the pivot by person has them.
 * @param day The day up to which the records are complete: nobody has logged what is still to come.
 */
async function readMissing(database: Database, company: Company, day: string, period: Days): Promise<StateWarning[]> {
  if (day < period.startDate) return [];
  const last = day < period.endDate ? day : period.endDate;
  const measures = MISSING.join(',');
  const days = { start_date: period.startDate, end_date: last, cutoff_date: last };
  const sent = { ...days, group_by: 'person', measures, fields: measures };
  const { people, sums } = await askData({ database, now: new Date(day), today: day }, async ({ table }) => {
    const { rows, totals } = await table('pivot', sent);
    let count = 0;
    for await (const chunk of rows) count += chunk.filter(([hours]) => /[1-9]/.test(String(hours))).length;
    return { people: count, sums: totals ?? [] };
  });
  if (people === 0) return [];
  const [hours, cost, fees, revenue, unlogged] = sums.map((total) => (total === null ? null : String(total)));
  const spell = (amount: string | null = null) => spellMoney(amount, company);
  const amounts = { amount: spell(cost), fees: spell(fees), revenue: spell(revenue) };
  const whole = unlogged && formatReadable(unlogged, 'hours', company.minorUnits);
  const message = `Scheduled hours of days on which people logged nothing; with days that are shorter than planned, ${whole} h are unlogged.`;
  return [{ name: 'missing_hours', message, hours: hours ?? null, people, ...amounts }];
}

/** Reads the work of projects that earns nothing until progress is entered, as the sentences of the report projects have it (K6). */
async function readWaitingWork(
  database: Database,
  company: Company,
  day: string,
  period: Days,
): Promise<StateWarning[]> {
  const last = day < period.endDate ? day : period.endDate;
  if (day < period.startDate || !(await hasProgress(database, last))) return [];
  const sent = { start_date: period.startDate, end_date: last, cutoff_date: last, insights: '1' };
  const said = await askData({ database, now: new Date(day), today: day }, async ({ table }) => {
    const { rows, insightsOf } = await table('projects', sent);
    const insights: RowInsights['insights'][number][] = [];
    for await (const chunk of rows) insights.push(...chunk.flatMap((row) => insightsOf?.(row).insights ?? []));
    return insights.filter(({ rule }) => rule === 'progress_missing');
  });
  if (said.length === 0) return [];
  const sum = (unit: string) => {
    const known = said.flatMap(({ numbers }) => numbers.filter((number) => number.unit === unit));
    return known.length === 0 ? null : Exact.sum(...known.map(({ value }) => value)).toFixed();
  };
  const hours = sum('hours');
  const message = `Work since the latest entries of progress of ${countProjects(said.length)} earns nothing yet.`;
  const spelled = hours && trimZeros(hours, FEWEST_SUM_DECIMALS);
  return [
    { name: 'progress_missing', message, hours: spelled, people: null, amount: spellMoney(sum('money'), company) },
  ];
}

function spellMoney(amount: string | null = null, { minorUnits }: Company): string | null {
  return amount && trimZeros(amount, minorUnits);
}

interface ErrorRow {
  readonly check: string;
  readonly count: number;
  readonly hours: string | null;
  readonly scheduled_hours: string | null;
  readonly people: number;
  readonly amount: string | null;
}

/** Reads the findings that are errors: of days of the period, and of no day. Those of the plan stand apart: nothing is booked for them. */
async function readErrors(database: Database, company: Company, days: Days): Promise<StateWarning[]> {
  const ofPlan = "resource = 'tasks'";
  const rows = await database.rows<ErrorRow>(
    `SELECT "check", COUNT(*) AS count, COUNT(DISTINCT people_id) AS people, SUM(CASE WHEN ${ofPlan} THEN NULL ELSE hours END) AS hours,
      SUM(CASE WHEN ${ofPlan} THEN hours END) AS scheduled_hours, SUM(CASE WHEN ${ofPlan} THEN NULL ELSE amount_at_risk END) AS amount
    FROM marts.data_quality
    WHERE severity = 'error' AND (date IS NULL OR date BETWEEN $first AND $last)
    GROUP BY "check"
    ORDER BY "check"`,
    windowOf(days),
  );
  return rows.map(({ check, count, hours, scheduled_hours: planned, people, amount }) => {
    const beside =
      planned === null
        ? ''
        : `; ${formatReadable(planned, 'hours', company.minorUnits)} h of them are planned, and stand apart`;
    const message = `The report data-quality has ${count} of these errors${beside}.`;
    return { name: check, message, hours, people, amount: spellMoney(amount, company) };
  });
}

function windowOf({ startDate, endDate }: Days) {
  return { first: dateParameter(startDate), last: dateParameter(endDate) };
}
