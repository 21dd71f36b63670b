import { Exact } from '../../../exact-decimal.ts';
import type { Column } from '../../../report/catalogue/table.ts';
import type { Cover } from '../../../report/workbook/workbook.ts';
import { plainContent } from '../package/cell.ts';
import { cellName } from '../package/cell-name.ts';
import { figureStyle } from '../package/column-styles.ts';
import type { Condition } from '../package/sheet.ts';
import { columnLetters } from '../package/sheet-xml.ts';
import { CONDITIONS, QUIET } from '../package/styles.ts';
import { type Aspect, type Figure, furtherFigures, type Subject, subjectsOf } from '../sheets/figures.ts';
import type { GridCell } from '../sheets/grid-sheet.ts';
import type { WrittenTable } from '../sheets/table-sheet.ts';
import { formatHours, formatNumber } from './amount-words.ts';
import { BLANK, type Block, COLUMNS, headingLine, type Line, NOTE, placeCells, text } from './summary-block.ts';
import { comparedCells, comparisonLines, comparisonTitles } from './summary-comparisons.ts';

const ASPECT_COLUMNS: Readonly<Record<Aspect, number>> = {
  scheduled: COLUMNS.scheduled,
  scheduled_to_date: COLUMNS.scheduledToDate,
  actual: COLUMNS.actual,
  variance: COLUMNS.variance,
  variance_percent: COLUMNS.variancePercent,
  forecast: COLUMNS.forecast,
};

const TITLES = {
  [COLUMNS.unit]: 'Unit',
  [COLUMNS.scheduled]: 'Scheduled',
  [COLUMNS.scheduledToDate]: 'To date',
  [COLUMNS.actual]: 'Actual',
  [COLUMNS.variance]: 'Variance',
  [COLUMNS.variancePercent]: 'Variance %',
  [COLUMNS.forecast]: 'Forecast',
};

/** Returns the block of key figures: totals beside the plan, the prior period and last year. */
export function figuresBlock(cover: Cover, base: WrittenTable, firstRow: number): Block {
  const subjects = subjectsOf(base);
  // Budgets have a block of their own.
  const further = furtherFigures(base, cover.headline, subjects).filter(
    ({ column }) => cover.budgets.length === 0 || !column.name.startsWith('budget_'),
  );
  const lines = subjects.map((subject, i) => subjectLine(cover, subject, firstRow + 1 + i));
  const hasSubjects = subjects.length > 0;
  const furtherRow = hasSubjects ? firstRow + subjects.length + 3 : firstRow + 1;
  const compared = comparisonTitles(cover);
  const furtherTitles = { [COLUMNS.unit]: 'Unit', [COLUMNS.actual]: 'Total', ...compared, [COLUMNS.note]: 'Note' };
  return {
    lines: [
      ...(hasSubjects
        ? [headingLine('Key figures', { ...TITLES, ...compared, [COLUMNS.note]: 'Note' }), ...lines]
        : []),
      ...(hasSubjects && further.length > 0 ? [BLANK] : []),
      ...(further.length > 0 ? [headingLine(hasSubjects ? 'Also' : 'Key figures', furtherTitles)] : []),
      ...further.map((figure, i) => furtherLine(cover, figure, furtherRow + i)),
      ...comparisonLines(cover),
      BLANK,
    ],
    conditions: subjects.flatMap((subject, i) => varianceConditions(cover, subject, firstRow + 1 + i)),
  };
}

function subjectLine(cover: Cover, { label, column, figures }: Subject, row: number): Line {
  const { minor_units: minorUnits, currency } = cover.meta;
  const named = new Set<string>();
  const own = [...figures].map(([aspect, figure]) => {
    const cell = figureCell(aspect === 'variance' ? judge(cover, figure) : figure, minorUnits);
    // A name belongs to one cell, and the expenses stand in two.
    const isFirst = !named.has(figure.column.name);
    named.add(figure.column.name);
    return [ASPECT_COLUMNS[aspect], isFirst || !cell ? cell : { ...cell, name: undefined }] as const;
  });
  return placeCells({
    [COLUMNS.label]: text(label),
    [COLUMNS.unit]: text(unitOf(column.unit, currency), QUIET),
    ...Object.fromEntries(own),
    ...comparedCells(cover, column, figures.get('actual')?.content, row),
    [COLUMNS.note]: noteCell(cover, column),
  });
}

function furtherLine(cover: Cover, figure: Figure, row: number): Line {
  const { column, content } = figure;
  return placeCells({
    [COLUMNS.label]: text(column.label),
    [COLUMNS.unit]: text(unitOf(column.unit, cover.meta.currency), QUIET),
    [COLUMNS.actual]: figureCell(figure, cover.meta.minor_units),
    ...comparedCells(cover, column, content, row),
    [COLUMNS.note]: noteCell(cover, column),
  });
}

/** Takes the word favorable from a variance of fees that is beyond budgets of money: it may never be paid. */
function judge({ feesBeyondBudgets: beyond }: Cover, figure: Figure): Figure {
  const { column, content } = figure;
  const value = content && plainContent(content);
  if (!beyond || !value || !('number' in value) || !/^variance_(fees|revenue)$/.test(column.name)) return figure;
  const isBeyond = new Exact(value.number).greaterThan(0) && new Exact(value.number).lessThanOrEqualTo(beyond);
  return isBeyond ? { content, column: { ...column, better: 'none' } } : figure;
}

function figureCell(figure: Figure | undefined, minorUnits: number): GridCell {
  if (!figure?.content) return undefined;
  const style = figureStyle(figure.column, minorUnits);
  return { content: figure.content, style, name: cellName(figure.column.name) };
}

/** Says beside a figure which hours and fees it leaves out or can't count on. */
function noteCell({ label, unknown, meta, feesBeyondBudgets: beyond }: Cover, { name }: Column): GridCell {
  const { withoutCostRate, withoutBillRate } = unknown[name] ?? {};
  const isBeyond = /^actual_(fees|revenue)$/.test(name) && beyond !== undefined && /[1-9]/.test(beyond);
  const parts = [
    ...(withoutCostRate ? [`the cost of ${formatHours(withoutCostRate)}`] : []),
    ...(withoutBillRate ? [`the fees of ${formatHours(withoutBillRate)}`] : []),
  ];
  const notes = [
    ...(parts.length > 0 ? [`without ${parts.join(' and ')}`] : []),
    ...(isBeyond ? [`${formatNumber(beyond, meta.minor_units)} beyond budgets of ${label.toLowerCase()}`] : []),
  ];
  return notes.length > 0 ? text(notes.join('; '), NOTE) : undefined;
}

function varianceConditions(cover: Cover, { figures }: Subject, row: number): Condition[] {
  const shown = figures.get('variance');
  const variance = shown && judge(cover, shown);
  const better = variance?.column.better;
  if (better !== 'more' && better !== 'less') return [];
  const range = `${columnLetters(COLUMNS.variance)}${row}`;
  const [good, bad] =
    better === 'more' ? (['greaterThan', 'lessThan'] as const) : (['lessThan', 'greaterThan'] as const);
  return [
    { range, when: { operator: good }, style: CONDITIONS.good },
    { range, when: { operator: bad }, style: CONDITIONS.bad },
  ];
}

export function unitOf(unit: string, currency: string): string {
  return { money: currency, rate: `${currency} an hour`, percent: '%', budget: `hours or ${currency}` }[unit] ?? unit;
}
