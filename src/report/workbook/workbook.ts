/*
 * The sheets of a workbook, as tables and facts: which sheets a report has, and what the Summary says.
 * `workbook-reports` chooses the queries, `workbook-tables` reads them, `workbook-sheets` places them;
 * `summary-facts` reads the Summary, `workbook-cover` holds what stands beside the report.
 * Other parts import this file; src/write/xlsx turns it into bytes.
 */
import { AppError } from '../../error.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { lineSumsOf } from '../catalogue/line-set.ts';
import type { Query } from '../request/query.ts';
import type { ReportContext } from '../run/context.ts';
import type { KeptTable } from './kept-rows.ts';
import { keyMeasures } from './key-columns.ts';
import { readFacts } from './summary-facts.ts';
import { hasComments } from './workbook-columns.ts';
import { type Cover, coverParametersOf, hashDefinition, REFUSED } from './workbook-cover.ts';
import { queryWorkbook } from './workbook-reports.ts';
import type { Sheet } from './workbook-sheet.ts';
import { sheetsOf } from './workbook-sheets.ts';
import { readTables } from './workbook-tables.ts';

export type { BudgetTotal } from './budget-totals.ts';
export type { ChangeBridge } from './change-bridges.ts';
export type { ClientProfit } from './client-profits.ts';
export type { WindowTotals } from './comparisons.ts';
export type { Cause } from './estimated-causes.ts';
export type { Overrun } from './overruns.ts';
export type { Loads } from './staff.ts';
export type { Standing } from './standings.ts';
export type { Cover } from './workbook-cover.ts';
export type { SheetLayout, SheetRole } from './workbook-sheet.ts';

/** The comments that readers of a workbook wrote into it. */
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
  const { main, months } = queries;
  const tables = await readTables(context, queries);
  const { table, rows } = tables.byQuery.get(main) as KeptTable;
  const hasOwn = hasComments(main, table);
  if (written && written.byProject.size > 0 && !hasOwn) throw noComments();
  const comments = hasOwn ? (written?.byProject ?? new Map<string, string>()) : undefined;
  const facts = await readFacts(context, queries, {
    main: table,
    rows,
    standings: tables.standings,
    months: months && tables.byQuery.get(months)?.table,
  });
  return {
    cover: {
      label: report.label,
      company: context.company.name,
      commentary: written?.commentary,
      meta: table.meta,
      parameters: coverParametersOf(query.selection, { ...months?.understood, ...query.understood }),
      headline: keyMeasures(query),
      ...facts,
      lineSums: lineSumsOf(main.selection.catalogue, months?.understood['cutoff_date']),
      definitionHash: hashDefinition(definitions, query),
    },
    sheets: sheetsOf(context, query, queries, tables, comments),
  };
}

function noComments(): AppError {
  return new AppError('usage', '--comments-from: only a workbook of projects without an interval has comments', {
    hint: 'Leave it out, or ask for the report projects with its project_id.',
  });
}

function assertWhole({ selection: { report }, understood }: Query): void {
  const cut = REFUSED.filter((field) => understood[field] !== undefined && !(report.compares && field === 'measure'));
  if (cut.length === 0) return;
  const message = `A workbook has all rows of ${report.name}, so it takes no ${cut.join(', ')}`;
  throw new AppError('usage', message, {
    fields: cut.map((field) => ({ field, message })),
    hint: 'Leave it out, or ask for another format.',
  });
}
