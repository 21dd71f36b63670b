/*
 * The kinds of measures, a file each: the facts that its numbers add up, the rows behind a number, and its words.
 * A number is the sum of its facts: `facts` says of which relations, `amount` which sums of them, `rows` lists them one by one.
 * A new kind is a file with a `Kind`, a part in catalogue/measure-kinds, and an entry here; the compiler names what it lacks.
 */
import type { Amount, Catalogue } from '../catalogue/catalogue.ts';
import type { BudgetPart, KindParts, Measure, MeasureKind, OfKind } from '../catalogue/measure-kinds.ts';
import type { Grouping, NumberQuery, Query, SeenKind, Selection } from '../request/query.ts';
import type { Facts, SummaryPlan } from '../source/summary-plan.ts';
import { BILLING_KIND } from './billing.ts';
import { BOOKED_KIND } from './booked.ts';
import { BUDGET_KIND } from './budget.ts';
import { CAPACITY_KIND } from './capacity.ts';
import { EARNED_KIND } from './earned.ts';
import { EFFECT_KIND } from './effects.ts';
import { PROGRESS_KIND } from './fee-progress.ts';
import type { CellFormula, FactRows, Kind, TermSql, Total } from './kind.ts';
import { LINE_KIND } from './lines.ts';
import { MISSING_KIND } from './missing.ts';
import { PERSON_DAYS_KIND } from './person-days.ts';
import { INDEX_KIND, PERCENT_KIND, POINTS_KIND, RATIO_KIND } from './quotient.ts';
import { RETAINER_KIND } from './retainer.ts';
import { TIMESHEET_KIND } from './worked.ts';

/** The kinds, in the order of their clauses in a statement. */
const KINDS: { readonly [Each in MeasureKind]: Kind<KindParts[Each]> } = {
  sum: LINE_KIND,
  people: CAPACITY_KIND,
  timesheet: TIMESHEET_KIND,
  missing: MISSING_KIND,
  person_days: PERSON_DAYS_KIND,
  budget: BUDGET_KIND,
  effect: EFFECT_KIND,
  earned: EARNED_KIND,
  booked: BOOKED_KIND,
  progress: PROGRESS_KIND,
  retainer: RETAINER_KIND,
  billing: BILLING_KIND,
  percent: PERCENT_KIND,
  ratio: RATIO_KIND,
  index: INDEX_KIND,
  points: POINTS_KIND,
};

/** Returns the facts that a measure adds up, besides lines. */
export function factsOf<Each extends MeasureKind>({ kind, of }: OfKind<Each>): readonly Facts[] {
  return KINDS[kind].facts?.(of) ?? [];
}

/** Returns the facts that measures add up, in the order of their clauses. */
export function factsOfAll(measures: readonly Measure[]): ReadonlySet<Facts> {
  return new Set(Object.keys(KINDS).flatMap((name) => measures.filter(({ kind }) => kind === name).flatMap(factsOf)));
}

/** Tests whether a measure is of the whole life of projects, whatever the window. */
export function isOfLives(measure: Measure): boolean {
  return factsOf(measure).some(({ population }) => population === 'lives');
}

/** Returns the part of budgets that a measure is; undefined for one of no budgets. */
export function budgetPartOf<Each extends MeasureKind>({ kind, of }: OfKind<Each>): BudgetPart | undefined {
  return KINDS[kind].budgetPart?.(of);
}

/** Returns whose a measure is as a whole: people, projects, contracts, or nobody's. */
export function wholesOf<Each extends MeasureKind>({ kind, of }: OfKind<Each>): readonly SeenKind[] {
  return KINDS[kind].wholes?.(of) ?? [];
}

/** Tests whether a measure is blank in a company without bills. */
export function needsBills<Each extends MeasureKind>({ kind, of }: OfKind<Each>): boolean {
  return KINDS[kind].needsBills?.(of) ?? false;
}

/** Tests whether a total leaves out the projects or phases without an earned value. */
export function isOfEarnedValue<Each extends MeasureKind>({ kind, of }: OfKind<Each>): boolean {
  return KINDS[kind].isOfEarnedValue?.(of) ?? false;
}

