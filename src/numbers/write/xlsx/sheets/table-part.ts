import {
  formatCell,
  formatHead,
  formatTail,
  HEADER,
  LINK,
  type Link,
  pagesAcross,
  type SheetTail,
  wrappedHeight,
} from '../../../../../packages/xlsx/index.ts';
import { conditionsOf } from '../columns/column-styles.ts';
import type { SheetWidths, TableLayout } from './table-layout.ts';
import type { totalsOf } from './totals-row.ts';

/** The extra height of headers for the filter buttons. Unit: points. */
const BUTTON_POINTS = 15;

/**
 * Returns what a sheet begins with, up to its header row.
 * @param outlineRows The levels of groups of rows.
 */
export function formatTableHead(
  { book, headers, letters, looks, hidden, tab }: TableLayout,
  { widths, frozen }: SheetWidths,
  outlineRows = 0,
): string {
  const cells = headers.map((text, i) => {
    const { align, indent } = looks[i] ?? {};
    const look = { ...HEADER, align: align ?? 'right', ...(indent ? { indent } : {}) };
    // The first header is the way back to Contents.
    const style = book.styles.id(i === 0 ? { ...look, ...LINK, named: 'Heading' } : look);
    return formatCell(`${letters[i]}1`, style, { text });
  });
  const height = wrappedHeight(headers, widths, 1) + BUTTON_POINTS;
  return `${formatHead({ widths, hidden, tab, outlineRows, frozen: { columns: frozen, rows: 1 } })}<row r="1" ht="${height}" customHeight="1">${cells.join('')}</row>`;
}

export function formatTotalsRow(
  { book, letters, looks }: TableLayout,
  totals: ReturnType<typeof totalsOf>,
  row: number,
): string {
  const cells = totals.map(({ content }, i) => {
    const style = book.styles.id({ ...looks[i], bold: true, line: 'top' });
    return content ? formatCell(`${letters[i]}${row}`, style, content) : `<c r="${letters[i]}${row}" s="${style}"/>`;
  });
  return `<row r="${row}">${cells.join('')}</row>`;
}

/** Returns what a sheet ends with, after its last row. */
export function formatTableTail(
  layout: TableLayout,
  { shown, frozen }: SheetWidths,
  footer: SheetTail['footer'],
  lastRow: number,
  links: readonly Link[],
): string {
  return formatTail({
    conditions: conditionsOf(layout, lastRow, layout.book.styles),
    links,
    pages: { across: pagesAcross(shown, frozen) },
    footer,
    textRange: `A1:${layout.letters.at(-1)}${lastRow}`,
    table: 'rId1',
  });
}
