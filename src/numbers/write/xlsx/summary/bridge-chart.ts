import { COLORS, columnLetters, formatWaterfall } from '../../../../../packages/xlsx/index.ts';
import { SUM_DECIMALS } from '../../../../base/index.ts';
import { formatUnits } from '../columns/exact-sum.ts';
import type { GridCell } from '../sheets/grid-sheet.ts';
import type { BridgeStep, SummaryBridge } from './bridge-steps.ts';
import { text, WIDTHS } from './summary-block.ts';

/** The colors of rises and falls by what is better. */
const RISE = { more: COLORS.goodFill, less: COLORS.badFill, none: COLORS.bar };
const FALL = { more: COLORS.badFill, less: COLORS.goodFill, none: COLORS.bar };

/** The parts of a column of the chart. */
const PARTS = [
  { name: 'base', color: undefined },
  { name: 'total', color: COLORS.dark },
  { name: 'up', colors: RISE },
  { name: 'upBelow', colors: RISE },
  { name: 'down', colors: FALL },
  { name: 'downBelow', colors: FALL },
] as const;

type PartName = (typeof PARTS)[number]['name'];

/** The number formats of the labels: the part of a fall is a length, so its label adds the sign. Zeros have none. */
const LABEL_FORMATS: Readonly<Partial<Record<PartName, string>>> = {
  total: '#,##0;-#,##0;',
  up: '+#,##0;+#,##0;',
  upBelow: '+#,##0;+#,##0;',
  down: '-#,##0;-#,##0;',
  downBelow: '-#,##0;-#,##0;',
};

/** Hidden columns beside the sheet's own: label, amount, running total, then the parts. */
const [LABEL, AMOUNT, END, FIRST_PART] = [0, 1, 2, 3].map((place) => WIDTHS.length + place) as [
  number,
  number,
  number,
  number,
];

/** The number of hidden columns that the chart needs. */
export const HIDDEN_COLUMNS = FIRST_PART - LABEL + PARTS.length;

/** A number of a hidden cell shows nothing, so that no program draws it into the page. */
const INVISIBLE = { format: ';;;' };

/** The share of the axis below the lowest top of a column, where the axis is cut. */
const CUT_SHARE = 4n;

/** The chart of a bridge, and the cells beside the rows of the sheet that it is drawn from. */
export interface BridgeChart {
  readonly title: string;
  readonly xml: string;
  readonly rows: readonly (readonly GridCell[])[];
}

/** Returns the chart of a bridge, whose first cells are in a row of Summary. */
export function bridgeChart({ title: words, better = 'none', steps }: SummaryBridge, firstRow: number): BridgeChart {
  const start = axisStart(steps);
  const cut = start === 0n ? '' : ` (axis from ${Number(formatUnits(start)).toLocaleString('en-US')})`;
  const title = `${words}${cut}`;
  const xml = formatWaterfall({
    title,
    sheet: 'Summary',
    firstRow,
    labels: { column: LABEL, texts: steps.map(({ label }) => label) },
    parts: PARTS.map((part, i) => ({
      column: FIRST_PART + i,
      color: 'colors' in part ? part.colors[better] : part.color,
      labelFormat: LABEL_FORMATS[part.name],
      isTotal: part.name === 'total',
      values: steps.map((step) => formatUnits(partsOf(step)[part.name])),
    })),
    format: '#,##0',
    ...(start === 0n ? {} : { start: formatUnits(start) }),
  });
  return { title, xml, rows: steps.map((step, i) => stepCells(step, firstRow + i)) };
}

/** Returns where the axis is cut, so that effects can be seen beside far larger profits; 0 for no cut. */
function axisStart(steps: readonly BridgeStep[]): bigint {
  const tops = steps.map(({ to }) => to);
  const lows = steps.map(({ isTotal, from, to }) => (isTotal || to < from ? to : from));
  const [lowest, highest] = [extreme(lows, (a, b) => a < b), extreme(tops, (a, b) => a > b)];
  const range = highest - lowest;
  const step = roundStep(range);
  const start = ((lowest - (range * CUT_SHARE) / 5n) / step) * step;
  // A cut is worth its mark only if effects would be slivers without it.
  return lowest > 0n && range > 0n && range * CUT_SHARE < highest && start > 0n ? start : 0n;
}

function extreme(values: readonly bigint[], wins: (a: bigint, b: bigint) => boolean): bigint {
  return values.reduce((best, value) => (wins(value, best) ? value : best), values[0] ?? 0n);
}

/** Returns the power of ten at or below a range, at least 1 of the currency. */
function roundStep(range: bigint): bigint {
  let step = 10n ** BigInt(SUM_DECIMALS);
  while (step * 10n <= range) step *= 10n;
  return step;
}

/** Returns the hidden cells of a step: live formulas over its amount. */
function stepCells(step: BridgeStep, row: number): GridCell[] {
  const end = {
    content: { formula: endFormula(step, row), cached: { number: formatUnits(step.to) } },
    style: INVISIBLE,
  };
  const amount: GridCell = { content: step.content, style: INVISIBLE };
  return [text(step.label), amount, end, ...partCells(step, row)];
}

function endFormula({ isTotal }: BridgeStep, row: number): string {
  const amount = `${columnLetters(AMOUNT)}${row}`;
  return isTotal ? amount : `${columnLetters(END)}${row - 1}+${amount}`;
}

/** Computes the parts of a column: it floats on an undrawn base, and may cross the axis. */
function partsOf({ isTotal, amount, from, to }: BridgeStep): Record<PartName, bigint> {
  const [low, high] = from < to ? [from, to] : [to, from];
  const above = (value: bigint) => (value > 0n ? value : 0n);
  const below = (value: bigint) => (value < 0n ? value : 0n);
  const [over, under] = [above(high) - above(low), below(low) - below(high)];
  return {
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
  const amount = `${columnLetters(AMOUNT)}${row}`;
  const [from, to] = [row - 1, row].map((at) => `${columnLetters(END)}${at}`);
  const [low, high] = [`MIN(${from},${to})`, `MAX(${from},${to})`];
  const over = `MAX(0,${high})-MAX(0,${low})`;
  const under = `MIN(0,${low})-MIN(0,${high})`;
  const formulas = step.isTotal
    ? { total: amount }
    : {
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
    return { content: formula ? { formula, cached } : cached, style: INVISIBLE };
  });
}
