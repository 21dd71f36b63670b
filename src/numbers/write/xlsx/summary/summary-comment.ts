import { columnLetters, LINE_POINTS } from '../../../../../packages/xlsx/index.ts';
import type { Cover } from '../../../report/workbook/workbook.ts';
import { type Block, COLUMNS, headingLine, placeCells, text } from './summary-block.ts';

/** The name of the cell that readers write into, and that the next workbook takes over. */
export const COMMENTARY = 'Commentary';

/** The lines of the box: those it has at least, and at most. */
export const [MIN_BOX_LINES, MAX_BOX_LINES] = [4, 12];

/** The text of an empty box: exceljs can't read merged cells without one. */
const BLANK_BOX = ' ';

/** The height of its heading. Unit: points. */
const HEADING_POINTS = 18;

/** The line below it: the page ends there, whatever its reader's letters and paper are, and no heading is left on it. Unit: points. */
const GAP = { cells: [], height: 45 };

/** The height that the box takes at least. Unit: points. */
export const MIN_BOX_POINTS = HEADING_POINTS + MIN_BOX_LINES * LINE_POINTS;

/** Returns the box for a commentary, which fills the rest of a page. @param room The height of that rest. Unit: points. */
export function commentaryBlock({ commentary }: Cover, firstRow: number, room: number): Block {
  const fitting = Math.floor((room - HEADING_POINTS) / LINE_POINTS);
  const rows = Math.max(MIN_BOX_LINES, Math.min(MAX_BOX_LINES, fitting));
  const place = (column: number, row: number) => `${columnLetters(column)}${row}`;
  const lines = Array.from({ length: rows }, (_, row) => {
    const cells = Array.from({ length: COLUMNS.note }, (_, i) => {
      const column = i + 1;
      const isFirst = row === 0 && column === COLUMNS.label;
      const cell = text(isFirst ? (commentary ?? BLANK_BOX) : '', { wrap: true, align: 'left', line: 'box' });
      return [column, isFirst && cell ? { ...cell, name: COMMENTARY } : cell] as const;
    });
    return placeCells(Object.fromEntries(cells));
  });
  return {
    lines: [
      headingLine('Commentary: yours to write; --comments-from takes it over into the next workbook'),
      ...lines,
      GAP,
    ],
    merged: `${place(COLUMNS.label, firstRow + 1)}:${place(COLUMNS.note, firstRow + rows)}`,
  };
}
