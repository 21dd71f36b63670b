import { BILLING_MEANING } from './billing-meaning.ts';
import { effectsOnProfit } from './bridges.ts';
import type { Catalogue, LineSet } from './catalogue.ts';
import { type EarnedChoice, partsOfEarned, readsComparedPlan, type Technique } from './earned-choice.ts';
import { parseIndex, parsePoints, parseRatio, parseSum, type SignedTerm } from './measure-formula.ts';
import type { BookedPart, KindParts, Measure, MeasureKind, MissingPart, OfKind } from './measure-kinds.ts';

/** The keys by which the lines behind a number are told apart: all that each has, and those that say where its amount comes from. */
export type Division = 'person' | 'month' | 'cost_rate_source' | 'bill_rate_source';

/** The fields of an explanation for the measures that a number is made of. */
export type Explained = 'percent' | 'ratio' | 'effects' | 'points' | 'operands';

/** Facts that the definition of a measure gives by itself. Defaults are those of a sum that reveals no cost. */
interface KindMeaning<Of> {
  /** Returns the terms of a sum of sets of lines. Default: none. */
  terms?(of: Of): readonly SignedTerm[];
  /** Returns the names of the measures in its formula. */
  operands?(of: Of): readonly string[];
  /** Returns the names of the measures that explain a number which is no sum of lines. Default: its operands. */
  parts?(of: Of): readonly string[];
  /** The field in which an explanation has them. Default: operands. */
  readonly explainedBy?: Explained;
  /** Names the measure whose favorable direction it has, unless it says its own. Default: none. */
  judgedAs?(of: Of): string;
  /** It is of earned value, which a request chooses how to count. */
  readonly isEarned?: true;
  /** Tests whether it counts hours, whatever earned value is counted in. */
  countsHours?(of: Of, technique: Technique): boolean;
  /** Says why a measure with such parts is no sum of lines. */
  describe?(of: Of): string;
  /** Tests whether it reveals a cost, its operands left out. */
  showsCost?(of: Of): boolean;
  /** Tests whether it reads the plan that a baseline exchanges, its operands left out. */
  readsPlan?(of: Of, lines: ReadonlyMap<string, LineSet>): boolean;
  /** Returns the divisions of its lines by amounts. Default: by person and month alone. */
  divisions?(of: Of): readonly Division[];
  /** Its rows add up to the total, line by line. */
  readonly isAdditive?: true;
  /** The rates of a row's lines are those of all lines, so the keys of the row are no filters. */
  readonly hasOwnRates?: true;
}

const ratio: KindMeaning<string> = {
  operands: parseRatio,
  describe: (formula) => `a ratio and no sum of lines: ${formula}`,
};

/** The sources of the rates of missing amounts. */
const MISSING_DIVISIONS: Readonly<Record<MissingPart, readonly Division[]>> = {
  hours: [],
  cost: ['cost_rate_source'],
  fees: ['bill_rate_source'],
  revenue: [],
};

/** The measures beside which something is booked otherwise, or that it is computed from. */
const BESIDE_BOOKED: Readonly<Record<BookedPart, readonly string[]>> = {
  revenue: ['actual_revenue'],
  cost: ['actual_cost'],
  profit: ['actual_profit'],
  catch_up: ['booked_revenue'],
  restated: ['actual_revenue', 'booked_revenue', 'catch_up_revenue'],
};

