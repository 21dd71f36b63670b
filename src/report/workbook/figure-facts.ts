import type { Value } from '../../database/database.ts';
import { formatRounded } from '../../exact-decimal.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { termsOf } from '../catalogue/measure-formula.ts';
import type { Measure } from '../catalogue/measure-kinds.ts';
import { operandsOf } from '../catalogue/measure-meaning.ts';
import type { SubjectDefinition } from '../layout/workbook-definition.ts';
import type { Query } from '../request/query.ts';

/** The figures of a summary: their rows, and what is to be said beside them. */
export interface FigureFacts {
  /** In their order on paper. */
  readonly subjects: readonly (SubjectDefinition & { readonly name: string })[];
  /** By measure: which hours and fees it leaves out or can't count on. */
  readonly notes: Readonly<Record<string, string>>;
  /** The part of billed amounts that is beyond agreed fees; undefined for none. */
  readonly feesBeyond: string | undefined;
  readonly bars: readonly (readonly string[])[];
  /** The labels of measures of tentative work. */
  readonly tentative: Readonly<Record<string, string>>;
}

/**
 * Returns the figures of a summary.
 * @param values The totals of the window by measure.
 * @param feesBeyond The fees beyond agreed fees; undefined for a comparison.
 */
export function figureFacts(
  { selection: { catalogue }, grouping: { measures } }: Query,
  values: ReadonlyMap<string, Value>,
  feesBeyond: string | undefined,
  minorUnits: number,
): FigureFacts {
  const { subjects, unpriced, bars, tentative } = catalogue.workbook;
  const isSome = (value: Value | undefined) => /[1-9]/.test(String(value ?? ''));
  const beyond = isSome(feesBeyond) ? feesBeyond : undefined;
  const billed = Object.values(subjects).flatMap(({ is_billed, measures: { actual } }) => (is_billed ? [actual] : []));
  const notes = measures.map((measure): [string, string] => {
    const amounts = actualAmounts(catalogue, measure);
    const missing = unpriced.filter(({ amount, hours }) => amounts.includes(amount) && isSome(values.get(hours)));
    const words = missing.map(({ hours, note }) =>
      note.replace('{hours}', formatRounded(String(values.get(hours)), 2)),
    );
    const above = beyond !== undefined && billed.includes(measure.name);
    return [
      measure.name,
      [...words, ...(above ? [`${formatRounded(beyond, minorUnits)} beyond agreed fees`] : [])].join(', '),
    ];
  });
  return {
    subjects: Object.entries(subjects).map(([name, subject]) => ({ name, ...subject })),
    notes: Object.fromEntries(notes.filter(([, words]) => words !== '')),
    feesBeyond: beyond,
    bars,
    tentative,
  };
}

/** Returns the amounts of actual lines that a measure is made of. */
function actualAmounts(catalogue: Catalogue, measure: Measure): string[] {
  const own = termsOf(measure)
    .filter(({ lines }) => lines.startsWith('actual'))
    .map(({ amount }) => amount);
  const parts = operandsOf(measure).flatMap((name) => catalogue.measures.get(name) ?? []);
  return [...own, ...parts.flatMap((part) => actualAmounts(catalogue, part))];
}
