import type { Value } from '../../database/database.ts';
import type { Column, Table } from '../catalogue/table.ts';
import type { Derivation } from '../explain/derivation.ts';
import type { Query } from '../request/query.ts';
import { inChunks } from '../run/context.ts';
import type { LinkedColumn, SheetTable } from './workbook-sheet.ts';

const KEY = 'project_id';

/** The column of comments, which their readers write and a later workbook takes over. */
export const COMMENT: Column = {
  name: 'comment',
  label: 'Comment',
  unit: 'text',
  description: 'Yours to write; --comments-from takes it over into the next workbook.',
  needsRates: false,
  better: undefined,
};

const ADDED: Derivation = { formula: '', source: '', total: 'given' };

/** Returns the columns that link a table by project to the rows of other sheets. */
export function linkedColumns(table: Table, sheets: readonly string[]): LinkedColumn[] {
  const hasKey = table.columns.some(({ name }) => name === KEY);
  return hasKey ? sheets.map((sheet) => ({ column: sheet === 'Data' ? 'lines' : sheet.toLowerCase(), sheet })) : [];
}

/** Tests whether a table has one row for each project, so that a project has one comment. */
export function hasComments({ selection: { report }, grouping: { interval } }: Query, { columns }: Table): boolean {
  const isByProject = report.rows?.length === 1 && report.rows[0] === 'project';
  return isByProject && interval === undefined && columns.some(({ name }) => name === KEY);
}

/**
 * Adds the columns of links, whose values the writer knows, and of comments.
 * @param comments By project id; undefined for no column.
 */
export async function addColumns(
  { table, derivations }: SheetTable,
  linked: readonly LinkedColumn[],
  comments: ReadonlyMap<string, string> | undefined,
): Promise<SheetTable> {
  const key = table.columns.findIndex(({ name }) => name === KEY);
  const columns = [...linked.map(countColumn), ...(comments ? [COMMENT] : [])];
  const blanks = linked.map(() => null);
  const left = new Map(comments);
  const rows: Value[][] = [];
  // The rows are in memory already; only after the last it is known whose project is gone.
  for await (const chunk of table.rows) {
    for (const row of chunk) {
      const id = String(row[key]);
      rows.push([...row, ...blanks, ...(comments ? [comments.get(id) ?? null] : [])]);
      left.delete(id);
    }
  }
  const gone = [...left].map(([id, text]) => `The comment on project ${id}, which is not in this report: ${text}`);
  return {
    table: {
      ...table,
      columns: [...table.columns, ...columns],
      rows: inChunks([rows]),
      meta: { ...table.meta, notes: [...table.meta.notes, ...gone] },
      totals: table.totals && [...table.totals, ...columns.map(() => null)],
    },
    derivations: [...derivations, ...columns.map(() => ADDED)],
  };
}

function countColumn({ column, sheet }: LinkedColumn): Column {
  const label = column.charAt(0).toUpperCase() + column.slice(1);
  const description = `The number of rows of the project on the sheet ${sheet}, and a link to them.`;
  return { ...COMMENT, name: column, label, unit: 'count', description };
}
