import { type Days, moveDay } from '../../../base/calendar/index.ts';

/** A kept state, as far as it closes days. */
interface DatedState {
  readonly status: string;
  /** The number of its last event in the log. */
  readonly event: number;
  readonly record: { readonly start_date: string | null; readonly end_date: string | null };
}

export interface DaysOfClosing<State> {
  readonly days: Days;
  readonly state: State;
}

/**
 * Returns the closing of each day, in the order of the days. Where periods overlap, the newest event that covers a day
 * decides: a closing, or a reopening after which the day is open (C5).
 */
export function closingsByDay<State extends DatedState>(states: readonly State[]): DaysOfClosing<State>[] {
  const byEvent = states.toSorted((one, other) => one.event - other.event);
  const closed = byEvent.reduce<DaysOfClosing<State>[]>((earlier, state) => {
    const { start_date: startDate, end_date: endDate } = state.record;
    if (startDate === null || endDate === null) return earlier;
    const days = { startDate, endDate };
    const left = earlier.flatMap((each) => without(each.days, days).map((rest) => ({ ...each, days: rest })));
    return state.status === 'closed' ? [...left, { days, state }] : left;
  }, []);
  return closed.sort((one, other) => (one.days.startDate < other.days.startDate ? -1 : 1));
}

/** Returns the days of a span before and after those of another. */
function without({ startDate, endDate }: Days, taken: Days): Days[] {
  const before = { startDate, endDate: endDate < taken.startDate ? endDate : moveDay(taken.startDate, 'day', -1) };
  const after = { startDate: startDate > taken.endDate ? startDate : moveDay(taken.endDate, 'day', 1), endDate };
  const isApart = endDate < taken.startDate || startDate > taken.endDate;
  return isApart ? [{ startDate, endDate }] : [before, after].filter((days) => days.startDate <= days.endDate);
}
