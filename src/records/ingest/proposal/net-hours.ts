import type { SampleTable } from '../sample/sample-table.ts';
import { netClass } from '../sample/time-words.ts';
import type { BreakQuantity, Breaks } from './breaks.ts';
import {
  askExceptions,
  compare,
  type Equation,
  formatEquation,
  formatHours,
  isTrue,
  minus,
  type Quantity,
} from './equations.ts';
import { quantityOf } from './hour-forms.ts';
import { findStatedHours, type HoursColumn, RANKS } from './stated-hours.ts';

/** The column of worked hours without breaks, and what explains it. */
export interface NetHours {
  readonly column: HoursColumn | undefined;
  readonly equation?: Equation | undefined;
  /** The decision that a person has to make. */
  readonly question?: string | undefined;
  /** The breaks that have to be taken off it, as YAML. */
  readonly less?: string | undefined;
}

/** An equation that makes a column the hours without breaks. */
interface NetEquation extends Equation {
  readonly column: HoursColumn;
}

/**
 * Finds the column of worked hours: the one that is the time from start to end, or another column, without the breaks; else the one whose
 * words say so; else the most exact of those that say the same.
 * @param length The time from start to end. @param breaks The breaks that aren't work.
 */
export function findNetHours(table: SampleTable, length: Quantity | undefined, breaks: Breaks | undefined): NetHours {
  const columns = findStatedHours(table);
  const [first] = columns;
  if (first === undefined || table.layout) return { column: first };
  const day = table.find('date');
  const equations = breaks ? netEquations(table, columns, length, breaks) : [];
  const found = equations.find(({ column }) => netClass(column.header) === 'net') ?? equations[0];
  if (found) return { column: found.column, equation: found, question: askExceptions(found, day) };
  const net = columns.find(({ header }) => netClass(header) === 'net');
  if (net) return { column: net, question: net.open === undefined ? aboveGross(table, net, length, day) : undefined };
  const gross = columns.find(({ header }) => netClass(header) === 'gross');
  const plain = columns.filter((each) => each !== gross);
  const [worked] = plain;
  if (breaks && worked === undefined && gross) return takeOff(gross, breaks);
  if (breaks && worked) return { column: worked, question: askBreaks(table, worked, length, breaks) };
  return { column: worked ?? gross, question: worked && askReadings(table, plain, length) };
}

/** Returns the equations of a column with another one, or the time from start to end, without the breaks. */
function netEquations(
  table: SampleTable,
  columns: readonly HoursColumn[],
  length: Quantity | undefined,
  breaks: Breaks,
): NetEquation[] {
  const wholes = [
    ...(length ? [length] : []),
    ...columns.map(({ header, format }) => quantityOf(table, header, format)),
  ];
  return columns.flatMap((column) =>
    wholes
      .filter(({ title }) => title !== column.header)
      .flatMap((whole) => breaks.quantities.map((each) => netEquation(table, column, whole, each)))
      .filter((equation) => equation !== undefined),
  );
}

/** Returns the equation if it holds, with a break in a row at least. */
function netEquation(
  table: SampleTable,
  column: HoursColumn,
  whole: Quantity,
  breaks: BreakQuantity,
): NetEquation | undefined {
  const own = quantityOf(table, column.header, column.format);
  const equation = compare(table, own, minus(whole, breaks));
  const hasBreak = table
    .records()
    .some((row) => breaks.secondsOf(row) && own.secondsOf(row) !== undefined && whole.secondsOf(row) !== undefined);
  return isTrue(equation) && hasBreak ? { ...equation, column } : undefined;
}

/** Returns hours with breaks, which are taken off. */
function takeOff(column: HoursColumn, { quantities, title }: Breaks): NetHours {
  const [first, second] = quantities;
  const ways = quantities.map(({ less }) => `less: ${less}`).join(' or ');
  return {
    column,
    less: first?.less,
    question: second && `${title} is hours or minutes: write ${ways} at hours`,
  };
}

/** Asks whether hours have the breaks in them, of which no row tells. */
function askBreaks(
  table: SampleTable,
  column: HoursColumn,
  length: Quantity | undefined,
  { quantities, title }: Breaks,
): string | undefined {
  const { header, format } = column;
  const row = table.records().find((each) => quantities.some(({ secondsOf }) => secondsOf(each)));
  if (row === undefined || column.open !== undefined) return undefined;
  const whole = length && compare(table, quantityOf(table, header, format), length);
  const isWhole = whole && isTrue(whole) ? `, and ${formatEquation(whole)}` : '';
  const form = format === 'decimal' ? '' : `, hours: ${JSON.stringify(format)}`;
  const ways = quantities
    .map(({ less }) => `hours: {column: ${JSON.stringify(header)}${form}, less: ${less}}`)
    .join(' or ');
  return `${title} has ${row(title) || 'breaks'} beside ${row(header)} of ${header}${isWhole}: write ${ways} if the breaks are in it, or remove this line if they are left out already`;
}

/** Asks about rows that state more hours than from start to end. */
function aboveGross(
  table: SampleTable,
  { header, format }: HoursColumn,
  length: Quantity | undefined,
  day: string | undefined,
): string | undefined {
  if (length === undefined) return undefined;
  const own = quantityOf(table, header, format);
  const { exceptions } = compare(table, own, length);
  const above = exceptions.find(({ seconds, expected }) => seconds > expected + own.place);
  if (above === undefined) return undefined;
  const where = day === undefined ? '' : ` on ${above.row(day)}`;
  return `${header} has ${formatHours(above.seconds)} h${where}, more than the ${formatHours(above.expected)} h of ${length.title}: repair the row, or remove this line to read what it says`;
}

/** Asks which of several columns that differ has the hours, unless one of them is the time from start to end. */
function askReadings(
  table: SampleTable,
  columns: readonly HoursColumn[],
  length: Quantity | undefined,
): string | undefined {
  const [first, ...others] = columns.filter(
    ({ open, rank, isUnsure }) => open === undefined && rank < RANKS.days && !isUnsure,
  );
  if (first === undefined || first !== columns[0]) return undefined;
  const own = quantityOf(table, first.header, first.format);
  if (length && isTrue(compare(table, own, length))) return undefined;
  for (const { header, format } of others) {
    const [different] = compare(table, quantityOf(table, header, format), own).exceptions;
    if (different === undefined) continue;
    return `${first.header} has ${different.row(first.header)}, and ${header} ${different.row(header)} in a row: write hours: with the one that was worked`;
  }
  return undefined;
}
