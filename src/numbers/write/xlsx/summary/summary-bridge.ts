import { CONDITIONS, columnLetters, QUIET } from '../../../../../packages/xlsx/index.ts';
import type { Meta } from '../../../report/catalogue/table.ts';
import { numberFormat } from '../columns/column-formats.ts';
import type { BridgeStep, SummaryBridge } from './bridge-steps.ts';
import { BLANK, type Block, COLUMNS, headingLine, type Line, NOTE, placeCells, text } from './summary-block.ts';
import { unitOf } from './summary-figures.ts';

/** Returns the block that leads from one amount to another, step by step. */
export function bridgeBlock(bridge: SummaryBridge, meta: Meta, firstRow: number): Block {
  const { heading, better = 'none', steps } = bridge;
  if (steps.length === 0) return { lines: [] };
  const letters = columnLetters(COLUMNS.scheduled);
  const range = `${letters}${firstRow + 2}:${letters}${firstRow + steps.length - 1}`;
  const [above, below] = better === 'less' ? (['bad', 'good'] as const) : (['good', 'bad'] as const);
  return {
    lines: [
      headingLine(heading, { [COLUMNS.unit]: 'Unit', [COLUMNS.scheduled]: 'Amount' }),
      ...steps.map((step, place) => stepLine(step, bridge, meta, place === steps.length - 1)),
      BLANK,
    ],
    conditions:
      better === 'none' || steps.length < 3
        ? []
        : [
            { range, when: { operator: 'greaterThan' }, style: CONDITIONS[above] },
            { range, when: { operator: 'lessThan' }, style: CONDITIONS[below] },
          ],
  };
}

function stepLine(
  { label, note, isTotal, content }: BridgeStep,
  { unit, better }: SummaryBridge,
  meta: Meta,
  isLast: boolean,
): Line {
  const name = isTotal ? 'amount' : 'variance_amount';
  const format = numberFormat({ name, label, unit, description: '', needsRates: true, better }, meta.minor_units) ?? '';
  const style = { format, bold: isTotal, ...(isLast && { line: 'top' as const }) };
  return placeCells({
    [COLUMNS.label]: text(label, { bold: isTotal }),
    [COLUMNS.unit]: text(unitOf(unit, meta.currency), QUIET),
    [COLUMNS.scheduled]: { content, style },
    [COLUMNS.scheduledToDate]: text(note, NOTE),
  });
}
