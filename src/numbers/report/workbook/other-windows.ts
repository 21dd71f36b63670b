import { periodOf } from '../../../base/calendar/index.ts';
import type { CutoffDays } from '../catalogue/cutoff.ts';
import type { OtherWindow } from '../layout/block-definition.ts';
import type { Selection } from '../request/query.ts';
import type { ReportContext } from '../run/context.ts';
import { lastYearWindow, priorWindow, type Window, windowBeside } from './comparison-periods.ts';
import { outlookDays } from './outlook.ts';

/**
 * Returns another window than that of a selection, with its cutoff.
 * Undefined for a fiscal year so far in which the window is the first.
 */
export function findWindow(
  selection: Selection,
  name: OtherWindow,
  { company, closings }: Pick<ReportContext, 'company' | 'closings'>,
): Window | undefined {
  return FINDERS[name](selection, { company, closings, today: selection.today });
}

const FINDERS: Readonly<Record<OtherWindow, (selection: Selection, days: CutoffDays) => Window | undefined>> = {
  prior: (selection, days) => windowBeside(selection, selection.cutoffReason, priorWindow, days),
  last_year: (selection, days) => windowBeside(selection, selection.cutoffReason, lastYearWindow, days),
  year_to_date: yearToDate,
  last_year_to_date(selection, days) {
    const year = yearToDate(selection, days);
    return year && windowBeside(year, selection.cutoffReason, lastYearWindow, days);
  },
  outlook: (selection, { company }) => ({ ...outlookDays(selection, company), cutoffDate: selection.cutoffDate }),
};

function yearToDate({ startDate, endDate, cutoffDate }: Selection, { company }: CutoffDays): Window | undefined {
  const year = periodOf('year', endDate, company);
  return year.startDate < startDate ? { startDate: year.startDate, endDate, cutoffDate } : undefined;
}
