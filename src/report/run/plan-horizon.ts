import { daysBetween } from '../../calendar/day.ts';
import type { Database } from '../../database/database.ts';
import { FIRST_DATE } from '../../resource/field.ts';
import { termsOf } from '../catalogue/measure-formula.ts';
import { dateLiteral } from '../catalogue/period.ts';
import type { Query } from '../request/query.ts';
import { kindLiteral, querySqlOf } from '../source/query-sql.ts';
import { stateSource } from '../source/state-source.ts';

/** The set of lines by which forecasts go beyond the cutoff. */
const STILL_TO_COME = 'scheduled_after_cutoff';

/** The days of a window after the end of the plan from which it is said: a week without work says nothing. Unit: days. */
const LEAST_DAYS_BEYOND = 8;

/** Says where the plan ends, if a forecast of a query goes beyond it: the last day for which anybody has billable work scheduled. */
export async function notePlanHorizon({ database }: { readonly database: Database }, query: Query): Promise<string[]> {
  const { endDate, cutoffDate } = query.selection;
  const isForecast = query.grouping.measures.some((measure) =>
    termsOf(measure).some(({ lines }) => lines === STILL_TO_COME),
  );
  if (!isForecast || query.compared || endDate <= cutoffDate) return [];
  const source = stateSource(query.selection).alone;
  const isPlanned = `kind = ${kindLiteral('scheduled')} AND billable AND ${querySqlOf(query.selection).hasStatus('status')}`;
  // The sums of months are few; only the lines of the last month tell the day. A part by people may have none of them.
  const [found] = await database.rows<{ last_day: string | null }>(
    `SELECT CAST(MAX(date) AS VARCHAR) AS last_day FROM ${source.relation('ledger')}
     WHERE ${isPlanned} AND date >= (SELECT COALESCE(MAX(month), ${dateLiteral(FIRST_DATE)}) FROM ${source.relation('ledger_months')} WHERE ${isPlanned})`,
  );
  const last = found?.last_day ?? null;
  if (last === null || daysBetween(last, endDate) < LEAST_DAYS_BEYOND) return [];
  return [
    `No billable work is scheduled after ${last}: what is forecast for the days from then to ${endDate} has no fees.`,
  ];
}
