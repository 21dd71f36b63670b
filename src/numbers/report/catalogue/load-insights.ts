import { definitionError, findLine, readDefinition } from './definition.ts';
import {
  type FactDefinition,
  type InsightRules,
  measureNameOf,
  namesInRule,
  PARTS,
  parseCondition,
  placeholdersOf,
  type Rule,
  WORDS,
} from './insight-rule.ts';
import type { Measure } from './measure-kinds.ts';
import { isOfLines } from './measure-meaning.ts';

const FILE = 'catalogue/insights.yaml';

/**
 * Reads and checks the rules about rows, and about all of them together.
 * @throws AppError definition, with file and line, at the first error.
 */
export function loadInsightRules(directory: string, measures: ReadonlyMap<string, Measure>): InsightRules {
  const file = readDefinition(directory, FILE, 'insights') as {
    facts: Record<string, Omit<FactDefinition, 'name'>>;
    rules: Record<string, Omit<Rule, 'name'>>;
    overall: Record<string, Omit<Rule, 'name'>>;
  };
  const facts = new Map(Object.entries(file.facts).map(([name, fact]) => [name, { name, ...fact }]));
  const named = (all: typeof file.rules) =>
    new Map(Object.entries(all).map(([name, rule]) => [name, { name, ...rule }] as const));
  const [rules, overall] = [named(file.rules), named(file.overall)];
  for (const rule of [...rules.values(), ...overall.values()]) checkRule(directory, rule, { facts, measures });
  return { facts, rules, overall };
}

interface KnownNames {
  readonly facts: ReadonlyMap<string, FactDefinition>;
  readonly measures: ReadonlyMap<string, Measure>;
}

function checkRule(directory: string, rule: Rule, { facts, measures }: KnownNames): void {
  const fail = (message: string): never => {
    throw definitionError(FILE, findLine(directory, FILE, `  ${rule.name}:`), `rule ${rule.name} ${message}`);
  };
  for (const { when, text } of rule.sentences) {
    if (!parseCondition(when)) {
      fail(`has the condition "${when}", which isn't comparisons joined by and, such as actual_hours >= 20`);
    }
    for (const clause of text) {
      const named = placeholdersOf(clause);
      const braces = clause.split(/[{}]/).length - 1;
      if (braces !== 2 * named.length) {
        fail(`has a placeholder that isn't {name}, {name|size} or {name|month}: "${clause}"`);
      }
      const threshold = named.find(({ name }) => rule.thresholds?.[name]);
      if (threshold) {
        fail(`says its threshold {${threshold.name}}, behind which there are no lines; say a measure or a fact`);
      }
    }
  }
  const isKnown = (name: string): boolean => {
    if (rule.thresholds?.[name] || facts.has(name) || WORDS.includes(name) || measures.has(name)) return true;
    const measure = measures.get(measureNameOf(name));
    return measure !== undefined && isOfLines(measure) && PARTS.some((part) => name === `${measure.name}.${part}`);
  };
  const unknown = namesInRule(rule).find((name) => !isKnown(name));
  if (unknown !== undefined) fail(`names "${unknown}", which is no measure, threshold or fact`);
}
