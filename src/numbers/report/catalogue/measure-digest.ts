import { createHash } from 'node:crypto';
import { readStatement } from '../../relation/sql-file.ts';
import type { AsOf, AsOfState } from './as-of-state.ts';
import { needsBaseline } from './baseline.ts';
import { isKeptBalance } from './billing-meaning.ts';
import { type Catalogue, findReport, type LineSet, offeredMeasures } from './catalogue.ts';
import type { Measure, MeasureKind } from './measure-kinds.ts';
import { isOfLines, operandsOf, termsOf } from './measure-meaning.ts';

/**
 * Returns the SHA-256 of what each measure is computed from: its formula, its sets of lines, the rules of amounts that no ledger stores, and the
 * measures that it divides.
 */
export function digestMeasures(catalogue: Catalogue): Record<string, string> {
  return Object.fromEntries(
    [...catalogue.measures.values()].map((measure) => [measure.name, digestMeasure(catalogue, measure)]),
  );
}

/** The kinds that the digest of every measure has a place for. Kinds that came later add nothing to it, so it stays as states have kept it. */
const FIRST_KINDS: readonly MeasureKind[] = ['sum', 'percent', 'points', 'people', 'budget', 'effect'];

/** The amounts of lines that contracts decide, and the rules of sql/ by which they do. */
const OF_CONTRACTS: readonly string[] = ['earned_fee', 'planned_fee', 'fee_beyond'];
const CONTRACT_RULES = [
  'core/places',
  'core/fee_milestones',
  'core/fee_progress',
  'core/retained_places',
  'core/retainer_periods',
  'core/retainer_calendar',
  'facts/fee_places',
  'facts/fee_uses',
  'facts/fee_lives',
  'facts/fee_steps',
  'facts/agreed_fees',
  'facts/retainer_uses',
  'facts/retainer_walk',
  'facts/retainer_takes',
  'facts/retainer_fees',
  'facts/retainer_earned',
  'kinds/revenue',
];

/** The rules of what closings book and of what has become of it, of what missing time would earn, of progress, and of retainers. */
const BOOKED_RULES = ['facts/booked_spans', 'facts/booked_lines'];
const RESTATED_RULES = [...CONTRACT_RULES, 'facts/restated_positions'];
const MISSING_RULES = [...CONTRACT_RULES, 'facts/missing_revenue'];
const PROGRESS_RULES = [...CONTRACT_RULES, 'facts/fee_percents'];
const RETAINER_RULES = [...CONTRACT_RULES, 'facts/allowances'];

/** The rules of kinds that have some of their own, by the part of a kind. Those of missing hours, cost and fees are sets of lines. */
const KIND_RULES: Readonly<Partial<Record<MeasureKind, (of: unknown) => readonly string[]>>> = {
  booked: () => BOOKED_RULES,
  billing: (part) => (isKeptBalance(part) ? RESTATED_RULES : CONTRACT_RULES),
  progress: () => PROGRESS_RULES,
  retainer: () => RETAINER_RULES,
  missing: (part) => (part === 'revenue' ? MISSING_RULES : []),
};

/** Returns the rules of sql/ by which a measure is computed, beside its sets of lines. */
function rulesOf(measure: Measure): readonly string[] {
  const { kind, of } = measure;
  const isOfContracts = termsOf(measure).some(({ amount }) => OF_CONTRACTS.includes(amount));
  return isOfContracts ? CONTRACT_RULES : (KIND_RULES[kind]?.(of) ?? []);
}

function digestMeasure(catalogue: Catalogue, measure: Measure): string {
  const { unit, kind, of } = measure;
  const sets = termsOf(measure).map(({ lines }) => withoutPlan(catalogue.lines.get(lines)));
  const operands = operandsOf(measure).map((name) => {
    const operand = catalogue.measures.get(name);
    return operand && digestMeasure(catalogue, operand);
  });
  const places = FIRST_KINDS.map((each) => (each === kind ? of : null));
  const paths = rulesOf(measure);
  const rules = paths.length > 0 ? [paths.map((path) => readStatement(path))] : [];
  const formula = [unit, ...places, ...(FIRST_KINDS.includes(kind) ? [] : [of])];
  return createHash('sha256')
    .update(JSON.stringify([formula, sets, operands, ...rules]))
    .digest('hex');
}

/** Returns a set as states kept it before there were baselines, which compute no measure in another way. */
function withoutPlan(set: LineSet | undefined): LineSet | undefined {
  if (!set) return undefined;
  const { plan: _, is_baseline: __, ...properties } = set;
  return properties;
}

/** Returns the measures of a report that add up without a baseline: their sums over rows are their totals. */
export function additiveMeasures(catalogue: Catalogue, report: string): Measure[] {
  return offeredMeasures(catalogue, findReport(catalogue, report)).filter(
    (measure) => isOfLines(measure) && !needsBaseline(catalogue, termsOf(measure)),
  );
}

/** Describes a kept state, with the measures whose definition has changed since it was kept. */
export function describeAsOf(
  { state, number, kind, keptAt, measures: kept }: AsOfState,
  catalogue: Catalogue,
  measures: readonly Measure[],
): AsOf {
  const present = digestMeasures(catalogue);
  const digestKept = ({ name, formerly = [] }: Measure) => kept[[name, ...formerly].find((each) => kept[each]) ?? name];
  const changed = measures.filter((measure) => digestKept(measure) !== present[measure.name]).map(({ name }) => name);
  const described = { state, number, kind, kept_at: keptAt };
  if (changed.length === 0) return { ...described, definitions: 'same' };
  return { ...described, definitions: 'changed', changed_measures: changed };
}
