import type { Value } from '../../../base/database/index.ts';
import { formatRounded } from '../../../base/index.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Measure } from '../catalogue/measure-kinds.ts';
import { operandsOf, termsOf } from '../catalogue/measure-meaning.ts';
import type { MeasureBars, SubjectDefinition } from '../layout/workbook-definition.ts';
import type { Query } from '../request/query.ts';
import type { ApartSubjects } from './apart-totals.ts';

/** The figures of a summary: their rows, and what is to be said beside them. */
export interface FigureFacts {
  /** In their order on paper. */
  readonly subjects: readonly (SubjectDefinition & { readonly name: string })[];
  /** By measure: which hours and fees it leaves out or can't count on. */
  readonly notes: Readonly<Record<string, string>>;
  /** The subjects that are parts of others, and what is to be noted about them; undefined for a comparison. */
  readonly apart: ApartSubjects | undefined;
  /** The part of billed amounts that is beyond agreed fees; undefined for none. */
  readonly feesBeyond: string | undefined;
  readonly bars: readonly (readonly string[] | MeasureBars)[];
  /** The labels of measures of tentative work. */
  readonly tentative: Readonly<Record<string, string>>;
}

/**
 * Returns the figures of a summary.
 * @param values The totals of the window by measure.
 * @param apart The subjects that are parts of others; undefined for a comparison.
 */
export function figureFacts(
  { selection: { catalogue, report }, grouping: { measures } }: Query,
  values: ReadonlyMap<string, Value>,
  apart: ApartSubjects | undefined,
): FigureFacts {
  const { subjects, unpriced, bars, bars_of, tentative } = catalogue.workbook;
  const isSome = (value: Value | undefined) => /[1-9]/.test(String(value ?? ''));
  const beside = (apart?.subjects ?? []).map(({ name, totals }) => ({
    note: subjects[name]?.note,
    column: totals.get('actual')?.column.name ?? '',
    beyond: subjects[name]?.is_unpaid && totals.get('actual')?.value,
  }));
  const shown = [...measures, ...beside.flatMap(({ column }) => catalogue.measures.get(column) ?? [])];
  const notes = shown.map((measure): [string, string] => {
    const amounts = actualAmounts(catalogue, measure);
    const missing = unpriced.filter(
      (each) => each.amounts.some((amount) => amounts.includes(amount)) && isSome(values.get(each.hours)),
    );
    const words = missing.map(({ hours, note }) =>
      note.replace('{hours}', formatRounded(String(values.get(hours)), 2)),
    );
    const own = beside.flatMap(({ column, note }) => (column === measure.name && note ? [note] : []));
    return [measure.name, [...own, ...words].join(', ')];
  });
  return {
    subjects: Object.entries(subjects).map(([name, subject]) => ({ name, ...subject })),
    notes: Object.fromEntries(notes.filter(([, words]) => words !== '')),
    apart,
    feesBeyond: beside.map(({ beyond }) => (beyond ? String(beyond) : undefined)).find(isSome),
    bars: bars_of[report.name] ?? bars,
    tentative,
  };
}

function actualAmounts(catalogue: Catalogue, measure: Measure): string[] {
  const own = termsOf(measure)
    .filter(({ lines }) => lines.startsWith('actual'))
    .map(({ amount }) => amount);
  const parts = operandsOf(measure).flatMap((name) => catalogue.measures.get(name) ?? []);
  return [...own, ...parts.flatMap((part) => actualAmounts(catalogue, part))];
}
