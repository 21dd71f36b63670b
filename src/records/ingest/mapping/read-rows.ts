import type { RowFilter, Unpivot } from './mapping.ts';
import type { YamlValue } from './yaml-reader.ts';

const PERIODS = { days: 'day', weeks: 'week', months: 'month' } as const;

const PERIOD_NAMES = Object.keys(PERIODS) as (keyof typeof PERIODS)[];

/** Reads conditions on rows: a column with a text, or several. */
export function readFilters(value: YamlValue): RowFilter[] {
  return value.entries().map(([column, texts]) => ({
    column,
    texts: (Array.isArray(texts.value) ? texts.items() : [texts]).map(readText),
  }));
}

/** Reads a text of a condition; an empty one, or none, is a blank cell. */
function readText(value: YamlValue): string {
  const { value: given } = value;
  if (given === '' || given === null) return '';
  return typeof given === 'boolean' ? String(given) : value.text();
}

/** Reads which columns become rows: `days`, or `{columns: days, month: 2026-03}` for headers from 1 to 31. */
export function readUnpivot(value: YamlValue): Unpivot {
  if (typeof value.value === 'string') return { period: PERIODS[value.oneOf(PERIOD_NAMES)], month: undefined };
  const { columns, month } = value.members(['columns', 'month']);
  const period = PERIODS[columns?.oneOf(PERIOD_NAMES) ?? value.fail('has no columns', 'Write columns: days.')];
  if (month === undefined) return { period, month };
  const text = month.text();
  if (period === 'day' && /^[0-9]{4}-(0[1-9]|1[0-2])$/.test(text)) return { period, month: text };
  return month.fail(`is ${text}, not a month of days`, 'Write columns: days with a month such as 2026-03.');
}
