import type { Database } from '../database/database.ts';
import { compileDays, compileList } from './compile-list.ts';
import type { Query } from './parameters.ts';
import type { Selection } from './table.ts';

/**
 * The most lines that a statement lists, unless a day alone has more. Unit: rows.
 * Sorting takes memory by the number of lines, so a long window is listed in spans of days.
 */
const MAX_SLICE_ROWS = 491_520;

interface Day {
  readonly date: string;
  readonly count: number;
}

/** Selects the rows of a report that lists, in several statements if there are many. */
export async function sliceList(database: Database, query: Query): Promise<Selection> {
  const counting = compileDays(query);
  const days = counting ? await database.rows<Day>(counting) : undefined;
  return {
    database,
    slice(maxRows) {
      const slices = sliceDays(days ?? [], maxRows);
      const queries = slices.length < 2 ? [query] : slices.map((slice) => ({ ...query, ...slice }));
      return queries.map((each) => compileList(each).sql);
    },
    maxRows: days?.reduce((sum, { count }) => sum + count, 0),
  };
}

/** Groups consecutive days into spans of at most maxRows lines; a longer day is a span of its own. */
export function sliceDays(days: readonly Day[], maxRows = MAX_SLICE_ROWS): { startDate: string; endDate: string }[] {
  const slices: { startDate: string; endDate: string; rows: number }[] = [];
  for (const { date, count } of days) {
    const last = slices.at(-1);
    if (last && last.rows + count <= maxRows) {
      last.endDate = date;
      last.rows += count;
    } else slices.push({ startDate: date, endDate: date, rows: count });
  }
  return slices.map(({ startDate, endDate }) => ({ startDate, endDate }));
}
