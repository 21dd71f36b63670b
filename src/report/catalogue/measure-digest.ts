import { createHash } from 'node:crypto';
import { needsBaseline } from './baseline.ts';
import { type Catalogue, findReport, type LineSet, offeredMeasures } from './catalogue.ts';
import type { Measure, MeasureKind } from './measure-kinds.ts';
import { isOfLines, operandsOf, termsOf } from './measure-meaning.ts';

/** Returns the SHA-256 of what each measure is computed from: its formula, its sets of lines, the measures that it divides. */
export function digestMeasures(catalogue: Catalogue): Record<string, string> {
  return Object.fromEntries(
    [...catalogue.measures.values()].map((measure) => [measure.name, digestMeasure(catalogue, measure)]),
  );
}

/** The kinds that the digest of every measure has a place for. Kinds that came later add nothing to it, so it stays as states have kept it. */
const FIRST_KINDS: readonly MeasureKind[] = ['sum', 'percent', 'points', 'people', 'budget', 'effect'];

function digestMeasure(catalogue: Catalogue, measure: Measure): string {
  const { unit, kind, of } = measure;
  const sets = termsOf(measure).map(({ lines }) => withoutPlan(catalogue.lines.get(lines)));
  const operands = operandsOf(measure).map((name) => {
    const operand = catalogue.measures.get(name);
    return operand && digestMeasure(catalogue, operand);
  });
  const places = FIRST_KINDS.map((each) => (each === kind ? of : null));
  const formula = [unit, ...places, ...(FIRST_KINDS.includes(kind) ? [] : [of])];
  return createHash('sha256')
    .update(JSON.stringify([formula, sets, operands]))
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
