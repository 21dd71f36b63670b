import type { Value } from '../../../database/database.ts';
import type { Column } from '../../../report/catalogue/table.ts';
import { dateSerial, percentToFraction, trimDecimal } from './decimal.ts';
import { escapeXml } from './sheet-xml.ts';

/** The content of a cell; a formula carries its current value. */
export type Content =
  | { readonly number: string }
  | { readonly text: string }
  | { readonly boolean: boolean }
  | { readonly formula: string; readonly cached: Content };

/** Returns the content of a column's value; undefined for null. Decimals never pass through a float. */
export function cellContentOf({ name, unit }: Column, value: Value): Content | undefined {
  if (value === null) return undefined;
  if (typeof value === 'boolean') return { boolean: value };
  if (typeof value === 'object') return { text: JSON.stringify(value) };
  switch (unit) {
    case 'date':
      return { number: String(dateSerial(String(value))) };
    case 'percent':
      return { number: isPoints(name) ? trimDecimal(String(value)) : percentToFraction(String(value)) };
    case 'hours':
    case 'money':
    case 'rate':
    case 'index':
    case 'budget':
    case 'count':
    case 'number':
      return { number: trimDecimal(String(value)) };
    default:
      return { text: String(value) };
  }
}

/** Tests for a difference of percentages, whose cell holds points: 1.5 for +1.5 pts. */
function isPoints(name: string): boolean {
  return name.endsWith('_points');
}

/**
 * Formats a cell as XML.
 * @param place The column's letters and the row, such as C7.
 */
export function formatCell(place: string, style: number, content: Content): string {
  const open = `<c r="${place}"${style > 0 ? ` s="${style}"` : ''}`;
  if ('number' in content) return `${open}><v>${content.number}</v></c>`;
  if ('text' in content) return `${open} t="inlineStr"><is>${formatText(content.text)}</is></c>`;
  if ('boolean' in content) return `${open} t="b"><v>${content.boolean ? 1 : 0}</v></c>`;
  const formula = `<f>${escapeXml(content.formula)}</f>`;
  const { cached } = content;
  if ('number' in cached) return `${open}>${formula}<v>${cached.number}</v></c>`;
  if ('boolean' in cached) return `${open} t="b">${formula}<v>${cached.boolean ? 1 : 0}</v></c>`;
  return `${open} t="str">${formula}<v>${escapeXml('text' in cached ? cached.text : '')}</v></c>`;
}

function formatText(text: string): string {
  const kept = /^\s|\s$|[\n\t]| {2}/.test(text) ? ' xml:space="preserve"' : '';
  return `<t${kept}>${escapeXml(text)}</t>`;
}

export function plainContent(content: Content): Exclude<Content, { readonly formula: string }> {
  return 'formula' in content ? plainContent(content.cached) : content;
}
