import { openDatabase, quoteName, type Value } from '../../base/database/index.ts';
import { gather } from '../../base/index.ts';
import type { Column, Meta, RowStatements, Table } from '../report/catalogue/table.ts';
import { type CopiedFile, copyStatements } from './copy.ts';
import { describeMeta } from './describe-meta.ts';
import { UNIT_TYPES } from './typed.ts';
import type { TypedColumn } from './value-sql.ts';
import { type DecimalStyle, objectFormatter } from './value-text.ts';

export interface OpenStatements {
  readonly statements: RowStatements;
  readonly columns: readonly TypedColumn[];
  /** Must be called. */
  close(): Promise<void>;
}

/** Opens a table's statements, or loads rows from JavaScript into a database in memory. */
export async function openStatements(table: Table): Promise<OpenStatements> {
  const { statements, columns } = table;
  if (statements) return { statements, columns: await readTypes(statements, columns), close: async () => undefined };
  const typed = columns.map((column) => ({ ...column, type: UNIT_TYPES[column.unit] }));
  const database = await openDatabase(':memory:');
  try {
    await database.run(
      `CREATE TABLE listed (${typed.map(({ name, type }) => `${quoteName(name)} ${type}`).join(', ')})`,
    );
    const insert = `INSERT INTO listed ${selectCells(typed)}`;
    for await (const rows of gather(table.rows, BATCH_ROWS)) await database.run(insert, [formatCells(rows)]);
  } catch (error) {
    await database.close();
    throw error;
  }
  return { statements: { database, slice: () => ['FROM listed'] }, columns: typed, close: () => database.close() };
}

/** The rows of an insert, since a statement costs as much as hundreds of rows. Unit: rows. */
const BATCH_ROWS = 2_000;

/** Selects the rows of the parameter $1, which formatCells writes. */
export function selectCells(columns: readonly Pick<TypedColumn, 'name' | 'type'>[]): string {
  const cells = columns.map(
    ({ name, type }, index) => `CAST(${readCell(`cells[${index + 1}]`, type)} AS ${type}) AS ${quoteName(name)}`,
  );
  return `SELECT ${cells.join(', ')} FROM (SELECT UNNEST(from_json($1, '[["VARCHAR"]]')) AS cells) AS listed`;
}

/** Writes rows as a parameter, each value as its text. */
export function formatCells(rows: readonly (readonly Value[])[]): string {
  return JSON.stringify(rows.map((row) => row.map(formatCell)));
}

/** Casts a text to a type. DECIMAL(38) parses some eighty times slower than DECIMAL(18), tried first. */
function readCell(cell: string, type: string): string {
  if (!type.startsWith('DECIMAL(38,')) return cell;
  const small = type.replace('38', '18');
  return `COALESCE(CAST(TRY_CAST(${cell} AS ${small}) AS ${type}), CAST(${cell} AS ${type}))`;
}

function formatCell(value: Value): string | null {
  if (value === null) return null;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

async function readTypes({ database, slice }: RowStatements, columns: readonly Column[]): Promise<TypedColumn[]> {
  const described = await database.rows<{ column_type: string }>(`DESCRIBE ${slice()[0]}`);
  return columns.map((column, index) => ({ ...column, type: described[index]?.column_type ?? '' }));
}

/** The fewest rows that the database, slow to start, writes faster than JavaScript. Unit: rows. */
const MIN_COPIED_ROWS = 10_000;

/** The most lines of a statement, where several are written at once. Unit: rows. */
const LINES_SLICE_ROWS = 245_760;

/**
 * Lets the database write a table's rows as lines, each with a line feed.
 * Undefined if the rows come from JavaScript, are few, or have a type without SQL spelling.
 * @param spell Returns the SQL expression of a row's line.
 */
export async function copyLines(
  { statements, columns, meta }: Table,
  spell: (columns: readonly TypedColumn[], meta: Meta) => string | undefined,
): Promise<AsyncIterable<CopiedFile> | undefined> {
  const { maxRows } = statements ?? {};
  const areFew = maxRows !== undefined && maxRows < MIN_COPIED_ROWS;
  if (!statements || areFew) return undefined;
  const line = spell(await readTypes(statements, columns), meta);
  if (!line) return undefined;
  return copyStatements(statements, {
    select: (statement) => selectLines(statement, line),
    options: "FORMAT csv, HEADER false, QUOTE '', ESCAPE ''",
    sliceRows: LINES_SLICE_ROWS,
    busyProcessors: 1,
  });
}

/**
 * Selects lines so that COPY writes on one thread, each line as it comes.
 * On all threads each would first collect 122,880 lines, a gigabyte if they are long. COPY uses all
 * threads only if every source numbers its rows, and the empty range doesn't.
 */
export function selectLines(statement: string, line: string): string {
  return `SELECT ${line} AS line FROM (${statement}) AS listed UNION ALL SELECT '' FROM range(0)`;
}

/** Returns the totals of a table as JSON: an object, or a list of those of each measure; undefined for a table without totals. */
export function formatTotals(
  { columns, totals, totalRows, meta }: Table,
  decimals: DecimalStyle = 'number',
): string | undefined {
  const format = objectFormatter(columns, meta, decimals);
  return totalRows ? `[${totalRows.map(format).join(',\n')}]` : totals && format(totals);
}

/** Returns the metadata and totals as texts, others as JSON, for formats that hold rows alone. */
export function describeTable(table: Table): Record<string, string> {
  const texts = Object.entries(describeMeta(table)).map(([key, value]) => [
    key,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  const totals = formatTotals(table);
  return { ...Object.fromEntries(texts), ...(totals !== undefined && { totals }) };
}
