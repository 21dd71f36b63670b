import type { Period } from '../../../base/calendar/index.ts';
import type { Measure } from '../catalogue/measure-kinds.ts';
import { nameQuarter, PERIOD_DAYS } from '../catalogue/period.ts';
import type { Column } from '../catalogue/table.ts';
import { measureColumn } from './compile-summary.ts';

export interface PeriodSpan {
  readonly period: Period;
  /** Its first day in the calendar, which may be before the window. */
  readonly start: string;
}

/** Sorts periods by their last day, so that a longer one follows those in it. */
export function sortPeriods<Span extends PeriodSpan>(spans: readonly Span[]): Span[] {
  const next = new Map<Span, string>();
  for (const span of spans) {
    const later = spans.filter(({ period, start }) => period === span.period && start > span.start);
    // The last period of each length ends with the window.
    next.set(span, later.map(({ start }) => start).sort()[0] ?? '~');
  }
  const endOf = (span: Span) => next.get(span) ?? '';
  return [...spans].sort(
    (a, b) => (endOf(a) < endOf(b) ? -1 : endOf(a) > endOf(b) ? 1 : 0) || PERIOD_DAYS[a.period] - PERIOD_DAYS[b.period],
  );
}

export function periodColumn(measure: Measure, span: PeriodSpan, fiscalYearStartsIn: number): Column {
  const words = namePeriod(span, fiscalYearStartsIn);
  const column = measureColumn(measure);
  return {
    ...column,
    name: `${prefixOf(measure.name, span.period)}${span.start.replaceAll('-', '_')}`,
    label: `${column.label} ${words}`,
    description: `${column.description} Only ${words}.`,
    measure: measure.name,
  };
}

/** Tests whether a column is of periods of a length. */
export function isOfPeriod({ name, measure }: Column, period: Period): boolean {
  return measure !== undefined && name.startsWith(prefixOf(measure, period));
}

function prefixOf(measure: string, period: Period): string {
  return `${measure}_${period}_`;
}

/** Returns the name of a period: 2026-01-31, week 2026-01-26, 2026-01, or the fiscal 2026-Q1 and 2026. */
export function namePeriod({ period, start }: PeriodSpan, fiscalYearStartsIn: number): string {
  switch (period) {
    case 'day':
      return start;
    case 'week':
      return `week ${start}`;
    case 'month':
      return start.slice(0, 7);
    case 'quarter':
      return nameQuarter(start, fiscalYearStartsIn);
    case 'year':
      return nameQuarter(start, fiscalYearStartsIn).slice(0, 4);
  }
}
