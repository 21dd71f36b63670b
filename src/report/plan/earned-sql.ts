import type { EarnedPart } from '../catalogue/measure-kinds.ts';
import { fromUnits, quotient, toUnits } from '../source/exact-units.ts';

/** The SQL of each measure of earned value, from what a row shows (E4). */
export const EARNED_SQL: Readonly<Record<EarnedPart, string>> = {
  source: 'earned__source',
  technique: 'earned__technique',
  progress_part: 'earned__progress_part',
  progress_whole: 'earned__progress_whole',
  percent: 'earned__percent',
  budget: 'earned__budget',
  planned: 'earned__planned',
  value: 'earned__value',
  actual: 'earned__actual',
  schedule_variance: 'earned__value - earned__planned',
  cost_variance: 'earned__value - earned__actual',
  eac_plan: 'earned__actual + earned__later',
  eac_budget: 'earned__actual + earned__budget - earned__value',
  eac_cpi: fromUnits(
    `(${quotient(`(${toUnits('earned__budget')} * ${toUnits('earned__actual')})`, `(${toUnits('earned__value')} * earned__unit)`)} * earned__unit)`,
  ),
  later: 'earned__later',
  variance_at_completion: 'earned__budget - (earned__actual + earned__later)',
};
