import type { Meta } from '../../../report/catalogue/table.ts';
import type { ChangeBridge } from '../../../report/workbook/workbook.ts';
import type { Content } from '../package/cell.ts';
import { formatUnits, parseUnits } from '../package/decimal.ts';
import { columnRef } from '../package/formula.ts';
import { numberFormat } from '../package/number-formats.ts';
import { columnLetters } from '../package/sheet-xml.ts';
import { CONDITIONS, QUIET } from '../package/styles.ts';
import type { WrittenTable } from '../sheets/table-sheet.ts';
import type { BridgeStep } from './bridge-steps.ts';
import { BLANK, type Block, COLUMNS, headingLine, placeCells, text } from './summary-block.ts';
import type { DrawnBridge } from './summary-charts.ts';
import { unitOf } from './summary-figures.ts';

/** A step with the meaning of its column. */
interface ChangeStep extends BridgeStep {
  readonly note: string;
}

const [THEN, NOW] = ['value_then', 'value_now'];

/** Returns the bridge of a measure from one state to the other as it is drawn. */
export function drawnChange(change: ChangeBridge, tables: readonly WrittenTable[], meta: Meta): DrawnBridge {
  return {
    steps: stepsOf(change, tables),
    title: `${change.label}, ${unitOf(change.unit, meta.currency)}: from then to now`,
    isLessBetter: change.better === 'less',
    table: headingOf(change),
  };
}

/** Returns the block that leads from the value of a measure then to that now, cause by cause. */
export function changeBlock(
  change: ChangeBridge,
  tables: readonly WrittenTable[],
  meta: Meta,
  firstRow: number,
): Block {
  const steps = stepsOf(change, tables);
  const letters = columnLetters(COLUMNS.scheduled);
  const range = `${letters}${firstRow + 2}:${letters}${firstRow + steps.length - 1}`;
  const [above, below] = change.better === 'less' ? (['bad', 'good'] as const) : (['good', 'bad'] as const);
  const { name, label, unit, better } = change;
  const column = { name: `variance_${name}`, label, unit, description: '', needsRates: false, better };
  const format = numberFormat(column, meta.minor_units) ?? '';
  return {
    lines: [
      headingLine(headingOf(change), { [COLUMNS.unit]: 'Unit', [COLUMNS.scheduled]: 'Amount' }),
      ...steps.map((step, place) => {
        const style = { format, bold: step.isTotal, ...(place === steps.length - 1 && { line: 'top' as const }) };
        return placeCells({
          [COLUMNS.label]: text(step.label, { bold: step.isTotal }),
          [COLUMNS.unit]: text(unitOf(unit, meta.currency), QUIET),
          [COLUMNS.scheduled]: { content: step.content, style },
          [COLUMNS.scheduledToDate]: text(step.note, { ...QUIET, align: 'left', indent: 1 }),
        });
      }),
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

function headingOf({ label }: ChangeBridge): string {
  return `${label}, then and now`;
}

function stepsOf(change: ChangeBridge, tables: readonly WrittenTable[]): ChangeStep[] {
  const values = [
    { column: THEN, amount: change.value_then },
    ...change.causes,
    { column: NOW, amount: change.value_now },
  ];
  const table = tables.find(({ columns }) => columns.some(({ name }) => name === THEN));
  let running = 0n;
  return values.map(({ column = '', amount: decimal }) => {
    const amount = parseUnits(decimal);
    const isTotal = column === THEN || column === NOW;
    const from = isTotal ? 0n : running;
    running = from + amount;
    const { label = '', description = '' } = table?.columns.find(({ name }) => name === column) ?? {};
    return {
      label,
      note: description,
      isTotal,
      content: contentOf(change, table, column, amount),
      amount,
      from,
      to: running,
    };
  });
}

/** Returns the live sum of a column over the rows of a measure; a number if these overlap. */
function contentOf(
  { label, name, addsUp }: ChangeBridge,
  table: WrittenTable | undefined,
  column: string,
  amount: bigint,
): Content {
  const cached = { number: formatUnits(amount) };
  if (!table || !addsUp) return cached;
  const headerOf = (wanted: string) => table.headers[table.columns.findIndex((each) => each.name === wanted)] ?? label;
  const sums = table.parts.map(
    (part) =>
      `SUMIFS(${columnRef(part.table, headerOf(column))},${columnRef(part.table, headerOf('measure'))},"${name}")`,
  );
  return { formula: sums.join('+'), cached };
}
