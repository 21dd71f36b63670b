/*
 * The sheets of a workbook, as tables and facts: which sheets a report has, and what the Summary says.
 * `reports/workbook.yaml` defines both. `plan-book` chooses the queries, `read-book` reads them, `sheet-layouts` places them;
 * `summary-facts` reads the Summary, `workbook-cover` holds what stands beside the report.
 * Other parts import this file; src/numbers/write/xlsx turns it into bytes.
 */
import { AppError } from '../../../base/index.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { lineSumsOf } from '../catalogue/line-set.ts';
import type { Query } from '../request/query.ts';
import type { ReportContext } from '../run/context.ts';
import { hasComments } from './added-columns.ts';
import type { Sheet } from './book-sheet.ts';
import { planBook, queryOfBook } from './plan-book.ts';
import { readBook, sheetsOf } from './read-book.ts';
import { keyMeasures, pagePlaces } from './sheet-layouts.ts';
import { readFacts } from './summary-facts.ts';
import { type Cover, coverParametersOf, hashDefinition, REFUSED } from './workbook-cover.ts';

export type { Aspect, BookPage, MeasureBars } from '../layout/workbook-definition.ts';
export type { SheetLayout, SheetPlace } from './book-sheet.ts';
export type { BridgeFacts } from './bridge-facts.ts';
export type { WindowTotals } from './comparisons.ts';
export type { Cause } from './estimated-causes.ts';
export type { FigureFacts } from './figure-facts.ts';
export type { ListCell, ListPart } from './list-blocks.ts';
export { layMemo, type Memo, type MemoRows } from './memo.ts';
export type { Cover } from './workbook-cover.ts';

export interface WrittenComments {
  readonly byProject: ReadonlyMap<string, string>;
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
 * @throws AppError as runReport does, and usage for comments on a report without them.
 */
export async function readWorkbook(
  context: ReportContext,
  asked: Query,
  definitions: Catalogue,
  written?: WrittenComments,
): Promise<Workbook> {
  const query = queryOfBook(asked);
  const { report } = query.selection;
  const { told, orders, ...usual } = query.selection.catalogue.workbook.summary;
  const { first, last } = orders[report.name] ?? usual;
  const plan = planBook(context, query);
  const book = await readBook(context, plan);
  const { table } = book.own;
  const hasOwn = hasComments(plan.main, table);
  if (written && written.byProject.size > 0 && !hasOwn) throw noComments();
  const comments = hasOwn ? (written?.byProject ?? new Map<string, string>()) : undefined;
  const facts = await readFacts(context, plan, book);
  const understood = book.sheets.find(({ definition }) => definition.name === 'months')?.query.understood;
  const pages = pagePlaces(query.selection.catalogue.workbook);
  return {
    cover: {
      label: report.label,
      company: context.company.name,
      commentary: written?.commentary,
      meta: table.meta,
      parameters: coverParametersOf(query.selection, { ...understood, ...query.understood }),
      // A page of no causes is blank.
      pages: facts.causes.length > 0 ? pages : { ...pages, causes: { ...pages.causes, isPrinted: false } },
      summary: { first, last, told },
      headline: keyMeasures(query),
      ...facts,
      lineSums: lineSumsOf(plan.main.selection.catalogue, understood?.['cutoff_date']),
      definitionHash: hashDefinition(definitions, query),
    },
    sheets: sheetsOf(context, query, plan, book, comments),
  };
}

function noComments(): AppError {
  return new AppError('usage', '--comments-from: only a workbook of projects without an interval has comments', {
    hint: 'Leave it out, or ask for the report projects with its project_id.',
  });
}

/** Refuses a request for a workbook of some rows. @throws AppError usage for a paging parameter. */
export function assertAllRows({ selection: { report }, understood }: Query): void {
  const cut = REFUSED.filter((field) => understood[field] !== undefined && !(report.compares && field === 'measure'));
  if (cut.length === 0) return;
  const message = `A workbook has all rows of ${report.name}, so it takes no ${cut.join(', ')}`;
  throw new AppError('usage', message, {
    fields: cut.map((field) => ({ field, message })),
    hint: 'Leave it out, or ask for another format.',
  });
}
