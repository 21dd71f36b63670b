import { type AsOfState, referenceTo } from './as-of-state.ts';
import type { Catalogue, LineSet } from './catalogue.ts';
import type { Contracts } from './company-settings.ts';
import type { SignedTerm } from './measure-formula.ts';
import type { Measure } from './measure-kinds.ts';
import { comparesPlan } from './measure-meaning.ts';

/** The kept state whose plan is compared. */
export interface Baseline {
  readonly asOf: AsOfState;
  /** The name of its database in statements; empty until it is attached for an answer. */
  readonly catalog: string;
  /** The contracts that it has. Default: all. */
  readonly contracts?: Contracts | undefined;
}

/**
 * Returns the catalogue of a query with a baseline: its sets of scheduled lines have a plan, and the labels of the measures
 * that compare with the baseline name it.
 */
export function compareWith(catalogue: Catalogue, { asOf: { state } }: Baseline): Catalogue {
  const lines = new Map([...catalogue.lines].map(([name, set]) => [name, withPlan(set)]));
  const label = (measure: Measure): Measure =>
    comparesPlan(catalogue, measure) ? { ...measure, label: labelOf(measure.label, state) } : measure;
  return {
    ...catalogue,
    lines,
    measures: new Map([...catalogue.measures].map(([name, measure]) => [name, label(measure)])),
  };
}

/** Returns a word for the plan that a query compares, with the name of its state if that is another: the plan (kickoff-501). */
export function namePlanOf({ baseline }: { readonly baseline?: Baseline | undefined }, word: string): string {
  return baseline ? `${word} (${baseline.asOf.state})` : word;
}

/** Returns the parameter by which a link keeps the plan of a query: a name may come to mean a later state. */
export function planParameter(baseline: Baseline | undefined): { readonly baseline?: string } {
  return baseline ? { baseline: referenceTo(baseline.asOf) } : {};
}

/** Tests for a sum over lines of the baseline alone, in a catalogue without one. */
export function needsBaseline({ lines }: Catalogue, terms: readonly SignedTerm[]): boolean {
  return terms.some((term) => {
    const { plan, is_baseline } = lines.get(term.lines) ?? {};
    return plan === 'baseline' && is_baseline === undefined;
  });
}

function withPlan(set: LineSet): LineSet {
  return set.plan === undefined ? set : { ...set, is_baseline: set.plan !== 'current' };
}

/** Names the state after the word scheduled, or at the end of a label without it. */
function labelOf(label: string, state: string): string {
  const named = label.replace(/\bscheduled\b/i, (word) => `${word} (${state})`);
  return named === label ? `${label} (${state})` : named;
}