export function amountsOf<Each extends MeasureKind>({ kind, of }: OfKind<Each>): readonly Amount[] {
  return KINDS[kind].amounts?.(of) ?? [];
}

/** Returns the SQL of a measure, over the sums of its facts or over its operands. */
export function compileAmount<Each extends MeasureKind>({ kind, of }: OfKind<Each>, catalogue: Catalogue): string {
  return KINDS[kind].amount(of, catalogue);
}

/** Returns the step of a statement that computes a measure. */
export function stepOf({ kind }: OfKind): number {
  return KINDS[kind].step ?? 0;
}

/** Returns the facts of a number one by one (`whole`). */
export function listFacts<Each extends MeasureKind>(
  { kind, of }: OfKind<Each>,
  plan: SummaryPlan,
  number: NumberQuery,
): string[] {
  return KINDS[kind].rows?.parts(plan, of, number) ?? [];
}

/** Returns the columns of a measure's facts, among those of the report that lists them. */
export function columnsOfFacts({ kind }: OfKind): FactRows<never>['columns'] {
  return KINDS[kind].rows?.columns ?? 'of_sums';
}

/** Tests whether the facts of a measure are made of all lines of a query, and not of those of a row alone. */
export function isOfAllLines({ kind }: OfKind): boolean {
  return KINDS[kind].rows?.isOfAllLines ?? false;
}

/** Tests whether a part of the window has a part of a measure's facts. */
export function isOfDays({ kind }: OfKind): boolean {
  return KINDS[kind].rows?.isOfDays ?? false;
}

export function itemOf<Each extends MeasureKind>({ kind, of }: OfKind<Each>): string {
  return KINDS[kind].rows?.item?.(of) ?? 'line';
}

/** Returns the sum of no facts of a number, as SQL. */
export function sumOfNothing<Each extends MeasureKind>({ kind, of }: OfKind<Each>, number: NumberQuery): string {
  return KINDS[kind].rows?.nothing?.(of, number) ?? '0';
}

/** Returns the terms that the facts of a number add up to. */
export function termsOfNumber<Each extends MeasureKind>(
  measure: Measure & OfKind<Each>,
  selection: Selection,
): readonly TermSql[] {
  const { kind, of } = measure;
  return KINDS[kind].rows?.terms(of, measure, selection) ?? [];
}

/** Describes the derivation of a measure: measures in backticks, sets of lines in asterisks. */
export function describeDerivation<Each extends MeasureKind>({ kind, of }: OfKind<Each>): string {
  return KINDS[kind].words(of);
}

/** Returns whether rows of a measure add up: yes, no, over people, over projects, over people and weeks. */
export function describeAddition<Each extends MeasureKind>({ kind, of }: OfKind<Each>): string {
  return KINDS[kind].addsUp(of);
}

/** Says why the rows of a measure may not add up to its total; undefined where they do. */
export function describeApart<Each extends MeasureKind>(
  { kind, of }: OfKind<Each>,
  grouping: Pick<Grouping, 'dimensions'>,
): string | undefined {
  return KINDS[kind].apart?.(of, grouping);
}

/** Names the relations and columns that a measure comes from. */
export function sourceOf<Each extends MeasureKind>({ kind, of }: OfKind<Each>, catalogue: Catalogue): string {
  return KINDS[kind].source(of, catalogue);
}

/** Derives the total of a measure. @param suffix The end of the names of the columns of one period. */
export function totalOf<Each extends MeasureKind>(
  { kind, of }: OfKind<Each>,
  query: Pick<Query, 'selection' | 'grouping'>,
  suffix: string,
): Total {
  return KINDS[kind].total(of, query, suffix);
}

/** Returns the formula of a measure in the row of a project or phase; undefined for one that isn't made of others. */
export function formulaInRow<Each extends MeasureKind>({ kind, of }: OfKind<Each>): CellFormula | undefined {
  return KINDS[kind].inRow?.(of);
}
