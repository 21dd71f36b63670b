import { formatForeign } from '../../foreign-text.ts';
import { type ColumnMeaning, openHeaders } from './header-words.ts';

interface SampleTable {
  readonly headers: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

const DAYS: readonly ColumnMeaning[] = ['date', 'start_date', 'end_date'];
const DECIMALS: readonly ColumnMeaning[] = ['hours', 'cost_rate', 'bill_rate', 'budget'];

/** Matches a day with its year at the end, and captures its separator. */
const DAY = /^([0-9]{1,2})([-/. ])([0-9]{1,2})\2[0-9]{4}(.*)$/;

const DECIMAL_COMMA = /^-?[0-9. \u00a0\u202f]*,[0-9]{1,4}$/;

const THOUSANDS_OR_DECIMALS = /^-?[1-9][0-9]{0,2},[0-9]{3}$/;

/** Proposes the lines of a mapping that say how days, numbers and hours are written. */
export function guessNotation(tables: readonly SampleTable[]): string[] {
  const days = tables.flatMap((table) => valuesOf(table, DAYS));
  const decimals = tables.flatMap((table) => valuesOf(table, DECIMALS));
  const hours = tables.flatMap((table) =>
    openHeaders(table.headers)('hours') === undefined ? valuesOf(table, ['clock_hours']) : valuesOf(table, ['hours']),
  );
  const isClock = hours.some((text) => /^[0-9]+:[0-9]{2}/.test(text));
  return [...guessDates(days), ...guessDecimal(decimals), ...(isClock ? ['hours: h:mm'] : [])];
}

/** Proposes the decimal mark. Three digits after the only comma decide nothing: 12,000 is twelve, or twelve thousand. */
function guessDecimal(decimals: readonly string[]): string[] {
  const unclear = decimals.find((text) => THOUSANDS_OR_DECIMALS.test(text));
  const isComma = decimals.some((text) => DECIMAL_COMMA.test(text) && !THOUSANDS_OR_DECIMALS.test(text));
  if (isComma) return ['decimal: comma'];
  if (unclear === undefined) return [];
  return [
    `# The files don't tell whether ${unclear} has thousands or decimals behind its comma: write decimal: point or decimal: comma.`,
  ];
}

/** Proposes the format of days: the place of a number above 12 tells it. */
function guessDates(days: readonly string[]): string[] {
  const found = days.map((day) => DAY.exec(day)).filter((match) => match !== null);
  const [first] = found;
  if (!first) return days.some((day) => /^[0-9]{4}-[0-9]{2}-[0-9]{2}[ T]/.test(day)) ? ['dates: YYYY-MM-DD HH:MM'] : [];
  const [example = '', , separator = '/', , rest = ''] = first;
  const time = /^[ T][0-9]/.test(rest) ? ' HH:MM' : '';
  const isDayFirst = found.some(([, one]) => Number(one) > 12) || separator === '.';
  const isMonthFirst = found.some(([, , , two]) => Number(two) > 12);
  const order = isMonthFirst && !isDayFirst ? ['MM', 'DD'] : ['DD', 'MM'];
  const format = `dates: ${[...order, 'YYYY'].join(separator)}${time}`;
  if (isDayFirst !== isMonthFirst) return [format];
  return [
    `# The files don't tell whether ${formatForeign(example)} begins with the day or with the month: decide.`,
    format,
  ];
}

function valuesOf({ headers, rows }: SampleTable, meanings: readonly ColumnMeaning[]): string[] {
  const names = meanings.map(openHeaders(headers));
  const places = names.flatMap((name) => (name === undefined ? [] : [headers.indexOf(name)]));
  return rows.flatMap((row) => places.map((place) => (row[place] ?? '').trim())).filter((text) => text !== '');
}
