import type { Value } from '../../../base/database/index.ts';
import { inPieces } from '../../../base/index.ts';
import type { RowStatements, Table } from '../catalogue/table.ts';
import { isOfDays } from '../kinds/kinds.ts';
import { planNumber } from '../plan/plan-number.ts';
import { assertOwnLines } from '../request/line-cursor.ts';
import type { NumberQuery, Query } from '../request/query.ts';
import { metaOf, type ReportContext } from './context.ts';
import { type Day, listTable, readAll, readStatements, sliceDays } from './run-list.ts';

/**
 * Lists the lines behind a number, with the sum of all their contributions as the total.
 * @param number The query of the number.
 */
export async function runNumber(context: ReportContext, query: Query, number: NumberQuery): Promise<Table> {
  const { database, company } = context;
  const { sql, columns, totalSql, readCursor } = planNumber(query, number, company);
  const [total] = await database.rows<{ count: number; total: Value }>(totalSql);
  const meta = { ...(await metaOf(context, query, [])), row_count: total?.count ?? 0 };
  assertOwnLines(query, meta);
  const table = listTable(query, columns, total?.total ?? null);
  if (!readCursor) {
    const statements = await sliceNumber(context, query, number);
    return { ...table, rows: readStatements(statements), meta, statements };
  }
  const rows = await readAll(database, sql);
  const cursor = readCursor(rows, meta);
  const page = inPieces(rows.slice(0, query.presentation.limit));
  return { ...table, rows: page, meta: cursor === undefined ? meta : { ...meta, next_cursor: cursor } };
}

/** Selects the lines in several statements if there are many; only those of a sum can be told apart by day. */
async function sliceNumber(
  { database, company }: ReportContext,
  query: Query,
  number: NumberQuery,
): Promise<RowStatements> {
  const isWhole =
    query.presentation.perPage === undefined &&
    query.presentation.sort === undefined &&
    number.grouping.measures.every(isOfDays);
  const days = isWhole ? await database.rows<Day>(planNumber(query, number, company).daysSql) : [];
  return {
    database,
    slice(maxRows) {
      const slices = sliceDays(days, maxRows);
      const numbers = slices.length < 2 ? [number] : slices.map((slice) => ({ ...number, row: slice }));
      return numbers.map((each) => planNumber(query, each, company).sql);
    },
    maxRows: isWhole ? days.reduce((sum, { count }) => sum + count, 0) : undefined,
  };
}
