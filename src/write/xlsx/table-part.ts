import { formatCell } from './cell.ts';
import { conditionsOf } from './column-looks.ts';
import type { Package } from './package.ts';
import { formatHead, formatTail, pagesAcross } from './sheet.ts';
import { HEADER, type Style } from './styles.ts';
import type { WorkbookContext } from './table-sheet.ts';
import type { totalsOf } from './totals-row.ts';
import { wrappedHeight } from './widths.ts';
import type { TableFacts } from './worker-messages.ts';

/** The columns of a table as all its sheets show them. */
export interface TableLayout {
  readonly book: Package;
  readonly columns: TableFacts['columns'];
  readonly headers: readonly string[];
  readonly letters: readonly string[];
  readonly looks: readonly Style[];
}

/** Widths of a sheet's columns, and how many of them are frozen. */
export interface SheetWidths {
  readonly widths: readonly number[];
  readonly frozen: number;
}

/** The extra height of headers for the filter buttons. Unit: points. */
const BUTTON_POINTS = 15;

/** Returns what a sheet begins with, up to its header row. */
export function formatTableHead(
  { book, headers, letters, looks }: TableLayout,
  { widths, frozen }: SheetWidths,
): string {
  const cells = headers.map((text, i) => {
    const { align, indent } = looks[i] ?? {};
    const style = book.styles.id({ ...HEADER, align: align ?? 'right', ...(indent ? { indent } : {}) });
    return formatCell(`${letters[i]}1`, style, { text });
  });
  const height = wrappedHeight(headers, widths, 1) + BUTTON_POINTS;
  return `${formatHead({ widths, frozen: { columns: frozen, rows: 1 } })}<row r="1" ht="${height}" customHeight="1">${cells.join('')}</row>`;
}

/** Returns the row of totals. */
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
  { columns, letters }: TableLayout,
  { widths, frozen }: SheetWidths,
  footer: WorkbookContext['footer'],
  lastRow: number,
): string {
  return formatTail({
    conditions: conditionsOf(columns, letters, lastRow),
    pages: { across: pagesAcross(widths, frozen) },
    footer,
    textRange: `A1:${letters.at(-1)}${lastRow}`,
    table: 'rId1',
  });
}
