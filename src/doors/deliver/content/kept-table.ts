import type { Database, Value } from '../../../base/database/index.ts';
import { inPieces, inTurns } from '../../../base/index.ts';
import type { Column, RowStatements, Table } from '../../../numbers/report/catalogue/index.ts';

type RowChunks = Table['rows'];

/** Keeps the rows of a table that sums, and reads those of a list again each time: the table may be read more than once. */
export async function keepTable(table: Table): Promise<Table> {
  const { statements } = table;
  if (statements) return { ...table, rows: readAgain(() => inTurns(streamStatements(statements))) };
  const kept: (readonly Value[])[] = [];
  for await (const chunk of table.rows) kept.push(...chunk);
  return { ...table, rows: readAgain(() => inTurns(inPieces(kept))) };
}

/** Counts the rows of a table that may be read more than once. */
export async function countRows({ statements, rows }: Table): Promise<number> {
  let count = 0;
  if (!statements) {
    for await (const chunk of rows) count += chunk.length;
    return count;
  }
  for (const statement of statements.slice()) {
    const [counted] = await statements.database.rows<{ count: string }>(
      `SELECT COUNT(*) AS count FROM (${statement}) AS listed`,
    );
    count += Number(counted?.count ?? 0);
  }
  return count;
}

/** Leaves out columns of a table, and their values in its rows, totals, subtotals and nested rows. */
export function leaveColumns(table: Table, isShown: (column: Column) => boolean): Table {
  const { columns, rows, totals, totalRows, subtotals, nested, insightsOf, statements, ...rest } = table;
  const pick = pickerOf(columns, isShown);
  if (columns.every(isShown) && (!nested || nested.columns.every(isShown))) return table;
  const nestedPick = pickerOf(nested?.columns ?? [], isShown);
  const wholeOf = new WeakMap<readonly Value[], readonly Value[]>();
  const pickRow = (row: readonly Value[]) => {
    const picked = pick(row);
    wholeOf.set(picked, row);
    return picked;
  };
  return {
    ...rest,
    columns: pick(columns),
    rows: readAgain(() => mapRows(rows, pickRow)),
    ...(insightsOf && { insightsOf: (row) => insightsOf(wholeOf.get(row) ?? row) }),
    totals: totals && pick(totals),
    ...(totalRows && { totalRows: totalRows.map(pick) }),
    ...(subtotals && { subtotals: subtotals.map((each) => ({ ...each, values: pick(each.values) })) }),
    nested: nested && { ...nested, columns: nestedPick(nested.columns), rows: nested.rows.map(nestedPick) },
  };
}

function pickerOf(columns: readonly Column[], isShown: (column: Column) => boolean) {
  const shown = columns.map(isShown);
  return <Item>(items: readonly Item[]): Item[] => items.filter((_, index) => shown[index]);
}

function readAgain(read: () => RowChunks): RowChunks {
  return { [Symbol.asyncIterator]: () => read()[Symbol.asyncIterator]() };
}

async function* mapRows(rows: RowChunks, map: (row: readonly Value[]) => readonly Value[]): RowChunks {
  for await (const chunk of rows) yield chunk.map(map);
}

async function* streamStatements({ database, slice }: RowStatements): RowChunks {
  for (const statement of slice()) yield* streamRows(database, statement);
}

/** Reads the rows of a statement when they are asked for. */
export async function* streamRows(database: Database, sql: string): AsyncGenerator<readonly (readonly Value[])[]> {
  yield* (await database.stream(sql)).chunks;
}
