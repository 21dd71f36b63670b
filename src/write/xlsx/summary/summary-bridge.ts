import type { Meta } from '../../../report/catalogue/table.ts';
import { numberFormat } from '../package/number-formats.ts';
import { columnLetters } from '../package/sheet-xml.ts';
import { CONDITIONS, QUIET } from '../package/styles.ts';
import type { WrittenTable } from '../sheets/table-sheet.ts';
import { type BridgeStep, bridgeSteps } from './bridge-steps.ts';
import { BLANK, type Block, COLUMNS, headingLine, type Line, placeCells, text } from './summary-block.ts';

/** The steps in words, beside the amounts. */
const NOTES: Readonly<Record<string, string>> = {
  'Scheduled to date': 'The plan up to the cutoff. Expenses are the same in the plan and in what was done.',
  Volume: "More or fewer hours than scheduled, at the plan's average.",
  'Project mix': 'Hours on other projects.',
  'Role mix': 'Hours in other roles of their project.',
  People: 'Hours of other people in the role.',
  'Unpriced work': 'Hours without a rate, taken out at what the plan says they are worth.',
  Billability: 'Hours billed in another share than planned.',
  Rate: 'The same person there at other rates: raises, other days.',
};

/** Returns the block that takes the difference from the plan to date apart. */
export function bridgeBlock(bridge: WrittenTable, meta: Meta, firstRow: number): Block {
  const steps = bridgeSteps(bridge);
  if (steps.length === 0) return { lines: [] };
  const isCost = effectOf(bridge)?.better === 'less';
  const letters = columnLetters(COLUMNS.scheduled);
  const range = `${letters}${firstRow + 2}:${letters}${firstRow + steps.length - 1}`;
  return {
    lines: [
      headingLine(bridge.sheet, { [COLUMNS.unit]: 'Unit', [COLUMNS.scheduled]: 'Amount' }),
      ...steps.map((step) => stepLine(step, bridge, meta)),
      BLANK,
    ],
    conditions: [
      { range, when: { operator: 'greaterThan' }, style: isCost ? CONDITIONS.bad : CONDITIONS.good },
      { range, when: { operator: 'lessThan' }, style: isCost ? CONDITIONS.good : CONDITIONS.bad },
    ],
  };
}

/** Returns the column of the first effect, which says what is good for all of them. */
function effectOf({ columns }: WrittenTable): WrittenTable['columns'][number] | undefined {
  return columns.find(({ name }) => name.endsWith('_effect'));
}

function stepLine(step: BridgeStep, bridge: WrittenTable, meta: Meta): Line {
  const better = step.isTotal ? undefined : effectOf(bridge)?.better;
  const name = step.isTotal ? 'amount' : 'variance_amount';
  const column = { name, label: step.label, unit: 'money', description: '', needsRates: true, better } as const;
  const format = numberFormat(column, meta.minor_units) ?? '';
  const style = { format, bold: step.isTotal, ...(step.label === 'Actual' && { line: 'top' as const }) };
  return placeCells({
    [COLUMNS.label]: text(step.label, { bold: step.isTotal }),
    [COLUMNS.unit]: text(meta.currency, QUIET),
    [COLUMNS.scheduled]: { content: step.content, style },
    [COLUMNS.scheduledToDate]: text(NOTES[step.label] ?? '', { ...QUIET, align: 'left', indent: 1 }),
  });
}
