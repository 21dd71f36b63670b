import {
  type Anchor,
  type Condition,
  type DataBar,
  HEADER,
  QUIET,
  type Style,
} from '../../../../../packages/xlsx/index.ts';
import type { GridCell } from '../sheets/grid-sheet.ts';

export interface Line {
  readonly cells: readonly GridCell[];
  /** Unit: points. */
  readonly height?: number;
}

export interface Block {
  readonly lines: readonly Line[];
  /** The range of cells that are one, in the sheet's own rows. */
  readonly merged?: string;
  readonly conditions?: readonly (Condition | DataBar)[];
  readonly charts?: readonly { readonly anchor: Anchor; readonly xml: string }[];
}

/** Makes a block that begins in a row, from 1. */
export type BlockMaker = (firstRow: number) => Block;

/** Columns of Summary, from 0. */
export const COLUMNS = {
  label: 1,
  unit: 2,
  scheduled: 3,
  scheduledToDate: 4,
  actual: 5,
  variance: 6,
  variancePercent: 7,
  forecast: 8,
  prior: 9,
  priorChange: 10,
  lastYear: 11,
  lastYearChange: 12,
  note: 13,
} as const;

/** Widths of those columns, after a margin. Unit: characters. */
export const WIDTHS = [2, 34, 8, 16, 16, 16, 19, 11, 16, 16, 11, 16, 11, 52];

export const BLANK: Line = { cells: [] };

/** The style of a remark after a number. */
export const NOTE: Style = { ...QUIET, align: 'left', indent: 1 };

const HEADING: Style = { ...HEADER, wrap: false };

export function text(value: string, style: Style = {}): GridCell {
  return { content: { text: value }, style };
}

/**
 * Returns a heading across the whole sheet, with titles above columns of numbers.
 * @param left The columns of texts.
 * @param count The lines of the titles, which are broken into them.
 */
export function headingLine(
  title: string,
  titles: Readonly<Record<number, string>> = {},
  left: readonly number[] = [],
  count = 1,
): Line {
  const cells = WIDTHS.map((_, column): GridCell => {
    if (column === 0) return undefined;
    if (column === COLUMNS.label) return text(title, HEADING);
    const place =
      column === COLUMNS.note
        ? { align: NOTE.align, indent: NOTE.indent }
        : left.includes(column)
          ? { align: 'left' as const, indent: 1 }
          : column === COLUMNS.unit
            ? {}
            : { align: 'right' as const };
    return text(titles[column] ?? '', { ...HEADING, wrap: count > 1, ...place } as Style);
  });
  return { cells, height: 18 * count };
}

export function placeCells(cells: Readonly<Record<number, GridCell>>): Line {
  const last = Math.max(...Object.keys(cells).map(Number));
  return { cells: Array.from({ length: last + 1 }, (_, column) => cells[column]) };
}
