import { type HoursFormat, plainHours } from '../mapping/hours-text.ts';
import { foldHeader } from '../mapping/nearest-field.ts';
import { areDays } from './day-forms.ts';
import type { SampleCell } from './first-rows.ts';
import { openLengths } from './interval-columns.ts';
import { quote } from './mapping-entry.ts';
import type { SampleTable } from './sample-table.ts';

export interface HoursColumn {
  readonly header: string;
  readonly format: HoursFormat;
  /** Smaller is more exact. */
  readonly rank: number;
  /** The decision that a person has to make. */
  readonly open?: string;
}

/** The sources by how exact they are: seconds tell more than minutes, and minutes more than rounded decimals. */
export const RANKS = {
  seconds: 0,
  clockSeconds: 1,
  sum: 2,
  interval: 3,
  clock: 4,
  minutes: 5,
  decimal: 6,
  days: 7,
  open: 8,
};

const [CLOCK_SECONDS, CLOCK] = [/^[0-9]{1,5}:[0-5][0-9]:[0-5][0-9]$/, /^[0-9]{1,5}:[0-5][0-9]$/];

type TimeUnit = 'seconds' | 'minutes' | 'days' | 'decimal';

const UNITS: readonly (readonly [words: RegExp, hours: TimeUnit])[] = [
  [/second|sekund|\(s\)/, 'seconds'],
  [/minut|\(min/, 'minutes'],
  [/\bdays?\b|\(days\)|^tage$/, 'days'],
  [/hour|hrs|stunden|heures|horas|uren|^ore$|\(h\)|decimal|dezimal|spent/, 'decimal'],
];

export function saysHours(header: string): boolean {
  return UNITS.some(([words, unit]) => unit === 'decimal' && words.test(foldHeader(header)));
}

/** The units by the hours that one of each is. */
const UNIT_HOURS: ReadonlyMap<string, TimeUnit> = new Map([
  ['1', 'decimal'],
  [plainHours('1', 'minutes') ?? '', 'minutes'],
  [plainHours('1', 'seconds') ?? '', 'seconds'],
  [plainHours('1', 'days') ?? '', 'days'],
]);

/** The hours of a day: no entry of one day has more. */
const DAY_HOURS = 24;

const HOUR_SECONDS = 3600;

/** Returns the columns of hours, the most exact first. */
export function findStatedHours(table: SampleTable): HoursColumn[] {
  const columns = table.findAll('hours').flatMap((header) => readHoursColumn(table, header) ?? []);
  return columns.sort((a, b) => a.rank - b.rank);
}

export function formatHours(header: string, format: HoursFormat): string {
  return format === 'decimal' ? quote(header) : `{column: ${quote(header)}${formatHoursForm(format)}}`;
}

export function formatHoursForm(format: HoursFormat): string {
  return format === 'decimal' ? '' : `, hours: ${format.includes(':') ? quote(format) : format}`;
}

/** Reads the form of a column of hours; undefined if it has none. */
export function readHoursColumn(table: SampleTable, header: string | undefined): HoursColumn | undefined {
  if (header === undefined) return undefined;
  const cells = table.cells(header);
  if (cells.length === 0 || areDays(cells)) return undefined;
  const form = formOfTexts(cells);
  if (form === 'numbers') return readNumbers(table, header, cells);
  if (!cells.some(({ text }) => isHours(text.trim()))) return undefined;
  const texts = textsOf(cells);
  if (form === 'h:mm' && texts.some((text) => CLOCK.test(text) && Number.parseInt(text, 10) > DAY_HOURS))
    return { header, format: form, rank: RANKS.open, open: clockDecision(header, texts) };
  const hasSeconds = texts.some((text) => /[0-9] ?s|:[0-9]{2}:/i.test(text));
  return { header, format: form, rank: hasSeconds ? RANKS.clockSeconds : RANKS.clock };
}

/** Returns the form of hours of cells, by their texts; numbers may have any unit. */
export function formOfTexts(cells: readonly SampleCell[]): 'numbers' | 'h:mm' | 'units' {
  const texts = textsOf(cells);
  if (texts.every((text) => /^-?(?:[0-9]+(?:[.,][0-9]+)?|[.,][0-9]+)$/.test(text))) return 'numbers';
  return texts.every((text) => CLOCK.test(text) || CLOCK_SECONDS.test(text)) ? 'h:mm' : 'units';
}

function textsOf(cells: readonly SampleCell[]): string[] {
  return cells.filter(({ isNumber }) => !isNumber).map(({ text }) => text.trim());
}

export function areHours(cells: readonly SampleCell[]): boolean {
  return cells.every(({ text }) => isHours(text.trim()));
}

function isHours(text: string): boolean {
  return readSeconds(text, 'units') !== undefined;
}

/** Returns the seconds of hours in a form, with either decimal mark; undefined for another text. */
export function readSeconds(text: string, format: HoursFormat): number | undefined {
  const hours = plainHours(text, format) ?? plainHours(text, format, 'comma');
  return hours === undefined ? undefined : Number(hours) * HOUR_SECONDS;
}

function clockDecision(header: string, texts: readonly string[]): string {
  const example = texts.find((text) => Number.parseInt(text, 10) > DAY_HOURS) ?? '';
  return `${header} has ${example}, which is hours and minutes, or minutes and seconds: export the hours in another form`;
}

function readNumbers(table: SampleTable, header: string, cells: readonly SampleCell[]): HoursColumn | undefined {
  const unit = UNITS.find(([words]) => words.test(foldHeader(header)))?.[1];
  // Hours beside minutes are a part of the time only.
  if (unit === 'decimal' && /^(hours|stunden)$/.test(foldHeader(header)) && sumColumns(table)) return undefined;
  const units = unitsOfRows(table);
  const [only] = units;
  if (units.length > 1)
    return { header, format: 'decimal', rank: RANKS.open, open: `${header} has several units: export it in one` };
  const most = Math.max(...cells.map(({ text }) => Number(text.trim().replace(',', '.'))));
  const format = only ?? unit ?? (most <= DAY_HOURS ? 'decimal' : undefined);
  if (format === 'minutes' && sumColumns(table)) return undefined;
  if (format !== undefined) return { header, format, rank: RANKS[format] };
  const measured = measureInterval(table, header);
  if (measured !== undefined) return { header, format: measured, rank: RANKS[measured] };
  const open = `${header} has ${most}: write hours: minutes, hours: seconds or hours: days at it`;
  return { header, format: 'decimal', rank: RANKS.open, open };
}

/** Returns the units of time that a column of units has; none if its words are no such units. */
function unitsOfRows(table: SampleTable): TimeUnit[] {
  const words = [...new Set(table.cells(table.find('unit')).map(({ text }) => text.trim()))];
  const units = words.map((word) => UNIT_HOURS.get(plainHours(`1 ${word}`, 'units') ?? ''));
  return units.includes(undefined) ? [] : [...new Set(units.flatMap((unit) => unit ?? []))];
}

/** Returns the unit in which a column of numbers is the time between two others. */
function measureInterval(table: SampleTable, header: string): 'seconds' | 'minutes' | undefined {
  const lengthOf = openLengths(table);
  for (const record of table.records()) {
    const [length, value] = [lengthOf(record), Number(record(header))];
    if (length === undefined || value === 0) continue;
    if (value === length) return 'seconds';
    if (value * 60 === length) return 'minutes';
  }
  return undefined;
}

/** Returns the columns of hours and minutes that are one time together. */
export function sumColumns(table: SampleTable): { readonly hours: string; readonly minutes: string } | undefined {
  const all = table.findAll('hours');
  const [hours, minutes] = [/^(hours|stunden|heures)$/, /^(minutes|minuten)$/].map((name) =>
    all.find((header) => name.test(foldHeader(header))),
  );
  if (hours === undefined || minutes === undefined) return undefined;
  const isWhole = table.cells(hours).every(({ text }) => /^[0-9]+$/.test(text.trim()));
  const isPart = table.cells(minutes).every(({ text }) => Number(text) < 60);
  return isWhole && isPart ? { hours, minutes } : undefined;
}
