import { spellDay, spellMonth } from '../../../base/calendar/index.ts';
import {
  Exact,
  fewestDecimals,
  formatReadable,
  groupThousands,
  isReadableUnit,
  trimZeros,
} from '../../../base/index.ts';
import type { Insight, InsightNumber } from '../catalogue/insight.ts';
import { type Placeholder, placeholdersOf, type Rule, WORDS } from '../catalogue/insight-rule.ts';
import { type FindFact, makeTest } from './condition.ts';
import { plainFact, type RowFact } from './row-facts.ts';

/** A sentence, and the size of what it is about. */
export interface SizedInsight {
  readonly insight: Insight;
  readonly size: InstanceType<typeof Exact>;
  /** The money at stake; 0 if there is none. */
  readonly stake: InstanceType<typeof Exact>;
}

/**
 * Returns a function that says the sentences of a rule about a row: of each subject, the first whose condition holds and whose numbers are known.
 * Conditions and texts are parsed once for all rows.
 * @param minorUnits The decimals of the currency's minor unit.
 */
export function makeSayer(rule: Rule, minorUnits: number): (facts: ReadonlyMap<string, RowFact>) => SizedInsight[] {
  const { name, severity } = rule;
  const thresholds = new Map(
    Object.entries(rule.thresholds ?? {}).map(([own, { value, unit }]) => [own, plainFact(value, unit)] as const),
  );
  const sentences = rule.sentences.map(({ about = '', when, size = rule.size, stake = rule.stake, text }) => {
    const clauses = text.map((clause) => ({ text: clause, placeholders: placeholdersOf(clause) }));
    return { about, size, stake, holds: makeTest(when), clauses };
  });
  return (facts) => {
    const find: FindFact = (fact) => thresholds.get(fact) ?? facts.get(fact);
    const said = new Set<string>();
    return sentences.flatMap(({ about, size, stake, holds, clauses }) => {
      if (said.has(about) || !holds(find)) return [];
      const [first, ...later] = clauses.map((clause) => fillClause(clause, find, minorUnits));
      if (!first) return [];
      said.add(about);
      const whole = joinClauses([first, ...later.flatMap((clause) => clause ?? [])]);
      const sizeOf = (fact: string) => new Exact(find(fact)?.value ?? 0).abs();
      const insight = { rule: name, severity, ...whole };
      return [{ insight, size: sizeOf(size), stake: isMoney(find, stake) ? sizeOf(stake) : new Exact(0) }];
    });
  };
}

/** Tests whether a fact is money: a budget may be one of hours. */
function isMoney(find: FindFact, name: string | undefined): name is string {
  const fact = name === undefined ? undefined : find(name);
  return fact !== undefined && unitOf(fact, find) === 'money';
}

/** A clause, and the places in it that values replace. */
interface Clause {
  readonly text: string;
  readonly placeholders: readonly Placeholder[];
}

type SaidClause = Pick<Insight, 'text' | 'numbers'>;

function joinClauses(clauses: readonly SaidClause[]): SaidClause {
  let text = '';
  const numbers: InsightNumber[] = [];
  for (const clause of clauses) {
    if (text !== '') text += ' ';
    const start = text.length;
    numbers.push(...clause.numbers.map((number) => ({ ...number, at: start + number.at })));
    text += clause.text;
  }
  return { text, numbers };
}

/** Replaces the placeholders of a clause; undefined if a value is unknown. */
function fillClause(clause: Clause, find: FindFact, minorUnits: number): SaidClause | undefined {
  let text = '';
  let end = 0;
  const numbers: InsightNumber[] = [];
  for (const placeholder of clause.placeholders) {
    const fact = find(placeholder.name);
    if (fact === undefined || fact.value === null) return undefined;
    text += clause.text.slice(end, placeholder.start);
    end = placeholder.end;
    const unit = unitOf(fact, find);
    const value = formatExact(fact.value, unit, minorUnits);
    const shown = spellValue(value, unit, placeholder.format, minorUnits);
    if (!WORDS.includes(placeholder.name)) {
      numbers.push({ value, unit, measure: fact.measure, query: fact.query(), shown, at: text.length });
    }
    text += shown;
  }
  return { text: text + clause.text.slice(end), numbers };
}

function unitOf({ unit }: RowFact, find: FindFact): InsightNumber['unit'] {
  if (unit !== 'budget') return unit;
  return find('budget_unit')?.value === 'hours' ? 'hours' : 'money';
}

const DECIMALS: readonly InsightNumber['unit'][] = ['hours', 'money', 'percent'];

/** Returns a value as reports have it in JSON. */
function formatExact(value: string, unit: InsightNumber['unit'], minorUnits: number): string {
  return DECIMALS.includes(unit) ? trimZeros(value, fewestDecimals(unit, minorUnits)) : value;
}

function spellValue(
  value: string,
  unit: InsightNumber['unit'],
  format: Placeholder['format'],
  minorUnits: number,
): string {
  if (unit === 'text') return value;
  if (unit === 'date') return format === 'month' ? spellMonth(value) : spellDay(value);
  const size = format === 'size' ? value.replace('-', '') : value;
  if (isReadableUnit(unit)) return formatReadable(size, unit, minorUnits);
  const point = size.includes('.') ? size.indexOf('.') : size.length;
  return groupThousands(size.slice(0, point)) + size.slice(point);
}
