import { areDays } from './day-forms.ts';
import { breakColumn, DAY_SECONDS, intervalColumns, openLengths, workedCells } from './interval-columns.ts';
import { formatColumns, quote } from './mapping-entry.ts';
import type { SampleTable } from './sample-table.ts';
import {
  findStatedHours,
  formatHours,
  type HoursColumn,
  RANKS,
  readHoursColumn,
  readSeconds,
  sumColumns,
} from './stated-hours.ts';

interface HoursSource {
  /** As YAML. */
  readonly source: string;
  /** Smaller is more exact. */
  readonly rank: number;
  /** The decision that a person has to make. */
  readonly open?: string;
}

/** Returns the most exact source of the hours of a table; undefined if it has none. */
export function findHours(table: SampleTable): HoursSource | undefined {
  const [stated] = findStatedHours(table);
  const [sum, interval] = [findSum(table), findInterval(table, stated?.open === undefined ? stated : undefined)];
  const all = [...(stated ? [sourceOf(stated)] : []), ...(sum ? [sum] : []), ...(interval ? [interval] : [])];
  return all.sort((a, b) => a.rank - b.rank)[0];
}

/** Returns the columns of billable and of other hours, if a table has both; one of them may be blank in all rows. */
export function splitHours(
  table: SampleTable,
): { readonly billable: HoursColumn | undefined; readonly other: HoursColumn | undefined } | undefined {
  const [billable, other] = [table.find('billable_time'), table.find('other_time')];
  if (billable === undefined || other === undefined) return undefined;
  const split = { billable: readHoursColumn(table, billable), other: readHoursColumn(table, other) };
  return split.billable || split.other ? split : undefined;
}

/** Returns the source with which the hours of a table are compared: the next exact column of its own. */
export function findHoursControl(table: SampleTable): string | undefined {
  const chosen = findHours(table);
  return findStatedHours(table)
    .filter(({ open, rank }) => open === undefined && rank !== RANKS.days)
    .map(({ header, format }) => formatHours(header, format))
    .find((source) => source !== chosen?.source);
}

function sourceOf({ header, format, ...rest }: HoursColumn): HoursSource {
  return { source: formatHours(header, format), ...rest };
}

/** Returns the hours whose hours and minutes are in columns of their own. */
function findSum(table: SampleTable): HoursSource | undefined {
  const columns = sumColumns(table);
  if (columns === undefined) return undefined;
  const { hours, minutes } = columns;
  return { source: `{sum: {hours: ${quote(hours)}, minutes: ${quote(minutes)}}}`, rank: RANKS.sum };
}

/**
 * Returns the hours between a beginning and an end, unless the hours that the file states are others: they leave breaks out.
 * @param stated The most exact column of hours.
 */
function findInterval(table: SampleTable, stated: HoursColumn | undefined): HoursSource | undefined {
  const interval = intervalColumns(table);
  const pause = breakColumn(table);
  if (interval === undefined || (stated && (pause !== undefined || differs(table, stated)))) return undefined;
  const [from, to] = interval.map(formatColumns);
  const open = `${pause} isn't left out of the time from start to end: add a column with the hours without it`;
  return { source: `{from: ${from}, to: ${to}}`, rank: RANKS.interval, ...(pause !== undefined && { open }) };
}

/** Tells whether a row states other hours than those from its start to its end, beyond rounding. */
function differs(table: SampleTable, { header, format }: HoursColumn): boolean {
  const lengthOf = openLengths(table);
  const decimals = Math.max(
    ...table.cells(header).map(({ text }) => /[.,]([0-9]+)$/.exec(text.trim())?.[1]?.length ?? 0),
  );
  const lastPlace = /:/.test(format) ? 60 : (readSeconds('1', format) ?? 0) / 10 ** decimals;
  return table.records().some((record) => {
    const [length, hours] = [lengthOf(record), readSeconds(record(header), format)];
    if (length === undefined || hours === undefined) return false;
    return Math.abs((hours % DAY_SECONDS) - length) > lastPlace / 2 + 1;
  });
}

export function dayColumn(table: SampleTable): string | undefined {
  const isDay = (header: string) => areDays(workedCells(table, header));
  const start = [intervalColumns(table)?.[0] ?? []].flat().find(isDay);
  return table.findAll('date').find(isDay) ?? start;
}
