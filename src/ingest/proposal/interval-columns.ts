import { parseTimeOfDay } from '../mapping/time-of-day.ts';
import { areDays, MAX_JUDGED_CELLS } from './day-forms.ts';
import type { SampleCell } from './first-rows.ts';
import type { Columns } from './mapping-entry.ts';
import type { SampleTable } from './sample-table.ts';

export const DAY_SECONDS = 86_400;

/** Matches the time of day in a text that may have the day before it. */
const TIME = /[0-9]{1,2}:[0-5][0-9](?::[0-5][0-9])?(?: ?[AP]M)?/i;

/** Returns the columns of the day and time in which the work begins, and of those in which it ends. */
export function intervalColumns(table: SampleTable): readonly [from: Columns, to: Columns] | undefined {
  const isTime = (header: string) => table.cells(header).some(({ text }) => /[0-9]{1,2}:[0-9]{2}/.test(text));
  const start = table.findAll('start_time').find(isTime);
  const end = table.findAll('end_time').find(isTime);
  if (start === undefined || end === undefined) return undefined;
  const hasDay = (header: string) => areDays(workedCells(table, header));
  const day = [...table.findAll('date'), ...table.findAll('start_date')].find(
    (header) => header !== start && hasDay(header),
  );
  const endDay = table.findAll('end_date').find((header) => header !== end && hasDay(header));
  if (!hasDay(start) && day === undefined) return undefined;
  const from = hasDay(start) || day === undefined ? start : [day, start];
  return [from, hasDay(end) || endDay === undefined ? end : [endDay, end]];
}

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

/** Returns a reader of the seconds from start to end of a row, without whole days; undefined without one of the two. */
export function openLengths(
  table: SampleTable,
): (record: (header: string | undefined) => string) => number | undefined {
  const [start, end] = (intervalColumns(table) ?? []).map((columns) => [columns].flat().at(-1));
  const secondsOf = (text: string) => parseTimeOfDay(TIME.exec(text)?.[0] ?? '')?.seconds;
  return (record) => {
    const [from, to] = [secondsOf(record(start)), secondsOf(record(end))];
    return from === undefined || to === undefined ? undefined : (to - from + DAY_SECONDS) % DAY_SECONDS;
  };
}

/** Returns the column of breaks between start and end that aren't work; undefined if nobody had one. */
export function breakColumn(table: SampleTable): string | undefined {
  return table.findAll('breaks').find((header) => table.cells(header).some(({ text }) => /[1-9]/.test(text)));
}
