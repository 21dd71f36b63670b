import { MAIN } from './namespaces.ts';
import { columnLetters, escapeXml, xmlPart } from './sheet-xml.ts';

export interface TableColumn {
  readonly header: string;
  readonly total?: { readonly label: string } | { readonly formula: string; readonly isSum: boolean } | undefined;
}

export interface NativeTable {
  readonly name: string;
  readonly columns: readonly TableColumn[];
  readonly lastRow: number;
  readonly hasTotals: boolean;
}

export function tableName(sheet: string): string {
  const words = sheet.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  return `tbl${words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')}`;
}

/** Makes headers unique, ignoring case, as Excel requires. */
export function uniqueHeaders(labels: readonly string[]): string[] {
  const headers: string[] = [];
  for (const label of labels) {
    const isUsed = (header: string) => headers.some((other) => other.toLowerCase() === header.toLowerCase());
    let header = label;
    for (let number = 2; isUsed(header); number += 1) header = `${label} ${number}`;
    headers.push(header);
  }
  return headers;
}

/** Returns the part of a native table, whose filter excludes the totals row. */
export function formatTable({ name, columns, lastRow, hasTotals }: NativeTable, id: number): string {
  const last = columnLetters(columns.length - 1);
  const filtered = hasTotals ? lastRow - 1 : lastRow;
  const totals = hasTotals ? 'totalsRowCount="1"' : 'totalsRowShown="0"';
  return xmlPart(
    `<table xmlns="${MAIN}" id="${id}" name="${name}" displayName="${name}" ref="A1:${last}${lastRow}" ${totals}>` +
      `<autoFilter ref="A1:${last}${filtered}"/><tableColumns count="${columns.length}">${columns.map(formatColumn).join('')}</tableColumns>` +
      '<tableStyleInfo name="TableStyleLight1" showFirstColumn="0" showLastColumn="0" showRowStripes="1" showColumnStripes="0"/></table>',
  );
}

function formatColumn({ header, total }: TableColumn, index: number): string {
  const open = `<tableColumn id="${index + 1}" name="${escapeXml(header)}"`;
  if (!total) return `${open}/>`;
  if ('label' in total) return `${open} totalsRowLabel="${escapeXml(total.label)}"/>`;
  if (total.isSum) return `${open} totalsRowFunction="sum"/>`;
  return `${open} totalsRowFunction="custom"><totalsRowFormula>${escapeXml(total.formula)}</totalsRowFormula></tableColumn>`;
}
