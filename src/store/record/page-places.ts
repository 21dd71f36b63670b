import { LRUCache } from 'lru-cache';
import { quoteText } from '../../base/database/index.ts';
import type { ListQuery } from './list.ts';
import type { Reader } from './rules/rules.ts';

/*
 * Sorting a list of 2.4 million records takes 1.3 s, and each page would sort it again. So every 2,000th moment
 * of a list is kept, and a page sorts the records between two of them, in about 20 ms. The records before them
 * are counted for each page, so moments kept since before a write still lead to the right page, or to none.
 */

/** The distance of the moments kept. Unit: records. */
const RECORDS_BETWEEN = 2_000;

/** The least offset of a page found by moments: the first records need no whole sort. Unit: records. */
export const MIN_PLACED_OFFSET = 2_000;

/** The most lists with moments kept: 1,200 for a list of 2.4 million records. */
const MAX_PLACED_LISTS = 50;

/** Moments by list. Those of another database cost time, and change no page. */
const known = new LRUCache<string, Marks>({ max: MAX_PLACED_LISTS });

/** Every RECORDS_BETWEEN-th moment of a list, ascending. */
interface Marks {
  readonly total: number;
  readonly moments: readonly string[];
}

/** The place of a page among some of the rows of its list. */
export interface PagePlace {
  /** Number of records on all pages. */
  readonly total: number;
  /** SQL of consecutive rows of the list that contain the page. */
  readonly where: string;
  /** The number of these rows before the page. */
  readonly offset: number;
}

/** Finds a page of a list. @param table The list's relation in SQL. */
export async function findPlace(reader: Reader, table: string, query: ListQuery): Promise<PagePlace> {
  const { where, moment, page, perPage } = query;
  const offset = (page - 1) * perPage;
  if (moment !== undefined && offset >= MIN_PLACED_OFFSET) {
    const list = JSON.stringify([table, where, moment.column]);
    const kept = known.get(list);
    const found = kept && (await findBetween(reader, table, query, kept));
    if (found) return found;
    const marks = await readMarks(reader, table, where, moment.column);
    known.set(list, marks);
    const place = await findBetween(reader, table, query, marks);
    if (place) return place;
  }
  const [counted] = await reader.rows<{ total: number }>(`SELECT count(*) AS total FROM ${table} WHERE ${where}`);
  return { total: counted?.total ?? 0, where, offset };
}

async function readMarks(reader: Reader, table: string, where: string, column: string): Promise<Marks> {
  const rows = await reader.rows<{ moment: string; total: number }>(`
    SELECT moment, total FROM (
      SELECT ${column} AS moment, row_number() OVER (ORDER BY ${column}) AS place, count(*) OVER () AS total
      FROM ${table} WHERE (${where}) AND ${column} IS NOT NULL)
    WHERE (place - 1) % ${RECORDS_BETWEEN} = 0 ORDER BY place`);
  return { total: rows[0]?.total ?? 0, moments: rows.map(({ moment }) => moment) };
}

/** Finds a page between two moments. @returns undefined if it isn't wholly between them. */
async function findBetween(
  reader: Reader,
  table: string,
  { where, moment, page, perPage }: ListQuery,
  { total: counted, moments }: Marks,
): Promise<PagePlace | undefined> {
  if (!moment) return undefined;
  const { column, isDescending } = moment;
  const offset = (page - 1) * perPage;
  const first = isDescending ? counted - offset - perPage : offset;
  const last = moments.length - 1;
  // One more on either side, in case records have come or gone; none at an end of the list.
  const from = moments[Math.min(last, Math.floor(first / RECORDS_BETWEEN) - 1)];
  const to = moments[Math.max(0, Math.ceil((first + perPage) / RECORDS_BETWEEN) + 1)];
  const lower = from === undefined ? [] : [`${column} >= TIMESTAMP ${quoteText(from)}`];
  const upper = to === undefined ? [] : [`${column} <= TIMESTAMP ${quoteText(to)}`];
  const bounds = [...lower, ...upper];
  const edge = isDescending ? upper : lower;
  if (bounds.length === 0) return undefined;
  const [row] = await reader.rows<{ total: number; skipped: number; held: number }>(`
    SELECT count(*) AS total, count(*) FILTER (WHERE ${edge.map((bound) => `NOT (${bound})`).join('') || 'FALSE'}) AS skipped,
      count(*) FILTER (WHERE ${bounds.join(' AND ')}) AS held
    FROM ${table} WHERE ${where}`);
  const { total, skipped, held } = row ?? { total: 0, skipped: 0, held: 0 };
  const end = Math.min(offset + perPage, total);
  if (offset < skipped || end > skipped + held) return undefined;
  return { total, where: [`(${where})`, ...bounds].join(' AND '), offset: offset - skipped };
}
