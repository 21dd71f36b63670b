import { dateSerial, fitText, formatCell, trimDecimal } from '../../../../../packages/xlsx/index.ts';
import type { Value } from '../../../../base/database/index.ts';
import type { Column } from '../../../report/catalogue/table.ts';
import { cellContentOf } from '../columns/column-content.ts';

/** Formats the cell of a column in a row; empty for null. */
export type CellFormatter = (value: Value, row: number) => string;

/**
 * Returns a column's formatter, with the constant parts of its cells prepared for a million rows.
 * @param onCut Called for each text that is too long for a cell.
 */
export function cellFormatter(column: Column, letters: string, style: number, onCut: () => void): CellFormatter {
  const open = `<c r="${letters}`;
  const look = style > 0 ? `" s="${style}"` : '"';
  const [text, number] = [`${look} t="inlineStr"><is><t>`, `${look}><v>`];
  const serials = new Map<string, number>();
  const formatText = (value: string, row: number): string => {
    if (isPlain(value)) return `${open}${row}${text}${value}</t></is></c>`;
    const fitting = fitText(value);
    if (fitting !== value) onCut();
    return formatCell(`${letters}${row}`, style, { text: fitting });
  };
  const formatAny: CellFormatter = (value, row) => {
    const content = cellContentOf(column, value);
    if (!content) return '';
    return 'text' in content ? formatText(content.text, row) : formatCell(`${letters}${row}`, style, content);
  };
  switch (column.unit) {
    case 'id':
    case 'code':
    case 'text':
    case 'list':
      return (value, row) => (typeof value === 'string' ? formatText(value, row) : formatAny(value, row));
    case 'hours':
    case 'money':
    case 'rate':
    case 'index':
    case 'budget':
      return (value, row) =>
        typeof value === 'string' ? `${open}${row}${number}${trimDecimal(value)}</v></c>` : formatAny(value, row);
    case 'date':
      return (value, row) => {
        if (typeof value !== 'string') return formatAny(value, row);
        const serial = serials.get(value) ?? dateSerial(value);
        serials.set(value, serial);
        return `${open}${row}${number}${serial}</v></c>`;
      };
    default:
      return formatAny;
  }
}

/** The longest text that the fast check covers. Unit: characters. */
const SHORT = 256;

/** Tests for text that needs no escape: ASCII without markup, underscores or fragile white space. */
function isPlain(text: string): boolean {
  const { length } = text;
  if (length > SHORT || length === 0) return false;
  let before = 0x20;
  for (let i = 0; i < length; i += 1) {
    const code = text.charCodeAt(i);
    if (code < 0x20 || code > 0x7e || code === 0x26 || code === 0x3c || code === 0x3e) return false;
    if (code === 0x5f || code === 0x22 || (code === 0x20 && before === 0x20)) return false;
    before = code;
  }
  return before !== 0x20;
}
