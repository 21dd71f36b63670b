import type { Database, Value } from '../../database/database.ts';
import { type EarnedSum, earnedSumOf } from '../catalogue/earned.ts';
import { termsOf } from '../catalogue/measure-formula.ts';
import {
  type BudgetPart,
  type CapacityPart,
  type Measure,
  type PersonDaysPart,
  partOf,
} from '../catalogue/measure-kinds.ts';
import { describeTerm } from '../catalogue/measure-words.ts';
import { dateLiteral } from '../catalogue/period.ts';
import { linkNumber } from '../plan/links.ts';
import { amountOf, hasLines, isHours } from '../plan/measure.ts';
import { sumOfNothing } from '../plan/plan-number.ts';
import { narrow } from '../request/change-query.ts';
import type { ChosenPart } from '../request/part.ts';
import type { NumberQuery, Selection } from '../request/query.ts';
import { plainWords } from './derivation.ts';

/** A term added or subtracted to make a number. */
export interface NumberTerm {
  readonly sign: '+' | '-';
  readonly label: string;
  readonly value: Value;
  readonly line_count: number;
  /** Hours of lines whose amount is unknown for want of a rate; null if the term is no amount of money. */
  readonly hours_without_rate: Value;
  /** The query for the lines of the term; null if no measure is the term alone. */
  readonly lines: string | null;
}

/** A term over the rows of `contributions`. */
interface TermSql {
  readonly sign: NumberTerm['sign'];
  readonly label: string;
  readonly condition: string;
  readonly expression: string;
  readonly isMoney?: boolean;
  /** The measure that is the term alone, if there is one. */
  readonly measure?: string | undefined;
  /** The part of that measure that the term is. Default: all of it. */
  readonly part?: ChosenPart;
}

/**
 * Reads the terms of a number.
 * @param contributions The clauses WITH that define its `contributions`.
 */
export async function readTerms(
  database: Database,
  number: NumberQuery,
  measure: Measure,
  contributions: string,
): Promise<readonly NumberTerm[]> {
  const { selection } = number;
  const terms = shownTerms(selection, measure);
  const queryOf = (part: ChosenPart | undefined) => (part ? narrow(number, part) : number);
  const sums = terms.flatMap(({ condition, expression, isMoney, part }, index) => [
    `CASE WHEN ${countOf(condition)} = 0 THEN ${sumOfNothing(queryOf(part))} ELSE SUM(CASE WHEN ${condition} THEN ${expression} END) END AS value_${index}`,
    `${countOf(condition)} AS count_${index}`,
    `${isMoney ? `SUM(CASE WHEN ${condition} AND ${expression} IS NULL THEN hours END)` : 'NULL'} AS unknown_${index}`,
  ]);
  const [row] = await database.rows<Record<string, Value>>(
    `${contributions}\nSELECT ${sums.join(',\n  ')}\nFROM contributions`,
  );
  return terms.map(({ sign, label, measure: alone, part }, index) => ({
    sign,
    label: plainWords(selection.catalogue, label),
    value: row?.[`value_${index}`] ?? null,
    line_count: Number(row?.[`count_${index}`] ?? 0),
    hours_without_rate: row?.[`unknown_${index}`] ?? null,
    lines: alone === undefined ? null : linkNumber(queryOf(part), alone),
  }));
}

function countOf(condition: string): string {
  return `COUNT(CASE WHEN ${condition} THEN 1 END)`;
}

