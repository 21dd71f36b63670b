import { LINE_POINTS } from '../../../../../packages/xlsx/index.ts';
import { type Block, type BlockMaker, type Line, WIDTHS } from './summary-block.ts';
import { MIN_BOX_POINTS } from './summary-comment.ts';

/** The height of a page of A4 or Letter at the size that fits a sheet with the least widths. Unit: points. */
const PAGE_POINTS = 905;

/** The room that is left on a full page, at most. Unit: lines. */
const FULL_LINES = 3;

/** The blocks of a sheet in their rows, and the rows after which a printed page ends. */
export interface Pages {
  readonly blocks: readonly Block[];
  readonly ends: readonly number[];
}

/** Returns the height of a page at the size that fits the columns: wider ones are printed smaller. Unit: points. */
export function pagePoints(widths: readonly number[]): number {
  const sum = (of: readonly number[]) => of.reduce((total, width) => total + width, 0);
  return (PAGE_POINTS * sum(widths)) / sum(WIDTHS);
}

/** Makes a block that fills the rest of a page. @param room The height of that rest. Unit: points. */
export type FillerMaker = (firstRow: number, room: number) => Block;

/**
 * Places blocks below each other, so that none is on two pages.
 * The first page takes the blocks in their order as far as they fit, then the filler; what it has no room for follows.
 * @param filler Undefined for a first page without one, which goes on as it is.
 * @param last Blocks that come after all others, on the first page only without a filler.
 * @param height As pagePoints.
 */
export function placeBlocks(
  makers: readonly BlockMaker[],
  filler: FillerMaker | undefined,
  last: readonly BlockMaker[],
  height: number,
): Pages {
  const blocks: Block[] = [];
  const ends: number[] = [];
  const later: BlockMaker[] = [];
  let [rows, used] = [0, 0];
  const put = (block: Block) => {
    blocks.push(block);
    rows += block.lines.length;
    used += heightOf(block.lines);
  };
  for (const make of makers) {
    const block = make(rows + 1);
    if (blocks.length === 0 || used + heightOf(block.lines) + MIN_BOX_POINTS <= height) put(block);
    else later.push(make);
  }
  if (filler) put(filler(rows + 1, height - used));
  const isFull = () => height - used < LINE_POINTS * FULL_LINES;
  for (const make of [...later, ...last]) {
    const block = make(rows + 1);
    if (block.lines.length > 0 && used > 0 && used + heightOf(block.lines) > height) {
      // A full page ends by itself. With wider letters paper holds more rows, and then the next ones follow on it.
      if (!isFull()) ends.push(rows);
      used = 0;
    }
    put(block);
  }
  return { blocks, ends };
}

function heightOf(lines: readonly Line[]): number {
  return lines.reduce((sum, line) => sum + (line.height ?? LINE_POINTS), 0);
}
