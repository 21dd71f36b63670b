import { formatForeign } from '../../../base/index.ts';
import type { SampleTable } from '../sample/sample-table.ts';

/** Reads the text of a column in a row; blank for no column. */
export type RowTexts = (header: string | undefined) => string;

/** An amount of time in each row. */
export interface Quantity {
  /** The columns that it is read from, in words. */
  readonly title: string;
  /** Returns the seconds of a row; undefined if it has none. */
  secondsOf(row: RowTexts): number | undefined;
  /** The unit of the last place of its numbers. Unit: seconds. */
  readonly place: number;
}

/** A relation of two amounts of time, with the rows in which it holds and those in which it doesn't. */
export interface Equation {
  readonly text: string;
  readonly holds: number;
  readonly exceptions: readonly Exception[];
}

interface Exception {
  readonly row: RowTexts;
  readonly seconds: number;
  readonly expected: number;
}

/** The part of the rows in which a relation has to hold that others are asked about. */
const MOST = 0.8;

/** The fewest rows in which it has to hold then. */
const FEWEST_ROWS = 3;

const HOUR_SECONDS = 3600;

/** Returns the difference of two amounts; a blank second one is 0. */
export function minus(one: Quantity, other: Quantity): Quantity {
  return {
    title: `${one.title} - ${other.title}`,
    secondsOf(row) {
      const seconds = one.secondsOf(row);
      return seconds === undefined ? undefined : seconds - (other.secondsOf(row) ?? 0);
    },
    place: Math.max(one.place, other.place),
  };
}

/** Compares two amounts in the rows that have both, within half a unit of their last places. */
export function compare(table: SampleTable, found: Quantity, expected: Quantity): Equation {
  const allowed = (found.place + expected.place) / 2 + 0.5;
  const exceptions: Exception[] = [];
  let holds = 0;
  for (const row of table.records()) {
    const [seconds, other] = [found.secondsOf(row), expected.secondsOf(row)];
    if (seconds === undefined || other === undefined) continue;
    if (Math.abs(seconds - other) <= allowed) holds += 1;
    else exceptions.push({ row, seconds, expected: other });
  }
  return { text: `${found.title} = ${expected.title}`, holds, exceptions };
}

/** Tells whether a relation holds in all rows, or in so many that the others are mistakes. */
export function isTrue({ holds, exceptions }: Equation): boolean {
  if (exceptions.length === 0) return holds > 0;
  return holds >= FEWEST_ROWS && holds >= (holds + exceptions.length) * MOST;
}

/** Returns the sentence on a relation that was found. */
export function formatEquation({ text, holds, exceptions }: Equation): string {
  return `${formatForeign(text)} in ${holds} of ${holds + exceptions.length} rows`;
}

/** Returns the question about the rows in which a relation doesn't hold; undefined if it holds in all. */
export function askExceptions(equation: Equation, day: string | undefined): string | undefined {
  const [first] = equation.exceptions;
  if (first === undefined) return undefined;
  const where = day === undefined ? '' : ` on ${formatForeign(first.row(day))}`;
  return `${formatEquation(equation)}, and${where} it is ${formatHours(first.seconds)} instead of ${formatHours(first.expected)} h: repair the row, or remove this line to read what it says`;
}

export function formatHours(seconds: number): string {
  return (seconds / HOUR_SECONDS).toFixed(2);
}
