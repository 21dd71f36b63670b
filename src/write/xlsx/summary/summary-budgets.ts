import { Decimal } from 'decimal.js';
import type { BudgetTotal, Cover } from '../../../report/workbook/workbook.ts';
import type { Content } from '../package/cell.ts';
import { BUDGET_ATTENTION_PERCENT, BUDGET_LIMIT_PERCENT, budgetConditions } from '../package/column-styles.ts';
import { trimDecimal } from '../package/decimal.ts';
import { criteriaFormula, ratioFormula } from '../package/formula.ts';
import { columnLetters } from '../package/sheet-xml.ts';
import type { GridCell } from '../sheets/grid-sheet.ts';
import type { WrittenTable } from '../sheets/table-sheet.ts';
import { formatCount } from './amount-words.ts';
import { BLANK, type Block, COLUMNS, headingLine, type Line, NOTE, placeCells, text } from './summary-block.ts';

const PLACES = {
  total: COLUMNS.scheduled,
  used: COLUMNS.actual,
  remaining: COLUMNS.variance,
  usedPercent: COLUMNS.variancePercent,
  forecast: COLUMNS.forecast,
  forecastPercent: COLUMNS.priorChange,
} as const;

/** Returns the block of budgets, which add up in each unit apart. */
export function budgetsBlock({ budgets, meta }: Cover, base: WrittenTable, firstRow: number): Block {
  if (budgets.length === 0) return { lines: [] };
  const lines = budgets.map((budget, i) => budgetLine(budget, base, meta.minor_units, firstRow + 1 + i));
  const ranges = [PLACES.usedPercent, PLACES.forecastPercent].map((place) => {
    const letters = columnLetters(place);
    return `${letters}${firstRow + 1}:${letters}${firstRow + budgets.length}`;
  });
  return {
    lines: [
      headingLine('Budgets, over the whole life of the projects', {
        [COLUMNS.unit]: '',
        [PLACES.total]: 'Budget',
        [PLACES.used]: 'Used',
        [PLACES.remaining]: 'Remaining',
        [PLACES.usedPercent]: 'Used %',
        [PLACES.forecast]: 'Forecast',
        [PLACES.forecastPercent]: 'Forecast %',
      }),
      ...lines,
      BLANK,
    ],
    conditions: ranges.flatMap(budgetConditions),
  };
}

function budgetLine(budget: BudgetTotal, base: WrittenTable, minorUnits: number, row: number): Line {
  const { unit, usedPercents } = budget;
  const over = usedPercents.filter((percent) => new Decimal(percent).greaterThan(BUDGET_LIMIT_PERCENT)).length;
  const attention = usedPercents.filter((percent) =>
    new Decimal(percent).greaterThanOrEqualTo(BUDGET_ATTENTION_PERCENT),
  );
  const format = unit === 'hours' ? '#,##0.00_)' : `#,##0${minorUnits > 0 ? `.${'0'.repeat(minorUnits)}` : ''}_)`;
  const sum = (name: string, value: string): GridCell => {
    const cached = { number: trimDecimal(value) };
    return { content: { formula: unitSum(base, name, unit), cached }, style: { format } };
  };
  const ratio = (place: number, value: string): GridCell => {
    const whole = `${columnLetters(PLACES.total)}${row}`;
    const formula = ratioFormula(`${columnLetters(place)}${row}`, whole);
    return { content: { formula, cached: ratioOf(value, budget.total) }, style: { format: '0.0%_)' } };
  };
  const states = `${over} over ${BUDGET_LIMIT_PERCENT} %, ${attention.length - over} from ${BUDGET_ATTENTION_PERCENT} %`;
  return placeCells({
    [COLUMNS.label]: text(`${formatCount(usedPercents.length, 'budget')} in ${unit}`),
    [PLACES.total]: sum('budget_total', budget.total),
    [PLACES.used]: sum('budget_used', budget.used),
    [PLACES.remaining]: sum('budget_remaining', budget.remaining),
    [PLACES.usedPercent]: ratio(PLACES.used, budget.used),
    [PLACES.forecast]: sum('budget_forecast', budget.forecast),
    [PLACES.forecastPercent]: ratio(PLACES.forecast, budget.forecast),
    [COLUMNS.note]: text(states, NOTE),
  });
}

function unitSum({ parts, headers, columns }: WrittenTable, name: string, unit: string): string {
  const headerOf = (column: string) => headers[columns.findIndex((each) => each.name === column)] ?? '';
  const tables = parts.map(({ table }) => table);
  return criteriaFormula(tables, name, [{ column: 'budget_unit', operator: '=', value: unit }], headerOf);
}

function ratioOf(part: string, whole: string): Exclude<Content, { readonly formula: string }> {
  const divisor = new Decimal(whole);
  if (divisor.isZero()) return { text: '' };
  return { number: new Decimal(part).div(divisor).toDecimalPlaces(4, Decimal.ROUND_HALF_UP).toFixed() };
}
