import { type Database, quoteName, quoteText } from '../../base/database/index.ts';
import type { MartTable } from './mart-tables.ts';

/** The column of staged rows that is true for a row that is no longer there, of which only the key counts, if it has one. */
export const IS_GONE = 'plumbline_is_gone';

/** The rows of a mart to write: all, also with a mark for staging, or those that differ from an earlier state. */
export type WrittenRows = 'all' | 'staged' | { readonly earlier: string };

/** Writes rows of a mart as CSV. */
export async function writeMartRows(
  database: Database,
  mart: MartTable,
  rows: WrittenRows,
  file: string,
): Promise<void> {
  const selectRows = mart.key.length === 0 ? selectChangedCopies : selectChanged;
  const select = typeof rows === 'string' ? selectAll(mart, rows) : selectRows(mart, rows.earlier);
  await database.run(`COPY (${select}) TO ${quoteText(file)} (FORMAT csv, HEADER false)`);
}

function selectAll({ name, columns }: MartTable, rows: WrittenRows): string {
  const list = columns.map((column) => quoteName(column.name));
  return `SELECT ${[...list, ...(rows === 'all' ? [] : ['false'])].join(', ')} FROM marts.${quoteName(name)}`;
}

/** Returns SQL of the rows that are new or other than in an earlier state, and the keys of those that are gone. */
function selectChanged({ name, columns, key }: MartTable, earlier: string): string {
  const [table, first] = [quoteName(name), quoteName(key[0] ?? '')];
  const list = columns.map((column) => {
    const quoted = quoteName(column.name);
    return key.includes(column.name) ? `COALESCE(now.${quoted}, earlier.${quoted})` : `now.${quoted}`;
  });
  const on = key.map((column) => `now.${quoteName(column)} = earlier.${quoteName(column)}`);
  const differs = columns
    .filter((column) => !key.includes(column.name))
    .map(({ name: column }) => `now.${quoteName(column)} IS DISTINCT FROM earlier.${quoteName(column)}`);
  const isGone = `now.${first} IS NULL`;
  return `SELECT ${list.join(', ')}, ${isGone}
    FROM marts.${table} AS now FULL JOIN ${earlier}.marts.${table} AS earlier ON ${on.join(' AND ')}
    WHERE ${[isGone, `earlier.${first} IS NULL`, ...differs].join(' OR ')}`;
}

/** Returns SQL of rows without a key: all copies of one that there are more or fewer of than earlier, or that is gone. */
function selectChangedCopies({ name, columns }: MartTable, earlier: string): string {
  const table = quoteName(name);
  const list = columns.map((column) => quoteName(column.name)).join(', ');
  return `SELECT ${list}, copies_now = 0
    FROM (
      SELECT ${list}, COUNT(*) FILTER (is_now) AS copies_now, COUNT(*) FILTER (NOT is_now) AS copies_earlier
      FROM (
        SELECT ${list}, true AS is_now FROM marts.${table}
        UNION ALL
        SELECT ${list}, false FROM ${earlier}.marts.${table}
      )
      GROUP BY ${list}
    ), UNNEST(RANGE(GREATEST(copies_now, 1)))
    WHERE copies_now <> copies_earlier`;
}
