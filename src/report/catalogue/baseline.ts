import type { AsOfState } from './as-of-state.ts';
import type { Catalogue, LineSet, Measure } from './catalogue.ts';
import type { EarnedPart } from './earned.ts';
import { operandsOf, parseSum } from './measure-formula.ts';

/** The kept state whose plan is compared. */
export interface Baseline {
  readonly asOf: AsOfState;
  /** The name of its database in statements; empty until it is attached for an answer. */
  readonly catalog: string;
}

/**
 * Returns the catalogue of a query with a baseline: its sets of scheduled lines have a plan, and the labels of the measures
 * that compare with the baseline name it.
 */
export function compareWith(catalogue: Catalogue, { state }: AsOfState): Catalogue {
  const lines = new Map([...catalogue.lines].map(([name, set]) => [name, withPlan(set)]));
  const label = (measure: Measure): Measure =>
    isCompared(catalogue, measure) ? { ...measure, label: labelOf(measure.label, state) } : measure;
  return {
    ...catalogue,
    lines,
    measures: new Map([...catalogue.measures].map(([name, measure]) => [name, label(measure)])),
  };
}

/** Tests for a measure that is unknown without a baseline. */
export function needsBaseline({ lines }: Catalogue, { sum = '' }: Measure): boolean {
  return parseSum(sum).some((term) => {
    const { plan, is_baseline } = lines.get(term.lines) ?? {};
    return plan === 'baseline' && is_baseline === undefined;
  });
}

function withPlan(set: LineSet): LineSet {
  return set.plan === undefined ? set : { ...set, is_baseline: set.plan !== 'current' };
}

/** The parts of earned value that the compared plan changes, whatever the technique. */
const EARNED_OF_PLAN: readonly EarnedPart[] = [
  'budget',
  'planned',
  'value',
  'schedule_variance',
  'cost_variance',
  'eac_budget',
  'eac_cpi',
  'variance_at_completion',
];

/** Tests whether a baseline changes a measure. */
function isCompared(catalogue: Catalogue, measure: Measure): boolean {
  const { sum = '', person_days, effect, earned } = measure;
  const isOfPlan = ({ lines }: { readonly lines: string }) =>
    (catalogue.lines.get(lines)?.plan ?? 'current') !== 'current';
  return (
    person_days !== undefined ||
    effect !== undefined ||
    (earned !== undefined && EARNED_OF_PLAN.includes(earned)) ||
    parseSum(sum).some(isOfPlan) ||
    operandsOf(measure).some((name) => {
      const operand = catalogue.measures.get(name);
      return operand !== undefined && isCompared(catalogue, operand);
    })
  );
}

/** Names the state after the word scheduled, or at the end of a label without it. */
function labelOf(label: string, state: string): string {
  const named = label.replace(/\bscheduled\b/i, (word) => `${word} (${state})`);
  return named === label ? `${label} (${state})` : named;
}
