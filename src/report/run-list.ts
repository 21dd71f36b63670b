import type { Value } from '../database/database.ts';
import { compileList } from './compile-list.ts';
import { inChunks, metaOf, type ReportContext } from './context.ts';
import type { Query } from './parameters.ts';
import { sliceList } from './slice.ts';
import type { Column, Meta, Selection, Table } from './table.ts';

/** Runs a report that lists. Without a cursor, rows are read lazily. */
export async function runList(context: ReportContext): Promise<Table> {
  const { database, query } = context;
  const { sql, columns, countSql, readCursor } = compileList(query);
  const [counted] = countSql ? await database.rows<{ count: number }>(countSql) : [];
  const meta = { ...metaOf(context, []), ...(counted && { row_count: counted.count }) };
  if (!readCursor) {
    const selection = await sliceList(database, query);
    return { ...listTable(query, columns, readSelection(selection), meta), selection };
  }
  const { chunks } = await database.stream(sql);
  const rows: Value[][] = [];
  for await (const chunk of chunks) rows.push(...chunk);
  const cursor = readCursor(rows);
  const page = rows.slice(0, query.limit);
  return listTable(query, columns, inChunks([page]), cursor === undefined ? meta : { ...meta, next_cursor: cursor });
}

async function* readSelection({ database, slice }: Selection): Table['rows'] {
  for (const statement of slice()) yield* (await database.stream(statement)).chunks;
}

function listTable(query: Query, columns: readonly Column[], rows: Table['rows'], meta: Meta): Table {
  return {
    name: query.report.name,
    label: query.report.label,
    columns,
    rows,
    totals: undefined,
    nested: undefined,
    meta,
  };
}
