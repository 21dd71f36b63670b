import type { Value } from '../../database/database.ts';
import { parseFilter } from '../../odata/expression.ts';
import { reportProperty } from '../../odata/report-functions.ts';
import type { Table } from '../../report/catalogue/table.ts';
import { openStatements } from '../../write/row-statements.ts';
import { selectTyped, UNIT_TYPES } from '../../write/typed.ts';
import { streamRows } from './kept-table.ts';

/** A table of which only some rows are left. */
export interface FilteredTable {
  /** Returns the table, to be read once. It has no totals: those of the report are of all rows. */
  read(): Table;
  readonly rowCount: number;
  /** Returns all rows of the table, and of which the condition holds. */
  judge(): Promise<readonly JudgedCells[]>;
  /** Must be called. */
  close(): Promise<void>;
}

/** A row, and whether the condition holds of it: not where it is unknown. */
export interface JudgedCells {
  readonly cells: readonly Value[];
  readonly holds: boolean;
}

/**
 * Leaves the rows of a table that a condition holds of.
 * @param where In the words of OData. Without one, all rows.
 * @throws AppError usage for a condition that can't be read.
 */
export async function filterRows(table: Table, where: string | undefined): Promise<FilteredTable> {
  const { statements, columns, close } = await openStatements(table);
  try {
    const [statement = ''] = statements.slice(Number.POSITIVE_INFINITY);
    const typed = selectTyped(statement, columns, ({ unit }) => UNIT_TYPES[unit]);
    const named = table.columns.filter(({ name }) => !name.startsWith('_'));
    const properties = new Map(named.map((column) => [column.name, reportProperty(column)]));
    const condition = where === undefined ? 'TRUE' : parseFilter(where, { properties, aliases: new Map() });
    const sql = `SELECT * FROM (${typed}) AS typed WHERE ${condition}`;
    const { database } = statements;
    const [counted] = await database.rows<{ count: string }>(`SELECT COUNT(*) AS count FROM (${sql}) AS filtered`);
    const rowCount = Number(counted?.count ?? 0);
    const notes = where === undefined ? table.meta.notes : [...table.meta.notes, `Only rows where ${where}.`];
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
      async judge() {
        const judged: JudgedCells[] = [];
        const all = `SELECT *, COALESCE(${condition}, FALSE) AS holds FROM (${typed}) AS typed`;
        for await (const chunk of streamRows(database, all))
          for (const row of chunk) judged.push({ cells: row.slice(0, -1), holds: row.at(-1) === true });
        return judged;
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
