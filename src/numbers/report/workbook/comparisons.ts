import type { Value } from '../../../base/database/index.ts';
import type { Measure } from '../catalogue/measure-kinds.ts';
import { isOfLines } from '../catalogue/measure-meaning.ts';
import type { Column } from '../catalogue/table.ts';
import { budgetPartOf, factsOf } from '../kinds/kinds.ts';
import { regroup, reselect } from '../request/change-query.ts';
import type { Grouping, Query } from '../request/query.ts';
import type { ReportContext } from '../run/context.ts';
import { runSummary } from '../run/run-summary.ts';
import { hasCrew as countsPeople, isOfPeople } from '../source/summary-plan.ts';
import { apartMeasures, NO_ROWS } from './apart-totals.ts';
import type { Window } from './comparison-periods.ts';
import { findWindow } from './other-windows.ts';
import type { ReadSheet } from './plan-book.ts';

export interface WindowTotals extends Window {
  readonly label: string;
  /** The name of the sheet whose totals they are; undefined for none. */
  readonly sheet: string | undefined;
  /** False if no line is in the window, so that its numbers are no zeros but missing. */
  readonly hasLines: boolean;
  readonly columns: readonly Column[];
  readonly totals: readonly Value[];
}

/** Reads the totals of a query in the windows that stand beside it, without budgets: those of a sheet, if one has them. */
export async function readComparisons(
  context: ReportContext,
  query: Query,
  sheets: readonly ReadSheet[],
): Promise<WindowTotals[]> {
  const comparisons: WindowTotals[] = [];
  for (const { label, window } of query.selection.catalogue.workbook.comparisons) {
    const days = findWindow(query.selection, window, context);
    if (!days) continue;
    const { kept, definition } = sheets.find((sheet) => sheet.definition.window === window) ?? {};
    const own = kept && {
      sheet: definition?.name,
      hasLines: true,
      columns: kept.table.columns,
      totals: kept.table.totals ?? [],
    };
    comparisons.push(own ? { ...days, label, ...own } : await readComparison(context, query, { label, ...days }));
  }
  return comparisons;
}

async function readComparison(
  context: ReportContext,
  query: Query,
  window: Window & { readonly label: string },
): Promise<WindowTotals> {
  // A budget covers the whole life of its project, whatever the window.
  const own = query.grouping.measures.filter((measure) => !budgetPartOf(measure));
  const measures = [...new Set([...own, ...apartMeasures(query.selection.catalogue)])];
  const { startDate, endDate, cutoffDate } = window;
  const rows = hasCrew(measures, query.grouping) ? {} : NO_ROWS;
  const groups = { measures, interval: undefined, across: [], hasSubtotals: false, ...rows };
  const table = await runSummary(context, regroup(reselect(query, { startDate, endDate, cutoffDate }), groups));
  const values = new Map(table.columns.map(({ name }, index) => [name, table.totals?.[index] ?? null]));
  const sums = own.filter(isOfLines).map(({ name }) => values.get(name) ?? null);
  return {
    ...window,
    sheet: undefined,
    hasLines: sums.length === 0 || sums.some((value) => value === null || /[1-9]/.test(String(value))),
    columns: table.columns,
    totals: table.totals ?? [],
  };
}

/** Returns whether the totals count the capacity of the people in the rows alone. */
function hasCrew(measures: readonly Measure[], { dimensions }: Grouping): boolean {
  return measures.some((measure) => countsPeople({ facts: new Set(factsOf(measure)) })) && !isOfPeople(dimensions);
}
