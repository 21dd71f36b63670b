import { daysBetween } from '../../../base/calendar/index.ts';
import { parseDateFormat } from '../mapping/date-format.ts';
import { remembered } from '../mapping/remembered.ts';
import { parseTimeOfDay } from '../mapping/time-of-day.ts';
import { areDays, findDayForm, MAX_JUDGED_CELLS } from '../sample/day-forms.ts';
import type { SampleCell } from '../sample/first-rows.ts';
import { isKnownHeader } from '../sample/header-words.ts';
import { isBookkeeping } from '../sample/loose-words.ts';
import { perTable, type SampleTable } from '../sample/sample-table.ts';
import { headerWords } from '../sample/split-header.ts';
import type { Quantity } from './equations.ts';
import type { Columns } from './mapping-entry.ts';

export const DAY_SECONDS = 86_400;

/** Matches the time of day in a text that may have the day before it. */
const TIME = /[0-9]{1,2}:[0-5][0-9](?::[0-5][0-9])?(?: ?[AP]M)?/i;

/** Matches a moment without separators: 20260316T080000Z, or seconds or milliseconds since 1970. */
const NUMBER = /^(?:20[0-9]{6}T?[0-9]{4}|1[0-9]{9}(?:[0-9]{3})?$)/;

/** Returns the columns of the day and time in which the work begins, and of those in which it ends. */
export const intervalColumns = perTable((table): readonly [from: Columns, to: Columns] | undefined => {
  const isTime = (header: string) => table.cells(header).some(({ text }) => /[0-9]{1,2}:[0-9]{2}/.test(text));
  const isNumber = (header: string) => table.cells(header).some(({ text }) => NUMBER.test(text));
  const [start, end] = (['start_time', 'end_time'] as const).map((meaning) => {
    const headers = table.findAll(meaning);
    return headers.find(isTime) ?? headers.find(isNumber);
  });
  if (start === undefined || end === undefined) return undefined;
  const hasDay = (header: string) => areDays(workedCells(table, header)) || isNumber(header);
  const day =
    [...table.findAll('date'), ...table.findAll('start_date')].find((header) => header !== start && hasDay(header)) ??
    onlyDay(table);
  const endDay = table.findAll('end_date').find((header) => header !== end && hasDay(header));
  if (!hasDay(start) && day === undefined) return undefined;
  const from = hasDay(start) || day === undefined ? start : [day, start];
  return [from, hasDay(end) || endDay === undefined ? end : [endDay, end]];
});

/** Returns the first cells of a column in rows that have hours, or a time: lines below the rows, such as a signature, have none. */
export function workedCells(table: SampleTable, header: string): SampleCell[] {
  const times = (['hours', 'billable_time', 'other_time', 'end_time', 'start_time'] as const).flatMap(table.findAll);
  const hours = times.filter((each) => each !== header && table.cells(each).length > 0);
  const cells: SampleCell[] = [];
  for (const record of table.records()) {
    const text = record(header);
    if (text !== '' && (hours.length === 0 || hours.some((each) => record(each) !== '')))
      cells.push({ text, isNumber: false });
    if (cells.length === MAX_JUDGED_CELLS) break;
  }
  return cells;
}

/** Tells whether most rows are from a moment to another one days later: they are sums, and no work from start to end. */
export const areSpans = perTable((table): boolean => {
  const [start, end] = (intervalColumns(table) ?? []).map((columns) => [columns].flat()[0]);
  if (start === undefined || end === undefined || table.layout) return false;
  const dates = findDayForm([table.cells(start), table.cells(end)]).dates ?? 'YYYY-MM-DD HH:MM';
  const format = parseDateFormat(dates);
  const days = table.records().flatMap((row) => {
    const [from, to] = [start, end].map((header) => format?.readMoment(row(header))?.day);
    return from === undefined || to === undefined ? [] : [daysBetween(from, to)];
  });
  return days.filter((count) => count > 1).length * 2 > days.length;
});

/** Returns the time from start to end of each row, without whole days; undefined if a table doesn't have both. */
export const lengthQuantity = perTable((table): Quantity | undefined => {
  const [start, end] = (intervalColumns(table) ?? []).map((columns) => [columns].flat().at(-1));
  if (start === undefined || end === undefined) return undefined;
  const dates = findDayForm([table.cells(start), table.cells(end)]).dates;
  const format = dates === undefined ? undefined : parseDateFormat(dates);
  const secondsOf = remembered(
    (text: string) => (format?.readMoment(text)?.time ?? parseTimeOfDay(TIME.exec(text)?.[0] ?? ''))?.seconds,
  );
  const hasSeconds = table.cells(start, end).some(({ text }) => /:[0-9]{2}:(?!00)[0-9]{2}/.test(text));
  return {
    title: `${end} - ${start}`,
    secondsOf(row) {
      const [from, to] = [secondsOf(row(start)), secondsOf(row(end))];
      return from === undefined || to === undefined ? undefined : (to - from + DAY_SECONDS) % DAY_SECONDS;
    },
    place: hasSeconds ? 1 : 0,
  };
});

/** Returns the only column of days that no header explains, such as that of a time stamp. */
export function onlyDay(table: SampleTable): string | undefined {
  if (table.layout) return undefined;
  const days = table.sample.headers.filter(
    (header) => !isKnownHeader(header) && !isBookkeeping(headerWords(header)) && areDays(table.cells(header)),
  );
  return days.length === 1 ? days[0] : undefined;
}
