import { plainHours } from '../mapping/hours-text.ts';
import { foldHeader } from '../mapping/nearest-field.ts';
import { areDays } from './day-forms.ts';
import type { SampleCell } from './first-rows.ts';
import { type Columns, formatColumns, quote } from './mapping-entry.ts';
import type { SampleTable } from './sample-table.ts';

/** The source of the hours of a time sheet. */
export interface HoursSource {
  /** As YAML. */
  readonly source: string;
  /** Smaller is more exact. */
  readonly rank: number;
  /** The decision that a person has to make. */
  readonly open?: string;
}

/** The sources by how exact they are: seconds tell more than minutes, and minutes more than rounded decimals. */
const RANKS = { seconds: 0, clockSeconds: 1, sum: 2, interval: 3, clock: 4, minutes: 5, decimal: 6, days: 7, open: 8 };

const [CLOCK_SECONDS, CLOCK] = [/^[0-9]{1,5}:[0-5][0-9]:[0-5][0-9]$/, /^[0-9]{1,5}:[0-5][0-9]$/];

/** The unit that a header says, by its words. */
const UNITS: readonly (readonly [words: RegExp, hours: 'seconds' | 'minutes' | 'days' | 'decimal'])[] = [
  [/second|sekund|\(s\)/, 'seconds'],
  [/minut|\(min/, 'minutes'],
  [/\bdays?\b|\(days\)|^tage$/, 'days'],
  [/hour|hrs|stunden|heures|horas|uren|^ore$|\(h\)|decimal|dezimal|spent/, 'decimal'],
];

/** The hours of a day: no entry of one day has more. */
const DAY_HOURS = 24;

/** Returns the most exact source of the hours of a table; undefined if it has none. */
export function findHours(table: SampleTable): HoursSource | undefined {
  const columns = table.findAll('hours').flatMap((header) => readColumn(table, header) ?? []);
  const [sum, interval] = [findSum(table), findInterval(table)];
  const all = [...columns, ...(sum ? [sum] : []), ...(interval ? [interval] : [])];
  return all.sort((a, b) => a.rank - b.rank)[0];
}

/** Returns the source with which the hours of a table are compared: the next exact column of its own. */
export function findHoursControl(table: SampleTable): string | undefined {
  const chosen = findHours(table);
  const others = table
    .findAll('hours')
    .flatMap((header) => readColumn(table, header) ?? [])
    .filter(({ source, open, rank }) => source !== chosen?.source && open === undefined && rank !== RANKS.days);
  return others.sort((a, b) => a.rank - b.rank)[0]?.source;
}

function readColumn(table: SampleTable, header: string): HoursSource | undefined {
  const cells = table.cells(header);
  const texts = cells.filter(({ isNumber }) => !isNumber).map(({ text }) => text.trim());
  const column = quote(header);
  const isDecimal = (text: string) => /^-?(?:[0-9]+(?:[.,][0-9]+)?|[.,][0-9]+)$/.test(text);
  if (cells.length === 0 || areDays(cells)) return undefined;
  if (texts.length === 0 || texts.every(isDecimal)) return readNumbers(table, header, cells);
  if (!cells.some(({ text }) => isHours(text.trim()))) return undefined;
  if (texts.every((text) => CLOCK_SECONDS.test(text)))
    return { source: `{column: ${column}, hours: "h:mm"}`, rank: RANKS.clockSeconds };
  const isClock = texts.every((text) => CLOCK.test(text) || CLOCK_SECONDS.test(text));
  if (isClock && texts.some((text) => CLOCK.test(text) && Number.parseInt(text, 10) > DAY_HOURS))
    return { source: `{column: ${column}, hours: "h:mm"}`, rank: RANKS.open, open: clockDecision(header, texts) };
  const hasSeconds = texts.some((text) => /[0-9] ?s|:[0-9]{2}:/i.test(text));
  return {
    source: `{column: ${column}, hours: ${isClock ? '"h:mm"' : 'units'}}`,
    rank: hasSeconds ? RANKS.clockSeconds : RANKS.clock,
  };
}

/** Tells whether a text is hours in any form. */
function isHours(text: string): boolean {
  return plainHours(text, 'units') !== undefined || plainHours(text, 'units', 'comma') !== undefined;
}

function clockDecision(header: string, texts: readonly string[]): string {
  const example = texts.find((text) => Number.parseInt(text, 10) > DAY_HOURS) ?? '';
  return `${header} has ${example}, which is hours and minutes, or minutes and seconds: export the hours in another form`;
}

function readNumbers(table: SampleTable, header: string, cells: readonly SampleCell[]): HoursSource | undefined {
  const unit = UNITS.find(([words]) => words.test(foldHeader(header)))?.[1];
  // Hours beside minutes are a part of the time only.
  if (unit === 'decimal' && /^(hours|stunden)$/.test(foldHeader(header)) && findSum(table)) return undefined;
  const source = (hours: string) => `{column: ${quote(header)}, hours: ${hours}}`;
  const most = Math.max(...cells.map(({ text }) => Number(text.trim().replace(',', '.'))));
  if (unit === 'decimal' || (unit === undefined && most <= DAY_HOURS))
    return { source: quote(header), rank: RANKS.decimal };
  if (unit === 'minutes' && findSum(table)) return undefined;
  if (unit !== undefined) return { source: source(unit), rank: RANKS[unit] };
  const measured = measureInterval(table, header);
  if (measured !== undefined) return { source: source(measured), rank: RANKS[measured] };
  const open = `${header} has ${most}: write hours: minutes, hours: seconds or hours: days at it`;
  return { source: quote(header), rank: RANKS.open, open };
}

/** Returns the unit in which a column of numbers is the time between two others. */
function measureInterval(table: SampleTable, header: string): 'seconds' | 'minutes' | undefined {
  const [start, end] = [table.find('start_time'), table.find('end_time')];
  const secondsOf = (text: string) => {
    const [, hours, minutes, seconds = '0'] = /([0-9]{1,2}):([0-9]{2})(?::([0-9]{2}))?/.exec(text) ?? [];
    return hours === undefined ? undefined : Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  };
  for (const record of table.records()) {
    const [from, to, value] = [secondsOf(record(start)), secondsOf(record(end)), Number(record(header))];
    if (from === undefined || to === undefined || value === 0) continue;
    const length = (to - from + 86_400) % 86_400;
    if (value === length) return 'seconds';
    if (value * 60 === length) return 'minutes';
  }
  return undefined;
}

/** Returns the hours whose hours and minutes are in columns of their own. */
function findSum(table: SampleTable): HoursSource | undefined {
  const all = table.findAll('hours');
  const [hours, minutes] = [/^(hours|stunden|heures)$/, /^(minutes|minuten)$/].map((name) =>
    all.find((header) => name.test(foldHeader(header))),
  );
  if (hours === undefined || minutes === undefined) return undefined;
  const isWhole = table.cells(hours).every(({ text }) => /^[0-9]+$/.test(text.trim()));
  const isPart = table.cells(minutes).every(({ text }) => Number(text) < 60);
  if (!isWhole || !isPart) return undefined;
  return { source: `{sum: {hours: ${quote(hours)}, minutes: ${quote(minutes)}}}`, rank: RANKS.sum };
}

/** Returns the hours between a beginning and an end. */
function findInterval(table: SampleTable): HoursSource | undefined {
  const interval = intervalColumns(table);
  if (interval === undefined) return undefined;
  const [from, to] = interval.map(formatColumns);
  return { source: `{from: ${from}, to: ${to}}`, rank: RANKS.interval };
}

/** Returns the columns of the day and time in which the work begins, and of those in which it ends. */
export function intervalColumns(table: SampleTable): readonly [from: Columns, to: Columns] | undefined {
  const isTime = (header: string) => table.cells(header).some(({ text }) => /[0-9]{1,2}:[0-9]{2}/.test(text));
  const start = table.findAll('start_time').find(isTime);
  const end = table.findAll('end_time').find(isTime);
  if (start === undefined || end === undefined) return undefined;
  const hasDay = (header: string) => areDays(table.cells(header));
  const day = [...table.findAll('date'), ...table.findAll('start_date')].find(
    (header) => header !== start && hasDay(header),
  );
  const endDay = table.findAll('end_date').find((header) => header !== end && hasDay(header));
  if (!hasDay(start) && day === undefined) return undefined;
  const from = hasDay(start) || day === undefined ? start : [day, start];
  return [from, hasDay(end) || endDay === undefined ? end : [endDay, end]];
}

/** Returns the column with the day of an entry. */
export function dayColumn(table: SampleTable): string | undefined {
  const isDay = (header: string) => areDays(table.cells(header));
  const start = [intervalColumns(table)?.[0] ?? []].flat().find(isDay);
  return table.findAll('date').find(isDay) ?? start;
}
