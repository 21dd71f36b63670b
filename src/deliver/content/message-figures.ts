import type { Value } from '../../database/database.ts';
import { formatRounded } from '../../exact-decimal.ts';
import { wordsOf } from '../../odata/tokenize.ts';
import type { Column, Meta } from '../../report/catalogue/table.ts';
import { formatValue } from '../../write/value-text.ts';
import type { ContentFigure } from './message-content.ts';
import type { PageLinks } from './page-links.ts';

export function namedIn(where: string | undefined, columns: readonly Column[]): string[] {
  const words = wordsOf(where ?? '');
  return columns.flatMap(({ name }) => (words.has(name) ? [name] : []));
}

/** The units of numbers and days that a message shows. */
export function isFigure({ unit, name }: Column): boolean {
  return (
    ['hours', 'money', 'rate', 'percent', 'index', 'budget', 'count', 'date'].includes(unit) && !name.startsWith('_')
  );
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

/** Formats a value for reading: with commas, its unit, and money with its minor units. */
export function formatFigure({ unit }: Pick<Column, 'unit'>, value: Value, meta: Meta): string {
  if (value === null) return 'unknown';
  const text = String(value);
  if (unit === 'hours') return `${formatRounded(text, 2)} h`;
  if (unit === 'money' || unit === 'rate') return `${formatRounded(text, meta.minor_units)} ${meta.currency}`;
  if (unit === 'percent') return `${formatRounded(text, 1)} %`;
  if (unit === 'budget' || unit === 'index') return formatRounded(text, 2);
  if (unit === 'count') return formatRounded(text, 0);
  return formatValue({ unit }, value, meta) ?? '';
}
