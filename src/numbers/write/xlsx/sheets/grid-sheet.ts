import {
  type Condition,
  type Content,
  columnLetters,
  fitText,
  formatCell,
  formatHead,
  formatTable,
  formatTail,
  HEADER,
  LINK,
  type Package,
  pagesAcross,
  type SheetPart,
  type SheetTail,
  type Style,
  tableName,
  wrappedHeight,
} from '../../../../../packages/xlsx/index.ts';
import type { SheetPlace } from '../../../report/workbook/workbook.ts';
import { BACK } from './back-link.ts';
import { TABS } from './tabs.ts';

/** A cell outside streamed tables; undefined for a blank one. */
export type GridCell =
  | {
      readonly content: Content;
      readonly style?: Style;
      /** A place in the workbook, and a text that tells where it is. */
      readonly link?: { readonly to: string; readonly tip: string };
      /** The names of the cell in formulas. */
      readonly name?: string | readonly string[];
    }
  | undefined;

/** A sheet with a native table and, after a blank row, cells outside it. */
export interface Grid {
  readonly name: string;
  readonly place: SheetPlace;
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
  const { rank, tab = 'about', isPrinted } = grid.place;
  // A sheet that stays from paper prints an empty cell, until its print area is cleared.
  const printed = isPrinted ? {} : { printed: `${columnLetters(headers.length)}1` };
  const part = book.openSheet(grid.name, rank, { titleColumns: frozenColumns, ...printed });
  const titles = headers.map((text, i): GridCell => {
    const style = headerStyle(rows[0]?.[i]);
    return i === 0
      ? { content: { text }, style: { ...style, ...LINK, named: 'Heading' }, link: BACK }
      : { content: { text }, style };
  });
  const blank = below.length > 0 ? [[]] : [];
  const lines = [titles, ...rows, ...blank, ...below];
  await part.entry.write(formatHead({ widths, tab: TABS[tab], frozen: { columns: frozenColumns, rows: 1 } }));
  for (const [i, line] of lines.entries()) {
    const texts = line.map((cell) => (cell?.style?.wrap && 'text' in cell.content ? cell.content.text : ''));
    await part.entry.write(formatRow(part, i + 1, line, wrappedHeight(texts, widths)));
  }
  const table = { name: tableName(part.name), columns: headers.map((text) => ({ header: text })), hasTotals: false };
  const lastRow = rows.length + 1;
  const textRange = `A1:${columnLetters(headers.length - 1)}${lines.length}`;
  const pages = { across: pagesAcross(widths, frozenColumns) };
  await part.entry.write(formatTail({ conditions, links: part.links, pages, footer, textRange, table: 'rId1' }));
  await part.end({ table: (id) => formatTable({ ...table, lastRow }, id) });
}

function headerStyle(below: GridCell): Style {
  const align = below && !('text' in below.content) && !below.style?.align ? 'right' : below?.style?.align;
  return align ? { ...HEADER, align } : HEADER;
}

/** Formats a row, and adds the links and names of its cells to the sheet. */
export function formatRow(part: SheetPart, row: number, cells: readonly GridCell[], height?: number): string {
  const formatted = cells.map((cell, i) => {
    if (!cell) return '';
    const content = 'text' in cell.content ? { text: fitText(cell.content.text) } : cell.content;
    const place = `${columnLetters(i)}${row}`;
    if (cell.link) part.link({ cell: place, ...cell.link });
    for (const name of [cell.name ?? []].flat()) part.define(name, place);
    return formatCell(place, part.styles.id(cell.style ?? {}), content);
  });
  const tall = height === undefined ? '' : ` ht="${height}" customHeight="1"`;
  return `<row r="${row}"${tall}>${formatted.join('')}</row>`;
}
