import { formatForeign } from '../../../base/index.ts';
import type { HoursFormat } from '../mapping/hours-text.ts';
import { parseTimeOfDay } from '../mapping/time-of-day.ts';
import type { ColumnMeaning, FoundRoles } from '../sample/column-meanings.ts';
import { isKnownHeader } from '../sample/header-words.ts';
import type { SampleTable } from '../sample/sample-table.ts';
import { headerWords } from '../sample/split-header.ts';
import { isPlainTime, timeClass } from '../sample/time-words.ts';
import { compare, type Equation, formatEquation, minus, type Quantity } from './equations.ts';
import { areHours, formOfTexts, quantityOf } from './hour-forms.ts';

/** The most columns in an unknown language that are compared with each other. Unit: columns. */
const MAX_COMPARED = 8;

/** The fewest rows that tell the meaning of columns by arithmetic. */
const FEWEST_ROWS = 2;

const DAY_SECONDS = 86_400;

/** Finds start, end, breaks and hours of a table whose headers don't tell them, by the relation that holds in all rows. */
export function findRoles(table: SampleTable): FoundRoles | undefined {
  if (table.layout || table.find('start_time') !== undefined || table.find('end_time') !== undefined) return undefined;
  const unknown = table.sample.headers.filter((header) => header !== '' && !isKnownHeader(header));
  const clocks = unknown
    .filter((header) => timeClass(header) === undefined && areClocks(table, header))
    .slice(0, MAX_COMPARED);
  const amounts = amountsOf(table, unknown);
  const breaks = amountsOf(table, table.sample.headers).filter(
    ({ header }) => table.findAll('breaks').includes(header) || timeClass(header) === 'break',
  );
  for (const [at, start] of clocks.entries())
    for (const end of clocks.slice(at + 1)) {
      const found = rolesOf(table, start, end, amounts, breaks);
      if (found) return found;
    }
  return undefined;
}

interface AmountColumn {
  readonly header: string;
  readonly quantity: Quantity;
}

function rolesOf(
  table: SampleTable,
  start: string,
  end: string,
  amounts: readonly AmountColumn[],
  breaks: readonly AmountColumn[],
): FoundRoles | undefined {
  const length = lengthOf(start, end);
  const times = new Map<ColumnMeaning, string>([
    ['start_time', start],
    ['end_time', end],
  ]);
  const others = amounts.filter(({ header }) => header !== start && header !== end);
  for (const hours of others)
    for (const pause of [...breaks, ...others].filter(({ header }) => header !== hours.header)) {
      const equation = compare(table, hours.quantity, minus(length, pause.quantity));
      if (!holds(equation) || !isShorter(table, pause.quantity, hours.quantity)) continue;
      const headers = new Map([...times, ['hours', hours.header], ['breaks', pause.header]] as const);
      const isKnown = breaks.some(({ header }) => header === pause.header);
      return { headers, question: isKnown ? undefined : askBreak(equation, pause.header) };
    }
  const whole = others.find(({ quantity }) => holds(compare(table, quantity, length)));
  if (whole === undefined) return undefined;
  const isUnclear = [start, end].every((header) => areDurations(table, header)) && !isPlain(whole.header);
  const question = isUnclear ? askClocks(compare(table, whole.quantity, length), start, end) : undefined;
  return { headers: new Map([...times, ['hours', whole.header]] as const), question };
}

function askBreak(equation: Equation, header: string): string {
  return `${formatEquation(equation)}: remove this line if ${formatForeign(header)} is a break, or write hours: {from: ..., to: ...} without less if it is work, too`;
}

/** Asks about three columns that may be start, end and hours, or breaks, and hours with and without them. */
function askClocks(equation: Equation, start: string, end: string): string {
  return `${formatEquation(equation)}: remove this line if ${formatForeign(start)} and ${formatForeign(end)} are start and end, or write hours: with the one that was worked`;
}

function isPlain(header: string): boolean {
  return timeClass(header) === 'hours' && isPlainTime(headerWords(header));
}

/** Tells whether clock times may be durations: those of a day have no AM or PM, and aren't beyond half a day. */
function areDurations(table: SampleTable, header: string): boolean {
  return table.cells(header).every(({ text }) => /^[0-9:]+$/.test(text.trim()) && Number.parseInt(text, 10) <= 12);
}

function holds({ holds: count, exceptions }: Equation): boolean {
  return exceptions.length === 0 && count >= FEWEST_ROWS;
}

/** Tells whether breaks are there, and shorter than the hours: the relation holds for both. */
function isShorter(table: SampleTable, pause: Quantity, hours: Quantity): boolean {
  const sumOf = ({ secondsOf }: Quantity) => table.records().reduce((sum, row) => sum + (secondsOf(row) ?? 0), 0);
  const sum = sumOf(pause);
  return sum > 0 && sum < sumOf(hours);
}

/** Returns the amounts of time that columns may have, in each unit. */
function amountsOf(table: SampleTable, headers: readonly string[]): AmountColumn[] {
  const found = headers.filter((header) => {
    const cells = table.cells(header);
    return cells.length > 0 && areHours(cells);
  });
  return found.slice(0, MAX_COMPARED).flatMap((header) => {
    const isNumber = formOfTexts(table.cells(header)) === 'numbers';
    const formats: readonly HoursFormat[] = isNumber ? ['decimal', 'minutes'] : ['units'];
    return formats.map((format) => ({ header, quantity: quantityOf(table, header, format) }));
  });
}

function areClocks(table: SampleTable, header: string): boolean {
  const cells = table.cells(header);
  return cells.length > 0 && cells.every(({ text }) => parseTimeOfDay(text.trim()) !== undefined);
}

function lengthOf(start: string, end: string): Quantity {
  const secondsOf = (text: string) => parseTimeOfDay(text)?.seconds;
  return {
    title: `${end} - ${start}`,
    secondsOf(row) {
      const [from, to] = [secondsOf(row(start)), secondsOf(row(end))];
      return from === undefined || to === undefined ? undefined : (to - from + DAY_SECONDS) % DAY_SECONDS;
    },
    place: 0,
  };
}
