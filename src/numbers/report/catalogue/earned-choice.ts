/*
 * Earned value: what it is counted in, how progress is judged, and the measures that stand beside one another.
 */
import type { EarnedPart } from './measure-kinds.ts';

/** The amounts that earned value is counted in: billable hours, labour cost, or fees with billable expenses. */
export type EarnedIn = 'hours' | 'cost' | 'fees';

/** The ways to judge progress: hours worked of all hours, or the completed part of the plan. */
export type Technique = 'remaining' | 'completed';

export interface EarnedChoice {
  readonly earnedIn: EarnedIn;
  readonly technique: Technique;
}

export const EARNED_PARAMETERS: readonly string[] = ['earned_in', 'technique'];

/** The texts that stand beside every number of earned value. */
export const TEXTS_BESIDE: readonly string[] = ['technique', 'budget_source'];

/** The measures of earned value that are sums of lines, of which all others are made. */
export const EARNED_SUMS = ['progress_part', 'progress_whole', 'budget', 'planned', 'actual', 'later'] as const;

export type EarnedSum = (typeof EARNED_SUMS)[number];

/** The measures that explain one which is no sum of lines. */
const PARTS: Readonly<Partial<Record<EarnedPart, readonly string[]>>> = {
  percent: ['progress_part', 'progress_whole', 'earned_value', 'indexed_budget_at_completion'],
  value: ['percent_complete', 'budget_at_completion'],
  indexed_budget: ['budget_at_completion'],
  indexed_planned: ['planned_value'],
  indexed_actual: ['actual_to_date'],
  schedule_variance: ['earned_value', 'indexed_planned_value'],
  cost_variance: ['earned_value', 'indexed_actual_to_date'],
  eac_plan: ['actual_to_date', 'estimate_to_complete'],
  eac_budget: ['indexed_actual_to_date', 'indexed_budget_at_completion', 'earned_value'],
  eac_cpi: ['indexed_budget_at_completion', 'indexed_actual_to_date', 'earned_value'],
  variance_at_completion: ['budget_at_completion', 'eac_plan'],
};

/** The parts of earned value that the compared plan changes, whatever the technique. */
const OF_PLAN: readonly EarnedPart[] = [
  'budget',
  'planned',
  'value',
  'indexed_budget',
  'indexed_planned',
  'indexed_actual',
  'schedule_variance',
  'cost_variance',
  'eac_budget',
  'eac_cpi',
  'variance_at_completion',
];

/** Returns the names of the measures that explain one of earned value; empty for a sum of lines. */
export function partsOfEarned(part: EarnedPart): readonly string[] {
  return PARTS[part] ?? [];
}

/** Tests whether the compared plan changes a part of earned value. */
export function readsComparedPlan(part: EarnedPart): boolean {
  return OF_PLAN.includes(part);
}

/** Adds the texts that stand beside numbers of earned value, before the first of them. @param isNumber Tests whether a name is one. */
export function withTextsBeside(names: readonly string[], isNumber: (name: string) => boolean): string[] {
  const first = names.findIndex(isNumber);
  if (first < 0) return [...names];
  const missing = TEXTS_BESIDE.filter((name) => !names.includes(name));
  return [...names.slice(0, first), ...missing, ...names.slice(first)];
}
