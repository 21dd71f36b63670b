/*
 * The sheets of a workbook, as tables and facts: which sheets a report has, and what the Summary says.
 * `workbook-reports` chooses the sheets, `summary-facts` reads the Summary, `workbook-cover` holds what stands beside the report.
 * Other parts import this file; src/write/xlsx turns it into bytes.
 */
import { AppError } from '../../error.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { lineSumsOf } from '../catalogue/line-set.ts';
import { derivationFinder } from '../explain/derivation.ts';
import type { Query } from '../request/query.ts';
import { inChunks, type ReportContext } from '../run/context.ts';
import { runReport } from '../run/run.ts';
import { type KeptTable, keepRows } from './kept-rows.ts';
import { keyColumns, keyMeasures } from './key-columns.ts';
import { readFacts } from './summary-facts.ts';
import { addColumns, COMMENT, hasComments, linkedColumns } from './workbook-columns.ts';
import { type Cover, coverParametersOf, hashDefinition, REFUSED } from './workbook-cover.ts';
import { queryWorkbook } from './workbook-reports.ts';
import type { Sheet, SheetLayout, SheetRole, SheetTable } from './workbook-sheet.ts';

export type { BudgetTotal } from './budget-totals.ts';
export type { Cause } from './causes.ts';
export type { ClientProfit } from './client-profits.ts';
export type { WindowTotals } from './comparisons.ts';
export type { Overrun } from './overruns.ts';
export type { StaffLoad } from './staff.ts';
export type { Cover } from './workbook-cover.ts';
export type { SheetLayout, SheetRole } from './workbook-sheet.ts';

/** What the readers of a workbook wrote into it. */
export interface WrittenComments {
  /** Comments by project id. */
  readonly byProject: ReadonlyMap<string, string>;
  /** The commentary on Summary. */
  readonly commentary: string | undefined;
}

/** A workbook as data: its cover, and its tables in sheet order. */
export interface Workbook {
  readonly cover: Cover;
  readonly sheets: readonly Sheet[];
}

/**
 * Reads the tables of a workbook: the report, its months, its lines and its findings.
 * All are queries for the same lines of one generation. The database must stay open until the end.
 * @param definitions The catalogue with rates, for the hash of the definition.
 * @param written What the readers of an earlier workbook wrote.
 * @throws AppError as runReport does, and usage for a paging parameter or for comments on a report without them.
 */
export async function readWorkbook(
  context: ReportContext,
  query: Query,
  definitions: Catalogue,
  written?: WrittenComments,
): Promise<Workbook> {
  assertWhole(query);
  const { report } = query.selection;
  const queries = queryWorkbook(query);
  const { main, nested, months, bridge, lines, quality, further } = queries;
  // Reads all that can fail before the file begins.
  const tables = new Map<Query, KeptTable>();
  for (const each of [main, months, nested, bridge, ...further]) {
    if (!each) continue;
    const table = await runReport(context, each);
    const isKept = each.selection.report.relation === undefined;
    const needed = further.includes(each) ? each.selection.report.only_with : undefined;
    tables.set(each, isKept ? await keepRows(context, each, table, needed) : { table, rows: [] });
  }
  const { table: mainTable, rows } = tables.get(main) as KeptTable;
  const open = async (of: Query): Promise<SheetTable> => {
    const table = tables.get(of)?.table ?? (await runReport(context, of));
    return { table, derivations: table.columns.map(derivationFinder(of)) };
  };
  const linked = linkedColumns(mainTable, [
    ...(nested ? [nested.selection.report.label] : []),
    ...(queries.isByProject ? ['Data'] : []),
  ]);
  const comments = hasComments(main, mainTable) ? (written?.byProject ?? new Map<string, string>()) : undefined;
  if (written && written.byProject.size > 0 && !comments) throw noComments();
  const added = [...linked.map(({ column }) => column), ...(comments ? [COMMENT.name] : [])];
  const layout = (of: Query, first: readonly string[] = []): SheetLayout => {
    const wanted = keyColumns(of, tables.get(of)?.table.columns ?? []);
    return wanted && !query.presentation.fields ? { wanted: [...first, ...wanted, ...added] } : {};
  };
  const grouped = linked.length > 0 ? { groupedBy: 'project_id' } : {};
  const sheet = (name: string, role: SheetRole, of: Query, layout: SheetLayout = {}): Sheet => ({
    name,
    role,
    layout,
    open: () => open(of),
  });
  const own: Sheet = {
    ...sheet(queries.ownSheet, 'report', main, { ...layout(main), linked, written: COMMENT.name }),
    open: async () => addColumns(await open(main), linked, comments),
  };
  const groups: Sheet = {
    ...sheet('Subtotals', 'subtotals', main, layout(main)),
    open: async () => {
      const { table, derivations } = await open(main);
      return { table: { ...table, rows: inChunks([rows]) }, derivations };
    },
  };
  return {
    cover: {
      label: report.label,
      company: context.company.name,
      commentary: written?.commentary,
      meta: mainTable.meta,
      parameters: coverParametersOf(query.selection, { ...months?.understood, ...query.understood }),
      headline: keyMeasures(query),
      ...(await readFacts(context, queries, { main: mainTable, rows, months: months && tables.get(months)?.table })),
      lineSums: lineSumsOf(main.selection.catalogue, months?.understood['cutoff_date']),
      definitionHash: hashDefinition(definitions, query),
    },
    sheets: [
      ...(report.relation ? [] : [own]),
      ...(main.grouping.hasSubtotals ? [groups] : []),
      ...(nested ? [sheet(nested.selection.report.label, 'report', nested, { ...layout(nested), ...grouped })] : []),
      ...further.map((each) => sheet(each.selection.report.label, 'report', each, layout(each))),
      ...(months ? [sheet('Months', 'months', months, monthsLayout(query))] : []),
      ...(bridge ? [sheet(bridge.selection.report.label, 'bridge', bridge)] : []),
      ...(lines ? [sheet('Data', 'data', lines, queries.isByProject ? grouped : {})] : []),
      sheet('Data quality', 'quality', quality),
    ],
  };
}

/** Shows the key measures of a query by month. */
function monthsLayout(query: Query): SheetLayout {
  return query.presentation.fields ? {} : { wanted: ['month', ...keyMeasures(query)] };
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
