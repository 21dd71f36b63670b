import { type Content, formatCell } from './cell.ts';
import { formatTable, tableName } from './native-table.ts';
import type { Package } from './package.ts';
import { type Condition, formatHead, formatTail, pagesAcross, type SheetTail } from './sheet.ts';
import { columnLetters, fitText } from './sheet-xml.ts';
import { HEADER, type Style } from './styles.ts';
import { wrappedHeight } from './widths.ts';

export type GridCell = { readonly content: Content; readonly style?: Style } | undefined;

/** A sheet with a native table and, after a blank row, cells outside it. */
export interface Grid {
  readonly name: string;
  readonly rank: number;
  readonly headers: readonly string[];
  /** Unit: characters. */
  readonly widths: readonly number[];
  readonly frozenColumns: number;
  readonly rows: readonly (readonly GridCell[])[];
  readonly below?: readonly (readonly GridCell[])[];
  readonly conditions?: readonly Condition[];
  readonly footer: SheetTail['footer'];
}

export async function writeGrid(book: Package, grid: Grid): Promise<void> {
  const { headers, widths, rows, below = [], conditions = [], frozenColumns, footer } = grid;
  const part = book.openSheet(grid.name, grid.rank, frozenColumns);
  const titles = headers.map((text, i) => ({ content: { text }, style: headerStyle(rows[0]?.[i]) }));
  const blank = below.length > 0 ? [[]] : [];
  const lines = [titles, ...rows, ...blank, ...below];
  await part.entry.write(formatHead({ widths, frozen: { columns: frozenColumns, rows: 1 } }));
  for (const [i, line] of lines.entries()) {
    const texts = line.map((cell) => (cell?.style?.wrap && 'text' in cell.content ? cell.content.text : ''));
    await part.entry.write(formatRow(book, i + 1, line, wrappedHeight(texts, widths)));
  }
  const table = { name: tableName(part.name), columns: headers.map((text) => ({ header: text })), hasTotals: false };
  const lastRow = rows.length + 1;
  const textRange = `A1:${columnLetters(headers.length - 1)}${lines.length}`;
  const pages = { across: pagesAcross(widths, frozenColumns) };
  await part.entry.write(formatTail({ conditions, pages, footer, textRange, table: 'rId1' }));
  await part.end({ table: (id) => formatTable({ ...table, lastRow }, id) });
}

function headerStyle(below: GridCell): Style {
  const align = below && !('text' in below.content) && !below.style?.align ? 'right' : below?.style?.align;
  return align ? { ...HEADER, align } : HEADER;
}

export function formatRow(book: Package, row: number, cells: readonly GridCell[], height?: number): string {
  const formatted = cells.map((cell, i) => {
    if (!cell) return '';
    const content = 'text' in cell.content ? { text: fitText(cell.content.text) } : cell.content;
    return formatCell(`${columnLetters(i)}${row}`, book.styles.id(cell.style ?? {}), content);
  });
  const tall = height === undefined ? '' : ` ht="${height}" customHeight="1"`;
  return `<row r="${row}"${tall}>${formatted.join('')}</row>`;
}