function shownTerms({ catalogue, cutoffDate }: Selection, measure: Measure): TermSql[] {
  const { name } = measure;
  const [people, days] = [partOf(measure, 'people'), partOf(measure, 'person_days')];
  const budget = partOf(measure, 'budget');
  const earned = earnedSumOf(measure);
  if (people === 'capacity_to_date')
    return CAPACITY_TERMS.map((each) => ({ ...each, part: { by: 'until', key: cutoffDate } }));
  if (people) return PEOPLE_TERMS[people];
  if (measure.kind === 'effect')
    return [term('+', 'effect in each cell of project, role and person', 'contribution', name)];
  if (days) return personDaysTerms(days, name);
  if (budget) return budgetTerms(budget, cutoffDate);
  if (earned) return [term('+', EARNED_TERMS[earned], 'contribution', name)];
  return termsOf(measure).map((term) => ({
    sign: term.sign < 0 ? '-' : '+',
    label: describeTerm(term),
    condition: isHours(term) ? `${amountOf(term)} IS NOT NULL` : hasLines(term),
    expression: amountOf(term),
    isMoney: !isHours(term),
    measure: [...catalogue.measures.values()].find((each) => partOf(each, 'sum') === `${term.lines}.${term.amount}`)
      ?.name,
  }));
}

const term = (sign: NumberTerm['sign'], label: string, expression: string, measure?: string): TermSql => ({
  sign,
  label,
  condition: 'TRUE',
  expression,
  measure,
});

const EARNED_TERMS: Readonly<Record<EarnedSum, string>> = {
  progress_part: 'work that is done',
  progress_whole: 'work that is done or to be done',
  budget: 'budgets, or all that is scheduled where there is none',
  planned: 'scheduled up to the cutoff',
  actual: 'logged up to the cutoff',
  later: 'scheduled after the cutoff',
};

const CAPACITY_TERMS = [
  term('+', 'work hours', 'work_hours'),
  term('-', 'time off and holidays', 'time_off_hours', 'time_off_hours'),
];

const PEOPLE_TERMS: Readonly<Record<Exclude<CapacityPart, 'capacity_to_date'>, TermSql[]>> = {
  capacity: CAPACITY_TERMS,
  time_off: [term('+', 'time off and holidays', 'contribution', 'time_off_hours')],
  overtime: [term('+', 'scheduled hours above capacity', 'contribution', 'overtime_hours')],
  future_overtime: [term('+', 'scheduled hours above capacity after today', 'contribution')],
  unscheduled: [
    term('+', 'capacity', 'capacity_hours', 'capacity_hours'),
    term('-', 'scheduled hours within capacity', 'capacity_hours - contribution'),
  ],
};

/**
 * Returns the terms of a measure of person-days. The hours of the compared days alone open no lines, since no measure is their
 * sum: the days of the number itself have them as columns.
 */
function personDaysTerms(measure: PersonDaysPart, name: string): TermSql[] {
  const scheduled = term('+', 'scheduled hours of these days', 'scheduled_hours');
  const whole = (label: string) => [term('+', label, 'contribution', name)];
  return {
    unlogged: [scheduled, term('-', 'hours logged on these days', 'actual_hours')],
    unlogged_cost: whole('scheduled cost of the unlogged hours'),
    unlogged_fees: whole('scheduled fees of the unlogged hours'),
    covered: [scheduled, term('-', 'unlogged hours of these days', 'scheduled_hours - contribution')],
    plan_error: whole('difference of each week'),
  }[measure];
}

function budgetTerms(budget: BudgetPart, cutoffDate: string): TermSql[] {
  const cutoff = dateLiteral(cutoffDate);
  const isLine = "kind <> 'budget'";
  const total = { ...term('+', 'budgets', 'contribution', 'budget_total'), condition: "kind = 'budget'" };
  // The budget itself is one of the lines of its use, with 0: without any line, nothing of it is used.
  const use = (contribution: string) => `CASE WHEN ${isLine} THEN ${contribution} ELSE contribution * 0 END`;
  const used = {
    ...term('+', 'use up to the cutoff', use('contribution'), 'budget_used'),
    condition: `(date <= ${cutoff} OR NOT (${isLine}))`,
  };
  const later = {
    ...term('+', 'plan after the cutoff', 'contribution', 'budget_forecast'),
    condition: `${isLine} AND date > ${cutoff}`,
    part: { by: 'after' as const, key: cutoffDate },
  };
  return {
    total: [total],
    used: [used],
    remaining: [total, { ...used, sign: '-' as const, expression: use('-contribution') }],
    forecast: [used, later],
  }[budget];
}
