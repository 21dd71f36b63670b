import type { BridgeEffect } from './bridges.ts';
import type { Unit, Unjudged } from './table.ts';

/** The hours of people's days that measures sum. */
export type CapacityPart =
  | 'capacity'
  | 'capacity_to_date'
  | 'time_off'
  | 'overtime'
  | 'unscheduled'
  | 'future_overtime';

/** The comparisons of scheduled and logged time, person by person and day by day, or week by week. */
export type PersonDaysPart = 'unlogged' | 'unlogged_cost' | 'unlogged_fees' | 'covered' | 'plan_error';

/** The amounts of scheduled lines on days without logged time. */
export type MissingPart = 'hours' | 'cost' | 'fees' | 'revenue';

/** Logged part of the capacity of people. */
export type TimesheetPart = 'worked' | 'balance' | 'days_without_time' | 'last_logged';

export type BudgetPart = 'total' | 'used' | 'remaining' | 'forecast';

/** The amounts that closings in force book, and the parts of them that are of other days. */
export type BookedPart = 'revenue' | 'cost' | 'profit' | 'catch_up' | 'restated';

/** The amounts of retainers that open, are used and lapse, their balances, and the work beyond them. */
export type RetainerPart =
  | 'opened'
  | 'rolled'
  | 'used'
  | 'used_percent'
  | 'lapsed'
  | 'balance'
  | 'beyond'
  | 'forecast_used'
  | 'forecast_balance'
  | 'forecast_beyond';

/** The progress of fixed fees: by hours, and as it is entered. */
export type ProgressPart = 'computed' | 'entered';

/** Balances of what is earned and what is billed, and their parts by the age of the work. */
export type BillingPart =
  | 'position'
  | 'opening'
  | 'opening_kept'
  | 'restated'
  | 'asset'
  | 'liability'
  | 'unbilled'
  | 'age_30'
  | 'age_60'
  | 'age_90'
  | 'age_older'
  | 'difference'
  | 'changed'
  | 'undecided'
  | 'decided'
  | 'covered';

/** The texts and numbers of earned value. */
export type EarnedPart =
  | 'source'
  | 'technique'
  | 'progress_part'
  | 'progress_whole'
  | 'percent'
  | 'budget'
  | 'planned'
  | 'value'
  | 'actual'
  | 'indexed_budget'
  | 'indexed_planned'
  | 'indexed_actual'
  | 'schedule_variance'
  | 'cost_variance'
  | 'eac_plan'
  | 'eac_budget'
  | 'eac_cpi'
  | 'later'
  | 'variance_at_completion';

/** The kinds of measures, by the key of a definition, with the type of its value: a formula, or a part of a family of numbers. */
export interface KindParts {
  readonly sum: string;
  readonly percent: string;
  readonly points: string;
  readonly ratio: string;
  readonly index: string;
  readonly person_days: PersonDaysPart;
  readonly missing: MissingPart;
  readonly people: CapacityPart;
  readonly timesheet: TimesheetPart;
  readonly budget: BudgetPart;
  readonly effect: BridgeEffect;
  readonly earned: EarnedPart;
  readonly booked: BookedPart;
  readonly progress: ProgressPart;
  readonly retainer: RetainerPart;
  readonly billing: BillingPart;
}

export type MeasureKind = keyof KindParts;

/** A kind, and what of it a measure is. */
export type OfKind<Kind extends MeasureKind = MeasureKind> = {
  readonly [Each in Kind]: { readonly kind: Each; readonly of: KindParts[Each] };
}[Kind];

/** The part of a measure's definition that measures of all kinds have. */
export interface MeasureBase {
  readonly name: string;
  readonly label: string;
  readonly unit: Unit;
  readonly group: string;
  readonly description: string;
  readonly needs_rates?: boolean;
  readonly better?: 'more' | 'less' | 'none';
  readonly unjudged?: Unjudged;
  /** The names that it had in earlier versions, under which kept states have it. */
  readonly formerly?: readonly string[];
}

export type Measure = MeasureBase & OfKind;

const KINDS: readonly MeasureKind[] = [
  'sum',
  'percent',
  'points',
  'ratio',
  'index',
  'person_days',
  'missing',
  'people',
  'timesheet',
  'budget',
  'effect',
  'earned',
  'booked',
  'progress',
  'retainer',
  'billing',
];

/** A measure as a file defines it: the schema allows exactly one kind. */
export type MeasureDefinition = Omit<MeasureBase, 'name'> & Partial<KindParts>;

/** Returns a measure, of the kind that its definition has as a key. */
export function defineMeasure(name: string, definition: MeasureDefinition): Measure {
  const fields = Object.entries(definition);
  const shared = fields.filter(([key]) => !KINDS.some((kind) => kind === key));
  const [kind, of] = fields.find((field) => !shared.includes(field)) ?? [];
  return { name, ...Object.fromEntries(shared), kind, of } as Measure;
}
