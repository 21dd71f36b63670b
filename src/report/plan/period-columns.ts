import { moveDay, type Period } from '../../calendar/day.ts';
import type { Measure } from '../catalogue/catalogue.ts';
import { PERIOD_DAYS } from '../catalogue/period.ts';
import type { Column } from '../catalogue/table.ts';
import { measureColumn } from './compile-summary.ts';

/** A period of the window that has columns. */
export interface PeriodSpan {
  readonly period: Period;
  /** Its first day in the calendar, which may be before the window. */
  readonly start: string;
}

const MONTHS: Readonly<Partial<Record<Period, number>>> = { quarter: 3, year: 12 };

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

export function periodColumn(measure: Measure, span: PeriodSpan): Column {
  const words = periodWords(span);
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

/** Returns a period in words: 2026-01-31, week 2026-01-26, 2026-01, or 2026-01–2026-03. */
function periodWords({ period, start }: PeriodSpan): string {
  const month = start.slice(0, 7);
  const count = MONTHS[period];
  if (period === 'day') return start;
  if (period === 'week') return `week ${start}`;
  if (count === undefined) return month;
  return `${month}–${moveDay(start, 'month', count - 1).slice(0, 7)}`;
}
