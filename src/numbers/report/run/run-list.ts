import type { Database, Value } from '../../../base/database/index.ts';
import { inPieces } from '../../../base/index.ts';
import type { Column, RowStatements, Table } from '../catalogue/table.ts';
import { compileCounts, planList, type SpanColumn, spanColumn } from '../plan/plan-list.ts';
import { reselect } from '../request/change-query.ts';
import { assertOwnLines } from '../request/line-cursor.ts';
import type { KeySpan, Query } from '../request/query.ts';
import { readCauses } from './causes.ts';
import { metaOf, type ReportContext } from './context.ts';

/** Runs a report that lists. Without a cursor, rows are read lazily. */
export async function runList(context: ReportContext, query: Query): Promise<Table> {
  const { database, company } = context;
  const { sql, columns, countSql, readCursor } = planList(query, company);
  const [counted] = countSql ? await database.rows<{ count: number }>(countSql) : [];
  const causes = query.presentation.hasCauses ? { causes: await readCauses(context, query) } : {};
  const meta = { ...(await metaOf(context, query, [])), ...causes, ...(counted && { row_count: counted.count }) };
  assertOwnLines(query, meta);
  const table = listTable(query, columns, undefined);
  if (!readCursor) {
    const statements = await sliceList(context, query);
    return { ...table, rows: readStatements(statements), meta, statements };
  }
  const rows = await readAll(database, sql);
  const cursor = readCursor(rows, meta);
  const page = inPieces(rows.slice(0, query.presentation.limit));
  return { ...table, rows: page, meta: cursor === undefined ? meta : { ...meta, next_cursor: cursor } };
}

export async function* readStatements({ database, slice }: RowStatements): Table['rows'] {
  for (const statement of slice()) yield* (await database.stream(statement)).chunks;
}

/** Reads the rows of a page, and perhaps one more. */
export async function readAll(database: Database, sql: string): Promise<Value[][]> {
  const { chunks } = await database.stream(sql);
  const rows: Value[][] = [];
  for await (const chunk of chunks) rows.push(...chunk);
  return rows;
}

/**
 * Returns a table of listed rows, without these and their metadata.
 * @param total The sum of the contributions; undefined for lines without them.
 */
export function listTable({ selection: { report } }: Query, columns: readonly Column[], total: Value | undefined) {
  const { name, label } = report;
  const totals = total === undefined ? undefined : columns.map((each) => (each.name === 'contribution' ? total : null));
  return { name, label, columns, totals, nested: undefined };
}

/**
 * The most lines that a statement lists, unless a day or a project alone has more. Unit: rows.
 * Sorting takes memory by the number of lines, so many lines are listed in spans of days or projects.
 */
const MAX_SLICE_ROWS = 491_520;

/** The number of lines on a day. */
export interface Day {
  readonly date: string;
  readonly count: number;
}

interface KeyCount {
  readonly key: string;
  readonly count: number;
}

/** Selects the rows of a report that lists, in several statements if there are many. */
async function sliceList({ database, company }: ReportContext, query: Query): Promise<RowStatements> {
  const column = spanColumn(query);
  const counts = column ? await database.rows<KeyCount & Record<string, Value>>(compileCounts(query, column)) : [];
  return {
    database,
    slice(maxRows) {
      const spans = sliceKeys(counts, maxRows);
      const queries = spans.length < 2 ? [query] : spans.map((span) => narrow(query, column, span));
      return queries.map((each) => planList(each, company).sql);
    },
    maxRows: column && counts.reduce((sum, { count }) => sum + count, 0),
  };
}

function narrow(query: Query, column: SpanColumn | undefined, span: KeySpan): Query {
  return column === 'project_id'
    ? reselect(query, { projects: span })
    : reselect(query, { startDate: span.first, endDate: span.last });
}

/** Groups consecutive days into spans of at most maxRows lines; a longer day is a span of its own. */
export function sliceDays(days: readonly Day[], maxRows?: number): { startDate: string; endDate: string }[] {
  const counts = days.map(({ date, count }) => ({ key: date, count }));
  return sliceKeys(counts, maxRows).map(({ first, last }) => ({ startDate: first, endDate: last }));
}

function sliceKeys(counts: readonly KeyCount[], maxRows = MAX_SLICE_ROWS): KeySpan[] {
  const spans: { first: string; last: string; rows: number }[] = [];
  for (const { key, count } of counts) {
    const current = spans.at(-1);
    if (current && current.rows + count <= maxRows) {
      current.last = key;
      current.rows += count;
    } else spans.push({ first: key, last: key, rows: count });
  }
  return spans.map(({ first, last }) => ({ first, last }));
}
