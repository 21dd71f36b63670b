import { boldWidth, plainContent } from '../../../../../packages/xlsx/index.ts';
import type { GridCell } from '../sheets/grid-sheet.ts';
import type { Line } from './summary-block.ts';

/** Decimals with their point, and a sign with the letter of a variance. Unit: characters. */
const BESIDE_WHOLE = 6;

/** Returns the widths with which no number is shown as ###, and no text ends beyond the last column. Unit: characters. */
export function fitWidths(lines: readonly Line[], least: readonly number[]): number[] {
  const widths = [...least];
  for (const { cells } of lines) {
    for (const [column, width = 0] of widths.entries()) {
      widths[column] = Math.max(width, numberWidth(cells[column]));
    }
  }
  const last = widths.length - 1;
  const beyond = lines.map(({ cells }) => {
    const end = cells
      .slice(0, widths.length)
      .findLastIndex((cell) => cell?.content !== undefined && textOf(cell) !== '');
    const room = widths.slice(end).reduce((sum, width) => sum + width, 0);
    return boldWidth(textOf(cells[end])) - room;
  });
  widths[last] = (widths[last] ?? 0) + Math.max(0, Math.ceil(Math.max(...beyond)));
  return widths;
}

function numberWidth(cell: GridCell): number {
  const content = cell?.content && plainContent(cell.content);
  if (!content || !('number' in content)) return 0;
  const [whole = ''] = content.number.replace('-', '').split('.');
  return whole.length + Math.floor((whole.length - 1) / 3) + BESIDE_WHOLE;
}

/** Returns the text of a cell that is shown in one line; empty for any other. */
function textOf(cell: GridCell): string {
  const content = cell?.content && plainContent(cell.content);
  return content && 'text' in content && !cell.style?.wrap ? content.text : '';
}
