import { needsBaseline } from '../catalogue/baseline.ts';
import { type BridgeEffect, effectsOf, partsOfEffect } from '../catalogue/bridges.ts';
import type { Amount, Catalogue } from '../catalogue/catalogue.ts';
import { conditionOf } from '../catalogue/line-set.ts';
import { parsePoints, parseRatio, parseSum, type SignedTerm, termsOf } from '../catalogue/measure-formula.ts';
import type { CapacityPart, Measure, PersonDaysPart } from '../catalogue/measure-kinds.ts';
import { operandsOf } from '../catalogue/measure-meaning.ts';
import { fromUnits, quotient, toUnits } from '../source/exact-units.ts';
import type { SqlColumn } from '../source/sql-columns.ts';
import { EARNED_SQL } from './earned-sql.ts';

/** The SQL of each capacity measure, over the columns of a row or of a person's day. */
export const PEOPLE: Readonly<Record<CapacityPart, string>> = {
  capacity: 'COALESCE(capacity, 0)',
  capacity_to_date: 'COALESCE(capacity_to_date, 0)',
  time_off: 'COALESCE(time_off, 0)',
  overtime: 'COALESCE(overtime, 0)',
  future_overtime: 'COALESCE(future_overtime, 0)',
  unscheduled: 'COALESCE(capacity, 0) - COALESCE(covered, 0)',
};

/** The amounts that a bridge takes apart, with their columns of a line. */
export const EFFECT_AMOUNTS = { cost: 'cost', fees: 'fee' } as const;

export type EffectAmount = keyof typeof EFFECT_AMOUNTS;

/** Returns the amounts that an effect is made of, of which it needs lines: profit is fees less cost. */
export function amountsOfEffect(name: BridgeEffect): EffectAmount[] {
  const [bridge] = partsOfEffect(name);
  return bridge === 'profit' ? ['fees', 'cost'] : [bridge];
}

/** A measure without what it needs, with the type of sums. */
const UNKNOWN = 'CAST(NULL AS DECIMAL(38, 4))';

/** The amounts of lines that each measure of person-days compares. */
export const PERSON_DAY_AMOUNTS: Readonly<Record<PersonDaysPart, readonly Amount[]>> = {
  unlogged: ['hours'],
  unlogged_cost: ['hours', 'cost'],
  unlogged_fees: ['hours', 'fee'],
  covered: ['hours'],
  plan_error: ['hours'],
};

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

/** One sum over a set of lines: `<lines>.<amount>` in the catalogue. */
export interface Term {
  readonly lines: string;
  readonly amount: string;
}

/**
 * Compiles measures and their percentages' parts (R5).
 * A sum over no lines is 0; a sum over lines that all lack the amount is null.
 */
export function compileMeasures(catalogue: Catalogue, measures: readonly Measure[]): MeasureSql {
  const needed = withParts(catalogue, measures);
  const terms = new Map(needed.flatMap((measure) => termsOf(measure).map((term) => [amountOf(term), term])));
  const flags = new Set([...terms.values()].map(({ lines }) => lines));
  const sums = [...terms.values()].flatMap(compileTerm);
  return {
    flags: [...flags].map((lines) => flagOf(catalogue, lines)),
    sums: [...new Map(sums.map((sum) => [sum.name, sum])).values()],
    amounts: needed
      .filter((measure) => operandsOf(measure).length === 0)
      .map((measure) => ({
        name: measure.name,
        expression: needsBaseline(catalogue, measure) ? UNKNOWN : compileAmount(measure),
      })),
    ratios: [
      ...needed.flatMap(({ name, kind, of }) =>
        kind === 'percent' || kind === 'ratio'
          ? [{ name, expression: compileRatio(catalogue, of, kind === 'ratio' ? ratioOf : percentOf) }]
          : [],
      ),
      ...needed.flatMap(({ name, kind, of }) => (kind === 'index' ? [{ name, expression: compileIndex(of) }] : [])),
      ...needed.flatMap(({ name, kind, of }) =>
        kind === 'points' ? [{ name, expression: compilePoints(catalogue, of) }] : [],
      ),
    ],
  };
}

/** Adds the measures that ratios divide, and the percentages that are subtracted. */
export function withParts(catalogue: Catalogue, measures: readonly Measure[]): Measure[] {
  const parts = measures.flatMap(operandsOf).flatMap((name) => catalogue.measures.get(name) ?? []);
  const all = [...new Set([...measures, ...parts])];
  return all.length === measures.length ? all : withParts(catalogue, all);
}

/** Returns the membership of a line, or of a cell, in a set of lines. */
export function flagOf({ lines }: Catalogue, name: string): SqlColumn {
  const set = lines.get(name);
  return { name: `in_${name}`, expression: set ? conditionOf(set) : 'FALSE' };
}

export function amountOf({ lines, amount }: Term): string {
  return `${lines}__${amount}`;
}

