import { type Content, columnLetters, plainContent, QUIET } from '../../../../../packages/xlsx/index.ts';
import { Exact } from '../../../../base/index.ts';
import type { Column } from '../../../report/catalogue/table.ts';
import type { Cover, WindowTotals } from '../../../report/workbook/workbook.ts';
import { cellContentOf } from '../columns/column-content.ts';
import { figureStyle } from '../columns/column-styles.ts';
import { pointsFormula, ratioFormula } from '../columns/derived-formula.ts';
import { type Figure, totalFigure } from '../sheets/figures.ts';
import type { GridCell } from '../sheets/grid-sheet.ts';
import type { WrittenTable } from '../sheets/table-sheet.ts';
import { COLUMNS, type Line, placeCells, text } from './summary-block.ts';

/** The columns of a comparison, in the order of the cover's: its value, and the change since. */
const COMPARED = [
  [COLUMNS.prior, COLUMNS.priorChange],
  [COLUMNS.lastYear, COLUMNS.lastYearChange],
] as const;

const CHANGE_FORMATS = { amount: '+0.0%_);-0.0%_);0.0%_)', points: '+0.0" pts"_);-0.0" pts"_);0.0" pts"_)' };

export function comparisonTitles({ comparisons }: Cover): Record<number, string> {
  const titles = comparisons.flatMap(({ label, hasLines }, i) => {
    const [value = 0, change = 0] = COMPARED[i] ?? [];
    if (!hasLines) return [];
    return [[value, label] as const, [change, 'Change'] as const];
  });
  return Object.fromEntries(titles);
}

/** Returns the value of the same measure in other windows, and the change since. */
export function comparedCells(
  { comparisons, meta }: Cover,
  tables: readonly WrittenTable[],
  { column, content }: Figure,
  row: number,
): Record<number, GridCell> {
  const cells = comparisons.flatMap((comparison, i): [number, GridCell][] => {
    const value = comparedValue(comparison, tables, column.name);
    const [place = 0, changePlace = 0] = COMPARED[i] ?? [];
    if (!value) return [];
    const style = figureStyle(column, meta.minor_units);
    return [
      [place, { content: value, style }],
      [
        changePlace,
        content &&
          changeCell(column.unit, plainContent(content), plainContent(value), [
            `${columnLetters(COLUMNS.actual)}${row}`,
            `${columnLetters(place)}${row}`,
          ]),
      ],
    ];
  });
  return Object.fromEntries(cells);
}

/** Returns a total of a window: that of its sheet as a formula, if it has one. */
function comparedValue(
  { hasLines, columns, totals, sheet }: WindowTotals,
  tables: readonly WrittenTable[],
  name: string,
): Content | undefined {
  const place = columns.findIndex((column) => column.name === name);
  const column = columns[place];
  if (!hasLines || !column) return undefined;
  const table = tables.find(({ key }) => key === sheet);
  return (table && totalFigure(table, name)?.content) ?? cellContentOf(column, totals[place] ?? null);
}

/**
 * Returns the growth of an amount, or the difference of a percentage in points; blank from nothing or from a loss.
 * @param places The cells of both.
 */
export function changeCell(
  unit: Column['unit'],
  now: Content,
  then: Content,
  [new_, old]: readonly [now: string, then: string],
): GridCell {
  if (!('number' in now) || !('number' in then)) return undefined;
  if (unit === 'percent') {
    const points = new Exact(now.number)
      .minus(then.number)
      .times(100)
      .toDecimalPlaces(2, Exact.ROUND_HALF_UP)
      .toFixed();
    const content = { formula: pointsFormula(new_, old), cached: { number: points } };
    return { content, style: { format: CHANGE_FORMATS.points } };
  }
  // The older value is a constant, so a cell that is blank stays blank.
  if (new Exact(then.number).lessThanOrEqualTo(0)) return undefined;
  const growth = new Exact(now.number).minus(then.number).div(then.number).toDecimalPlaces(4, Exact.ROUND_HALF_UP);
  const content = { formula: `ROUND((${new_}-${old})/${old},4)`, cached: { number: growth.toFixed() } };
  return { content, style: { format: CHANGE_FORMATS.amount } };
}

/** Returns the measure of what was done of a subject. */
export function actualOf({ figures }: Cover, subject: string | undefined): string {
  return figures.subjects.find(({ name }) => name === subject)?.measures.actual ?? '';
}

/** Returns the amounts of an hour in other windows, from the values of both. */
export function comparedRates(
  cover: Cover,
  tables: readonly WrittenTable[],
  ratio: readonly string[] = [],
): Record<number, GridCell> {
  const names = ratio.map((subject) => actualOf(cover, subject));
  const cells = cover.comparisons.flatMap((comparison, i): [number, GridCell][] => {
    const [place = 0] = COMPARED[i] ?? [];
    const [fees, hours] = names.map((name) => comparedValue(comparison, tables, name));
    const rate = fees && hours && divided(fees, hours);
    return rate ? [[place, { content: rate, style: { format: '#,##0.00_)' } }]] : [];
  });
  return Object.fromEntries(cells);
}

/** Returns a quotient, as a formula of two; undefined without a divisor. */
function divided(part: Content, whole: Content): Content | undefined {
  const [above, below] = [plainContent(part), plainContent(whole)];
  if (!('number' in above) || !('number' in below) || new Exact(below.number).isZero()) return undefined;
  const cached = {
    number: new Exact(above.number).div(below.number).toDecimalPlaces(4, Exact.ROUND_HALF_UP).toFixed(),
  };
  return 'formula' in part && 'formula' in whole
    ? { formula: ratioFormula(part.formula, `(${whole.formula})`), cached }
    : cached;
}

/** Describes the windows of the comparisons below the figures. */
export function comparisonLine({ comparisons }: Cover): Line[] {
  if (comparisons.length === 0) return [];
  const windows = comparisons.map(({ label, startDate, endDate, cutoffDate, hasLines }) => {
    const cutoff = cutoffDate >= endDate ? 'all of it actual' : `actual to ${cutoffDate}`;
    return `${label}: ${startDate} to ${endDate}${hasLines ? `, ${cutoff}` : ' has no records'}`;
  });
  return [placeCells({ [COLUMNS.label]: text(windows.join('. '), QUIET) })];
}
