import type { Value } from '../../../base/database/index.ts';
import { inPieces } from '../../../base/index.ts';
import type { Column, Table } from '../catalogue/table.ts';
import type { Derivation } from '../explain/derivation.ts';
import type { Query } from '../request/query.ts';
import type { LinkedColumn, SheetTable } from './book-sheet.ts';
import type { Standing } from './standings.ts';

/** The column that tells the project of a row. */
export const KEY = 'project_id';

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

/** Tests whether a table has one row for each project, so that a project has one comment. */
export function hasComments({ selection: { report }, grouping: { interval } }: Query, { columns }: Table): boolean {
  const isByProject = report.rows?.length === 1 && report.rows[0] === 'project';
  return isByProject && interval === undefined && columns.some(({ name }) => name === KEY);
}

/** The columns that a table by project gets beside its own. */
export interface AddedColumns {
  readonly judged: readonly Column[];
  /** By project id. */
  readonly standings: ReadonlyMap<string, Standing> | undefined;
  readonly linked: readonly LinkedColumn[];
  /** By project id; undefined for no column. */
  readonly comments: ReadonlyMap<string, string> | undefined;
}

/** Adds the columns of standings, of links, whose values the writer knows, and of comments. */
export async function addColumns(
  { table, derivations }: SheetTable,
  { judged, standings, linked, comments }: AddedColumns,
): Promise<SheetTable> {
  const key = table.columns.findIndex(({ name }) => name === KEY);
  const columns = [...judged, ...linked.map(countColumn), ...(comments ? [COMMENT] : [])];
  const blanks = linked.map(() => null);
  const left = new Map(comments);
  const rows: Value[][] = [];
  // The rows are in memory already; only after the last it is known whose project is gone.
  for await (const chunk of table.rows) {
    for (const row of chunk) {
      const id = String(row[key]);
      const standing = standingCells(judged, standings?.get(id));
      rows.push([...row, ...standing, ...blanks, ...(comments ? [comments.get(id) ?? null] : [])]);
      left.delete(id);
    }
  }
  const gone = [...left].map(([id, text]) => `The comment on project ${id}, which is not in this report: ${text}`);
  return {
    table: {
      ...table,
      columns: [...table.columns, ...columns],
      rows: inPieces(rows),
      meta: { ...table.meta, notes: [...table.meta.notes, ...gone] },
      totals: table.totals && [...table.totals, ...columns.map(() => null)],
    },
    derivations: [...derivations, ...columns.map(() => ADDED)],
  };
}

const MANAGER = { ...COMMENT, name: 'manager', label: 'Manager', description: 'The account that manages the project.' };

const STANDING: readonly Column[] = [
  {
    ...COMMENT,
    name: 'standing',
    label: 'Standing',
    description: 'Over, at risk or on plan, as the gravest sentence about the project decides; empty where none does.',
  },
  { ...COMMENT, name: 'reason', label: 'Reason', description: 'The first of the sentences that decide the standing.' },
  {
    ...COMMENT,
    name: 'stake',
    label: 'At stake',
    unit: 'money',
    description: 'The most money that a sentence about the project says is at stake.',
  },
];

/** Returns the columns of a project's standing, with its manager if the table hasn't one. */
export function standingColumns(columns: readonly Column[]): readonly Column[] {
  return columns.some(({ name }) => name === 'project_manager_name') ? STANDING : [MANAGER, ...STANDING];
}

function standingCells(columns: readonly Column[], standing: Standing | undefined): Value[] {
  const { status = null, reason = null, manager = null, costliest } = standing ?? {};
  const stake = costliest?.stake ?? null;
  const cells: Record<string, Value> = { manager, standing: status?.replaceAll('_', ' ') ?? null, reason, stake };
  return columns.map(({ name }) => cells[name] ?? null);
}

function countColumn({ column, sheet }: LinkedColumn): Column {
  const label = column.charAt(0).toUpperCase() + column.slice(1);
  const description = `The number of rows of the project on the sheet ${sheet}, and a link to them.`;
  return { ...COMMENT, name: column, label, unit: 'count', description };
}
