/*
 * The sheets of a workbook, as tables and facts: which sheets a report has, and what the Summary says.
 * `workbook-reports` chooses the sheets, `summary-facts` reads the Summary, `workbook-cover` holds what stands beside the report.
 * Other parts import this file; src/write/xlsx turns it into bytes.
 */
import type { Value } from '../../database/database.ts';
import { AppError } from '../../error.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { lineSumsOf } from '../catalogue/line-set.ts';
import type { Table } from '../catalogue/table.ts';
import { derivationFinder } from '../explain/derivation.ts';
import type { Query } from '../request/query.ts';
import { inChunks, type ReportContext } from '../run/context.ts';
import { runReport } from '../run/run.ts';
import { readFacts } from './summary-facts.ts';
import { addColumns, COMMENT, hasComments, linkedColumns } from './workbook-columns.ts';
import { type Cover, coverParametersOf, hashDefinition, REFUSED } from './workbook-cover.ts';
import { queryWorkbook } from './workbook-reports.ts';
import type { Sheet, SheetLayout, SheetRole, SheetTable } from './workbook-sheet.ts';

export type { BudgetTotal } from './budget-totals.ts';
export type { Cause } from './causes.ts';
export type { WindowTotals } from './comparisons.ts';
export type { Overrun } from './overruns.ts';
export type { Cover } from './workbook-cover.ts';
export type { SheetLayout, SheetRole } from './workbook-sheet.ts';

/** A workbook as data: its cover, and its tables in sheet order. */
export interface Workbook {
  readonly cover: Cover;
  readonly sheets: readonly Sheet[];
}

/**
 * Reads the tables of a workbook: the report, its months, its lines and its findings.
 * All are queries for the same lines of one generation. The database must stay open until the end.
 * @param definitions The catalogue with rates, for the hash of the definition.
 * @param written The comments of an earlier workbook, by project id.
 * @throws AppError as runReport does, and usage for a paging parameter or for comments on a report without them.
 */
export async function readWorkbook(
  context: ReportContext,
  query: Query,
  definitions: Catalogue,
  written?: ReadonlyMap<string, string>,
): Promise<Workbook> {
  assertWhole(query);
  const { report } = query.selection;
  const queries = queryWorkbook(query);
  const { main, nested, months, bridge, lines, quality } = queries;
  // Reads all that can fail before the file begins.
  const tables = new Map<Query, Table>();
  for (const each of [main, months, nested, bridge]) if (each) tables.set(each, await runReport(context, each));
  const rows = report.relation ? [] : await keepRows(tables, main);
  const mainTable = tables.get(main) as Table;
  const open = async (of: Query): Promise<SheetTable> => {
    const table = tables.get(of) ?? (await runReport(context, of));
    return { table, derivations: table.columns.map(derivationFinder(of)) };
  };
  const linked = linkedColumns(mainTable, [
    ...(nested ? [nested.selection.report.label] : []),
    ...(queries.isByProject ? ['Data'] : []),
  ]);
  const comments = hasComments(main, mainTable) ? (written ?? new Map<string, string>()) : undefined;
  if (written && !comments) throw noComments();
  const added = [...linked.map(({ column }) => column), ...(comments ? [COMMENT.name] : [])];
  const layout = (wanted: readonly string[] | undefined): SheetLayout =>
    wanted && !query.presentation.fields ? { wanted: [...wanted, ...added] } : {};
  const grouped = linked.length > 0 ? { groupedBy: 'project_id' } : {};
  const sheet = (name: string, role: SheetRole, of: Query, layout: SheetLayout = {}): Sheet => ({
    name,
    role,
    layout,
    open: () => open(of),
  });
  const own: Sheet = {
    ...sheet(report.label, 'report', main, { ...layout(report.table), linked, written: COMMENT.name }),
    open: async () => addColumns(await open(main), linked, comments),
  };
  const groups: Sheet = {
    ...sheet('Subtotals', 'subtotals', main),
    open: async () => {
      const { table, derivations } = await open(main);
      return { table: { ...table, rows: inChunks([rows]) }, derivations };
    },
  };
  return {
    cover: {
      label: report.label,
      company: context.company.name,
      meta: mainTable.meta,
      parameters: coverParametersOf(query.selection, { ...months?.understood, ...query.understood }),
      headline: report.table ?? query.grouping.measures.map(({ name }) => name),
      ...(await readFacts(context, queries, { main: mainTable, rows, months: months && tables.get(months) })),
      lineSums: lineSumsOf(main.selection.catalogue, months?.understood['cutoff_date']),
      definitionHash: hashDefinition(definitions, query),
    },
    sheets: [
      ...(report.relation ? [] : [own]),
      ...(main.grouping.hasSubtotals ? [groups] : []),
      ...(nested
        ? [
            sheet(nested.selection.report.label, 'report', nested, {
              ...layout(nested.selection.report.table),
              ...grouped,
            }),
          ]
        : []),
      ...(months ? [sheet('Months', 'months', months, layout(report.table && ['month', ...report.table]))] : []),
      ...(bridge ? [sheet(bridge.selection.report.label, 'bridge', bridge)] : []),
      ...(lines ? [sheet('Data', 'data', lines, queries.isByProject ? grouped : {})] : []),
      sheet('Data quality', 'quality', quality),
    ],
  };
}

/** Returns the rows of a table that sums, which are in memory anyway, and leaves them to be read. */
async function keepRows(tables: Map<Query, Table>, query: Query): Promise<readonly (readonly Value[])[]> {
  const table = tables.get(query) as Table;
  const rows: (readonly Value[])[] = [];
  for await (const chunk of table.rows) rows.push(...chunk);
  tables.set(query, { ...table, rows: inChunks([rows]) });
  return rows;
}

function noComments(): AppError {
  return new AppError('usage', '--comments-from: only a workbook of projects without an interval has comments', {
    hint: 'Leave it out, or ask for the report projects with its project_id.',
  });
}

function assertWhole({ selection: { report }, understood }: Query): void {
  const cut = REFUSED.filter((field) => understood[field] !== undefined);
  if (cut.length === 0) return;
  const message = `A workbook has all rows of ${report.name}, so it takes no ${cut.join(', ')}`;
  throw new AppError('usage', message, {
    fields: cut.map((field) => ({ field, message })),
    hint: 'Leave it out, or ask for another format.',
  });
}
