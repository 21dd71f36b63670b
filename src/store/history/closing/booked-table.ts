import { type Days, endOfMonth, FIRST_DATE, moveDay } from '../../../base/calendar/index.ts';
import type { Database } from '../../../base/database/index.ts';
import { askData } from '../../ask/open-data.ts';
import type { StateRecord } from '../state-record.ts';

/** The columns of the table of what a closing books, in money without quotes. */
const COLUMNS = [
  ...['project_id', 'phase_id', 'first_date', 'last_date'],
  ...['revenue', 'cost', 'expenses', 'invoiced', 'written_off'],
];

/** The measures of its amounts. */
const MEASURES = ['actual_revenue', 'actual_cost', 'expense_to_date_cost', 'invoiced', 'written_off'];

type ClosedState = Pick<StateRecord, 'day' | 'end_date' | 'kept_at'>;

/**
 * Computes what a closing keeps for later ones to be booked by (B1), as CSV: revenue, labour cost, cost of expenses, invoices and write-offs by project, phase
 * and month, of all days up to its last one. A month that a period of a closing begins or ends in is several rows.
 * @param periods The periods of the closings in force, its own among them.
 */
export function computeBooked(
  database: Database,
  { day, end_date, kept_at }: ClosedState,
  periods: readonly Days[],
): Promise<string> {
  const last = end_date ?? day;
  return askData({ database, now: new Date(kept_at), today: day }, async ({ table }) => {
    const lines: string[] = [];
    for (const span of splitMonths(last, periods)) {
      const { rows } = await table('pivot', {
        group_by: 'project,phase,month',
        measures: MEASURES.join(','),
        fields: ['project_id', 'phase_id', 'month', ...MEASURES].join(','),
        start_date: span.startDate,
        end_date: span.endDate,
        cutoff_date: last,
      });
      for await (const chunk of rows)
        for (const [project, phase, month, ...amounts] of chunk) {
          if (amounts.every((amount) => !/[1-9]/.test(String(amount ?? '')))) continue;
          const days = commonDays(String(month), span);
          lines.push(
            [project, phase ?? 0, days.startDate, days.endDate, ...amounts.map((each) => each ?? '')].join(','),
          );
        }
    }
    return [COLUMNS.join(','), ...lines, ''].join('\r\n');
  });
}

/** Returns the days up to a last one, divided where a period begins or ends within a month. */
function splitMonths(last: string, periods: readonly Days[]): Days[] {
  const bounds = periods
    .flatMap(({ startDate, endDate }) => [startDate, moveDay(endDate, 'day', 1)])
    .filter((day) => !day.endsWith('-01') && day > FIRST_DATE && day <= last);
  const starts = [FIRST_DATE, ...new Set(bounds.toSorted())];
  return starts.map((startDate, index) => {
    const next = starts[index + 1];
    return { startDate, endDate: next === undefined ? last : moveDay(next, 'day', -1) };
  });
}

/** Returns the days of a month in a span. */
function commonDays(month: string, { startDate, endDate }: Days): Days {
  const end = endOfMonth(month);
  return { startDate: month < startDate ? startDate : month, endDate: end > endDate ? endDate : end };
}
