import type { Value } from '../../database/database.ts';
import type { Column } from '../../report/table.ts';
import { dateSerial, percentToFraction, trimDecimal } from './decimal.ts';
import { escapeXml } from './sheet-xml.ts';

/** A cell's content: a number as its digits, a text, a boolean, or a formula with the value that it has. */
export type Content =
  | { readonly number: string }
  | { readonly text: string }
  | { readonly boolean: boolean }
  | { readonly formula: string; readonly cached: Content };

/** The content of a value of a column; null stays blank. Decimals are written digit by digit, never through a float. */
export function contentOf({ unit }: Column, value: Value): Content | undefined {
  if (value === null) return undefined;
  if (typeof value === 'boolean') return { boolean: value };
  if (typeof value === 'object') return { text: JSON.stringify(value) };
  switch (unit) {
    case 'date':
      return { number: String(dateSerial(String(value))) };
    case 'percent':
      return { number: percentToFraction(String(value)) };
    case 'hours':
    case 'money':
    case 'rate':
    case 'budget':
    case 'count':
      return { number: trimDecimal(String(value)) };
    default:
      return { text: String(value) };
  }
}

/** A cell as XML. @param place Its column's letters and its row, such as C7. */
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

/** White space at the ends, and line breaks, would be lost without the mark. */
function formatText(text: string): string {
  const kept = /^\s|\s$|[\n\t]| {2}/.test(text) ? ' xml:space="preserve"' : '';
  return `<t${kept}>${escapeXml(text)}</t>`;
}