const MEANINGS: { readonly [Kind in MeasureKind]: KindMeaning<KindParts[Kind]> } = {
  sum: {
    terms: parseSum,
    showsCost: (sum) => parseSum(sum).some(({ amount }) => amount === 'cost'),
    readsPlan: (sum, lines) => parseSum(sum).some((term) => (lines.get(term.lines)?.plan ?? 'current') !== 'current'),
    divisions: divisionsOfSum,
    isAdditive: true,
  },
  percent: { ...ratio, explainedBy: 'percent', judgedAs: (formula) => parseRatio(formula)[0] },
  ratio: { ...ratio, explainedBy: 'ratio' },
  index: { ...ratio, operands: parseIndex, isEarned: true },
  points: {
    operands: parsePoints,
    explainedBy: 'points',
    describe: (formula) => `a difference of ratios and no sum of lines: ${formula}`,
  },
  people: {},
  person_days: { showsCost: (part) => part === 'unlogged_cost', readsPlan: () => true },
  missing: {
    showsCost: (part) => part === 'cost',
    divisions: (part) => ['person', 'month', ...MISSING_DIVISIONS[part]],
    isAdditive: true,
  },
  timesheet: {},
  budget: {},
  effect: {
    explainedBy: 'effects',
    parts: (effect) => (effect.startsWith('profit') ? effectsOnProfit(effect) : []),
    describe: (effect) => `a difference of effects and no sum of lines: ${effectsOnProfit(effect).join(' - ')}`,
    showsCost: (effect) => !effect.startsWith('fees'),
    readsPlan: () => true,
    divisions: () => ['person'],
    isAdditive: true,
    hasOwnRates: true,
  },
  earned: {
    parts: partsOfEarned,
    describe: (part) => `made of other measures and no sum of lines: ${partsOfEarned(part).join(', ')}`,
    readsPlan: readsComparedPlan,
    isEarned: true,
    countsHours: (part, technique) => part.startsWith('progress') && technique === 'remaining',
  },
  booked: {
    operands: (part) => (part === 'catch_up' || part === 'restated' ? [] : BESIDE_BOOKED[part]),
    parts: (part) => BESIDE_BOOKED[part],
    describe: () => 'what closings have kept, and no sum of lines',
  },
  billing: BILLING_MEANING,
  progress: {
    parts: (part) =>
      part === 'computed' ? ['progress_part', 'progress_whole'] : ['computed_percent', 'actual_revenue'],
    describe: (part) => (part === 'computed' ? 'a ratio and no sum of lines' : 'what was entered, and no sum of lines'),
  },
  retainer: {
    parts: (part) => (part === 'used_percent' ? ['retainer_used', 'retainer_opened', 'retainer_rolled'] : []),
    describe: () => 'a ratio and no sum of lines',
    divisions: () => ['month'],
  },
};

/** Returns the divisions of a sum: rates only where there are amounts of them. */
function divisionsOfSum(sum: string): Division[] {
  const amounts = parseSum(sum).map(({ amount }) => amount);
  const has = (rate: 'cost' | 'fee', other: string) => amounts.some((amount) => amount === rate || amount === other);
  return [
    'person',
    'month',
    ...(has('cost', 'hours_without_cost_rate') ? (['cost_rate_source'] as const) : []),
    ...(has('fee', 'hours_without_bill_rate') ? (['bill_rate_source'] as const) : []),
  ];
}

/** Returns the terms of a measure that is a sum of lines; none for another. */
export function termsOf<Kind extends MeasureKind>({ kind, of }: OfKind<Kind>): readonly SignedTerm[] {
  return MEANINGS[kind].terms?.(of) ?? [];
}

/** Tests whether a measure is a sum of lines, each of which may be a part of its difference. */
export function isOfLines(measure: OfKind): boolean {
  return termsOf(measure).length > 0;
}

/** Returns the names of the measures that a ratio or a difference of ratios is computed from. */
export function operandsOf<Kind extends MeasureKind>({ kind, of }: OfKind<Kind>): readonly string[] {
  return MEANINGS[kind].operands?.(of) ?? [];
}

/** Returns the names of the measures that explain one which is no sum of lines; empty for a sum. */
export function partsOfNumber<Kind extends MeasureKind>({ kind, of }: OfKind<Kind>): readonly string[] {
  const { parts, operands } = MEANINGS[kind];
  return (parts ?? operands)?.(of) ?? [];
}

