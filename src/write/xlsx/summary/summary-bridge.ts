import type { Meta } from '../../../report/catalogue/table.ts';
import type { Content } from '../package/cell.ts';
import { formatUnits } from '../package/decimal.ts';
import { sumFormula } from '../package/formula.ts';
import { numberFormat } from '../package/number-formats.ts';
import { columnLetters } from '../package/sheet-xml.ts';
import { COLORS, CONDITIONS, QUIET } from '../package/styles.ts';
import type { GridCell } from '../sheets/grid-sheet.ts';
import type { WrittenTable } from '../sheets/table-sheet.ts';
import { BLANK, type Block, COLUMNS, headingLine, type Line, placeCells, text, WIDTHS } from './summary-block.ts';
import { formatWaterfall } from './waterfall-chart.ts';

/** The height of the chart. Unit: rows. */
const CHART_ROWS = 14;

/** The parts of a column of the chart, in hidden columns beside the sheet's own. */
const PARTS = [
  { name: 'end', color: undefined },
  { name: 'base', color: undefined },
  { name: 'total', color: COLORS.dark },
  { name: 'up', color: COLORS.goodFill },
  { name: 'upBelow', color: COLORS.goodFill },
  { name: 'down', color: COLORS.badFill },
  { name: 'downBelow', color: COLORS.badFill },
] as const;

/** The number of hidden columns that the chart needs. */
export const HIDDEN_COLUMNS = PARTS.length;

const END = WIDTHS.length;

interface BridgeStep {
  readonly label: string;
  readonly isTotal: boolean;
  readonly content: Content;
  /** The amount, and the running total before and after it, in ten-thousandths. */
  readonly amount: bigint;
  readonly from: bigint;
  readonly to: bigint;
}

/** Returns the block that explains the difference of actual profit from scheduled profit to date. */
export function bridgeBlock(bridge: WrittenTable, meta: Meta, firstRow: number): Block {
  const steps = stepsOf(bridge);
  const [planned, actual] = [steps[0], steps.at(-1)];
  if (!planned || !actual) return { lines: [] };
  const rows = steps.map((step, i) => stepLine(step, meta, firstRow + 1 + i));
  const rest = Array.from({ length: Math.max(0, CHART_ROWS - rows.length - NOTES.length) }, () => BLANK);
  const last = firstRow + rows.length;
  const range = `${columnLetters(COLUMNS.scheduled)}${firstRow + 2}:${columnLetters(COLUMNS.scheduled)}${last - 1}`;
  const title = `Profit, ${meta.currency}: from the plan to date to actual`;
  const chart = formatWaterfall({
    title,
    sheet: 'Summary',
    firstRow: firstRow + 1,
    labels: { column: COLUMNS.label, texts: steps.map(({ label }) => label) },
    parts: PARTS.slice(1).map(({ name, color }, i) => ({
      column: END + 1 + i,
      color,
      values: steps.map((step) => formatUnits(partsOf(step)[name])),
    })),
    format: '#,##0',
  });
  return {
    lines: [
      headingLine('Profit bridge', { [COLUMNS.unit]: 'Unit', [COLUMNS.scheduled]: 'Amount' }),
      ...rows,
      ...NOTES,
      ...rest,
      BLANK,
    ],
    conditions: [
      { range, when: { operator: 'greaterThan' }, style: CONDITIONS.good },
      { range, when: { operator: 'lessThan' }, style: CONDITIONS.bad },
    ],
    charts: [
      {
        anchor: {
          from: { column: COLUMNS.actual, row: firstRow },
          to: { column: COLUMNS.note + 1, row: firstRow + CHART_ROWS },
          altText: `${title}. Its steps are in the table beside it.`,
        },
        xml: chart,
      },
    ],
  };
}

const NOTES: readonly Line[] = [
  BLANK,
  ...[
    'Hours: more or fewer than scheduled, at the scheduled profit of an hour.',
    'Rates: another profit an hour than scheduled; also billability and phases.',
    'Unpriced: what is known of work without a cost rate or a bill rate.',
    'Person by person on each project. Expenses are in both profits alike.',
  ].map((sentence) => placeCells({ [COLUMNS.label]: text(sentence, QUIET) })),
];

