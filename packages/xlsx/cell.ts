import { escapeXml } from './sheet-xml.ts';

/** The content of a cell; a formula carries its current value. */
export type Content =
  | { readonly number: string }
  | { readonly text: string }
  | { readonly boolean: boolean }
  | { readonly formula: string; readonly cached: Content };

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
