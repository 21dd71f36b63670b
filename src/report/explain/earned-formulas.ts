import type { EarnedPart } from '../catalogue/measure-kinds.ts';

/** A formula of a spreadsheet over columns in brackets; `[digits]` stands for the decimals of its own column. */
export interface CellFormula {
  readonly cells: string;
}

const rounded = (dividend: string, divisor: string, digits: string): CellFormula => ({
  cells: `IF(${divisor}=0,"",ROUND(${dividend}/${divisor},${digits}))`,
});

/** The formulas of measures of earned value from others in the same row, of one project or of all (E3). */
const FORMULAS: Readonly<Partial<Record<EarnedPart, CellFormula>>> = {
  schedule_variance: { cells: '[earned_value]-[planned_value]' },
  cost_variance: { cells: '[earned_value]-[actual_to_date]' },
  eac_plan: { cells: '[actual_to_date]+[estimate_to_complete]' },
  eac_budget: { cells: '[actual_to_date]+[budget_at_completion]-[earned_value]' },
  eac_cpi: rounded('[budget_at_completion]*[actual_to_date]', '[earned_value]', '[digits]'),
  variance_at_completion: { cells: '[budget_at_completion]-[eac_plan]' },
};

/** The formulas of one project or phase alone. */
const OF_ONE: Readonly<Partial<Record<EarnedPart, CellFormula>>> = {
  percent: rounded('[progress_part]', '[progress_whole]', '4'),
  value: rounded('[progress_part]*[budget_at_completion]', '[progress_whole]', '[digits]'),
};

/** Returns the formula of a measure of earned value in a total; undefined for a sum of rows. */
export function earnedTotal(earned: EarnedPart): CellFormula | undefined {
  return earned === 'percent' ? rounded('[earned_value]', '[budget_at_completion]', '4') : FORMULAS[earned];
}

/** Returns the formula of a measure of earned value in the row of a project or phase; undefined for a sum of lines. */
export function earnedInRow(earned: EarnedPart): CellFormula | undefined {
  return OF_ONE[earned] ?? FORMULAS[earned];
}

/** Returns the formula of an index. */
export function indexFormula(index: string): CellFormula {
  const [part = '', whole = ''] = index
    .replaceAll(/[a-z_]+/g, '[$&]')
    .replaceAll(' - ', '-')
    .split(' / ');
  return rounded(part, whole, '4');
}
