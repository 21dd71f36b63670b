import type { Value } from '../../../base/database/index.ts';
import { AppError, Exact } from '../../../base/index.ts';
import type { Measure } from '../catalogue/measure-kinds.ts';
import { countedIn, type Explained, explainedBy, isEarned, partsOfNumber } from '../catalogue/measure-meaning.ts';
import type { Meta, Tie } from '../catalogue/table.ts';
import { isOfAllLines, itemOf } from '../kinds/kinds.ts';
import { contributionParts } from '../plan/contributions.ts';
import { linkNumber } from '../plan/links.ts';
import { compileTotal } from '../plan/plan-number.ts';
import { regroup, reselect } from '../request/change-query.ts';
import type { NumberQuery, Selection } from '../request/query.ts';
import { metaOf, type ReportContext } from '../run/context.ts';
import { runSummary } from '../run/run-summary.ts';
import { assertTies, nameTie } from '../run/ties.ts';
import { formatDerivation } from './derivation.ts';
import { type Parts, readParts } from './number-parts.ts';
import { type NumberTerm, readTerms } from './number-terms.ts';

/** A number of a report with all that it is made of. Decimals are texts with all digits, in the unit of the measure. */
export interface NumberExplanation {
  readonly report: string;
  readonly measure: Measure;
  readonly value: Value;
  readonly formula: string;
  /** The terms added and subtracted; empty for a percentage. */
  readonly terms: readonly NumberTerm[];
  /** The part and the whole of a percentage, the percentages of a difference, or the measures that one of earned value is made of. */
  readonly ratio: readonly MeasuredValue[];
  /** The field that has them. */
  readonly explainedBy: Explained;
  readonly parts: Parts;
  /** The word for one of the facts behind the number. */
  readonly item: string;
  /** The query for the lines behind the number; null for a percentage. */
  readonly lines: string | null;
  readonly meta: Meta;
}

export interface MeasuredValue {
  readonly measure: Measure;
  readonly value: Value;
  readonly lines: string | null;
}

/**
 * Explains a number: its value as the report has it, its formula, and its parts, largest first.
 * @param number The query of the number, whose filters are the keys of its row.
 * @throws AppError check if the lines behind the number don't add up to it.
 */
export async function explainNumber(context: ReportContext, number: NumberQuery): Promise<NumberExplanation> {
  const [measure] = number.grouping.measures;
  if (!measure) throw new AppError('internal', 'A number without a measure was asked for');
  const ratio = operandsBelow(number.selection, measure);
  const { values, checks } = await readValues(context, number, [measure, ...ratio]);
  const valueIn = ({ name }: Measure) => values.get(name) ?? null;
  const linkOf = (each: Measure) => (partsOfNumber(each).length > 0 ? null : linkNumber(number, each.name));
  const value = valueIn(measure);
  const shared = {
    report: number.selection.report.name,
    measure,
    value,
    formula: formatDerivation(number.selection.catalogue, measure),
    item: itemOf(measure),
    explainedBy: explainedBy(measure),
    ratio: ratio.map((each) => ({ measure: each, value: valueIn(each), lines: linkOf(each) })),
    lines: linkOf(measure),
    meta: await metaOf(context, number, checks),
  };
  if (ratio.length > 0) return { ...shared, terms: [], parts: {} };
  const contributions = `WITH ${contributionParts(number, context.company).join(',\n')}`;
  const { terms, total } = await readTerms(context.database, number, measure, contributions);
  const parts = await readParts(context.database, number, measure, contributions);
  assertSum(measure, value, total);
  return { ...shared, terms, parts };
}

/**
 * Reads measures of the row: those whose facts are of all lines of the query, and parts of numbers, are sums of their facts,
 * as the report of the row's days alone would count others. All others are the totals of that report.
 */
async function readValues(
  context: ReportContext,
  number: NumberQuery,
  measures: readonly Measure[],
): Promise<{ values: ReadonlyMap<string, Value>; checks: readonly Tie[] }> {
  if (number.parts.length > 0) return { values: await readTotals(context, number, measures), checks: [] };
  const { columns, totals, meta } = await runSummary(context, regroup(reselect(number, number.row), { measures }));
  const ofAll = isOfRow(number) ? measures.filter(isOfAllLines) : [];
  const values = new Map([
    ...columns.map(({ name }, index) => [name, totals?.[index] ?? null] as const),
    ...(await readTotals(context, number, ofAll)),
  ]);
  return { values, checks: meta.checks };
}

/** Tests whether a number is of a row, and not of all lines of its query. */
function isOfRow({ selection: { startDate, endDate }, row, rowFilters }: NumberQuery): boolean {
  return rowFilters.length > 0 || row.startDate !== startDate || row.endDate !== endDate;
}

/** Reads the sums of the lines behind measures. */
async function readTotals(
  { database, company }: ReportContext,
  number: NumberQuery,
  measures: readonly Measure[],
): Promise<Map<string, Value>> {
  const totals = new Map<string, Value>();
  for (const measure of measures) {
    const [row] = await database.rows<{ total: Value }>(
      compileTotal(regroup(number, { measures: [measure] }), company),
    );
    totals.set(measure.name, row?.total ?? null);
  }
  return totals;
}

/** Returns the measures that a number is made of: those of earned value with the ones that they are made of, down to sums of lines. */
function operandsBelow(selection: Selection, measure: Measure): Measure[] {
  const parts = partsOfNumber(measure);
  if (!isEarned(measure)) return measuresOf(selection, parts);
  const names = new Set(parts);
  for (const name of names)
    for (const { name: part } of measuresOf(
      selection,
      partsOfNumber(selection.catalogue.measures.get(name) ?? measure),
    ))
      if (part !== measure.name) names.add(part);
  return measuresOf(selection, [...names]);
}

function measuresOf({ catalogue, earned }: Selection, names: readonly string[]): Measure[] {
  return names.flatMap((name) => catalogue.measures.get(name) ?? []).map((measure) => countedIn(measure, earned));
}

/** @throws AppError check if the facts behind a number don't add up to it. */
function assertSum({ name, needs_rates }: Measure, value: Value, sum: Value): void {
  const [left = '', right = ''] = [value, sum].map((each) =>
    each === null ? 'unknown' : new Exact(String(each)).toFixed(),
  );
  const words = { subject: name, sides: ['the number', 'the lines behind it'] as const };
  assertTies([
    { ...nameTie(words), left, right, ok: left === right, isCost: needs_rates ?? false, isBeyondFilter: false },
  ]);
}
