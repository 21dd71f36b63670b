import {
  columnLetters,
  LINK,
  type Package,
  type PrintSetup,
  type Style,
  uniqueHeaders,
  widthOfWholeWords,
  wrappedLines,
} from '../../../../../packages/xlsx/index.ts';
import type { Value } from '../../../../base/database/index.ts';
import { styleOf } from '../columns/column-styles.ts';
import { columnWidths, frozenColumns } from '../columns/column-widths.ts';
import { TABS } from './tabs.ts';
import type { TableFacts } from './worker-messages.ts';

/** The width of a column that readers write. Unit: characters. */
const WRITTEN_WIDTH = 26;

/** The columns of a table as all its sheets show them. */
export interface TableLayout {
  readonly book: Package;
  readonly columns: TableFacts['columns'];
  readonly headers: readonly string[];
  readonly letters: readonly string[];
  readonly looks: readonly Style[];
  /** The looks of rows without links, which the sheet has no room for. */
  readonly plainLooks: readonly Style[];
  /** The columns in collapsed groups. */
  readonly hidden: ReadonlySet<number>;
  /** The name of the column that readers write. */
  readonly written: string | undefined;
  readonly tab: string;
  readonly isPrinted: boolean;
  readonly minorUnits: number;
}

/** Widths of a sheet's columns, and how many of them are frozen. */
export interface SheetWidths {
  readonly widths: readonly number[];
  /** The same, 0 for a column in a collapsed group. */
  readonly shown: readonly number[];
  readonly frozen: number;
}

/** Returns the looks of a table's columns, and which of them are in collapsed groups. */
export function layoutOf(book: Package, { columns, layout }: TableFacts, minorUnits: number): TableLayout {
  const { wanted, linked = [], written } = layout;
  const isLink = (name: string) => linked.some(({ column }) => column === name);
  const hidden = new Set(columns.flatMap(({ name }, i) => (wanted && !wanted.includes(name) ? [i] : [])));
  const looks = columns.map((column, i) => ({
    ...styleOf(column, columns[i - 1], minorUnits),
    ...(column.name === written ? { wrap: true } : {}),
  }));
  return {
    book,
    columns,
    headers: uniqueHeaders(columns.map(({ label }) => label)),
    letters: columns.map((_, index) => columnLetters(index)),
    looks: columns.map(({ name }, i) => ({ ...looks[i], ...(isLink(name) ? LINK : {}) })),
    plainLooks: looks,
    hidden,
    written,
    minorUnits,
    tab: TABS[layout.tab ?? 'about'],
    isPrinted: layout.isPrinted,
  };
}

/** Returns the widths of a table's columns for its first rows. */
export function widthsOf(
  { columns, headers, hidden, written }: TableLayout,
  sample: readonly (readonly Value[])[],
): SheetWidths {
  const measured = columnWidths(columns, headers, sample);
  const linesOf = (i: number, width: number) => wrappedLines(headers[i] ?? '', width - 1);
  const lines = Math.max(...measured.map((width, i) => (hidden.has(i) ? 1 : linesOf(i, width))));
  const widths = measured.map((width, i) => {
    if (columns[i]?.name === written) return Math.max(width, WRITTEN_WIDTH);
    let wide = width;
    // A header in a collapsed group makes the row no higher.
    while (hidden.has(i) && linesOf(i, wide) > lines) wide = widthOfWholeWords(headers[i] ?? '', wide + 1);
    return wide;
  });
  const shown = widths.map((width, i) => (hidden.has(i) ? 0 : width));
  return { widths, shown, frozen: frozenColumns(columns, shown) };
}

/**
 * Returns which of a table's columns are printed, and which of them on every page.
 * LibreOffice looks for a number that overflows into an empty cell at the right edge of a page, and prints ### for
 * one in a collapsed column, so such columns are within the print area.
 */
export function printSetupOf({ letters, hidden, isPrinted }: TableLayout, { frozen }: SheetWidths): PrintSetup {
  const titles = { titleColumns: frozen };
  if (!isPrinted) return { ...titles, printed: `${columnLetters(letters.length)}1` };
  return hidden.has(letters.length - 1) ? { ...titles, printed: `A:${letters.at(-1)}` } : titles;
}
