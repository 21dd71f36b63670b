import type { Database, Value } from '../../../base/database/index.ts';
import { columnProperty, parseFilter, wordsOf } from '../../../numbers/condition/index.ts';
import type { Column, Table } from '../../../numbers/report/catalogue/index.ts';
import { formatCells, openStatements, selectCells, selectTyped, UNIT_TYPES } from '../../../numbers/write/index.ts';
import { streamRows } from './kept-table.ts';

export interface FilteredTable {
  /** Returns the table, to be read once. It has no totals: those of the report are of all rows. */
  read(): Table;
  readonly rowCount: number;
  /** Must be called. */
  close(): Promise<void>;
}

/**
 * Leaves the rows of a table that a condition holds of.
 * @param where In the words of OData.
 * @throws AppError usage for a condition that can't be read.
 */
export async function filterRows(table: Table, where: string): Promise<FilteredTable> {
  const { statements, columns, close } = await openStatements(table);
  try {
    const [statement = ''] = statements.slice(Number.POSITIVE_INFINITY);
    const typed = selectTyped(statement, columns, ({ unit }) => UNIT_TYPES[unit]);
    const condition = conditionOf(where, table.columns);
    const sql = `SELECT * FROM (${typed}) AS typed WHERE ${condition}`;
    const { database } = statements;
    const [counted] = await database.rows<{ count: string }>(`SELECT COUNT(*) AS count FROM (${sql}) AS filtered`);
    const rowCount = Number(counted?.count ?? 0);
    const notes = [...table.meta.notes, `Only rows where ${where}.`];
    const { name, label, meta } = table;
    return {
      read: () => ({
        name,
        label,
        columns: table.columns,
        rows: streamRows(database, sql),
        statements: { database, slice: () => [sql], maxRows: rowCount },
        totals: undefined,
        nested: undefined,
        meta: { ...meta, notes, row_count: rowCount },
      }),
      rowCount,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Returns a condition as SQL. @throws AppError usage for one that can't be read. */
function conditionOf(where: string, columns: readonly Column[]): string {
  const named = columns.filter(({ name }) => !name.startsWith('_'));
  const properties = new Map(named.map((column) => [column.name, columnProperty(column)]));
  return parseFilter(where, { properties, aliases: new Map() });
}

/** The rows that are judged at once. Unit: rows. */
const JUDGED_ROWS = 10_000;

/**
 * Finds the places of the rows that a condition holds of: not where it is unknown.
 * @param database Judges them by the columns that the condition names; it reads none of its own data.
 * @throws AppError usage for a condition that can't be read.
 */
export async function judgeRows(
  database: Database,
  { columns, rows }: Pick<Table, 'columns'> & { readonly rows: readonly (readonly Value[])[] },
  where: string,
): Promise<ReadonlySet<number>> {
  const condition = conditionOf(where, columns);
  const words = wordsOf(where);
  const named = columns.flatMap((column, place) => (words.has(column.name) ? [{ column, place }] : []));
  const typed = named.map(({ column: { name, unit } }) => ({ name, type: UNIT_TYPES[unit] }));
  const sql = `SELECT _place AS place FROM (${selectCells([{ name: '_place', type: 'INTEGER' }, ...typed])}) AS typed
    WHERE ${condition}`;
  const holding = new Set<number>();
  for (let start = 0; start < rows.length; start += JUDGED_ROWS) {
    const judged = rows
      .slice(start, start + JUDGED_ROWS)
      .map((row, index) => [start + index, ...named.map(({ place }) => row[place] ?? null)]);
    for (const { place } of await database.rows<{ place: number }>(sql, [formatCells(judged)])) holding.add(place);
  }
  return holding;
}
