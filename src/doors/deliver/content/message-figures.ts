import type { Value } from '../../../base/database/index.ts';
import { formatReadable, formatRounded, isReadableUnit } from '../../../base/index.ts';
import { wordsOf } from '../../../numbers/condition/index.ts';
import type { Column, Meta, Unit } from '../../../numbers/report/catalogue/index.ts';
import { formatValue } from '../../../numbers/write/index.ts';
import type { ContentFigure } from './message-content.ts';
import type { PageLinks } from './page-links.ts';

export function namedIn(where: string | undefined, columns: readonly Column[]): string[] {
  const words = wordsOf(where ?? '');
  return columns.flatMap(({ name }) => (words.has(name) ? [name] : []));
}

/** Tells whether a message shows the values of a column: its numbers and days. */
export function isFigure({ unit, name }: Column): boolean {
  return (unit in DIGITS || unit === 'date') && !name.startsWith('_');
}

/** Makes the figure of a value, with the link that opens its lines. */
export function figureOf(
  column: Column,
  value: Value,
  meta: Meta,
  links: PageLinks,
  lines: Value | undefined,
): ContentFigure {
  return { label: column.label, text: formatFigure(column, value, meta), link: links.lines(lines, column.name) };
}

/** The digits after the point of numbers, by their unit; undefined: as many as money has. */
const DIGITS: Readonly<Partial<Record<Unit, number | undefined>>> = {
  hours: 2,
  money: undefined,
  rate: undefined,
  percent: 1,
  index: 2,
  budget: 2,
  count: 0,
};

const SUFFIXES: Readonly<Partial<Record<Unit, string>>> = { hours: ' h', percent: ' %' };

/** Formats a value for reading: with commas, its unit, and money with its minor units. */
export function formatFigure({ unit }: Pick<Column, 'unit'>, value: Value, meta: Meta, digits?: number): string {
  if (value === null) return 'unknown';
  if (!(unit in DIGITS)) return formatValue({ unit }, value, meta) ?? '';
  const suffix = unit === 'money' || unit === 'rate' ? ` ${meta.currency}` : (SUFFIXES[unit] ?? '');
  const text = String(value);
  const rounded = formatRounded(text, digits ?? DIGITS[unit] ?? meta.minor_units);
  if (digits !== undefined || !isReadableUnit(unit)) return `${rounded}${suffix}`;
  const readable = formatReadable(text, unit, meta.minor_units);
  // A percentage has one decimal here, unless it is only said to be large.
  return `${unit === 'percent' && readable === text ? rounded : readable}${suffix}`;
}
