import { type Days, moveDay } from '../../../base/calendar/index.ts';
import { isOfClosings } from '../kinds/billing.ts';
import type { Query } from '../request/query.ts';
import { bookedClosings, whyBlank, whyNotRestated } from '../source/booked-lines.ts';
import { whyWithoutRetainers } from '../source/retainer-moves.ts';
import type { Sums } from './prepare-sums.ts';

/*
 * Notes on numbers that projects and phases have, and no single line: what closings keep, and balances of retainers.
 */

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

/** Says why it isn't known what has become of positions since they were closed. Where there are no closings, reports say nothing of them. */
export function noteRestated(query: Query): string[] {
  const asked = query.grouping.measures.filter(isOfClosings);
  const reason = whyNotRestated(query);
  const isTold = asked.length > 0 && reason !== undefined && bookedClosings(query.selection).length > 0;
  return isTold ? [`${asked.map(({ label }) => label).join(', ')}: ${reason}.`] : [];
}

/** Says of retainers where they are blank: by keys that they don't have, or where those of hours and of fees meet (T5). */
export function noteRetainers(
  query: Query,
  { columns, rows, totals }: Pick<Sums, 'columns' | 'rows' | 'totals'>,
): string[] {
  const labels = query.grouping.measures.filter(({ kind }) => kind === 'retainer').map(({ label }) => label);
  if (labels.length === 0) return [];
  const reason = whyWithoutRetainers(query);
  if (reason !== undefined) return [`${labels.join(', ')}: ${reason}.`];
  const unitAt = columns.findIndex(({ name }) => name === 'retainer_unit');
  const units = new Set(rows.flatMap((row) => row[unitAt] ?? []));
  if (units.size < 2 || totals[unitAt] !== null) return [];
  return [`${labels.join(', ')}: no total, as retainers of hours and of fees don't add up.`];
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
