import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Measure } from '../catalogue/measure-kinds.ts';
import { operandsOf, termsOf } from '../catalogue/measure-meaning.ts';
import { compileAmount, stepOf } from '../kinds/kinds.ts';
import { amountOf, compileTerm, flagOf } from '../kinds/lines.ts';
import type { Selection } from '../request/query.ts';
import type { SqlColumn } from '../source/sql-columns.ts';
import { blankOutside } from './outside.ts';

/** The SQL of a set of measures, in the order of its four steps. */
export interface MeasureSql {
  /** Membership of a cell in each set of lines. */
  readonly flags: readonly SqlColumn[];
  /** Aggregates over the cells of a row and their flags. */
  readonly sums: readonly SqlColumn[];
  /** Measures other than ratios, over a row's sums, capacity and budget columns. */
  readonly amounts: readonly SqlColumn[];
  /** Percentages and other ratios over the amounts, then differences of percentages. */
  readonly ratios: readonly SqlColumn[];
}

/**
 * Compiles measures and their percentages' parts (R5).
 * A sum over no lines is 0; a sum over lines that all lack the amount is null.
 */
export function compileMeasures(
  selection: Pick<Selection, 'catalogue' | 'part' | 'baseline' | 'bills'>,
  measures: readonly Measure[],
): MeasureSql {
  const { catalogue } = selection;
  const needed = withParts(catalogue, measures);
  const terms = new Map(needed.flatMap((measure) => termsOf(measure).map((term) => [amountOf(term), term])));
  const flags = new Set([...terms.values()].map(({ lines }) => lines));
  const sums = [...terms.values()].flatMap(compileTerm);
  const compiled = needed
    .toSorted((one, other) => stepOf(one) - stepOf(other))
    .map((measure) => ({
      step: stepOf(measure),
      column: { name: measure.name, expression: blankOutside(selection, measure, compileAmount(measure, catalogue)) },
    }));
  return {
    flags: [...flags].map((lines) => flagOf(catalogue, lines)),
    sums: [...new Map(sums.map((sum) => [sum.name, sum])).values()],
    amounts: compiled.filter(({ step }) => step === 0).map(({ column }) => column),
    ratios: compiled.filter(({ step }) => step > 0).map(({ column }) => column),
  };
}

/** Adds the measures that ratios divide, and the percentages that are subtracted. */
export function withParts(catalogue: Catalogue, measures: readonly Measure[]): Measure[] {
  const parts = measures.flatMap(operandsOf).flatMap((name) => catalogue.measures.get(name) ?? []);
  const all = [...new Set([...measures, ...parts])];
  return all.length === measures.length ? all : withParts(catalogue, all);
}
