/** The weight of a sentence, gravest first. All but a notice are statuses of a row. */
export const SEVERITIES = ['over', 'at_risk', 'notice', 'on_plan'] as const;

export type Severity = (typeof SEVERITIES)[number];

/** The unit of a value that a sentence names; a budget is in hours or in the currency. */
export type FactUnit = 'hours' | 'money' | 'budget' | 'percent' | 'count' | 'date' | 'text';

/** A value of a row beside its measures. */
export interface FactDefinition {
  readonly name: string;
  readonly unit: FactUnit;
  readonly description: string;
  readonly needs_rates?: boolean;
}

/** A number of a rule's conditions, changed in the definition alone. */
export interface Threshold {
  readonly value: number;
  readonly unit: FactUnit;
  readonly description: string;
}

/** Words that are said of a row on a condition. */
export interface Sentence {
  /** The subject: of sentences with different subjects, the first of each is said. */
  readonly about?: string;
  readonly when: string;
  /** The value by which the sentence is sorted, if it isn't that of its rule. */
  readonly size?: string;
  /** The money at stake, if it isn't that of its rule. */
  readonly stake?: string;
  /** Clauses, of which the later ones are left out where a value of them is unknown. */
  readonly text: readonly string[];
}

/** A rule that says a sentence about a row. */
export interface Rule {
  readonly name: string;
  readonly label: string;
  readonly description: string;
  readonly severity: Severity;
  /** The value by which the rows of the rule are sorted, largest first. */
  readonly size: string;
  /** The money at stake, by which sentences of one severity are sorted before that; absent if there is none. */
  readonly stake?: string;
  readonly thresholds?: Readonly<Record<string, Threshold>>;
  readonly sentences: readonly Sentence[];
}

/** The rules about rows, those about all rows together, and the definitions of the facts that they name. */
export interface InsightRules {
  readonly facts: ReadonlyMap<string, FactDefinition>;
  readonly rules: ReadonlyMap<string, Rule>;
  readonly overall: ReadonlyMap<string, Rule>;
}

/** A side of a comparison: a value, or a percentage of one. */
export interface Operand {
  readonly sign: 1 | -1;
  /** The name of a value, or a number. */
  readonly name: string;
  /** The value of which `name` is a percentage. */
  readonly of: string | undefined;
}

export type Operator = '>' | '>=' | '<' | '<=' | '=';

export interface ComparisonTerm {
  readonly left: Operand;
  readonly operator: Operator;
  readonly right: Operand;
}

/** A name in a text that is replaced by its value. */
export interface Placeholder {
  /** The place of its first character in the text. */
  readonly start: number;
  readonly end: number;
  readonly name: string;
  readonly format: 'size' | 'month' | undefined;
}

/** The words of a sentence that are no numbers of its row. */
export const WORDS = ['currency', 'budget_unit', 'running_unit'];

/** The parts of a sum measure that a sentence may name: the person and the month with the largest part of it, and that part. */
export const PARTS = ['person', 'person.value', 'month', 'month.value'];

const COMPARISON = /^(-?)([a-z0-9_.]+)(?: of ([a-z0-9_.]+))? (>=|<=|>|<|=) (-?)([a-z0-9_.]+)(?: of ([a-z0-9_.]+))?$/;

/** Parses a condition into its comparisons, all of which must hold; undefined for a text that is none. */
export function parseCondition(when: string): ComparisonTerm[] | undefined {
  const terms = when
    .trim()
    .split(' and ')
    .map((text) => COMPARISON.exec(text));
  const parsed = terms.flatMap((term) => {
    if (!term) return [];
    const [, sign, name = '', of, operator, otherSign, otherName = '', otherOf] = term;
    const operand = (minus: string | undefined, name: string, of: string | undefined): Operand => ({
      sign: minus === '-' ? -1 : 1,
      name,
      of,
    });
    return [
      {
        left: operand(sign, name, of),
        operator: operator as Operator,
        right: operand(otherSign, otherName, otherOf),
      },
    ];
  });
  return parsed.length === terms.length ? parsed : undefined;
}

export function placeholdersOf(text: string): Placeholder[] {
  return [...text.matchAll(/\{([a-z0-9_.]+)(?:\|(size|month))?\}/g)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    name: match[1] ?? '',
    format: match[2] as Placeholder['format'],
  }));
}

export function namesInCondition(when: string): string[] {
  const operands = (parseCondition(when) ?? []).flatMap(({ left, right }) => [left, right]);
  const names = operands.flatMap(({ name, of }) => (of === undefined ? [name] : [name, of]));
  return names.filter((name) => !isNumeral(name));
}

/** Returns all names in a rule: of its conditions, texts and sizes. */
export function namesInRule({ size, stake, sentences }: Rule): string[] {
  const names = sentences.flatMap(({ when, size: own = size, stake: staked = stake, text }) => [
    own,
    ...(staked === undefined ? [] : [staked]),
    ...namesInCondition(when),
    ...text.flatMap((clause) => placeholdersOf(clause).map(({ name }) => name)),
  ]);
  return [...new Set([size, ...names])];
}

/** Returns the thresholds of all rules by RULE.NAME, as other definitions name them. */
export function thresholdsOf({ rules }: InsightRules): Map<string, string> {
  const named = [...rules.values()].flatMap(({ name: rule, thresholds = {} }) =>
    Object.entries(thresholds).map(([name, { value }]) => [`${rule}.${name}`, String(value)] as const),
  );
  return new Map(named);
}

export function isNumeral(name: string): boolean {
  return /^\d/.test(name);
}

/** Returns the measure of a name: the measure itself, or that of which a part is named. */
export function measureNameOf(name: string): string {
  return name.split('.')[0] ?? name;
}

/** Returns the rules for readers without the scope rates: no sentence or clause names a value that they don't see. */
export function hideRateRules(
  { facts, rules, overall }: InsightRules,
  measures: ReadonlyMap<string, { readonly needs_rates?: boolean }>,
): InsightRules {
  const isShown = (name: string) => !facts.get(name)?.needs_rates && !measures.get(measureNameOf(name))?.needs_rates;
  const isClauseShown = (clause: string) => placeholdersOf(clause).every(({ name }) => isShown(name));
  const hideIn = (rule: Rule): Rule[] => {
    const sentences = rule.sentences
      .filter(
        ({ when, size = rule.size, text: [first = ''] }) =>
          [size, ...namesInCondition(when)].every(isShown) && isClauseShown(first),
      )
      .map((sentence) => ({ ...withoutHiddenStake(sentence, isShown), text: sentence.text.filter(isClauseShown) }));
    return sentences.length > 0 ? [{ ...withoutHiddenStake(rule, isShown), sentences }] : [];
  };
  const shownOf = (all: InsightRules['rules']) =>
    new Map([...all.values()].flatMap(hideIn).map((rule) => [rule.name, rule]));
  return {
    facts: new Map([...facts].filter(([name]) => isShown(name))),
    rules: shownOf(rules),
    overall: shownOf(overall),
  };
}

/** Leaves out the stake of a rule or sentence that its reader doesn't see: it decides no order. */
function withoutHiddenStake<Of extends { readonly stake?: string }>(
  { stake, ...rest }: Of,
  isShown: (name: string) => boolean,
): Omit<Of, 'stake'> & { stake?: string } {
  return stake !== undefined && isShown(stake) ? { ...rest, stake } : rest;
}
