import type { Database, Value } from '../../database/database.ts';
import { type Measure, parseSum } from '../catalogue/catalogue.ts';
import { describeTerm } from '../catalogue/measure-words.ts';
import { dateLiteral } from '../catalogue/period.ts';
import { linkNumber } from '../plan/links.ts';
import { amountOf, hasLines, isHours } from '../plan/measure.ts';
import type { Query, Selection } from '../request/query.ts';
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
}

/**
 * Reads the terms of a number.
 * @param contributions The clauses WITH that define its `contributions`.
 */
export async function readTerms(
  database: Database,
  query: Query,
  measure: Measure,
  contributions: string,
): Promise<readonly NumberTerm[]> {
  const { selection } = query;
  const terms = termsOf(selection, measure);
  const sums = terms.flatMap(({ condition, expression, isMoney }, index) => [
    `SUM(CASE WHEN ${condition} THEN ${expression} END) AS value_${index}`,
    `COUNT(CASE WHEN ${condition} THEN 1 END) AS count_${index}`,
    `${isMoney ? `SUM(CASE WHEN ${condition} AND ${expression} IS NULL THEN hours END)` : 'NULL'} AS unknown_${index}`,
  ]);
  const [row] = await database.rows<Record<string, Value>>(
    `${contributions}\nSELECT ${sums.join(',\n  ')}\nFROM contributions`,
  );
  return terms.map(({ sign, label, measure: alone }, index) => {
    const count = Number(row?.[`count_${index}`] ?? 0);
    return {
      sign,
      label: plainWords(selection.catalogue, label),
      value: count === 0 ? '0.0000' : (row?.[`value_${index}`] ?? null),
      line_count: count,
      hours_without_rate: row?.[`unknown_${index}`] ?? null,
      lines: alone === undefined ? null : linkNumber(query, alone),
    };
  });
}

function termsOf(
  { catalogue, cutoffDate }: Selection,
  { sum, people, person_days, effect, budget }: Measure,
): TermSql[] {
  if (people) return PEOPLE_TERMS[people];
  if (effect) return [term('+', 'effect in each cell of project, role and person', 'contribution')];
  if (person_days) return PERSON_DAYS_TERMS[person_days];
  if (budget) return budgetTerms(budget, dateLiteral(cutoffDate));
  return parseSum(sum ?? '').map((term) => ({
    sign: term.sign < 0 ? '-' : '+',
    label: describeTerm(term),
    condition: isHours(term) ? `${amountOf(term)} IS NOT NULL` : hasLines(term),
    expression: amountOf(term),
    isMoney: !isHours(term),
    measure: [...catalogue.measures.values()].find((each) => each.sum === `${term.lines}.${term.amount}`)?.name,
  }));
}

const term = (sign: NumberTerm['sign'], label: string, expression: string, measure?: string): TermSql => ({
  sign,
  label,
  condition: 'TRUE',
  expression,
  measure,
});

const CAPACITY_TERMS = [
  term('+', 'work hours', 'work_hours'),
  term('-', 'time off and holidays', 'time_off_hours', 'time_off_hours'),
];

const PEOPLE_TERMS: Readonly<Record<NonNullable<Measure['people']>, TermSql[]>> = {
  capacity: CAPACITY_TERMS,
  capacity_to_date: CAPACITY_TERMS,
  time_off: [term('+', 'time off and holidays', 'contribution', 'time_off_hours')],
  overtime: [term('+', 'scheduled hours above capacity', 'contribution', 'overtime_hours')],
  future_overtime: [term('+', 'scheduled hours above capacity after today', 'contribution')],
  unscheduled: [
    term('+', 'capacity', 'capacity_hours', 'capacity_hours'),
    term('-', 'scheduled hours within capacity', 'capacity_hours - contribution'),
  ],
};

const SCHEDULED_HOURS = term('+', 'scheduled hours of these days', 'scheduled_hours');

const PERSON_DAYS_TERMS: Readonly<Record<NonNullable<Measure['person_days']>, TermSql[]>> = {
  unlogged: [SCHEDULED_HOURS, term('-', 'hours logged on these days', 'actual_hours')],
  unlogged_cost: [term('+', 'scheduled cost of the unlogged hours', 'contribution')],
  unlogged_fees: [term('+', 'scheduled fees of the unlogged hours', 'contribution')],
  covered: [SCHEDULED_HOURS, term('-', 'unlogged hours of these days', 'scheduled_hours - contribution')],
  plan_error: [term('+', 'difference of each week', 'contribution')],
};

function budgetTerms(budget: NonNullable<Measure['budget']>, cutoff: string): TermSql[] {
  const isLine = "kind <> 'budget'";
  const total = { ...term('+', 'budgets', 'contribution', 'budget_total'), condition: "kind = 'budget'" };
  const used = {
    ...term('+', 'use up to the cutoff', 'contribution', 'budget_used'),
    condition: `${isLine} AND date <= ${cutoff}`,
  };
  const later = { ...term('+', 'plan after the cutoff', 'contribution'), condition: `${isLine} AND date > ${cutoff}` };
  return {
    total: [total],
    used: [used],
    remaining: [total, { ...used, sign: '-' as const, expression: '-contribution' }],
    forecast: [used, later],
  }[budget];
}
