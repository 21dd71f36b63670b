import type { Days } from '../../calendar/day.ts';
import { type Database, dateParameter } from '../../database/database.ts';
import { type Company, todayOf } from '../../report/catalogue/definitions.ts';
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
  // Nobody has logged what is still to come.
  const past = { ...period, endDate: day < period.endDate ? day : period.endDate };
  const unlogged = await readUnlogged(database, past, company.minorUnits);
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
  if (day < endDate) {
    const message = `The period ends on ${endDate}, and the records are complete up to ${day}.`;
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

/** Reads scheduled hours of the period that nobody logged, per person and day, and their scheduled cost. */
async function readUnlogged(database: Database, days: Days, minorUnits: number): Promise<StateWarning[]> {
  const [found] = await database.rows<Found>(
    `WITH days AS (
      SELECT people_id,
        SUM(CASE WHEN kind = pl_line_kind('scheduled') THEN hours ELSE 0 END) AS scheduled,
        SUM(CASE WHEN kind = pl_line_kind('actual') THEN hours ELSE 0 END) AS logged,
        CAST(SUM(CASE WHEN kind = pl_line_kind('scheduled') THEN cost END) * ${10 ** minorUnits} AS HUGEINT) AS cost
      FROM marts.ledger
      WHERE date BETWEEN $first AND $last
        AND (kind = pl_line_kind('actual') OR (kind = pl_line_kind('scheduled')
          AND status IN (pl_line_status('confirmed'), pl_line_status('completed'))))
      GROUP BY people_id, date),
    missing AS (
      SELECT people_id, cost, scheduled - logged AS hours,
        CAST((scheduled - logged) * 10000 AS HUGEINT) AS part, CAST(scheduled * 10000 AS HUGEINT) AS whole
      FROM days
      WHERE scheduled > logged)
    SELECT CAST(SUM(hours) AS VARCHAR) AS hours, COUNT(DISTINCT people_id) AS people,
      CAST(SUM((2 * cost * part + whole) // (2 * whole)) AS VARCHAR) AS amount
    FROM missing`,
    windowOf(days),
  );
  if (!found?.hours) return [];
  const message = 'Scheduled hours that nobody logged, by person and day, with their scheduled cost.';
  return [{ name: 'unlogged_hours', message, ...found, amount: spellMinor(found.amount, minorUnits) }];
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

/** Spells minor units as an amount: 15000 as 150.00. */
function spellMinor(units: string | null, minorUnits: number): string | null {
  if (units === null || minorUnits === 0) return units;
  const digits = units.padStart(minorUnits + 1, '0');
  return `${digits.slice(0, -minorUnits)}.${digits.slice(-minorUnits)}`;
}
