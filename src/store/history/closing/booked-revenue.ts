import type { Days } from '../../../base/calendar/index.ts';
import type { Database } from '../../../base/database/index.ts';
import { trimZeros } from '../../../base/index.ts';
import { askData } from '../../ask/open-data.ts';
import { readBooks } from '../closed-books.ts';
import { readWholeLog } from '../kept-states.ts';

/** The revenue of a period as it is booked, and what of it is for earlier periods (B2), as decimals of the currency. */
export interface BookedRevenue {
  readonly revenue: string;
  readonly catchUp: string;
}

/**
 * Reads the revenue of a period as its closing has booked it or, before it is closed, as it would be booked now.
 * Undefined without a closing in force, and where it isn't known what is booked.
 * @param database The path of the published database, beside which the log is.
 * @param opened The present data.
 */
export async function readBookedRevenue(
  database: string,
  opened: Database,
  { startDate, endDate }: Days,
  now: Date,
): Promise<BookedRevenue | undefined> {
  const books = await readBooks(database, await readWholeLog(database));
  const measures = 'booked_revenue,catch_up_revenue';
  const sent = { start_date: startDate, end_date: endDate, group_by: 'project', measures };
  return askData({ database: opened, now, books }, async ({ table }) => {
    const { columns, totals, meta } = await table('pivot', sent);
    const [revenue, catchUp] = ['booked_revenue', 'catch_up_revenue'].map((wanted) => {
      const value = totals?.[columns.findIndex(({ name }) => name === wanted)] ?? null;
      return value === null ? undefined : trimZeros(String(value), meta.minor_units);
    });
    return revenue === undefined || catchUp === undefined ? undefined : { revenue, catchUp };
  });
}
