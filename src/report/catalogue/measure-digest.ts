import { createHash } from 'node:crypto';
import { needsBaseline } from './baseline.ts';
import { type Catalogue, findReport, type LineSet, type Measure, offeredMeasures } from './catalogue.ts';
import { operandsOf, parseSum } from './measure-formula.ts';

/** Returns the SHA-256 of what each measure is computed from: its formula, its sets of lines, the measures that it divides. */
export function digestMeasures(catalogue: Catalogue): Record<string, string> {
  return Object.fromEntries(
    [...catalogue.measures.values()].map((measure) => [measure.name, digestMeasure(catalogue, measure)]),
  );
}

function digestMeasure(catalogue: Catalogue, measure: Measure): string {
  const { unit, sum, percent, points, people, budget, effect, ratio, person_days, index, earned } = measure;
  const sets = parseSum(sum ?? '').map(({ lines }) => withoutPlan(catalogue.lines.get(lines)));
  const operands = operandsOf(measure).map((name) => {
    const operand = catalogue.measures.get(name);
    return operand && digestMeasure(catalogue, operand);
  });
  // Kinds that came later add nothing to the measures of others, whose digests stay as states have kept them.
  const later = [ratio, person_days, index, earned].filter((part) => part !== undefined);
  const formula = [unit, sum, percent, points, people, budget, effect].map((part) => part ?? null).concat(later);
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
    (measure) => measure.sum !== undefined && !needsBaseline(catalogue, measure),
  );
}
