import type { Meta } from '../../../report/catalogue/table.ts';
import { numberFormat } from '../package/number-formats.ts';
import { columnLetters } from '../package/sheet-xml.ts';
import { CONDITIONS, QUIET } from '../package/styles.ts';
import type { WrittenTable } from '../sheets/table-sheet.ts';
import { type BridgeStep, bridgeSteps } from './bridge-steps.ts';
import { BLANK, type Block, COLUMNS, headingLine, type Line, placeCells, text } from './summary-block.ts';

/** The effects in words, beside the amounts. */
const NOTES: Readonly<Record<string, string>> = {
  'Scheduled to date': 'The profit of the plan up to the cutoff. Expenses are the same in both profits.',
  'Effect of hours':
    'More or fewer hours than scheduled, at the scheduled profit of an hour; person by person on each project.',
  'Effect of rates':
    'Hours with another profit an hour than scheduled: other rates, another share of billable hours, other phases.',
  'Unpriced work': 'What is known of work without a cost rate or a bill rate.',
};

/** Returns the block that explains the difference of actual profit from scheduled profit to date. */
export function bridgeBlock(bridge: WrittenTable, meta: Meta, firstRow: number): Block {
  const steps = bridgeSteps(bridge);
  if (steps.length === 0) return { lines: [] };
  const letters = columnLetters(COLUMNS.scheduled);
  const range = `${letters}${firstRow + 2}:${letters}${firstRow + steps.length - 1}`;
  return {
    lines: [
      headingLine('Profit bridge', { [COLUMNS.unit]: 'Unit', [COLUMNS.scheduled]: 'Amount' }),
      ...steps.map((step) => stepLine(step, meta)),
      BLANK,
    ],
    conditions: [
      { range, when: { operator: 'greaterThan' }, style: CONDITIONS.good },
      { range, when: { operator: 'lessThan' }, style: CONDITIONS.bad },
    ],
  };
}

function stepLine(step: BridgeStep, meta: Meta): Line {
  const better = step.isTotal ? undefined : 'more';
  const name = step.isTotal ? 'profit' : 'variance_profit';
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
