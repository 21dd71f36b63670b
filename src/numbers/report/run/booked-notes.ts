import { type Days, moveDay } from '../../../base/calendar/index.ts';
import type { Query } from '../request/query.ts';
import { bookedClosings, whyBlank } from '../source/booked-lines.ts';
import type { Sums } from './prepare-sums.ts';

/** Says of what is booked where it is blank, and which closings it leaves out (B1, B5). */
export function noteBooked(query: Query, sums: Pick<Sums, 'columns' | 'rows' | 'totals'>): string[] {
  const { selection, grouping } = query;
  const booked = grouping.measures.filter(({ kind }) => kind === 'booked');
  if (booked.length === 0) return [];
  const labels = booked.map(({ label }) => label).join(', ');
  const reason = whyBlank(query);
  if (reason !== undefined) return [`${labels}: ${reason}.`];
  const closings = bookedClosings(selection);
  const left = selection.books?.left ?? [];
  const omitted =
    left.length === 0 ? [] : [`Nothing is booked by ${left.join(', ')}, which kept no revenue by contract.`];
  if (closings.length === 0) return ['No closing is in force: all is booked as it is known today.', ...omitted];
  const places = booked.map(({ name }) => sums.columns.findIndex((column) => column.name === name));
  const hasBlank = [...sums.rows, sums.totals].some((values) =>
    places.some((place) => (values[place] ?? null) === null),
  );
  if (!hasBlank) return omitted;
  const spans = periodsOf(query).map(({ startDate, endDate }) => `${startDate} to ${endDate}`);
  const which = spans.length === 0 ? '' : `: ${spans.join(', ')}`;
  return [`${labels}: blank where days that are booked together are cut${which}.`, ...omitted];
}

/** Returns the periods that are booked in the window, of which each begins after the one before it. */
function periodsOf({ selection }: Query): Days[] {
  const closings = bookedClosings(selection);
  return closings
    .map(({ startDate, endDate }, index) => {
      const before = closings[index - 1];
      return { startDate: before ? moveDay(before.endDate, 'day', 1) : startDate, endDate };
    })
    .filter(({ startDate, endDate }) => startDate <= selection.endDate && endDate >= selection.startDate);
}
