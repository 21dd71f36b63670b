import {
  COLORS,
  CONDITIONS,
  type Condition,
  type DataBar,
  type Style,
  type Styles,
} from '../../../../../packages/xlsx/index.ts';
import type { Column, Unit, Unjudged } from '../../../report/catalogue/table.ts';
import { isNumeric } from '../../value-text.ts';
import { alignedFormat, isVariance, numberFormat } from './column-formats.ts';

/** The use of a budget that wants attention, and that beyond which it is overspent. Unit: percent. */
export const [BUDGET_ATTENTION_PERCENT, BUDGET_LIMIT_PERCENT] = [80, 100];

/** The names in the gallery of Excel's styles of the units of numbers. */
const UNIT_STYLES: Readonly<Partial<Record<Unit, string>>> = {
  hours: 'Hours',
  budget: 'Hours',
  money: 'Money',
  rate: 'Rate',
  percent: 'Percent',
  count: 'Number',
  date: 'Date',
};

/** Aligns numbers right and everything else left, with an indent after a number. */
export function styleOf(column: Column, before: Column | undefined, minorUnits: number): Style {
  const format = numberFormat(column, minorUnits);
  const named = styleNameOf(column);
  const look = { ...(format === undefined ? {} : { format }), ...(named ? { named } : {}) };
  if (isNumeric(column.unit)) return look;
  return before && isNumeric(before.unit) ? { ...look, align: 'left', indent: 1 } : { ...look, align: 'left' };
}

/** Returns the style of a column's values in the gallery; undefined for texts. */
export function styleNameOf({ name, unit }: Column): string | undefined {
  return isVariance(name) ? 'Variance' : UNIT_STYLES[unit];
}

export function figureStyle(column: Column, minorUnits: number): Style {
  const named = styleNameOf(column);
  return { format: alignedFormat(column, minorUnits), ...(named ? { named } : {}) };
}

interface ColumnLayout {
  readonly columns: readonly Column[];
  readonly letters: readonly string[];
  readonly looks: readonly Style[];
}

/** Colors variances green or red by their favorable sign, other signed columns only red, and the use of budgets. */
export function conditionsOf(
  { columns, letters, looks }: ColumnLayout,
  lastRow: number,
  styles: Styles,
): (Condition | DataBar)[] {
  return columns.flatMap(({ name, better, unjudged }, i): (Condition | DataBar)[] => {
    const range = `${letters[i]}2:${letters[i]}${lastRow}`;
    if (BUDGET_PERCENTS.includes(name)) return budgetConditions(range);
    if (better === undefined || better === 'none') return [];
    const [good, bad] =
      better === 'more' ? (['greaterThan', 'lessThan'] as const) : (['lessThan', 'greaterThan'] as const);
    const holds = unjudged && unjudgedFormula(unjudged, columns, letters);
    const sign = better === 'more' ? '>' : '<';
    return [
      ...(holds === undefined ? [] : [neutralCondition(range, `${holds},${letters[i]}2${sign}0`, looks[i], styles)]),
      ...(isVariance(name) ? [{ range, when: { operator: good }, style: CONDITIONS.good }] : []),
      { range, when: { operator: bad }, style: CONDITIONS.bad },
    ];
  });
}

const BUDGET_PERCENTS = ['budget_used_percent', 'budget_forecast_percent'];

/** Colors the use of budgets: red beyond the limit, amber from the attention threshold, green below, with a bar. */
export function budgetConditions(range: string): (Condition | DataBar)[] {
  const fraction = (percent: number) => String(percent / 100);
  const first = range.split(':')[0] ?? range;
  const [limit, attention] = [fraction(BUDGET_LIMIT_PERCENT), fraction(BUDGET_ATTENTION_PERCENT)];
  return [
    { range, bar: COLORS.bar },
    { range, when: { operator: 'greaterThan', than: limit }, style: CONDITIONS.bad, isLast: true },
    { range, when: { operator: 'greaterThanOrEqual', than: attention }, style: CONDITIONS.warn, isLast: true },
    { range, when: { formula: `ISNUMBER(${first})` }, style: CONDITIONS.good },
  ];
}

/** Returns the conditions of the first row in which a variance is no gain; undefined without the columns that tell. */
function unjudgedFormula(
  { below_zero, zero, except = {} }: Unjudged,
  columns: readonly Column[],
  letters: readonly string[],
): string | undefined {
  const given = [
    [below_zero, (cell: string) => `${cell}<0`],
    [zero, (cell: string) => `${cell}<>"",${cell}=0`],
    ...Object.entries(except).map(([name, value]) => [name, (cell: string) => `${cell}<>"${value}"`] as const),
  ] as const;
  const conditions = given.flatMap(([column, format]) => {
    const place = columns.findIndex(({ name }) => name === column);
    return column === undefined ? [] : [place < 0 ? undefined : format(`$${letters[place]}2`)];
  });
  return conditions.includes(undefined) ? undefined : conditions.join(',');
}

/** Shows variances that are no gain without judging them. */
function neutralCondition(range: string, holds: string, look: Style | undefined, styles: Styles): Condition {
  const format = (look?.format ?? '').replace('" F"', '_ _U');
  const style = styles.condition({ color: COLORS.quiet, format });
  return { range, when: { formula: `AND(${holds})` }, style, isLast: true };
}