/** Returns the field of an explanation for the measures that a number is made of. */
export function explainedBy({ kind }: OfKind): Explained {
  return MEANINGS[kind].explainedBy ?? 'operands';
}

/** Returns the names of the measures that a percentage divides, the part first; none for another measure. */
export function percentageOf(measure: OfKind): readonly string[] {
  return explainedBy(measure) === 'percent' ? operandsOf(measure) : [];
}

/** Returns the measure that says which direction is favorable: itself, or the part of a percentage without its own. */
export function judgeOf<Kind extends MeasureKind>({ measures }: Catalogue, measure: Measure & OfKind<Kind>): Measure {
  const { better, kind, of } = measure;
  return (better === undefined && measures.get(MEANINGS[kind].judgedAs?.(of) ?? '')) || measure;
}

/** Tests for a measure of earned value; an index divides two of them. */
export function isEarned({ kind }: OfKind): boolean {
  return MEANINGS[kind].isEarned ?? false;
}

/** Tests for a number of earned value, beside which there are texts. */
export function isEarnedNumber(measure: Measure): boolean {
  return isEarned(measure) && isNumber(measure);
}

/** Returns a measure as it is counted for a request: its unit, and whether it reveals a cost. */
export function countedIn<Kind extends MeasureKind>(
  measure: Measure & OfKind<Kind>,
  { earnedIn, technique }: EarnedChoice,
): Measure {
  if (!isEarnedNumber(measure)) return measure;
  const { kind, of } = measure;
  const isHours = earnedIn === 'hours' || MEANINGS[kind].countsHours?.(of, technique);
  const unit = measure.unit === 'budget' ? (isHours ? 'hours' : 'money') : measure.unit;
  return { ...measure, unit, ...(earnedIn === 'cost' && { needs_rates: true }) };
}

/** Says why a measure that other measures explain is no sum of lines. */
export function describeParts<Kind extends MeasureKind>({ kind, of }: OfKind<Kind>): string {
  return MEANINGS[kind].describe?.(of) ?? 'no sum of lines';
}

/** Tests whether the definition of a measure reveals a cost. */
export function showsCost<Kind extends MeasureKind>({ measures }: Catalogue, measure: OfKind<Kind>): boolean {
  const { kind, of } = measure;
  const operands = operandsOf(measure).some((name) => measures.get(name)?.needs_rates);
  return operands || (MEANINGS[kind].showsCost?.(of) ?? false);
}

/** Tests whether a baseline changes a measure. */
export function comparesPlan<Kind extends MeasureKind>(catalogue: Catalogue, measure: OfKind<Kind>): boolean {
  const { kind, of } = measure;
  const { lines, measures } = catalogue;
  const operands = operandsOf(measure).flatMap((name): Measure[] => [measures.get(name)].flatMap((each) => each ?? []));
  return (MEANINGS[kind].readsPlan?.(of, lines) ?? false) || operands.some((each) => comparesPlan(catalogue, each));
}

/** Returns the divisions that a measure has: none of a number that is no sum. */
export function divisionsOf<Kind extends MeasureKind>(measure: OfKind<Kind>): readonly Division[] {
  const { kind, of } = measure;
  if (partsOfNumber(measure).length > 0) return [];
  return MEANINGS[kind].divisions?.(of) ?? ['person', 'month'];
}

/** Tests whether the rates of a row are those of all lines of its query. */
export function hasOwnRates({ kind }: OfKind): boolean {
  return MEANINGS[kind].hasOwnRates ?? false;
}

/** Tests whether the values of a measure are numbers: others have no lines that add up to them. */
export function isNumber({ unit }: Pick<Measure, 'unit'>): boolean {
  return unit !== 'text' && unit !== 'date';
}

/** Tests whether the rows of a measure add up to its total. */
export function isAdditive({ kind }: OfKind): boolean {
  return MEANINGS[kind].isAdditive ?? false;
}
