import { spellDay, spellMonth } from '../../calendar/day-words.ts';
import { Exact, fewestDecimals, groupThousands, trimZeros } from '../../exact-decimal.ts';
import type { Insight, InsightNumber } from '../catalogue/insight.ts';
import { type Placeholder, placeholdersOf, type Rule, WORDS } from '../catalogue/insight-rule.ts';
import { holds } from './condition.ts';
import { plainFact, type RowFact } from './row-facts.ts';

/** A sentence, and the size of what it is about. */
export interface SizedInsight {
  readonly insight: Insight;
  readonly size: InstanceType<typeof Exact>;
}

type Facts = ReadonlyMap<string, RowFact>;

/**
 * Returns the sentences of a rule about a row: of each subject, the first whose condition holds and whose numbers are known.
 * @param minorUnits The decimals of the currency's minor unit.
 */
export function sayRule(rule: Rule, facts: Facts, minorUnits: number): SizedInsight[] {
  const said = new Set<string>();
  const thresholds = Object.entries(rule.thresholds ?? {});
  const known = new Map([
    ...facts,
    ...thresholds.map(([name, { value, unit }]) => [name, plainFact(value, unit)] as const),
  ]);
  return rule.sentences.flatMap(({ about = '', when, size = rule.size, text }) => {
    if (said.has(about) || !holds(when, known)) return [];
    const [first, ...later] = text.map((clause) => fillClause(clause, known, minorUnits));
    if (!first) return [];
    said.add(about);
    const { name, severity } = rule;
    const clauses = joinClauses([first, ...later.flatMap((clause) => clause ?? [])]);
    return [{ insight: { rule: name, severity, ...clauses }, size: new Exact(known.get(size)?.value ?? 0).abs() }];
  });
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
function fillClause(clause: string, facts: Facts, minorUnits: number): SaidClause | undefined {
  let text = '';
  let end = 0;
  const numbers: InsightNumber[] = [];
  for (const placeholder of placeholdersOf(clause)) {
    const fact = facts.get(placeholder.name);
    if (fact === undefined || fact.value === null) return undefined;
    text += clause.slice(end, placeholder.start);
    end = placeholder.end;
    const unit = unitOf(fact, facts);
    const value = formatExact(fact.value, unit, minorUnits);
    const shown = spellValue(value, unit, placeholder.format);
    if (!WORDS.includes(placeholder.name)) {
      numbers.push({ value, unit, measure: fact.measure, query: fact.query(), shown, at: text.length });
    }
    text += shown;
  }
  return { text: text + clause.slice(end), numbers };
}

function unitOf({ unit }: RowFact, facts: Facts): InsightNumber['unit'] {
  if (unit !== 'budget') return unit;
  return facts.get('budget_unit')?.value === 'hours' ? 'hours' : 'money';
}

const DECIMALS: readonly InsightNumber['unit'][] = ['hours', 'money', 'percent'];

/** Returns a value as reports have it in JSON. */
function formatExact(value: string, unit: InsightNumber['unit'], minorUnits: number): string {
  return DECIMALS.includes(unit) ? trimZeros(value, fewestDecimals(unit, minorUnits)) : value;
}

function spellValue(value: string, unit: InsightNumber['unit'], format: Placeholder['format']): string {
  if (unit === 'text') return value;
  if (unit === 'date') return format === 'month' ? spellMonth(value) : spellDay(value);
  const size = format === 'size' ? value.replace('-', '') : value;
  const point = size.includes('.') ? size.indexOf('.') : size.length;
  return groupThousands(size.slice(0, point)) + size.slice(point);
}