/** Returns the column that is true if a term has lines. */
export function hasLines({ lines }: Term): string {
  return `has_${lines}`;
}

export function isHours({ amount }: Term): boolean {
  return amount.startsWith('hours');
}

function compileTerm(term: Term): SqlColumn[] {
  const flag = `in_${term.lines}`;
  const sum = { name: amountOf(term), expression: `SUM(CASE WHEN ${flag} THEN ${term.amount} END)` };
  return isHours(term) ? [sum] : [sum, { name: hasLines(term), expression: `BOOL_OR(${flag})` }];
}

function compileAmount({ kind, of }: Measure): string {
  switch (kind) {
    case 'people':
      return PEOPLE[of];
    case 'person_days':
      return compilePersonDays(of);
    case 'budget':
      return `budget__${of}`;
    case 'earned':
      return EARNED_SQL[of];
    case 'effect':
      return compileEffect(of);
    default:
      return compileSum(parseSum(of));
  }
}

/** Compiles an index, rounded half away from zero to 4 decimals. */
function compileIndex(index: string): string {
  const [part = '', whole = ''] = index.split(' / ');
  return ratioOf(part, whole);
}

/** Compiles an effect: that on profit is the one on fees less the one on cost. Unknown if no line of the query has the amount. */
function compileEffect(name: BridgeEffect): string {
  const [, effect] = partsOfEffect(name);
  const amounts = amountsOfEffect(name);
  const known = amounts.map((amount) => `(SELECT knows_${amount} FROM effect_known)`);
  const sums = amounts
    .filter((amount) => effectsOf(amount).includes(effect))
    .map((amount) => `COALESCE(effect__${amount}_${effect}, 0)`);
  return `CASE WHEN ${known.join(' AND ')} THEN ${sums.join(' - ')} END`;
}

/** Compiles a measure of person-days over the sums of a row; unknown if no unlogged day has the amount (R5). */
function compilePersonDays(measure: PersonDaysPart): string {
  const sum = `person_days__${measure}`;
  const isMoney = PERSON_DAY_AMOUNTS[measure].length > 1;
  return isMoney
    ? `CASE WHEN ${sum} IS NULL AND has_unlogged THEN NULL ELSE COALESCE(${sum}, 0) END`
    : `COALESCE(${sum}, 0)`;
}

/** Returns the SQL of a sum measure over the columns of its terms: of all lines of a row, or of one line. */
export function compileSum(terms: readonly SignedTerm[]): string {
  const signed = terms.map((term, index) => {
    const operator = term.sign < 0 ? ' - ' : index > 0 ? ' + ' : '';
    return `${operator}COALESCE(${amountOf(term)}, 0)`;
  });
  if (terms.every(isHours)) return signed.join('');
  return `CASE WHEN ${isUnknown(terms)} THEN NULL ELSE ${signed.join('')} END`;
}

const percentOf = (part: string, whole: string) => `pl_percent(${part}, ${whole})`;

const ratioOf = (part: string, whole: string) => fromUnits(quotient(`(10000 * ${toUnits(part)})`, toUnits(whole)));

/**
 * Compiles a percentage or another ratio: null when a labour amount in it is unknown.
 * Parts with one amount and one sign count together: a forecast is known if actuals or plan are.
 * @param divide Returns SQL of the rounded quotient.
 */
function compileRatio(catalogue: Catalogue, text: string, divide: typeof percentOf): string {
  const [part, whole] = parseRatio(text);
  const parts = new Map<string, Term[]>();
  for (const measure of [part, whole].flatMap((name) => catalogue.measures.get(name) ?? [])) {
    for (const { sign, lines, amount } of termsOf(measure)) {
      if (isHours({ lines, amount }) || catalogue.lines.get(lines)?.kind === 'expense') continue;
      const key = `${measure.name} ${sign} ${amount}`;
      parts.set(key, [...(parts.get(key) ?? []), { lines, amount }]);
    }
  }
  const ratio = divide(part, whole);
  if (parts.size === 0) return ratio;
  const unknown = new Set([...parts.values()].map(isUnknown));
  return `CASE WHEN ${[...unknown].join(' OR ')} THEN NULL ELSE ${ratio} END`;
}

/** Compiles a difference of percentages: null when one of them is, rounded once from the amounts of both. */
function compilePoints({ measures }: Catalogue, points: string): string {
  const names = parsePoints(points);
  const amounts = names.flatMap((name) => parseRatio(measures.get(name)?.of ?? ''));
  const unknown = names.map((name) => `${name} IS NULL`).join(' OR ');
  return `CASE WHEN ${unknown} THEN NULL ELSE pl_points(${amounts.join(', ')}) END`;
}

/** Tests that there are lines and none of them has the amount. */
function isUnknown(terms: readonly Term[]): string {
  return `COALESCE(${terms.map(amountOf).join(', ')}) IS NULL AND (${terms.map(hasLines).join(' OR ')})`;
}