/** Returns the steps; none if a profit at one of the ends is unknown. */
function stepsOf(bridge: WrittenTable): BridgeStep[] {
  const labels = ['Scheduled to date', 'Effect of hours', 'Effect of rates', 'Unpriced work', 'Actual'];
  const places = bridge.columns.flatMap(({ unit }, place) => (unit === 'money' ? [place] : []));
  if (places.length !== labels.length || places.some((place) => (bridge.totals?.[place] ?? null) === null)) return [];
  const tables = bridge.parts.map(({ table }) => table);
  let running = 0n;
  return places.map((place, i) => {
    const amount = bridge.sums[place] ?? 0n;
    const isTotal = i === 0 || i === labels.length - 1;
    const from = isTotal ? 0n : running;
    running = from + amount;
    const cached = { number: formatUnits(amount) };
    const content = { formula: sumFormula(tables, bridge.headers[place] ?? ''), cached };
    return { label: labels[i] ?? '', isTotal, content, amount, from, to: running };
  });
}

function stepLine(step: BridgeStep, meta: Meta, row: number): Line {
  const better = step.isTotal ? undefined : 'more';
  const name = step.isTotal ? 'profit' : 'variance_profit';
  const column = { name, label: step.label, unit: 'money', description: '', needsRates: true, better } as const;
  const format = numberFormat(column, meta.minor_units) ?? '';
  const style = { format, bold: step.isTotal, ...(step.label === 'Actual' && { line: 'top' as const }) };
  return placeCells({
    [COLUMNS.label]: text(step.label, { bold: step.isTotal }),
    [COLUMNS.unit]: text(meta.currency, QUIET),
    [COLUMNS.scheduled]: { content: step.content, style },
    ...Object.fromEntries(partCells(step, row).map((cell, i) => [END + i, cell])),
  });
}

/** Computes the parts of a column: it floats on an undrawn base, and may cross the axis. */
function partsOf({ isTotal, amount, from, to }: BridgeStep): Record<(typeof PARTS)[number]['name'], bigint> {
  const [low, high] = from < to ? [from, to] : [to, from];
  const above = (value: bigint) => (value > 0n ? value : 0n);
  const below = (value: bigint) => (value < 0n ? value : 0n);
  const [over, under] = [above(high) - above(low), below(low) - below(high)];
  return {
    end: to,
    base: isTotal ? 0n : above(low) + below(high),
    total: isTotal ? amount : 0n,
    up: !isTotal && amount >= 0n ? over : 0n,
    upBelow: !isTotal && amount >= 0n ? under : 0n,
    down: !isTotal && amount < 0n ? over : 0n,
    downBelow: !isTotal && amount < 0n ? under : 0n,
  };
}

/** Returns the same parts as live formulas over the amounts. */
function partCells(step: BridgeStep, row: number): GridCell[] {
  const amount = `${columnLetters(COLUMNS.scheduled)}${row}`;
  const [from, to] = [`${columnLetters(END)}${row - 1}`, `${columnLetters(END)}${row}`];
  const [low, high] = [`MIN(${from},${to})`, `MAX(${from},${to})`];
  const over = `MAX(0,${high})-MAX(0,${low})`;
  const under = `MIN(0,${low})-MIN(0,${high})`;
  const formulas = step.isTotal
    ? { end: amount, total: amount }
    : {
        end: `${from}+${amount}`,
        base: `MAX(0,${low})+MIN(0,${high})`,
        up: `IF(${amount}<0,0,${over})`,
        upBelow: `IF(${amount}<0,0,${under})`,
        down: `IF(${amount}<0,${over},0)`,
        downBelow: `IF(${amount}<0,${under},0)`,
      };
  const values = partsOf(step);
  return PARTS.map(({ name }): GridCell => {
    const cached = { number: formatUnits(values[name]) };
    const formula = (formulas as Partial<Record<typeof name, string>>)[name];
    return { content: formula ? { formula, cached } : cached, style: { format: '#,##0.00' } };
  });
}
