import { LINK, type Package, quoteSheet, type SheetTail } from '../../../../packages/xlsx/index.ts';
import type { BookPage, Cover } from '../../report/workbook/workbook.ts';
import { CAUSES } from './causes-sheet.ts';
import { hasPivot, PIVOT_SHEET } from './pivot-sheet.ts';
import { CONTENTS } from './sheets/back-link.ts';
import { type GridCell, writeGrid } from './sheets/grid-sheet.ts';
import type { WrittenTable } from './sheets/table-sheet.ts';

interface ContentsLine {
  readonly sheet: string;
  readonly text: string;
  readonly rows?: number;
  readonly isPrinted: boolean;
}

/** Writes the list of sheets, with a link to each and the number of its rows. */
export async function writeContents(
  book: Package,
  tables: readonly WrittenTable[],
  pages: Cover['pages'],
  footer: SheetTail['footer'],
): Promise<void> {
  const entries = entriesOf(tables, pages);
  await writeGrid(book, {
    name: CONTENTS,
    place: pages.contents,
    headers: ['Sheet', 'Contents', 'Rows', 'On paper'],
    widths: [20, 104, 12, 12],
    frozenColumns: 1,
    rows: entries.map(({ sheet, text, rows, isPrinted }): GridCell[] => [
      {
        content: { text: sheet },
        style: { ...LINK, wrap: true },
        link: { to: `${quoteSheet(sheet)}!A1`, tip: `To ${sheet}` },
      },
      { content: { text }, style: { wrap: true } },
      rows === undefined ? undefined : { content: { number: String(rows) }, style: { format: '#,##0', wrap: true } },
      {
        content: { text: isPrinted ? 'Yes' : 'No' },
        style: { wrap: true, align: 'left', indent: 1 },
      },
    ]),
    footer,
  });
}

/** The names of the pages; the list itself is in none of its lines. */
const PAGES: Readonly<Record<Exclude<BookPage, 'contents'>, string>> = {
  summary: 'Summary',
  parameters: 'Parameters',
  pivot: PIVOT_SHEET,
  checks: 'Checks',
  causes: CAUSES,
  definitions: 'Definitions',
};

function entriesOf(tables: readonly WrittenTable[], pages: Cover['pages']): ContentsLine[] {
  const isMade = (page: string) =>
    page === 'pivot' ? tables.some(hasPivot) : page !== 'causes' || tables.some(({ layout }) => layout.tallied);
  const made = Object.entries(PAGES).flatMap(([page, sheet]) => {
    const { rank, contents: text = '', isPrinted } = pages[page as BookPage];
    return isMade(page) ? [{ rank, entries: [{ sheet, text, isPrinted }] }] : [];
  });
  const listed = tables.map((table) => ({ rank: table.layout.rank, entries: partEntries(table) }));
  return [...made, ...listed].sort((one, other) => one.rank - other.rank).flatMap(({ entries }) => entries);
}

function partEntries({ sheet, parts, rowCount, layout: { contents = '', isPrinted } }: WrittenTable): ContentsLine[] {
  return parts.map((part, i) => ({
    sheet: part.sheet,
    text: i === 0 ? contents : `The rest of ${sheet}.`,
    ...(i === 0 ? { rows: rowCount } : {}),
    isPrinted,
  }));
}
