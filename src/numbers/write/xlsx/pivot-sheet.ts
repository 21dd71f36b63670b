import {
  COLORS,
  type Content,
  columnLetters,
  countItems,
  formatHead,
  formatPivotCache,
  formatPivotTable,
  formatSlicerCache,
  formatSlicerDrawing,
  formatSlicers,
  formatTail,
  HEADER,
  itemTexts,
  LINK,
  type Package,
  pivotCaption,
  type SheetTail,
  type Style,
  slicerCacheName,
} from '../../../../packages/xlsx/index.ts';
import type { SheetPlace } from '../../report/workbook/workbook.ts';
import { APPLICATION } from './application.ts';
import { formatUnits } from './columns/exact-sum.ts';
import type { PivotValues } from './columns/pivot-values.ts';
import { BACK } from './sheets/back-link.ts';
import { formatRow, type GridCell } from './sheets/grid-sheet.ts';
import type { WrittenTable } from './sheets/table-sheet.ts';
import { TABS } from './sheets/tabs.ts';

export const PIVOT_SHEET = 'Pivot table';

/** The row of the pivot table's caption, below the way back and a note. */
const FIRST_ROW = 4;

const NOTE = 'Excel and LibreOffice compute it from Data when they open this file. Drag other columns of Data into it.';

/** Tests whether the lines can have a pivot table: they have lines, all on one sheet. */
export function hasPivot(data: WrittenTable | undefined): data is WrittenTable & { readonly pivot: PivotValues } {
  return data?.pivot !== undefined && data.parts.length === 1;
}

/** Writes a pivot table of the lines with its slicers, and its values as they are now. */
export async function writePivot(
  book: Package,
  data: WrittenTable,
  { rank }: SheetPlace,
  footer: SheetTail['footer'],
): Promise<void> {
  if (!hasPivot(data)) return;
  const { headers, pivot: values, parts } = data;
  const across = countItems(values.across);
  const widths = [46, ...Array.from({ length: across }, () => 16), 3, 16, 16];
  // A table to drag columns into has no place on paper: the area that prints is an empty cell.
  const part = book.openSheet(PIVOT_SHEET, rank, { printed: `${columnLetters(widths.length + 1)}1` });
  await part.entry.write(formatHead({ widths, tab: TABS.report }));
  for (const [i, cells] of rowsOf(headers, values).entries()) await part.entry.write(formatRow(part, i + 1, cells));
  const sliced = values.sliced.map((field) => ({ field, header: headers[field.place] ?? '' }));
  const names = sliced.map(({ header }) => header);
  await part.entry.write(
    formatTail({
      links: part.links,
      pages: { across: 1 },
      footer,
      drawing: 'rId1',
      slicers: 'rId2',
    }),
  );
  for (const header of names) book.define(slicerCacheName(header), '#N/A');
  await part.end({
    drawing: { drawing: formatSlicerDrawing(names, across + 2), charts: [] },
    pivot: {
      slicers: formatSlicers(names),
      slicerCaches: sliced.map(({ header, field }) => formatSlicerCache(header, field, part.id)),
      table: formatPivotTable(headers, values, FIRST_ROW),
      cache: formatPivotCache(parts[0]?.table ?? '', headers, values, APPLICATION),
    },
  });
}

/** Returns the rows of the sheet, which are the same before and after a program computes them again. */
function rowsOf(headers: readonly string[], values: PivotValues): GridCell[][] {
  const { row, across, sum } = values;
  const [rows, columns] = [itemTexts(row), itemTexts(across)];
  const number = (units: bigint | undefined): GridCell =>
    units === undefined
      ? undefined
      : { content: { number: formatUnits(units) } satisfies Content, style: { format: '#,##0.00' } };
  const title = (text: string, style: Style = {}): GridCell => ({ content: { text }, style: { ...HEADER, ...style } });
  return [
    [{ content: { text: BACK.tip }, style: LINK, link: BACK }],
    [{ content: { text: NOTE }, style: { color: COLORS.quiet } }],
    [],
    [title(pivotCaption(headers, values)), title('Column Labels')],
    [title('Row Labels'), ...columns.map((text) => title(nameOf(text), { align: 'right' }))],
    ...rows.map((name): GridCell[] => [
      { content: { text: nameOf(name) } },
      ...columns.map((column) => number(sum(name, column))),
    ]),
  ];
}

function nameOf(text: string): string {
  return text === '' ? '(blank)' : text;
}
