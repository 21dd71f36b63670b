import { type Exact, minorUnit, ZERO } from './exact.ts';
import type { Line } from './ledger.ts';
import type { Counted, Measures } from './measures.ts';

/*
 * Bridges (V1 to V4) by fractions: a rate is an amount and its hours, divided only where hours are multiplied by it.
 */

interface Fraction {
  readonly amount: Exact;
  readonly hours: Exact;
}

type Amount = 'cost' | 'fee';

const LEVELS: readonly ((line: Line) => string)[] = [
  () => '',
  (line) => `${line.project_id}`,
  (line) => `${line.project_id} ${line.role_id}`,
  (line) => `${line.project_id} ${line.role_id} ${line.people_id}`,
];

const EFFECTS = ['volume', 'project_mix', 'role_mix', 'people', 'unpriced', 'billability', 'rate'] as const;

type Effects = Partial<Record<(typeof EFFECTS)[number], Exact>>;

const add = (values: readonly Exact[]): Exact => values.reduce((sum, value) => sum.plus(value), ZERO);
const hoursOf = (lines: readonly Line[]): Exact => add(lines.map((line) => line.hours ?? ZERO));

function fractionOf(lines: readonly Line[], amount: Amount): Fraction {
  const priced = lines.filter((line) => line[amount] !== null);
  return { amount: add(priced.map((line) => line[amount] ?? ZERO)), hours: hoursOf(priced) };
}

const isKnown = (fraction: Fraction): boolean => !fraction.hours.isZero();

function groupBy(lines: readonly Line[], keyOf: (line: Line) => string): Map<string, Line[]> {
  const groups = new Map<string, Line[]>();
  for (const line of lines) {
    const key = keyOf(line);
    const group = groups.get(key);
    if (group) group.push(line);
    else groups.set(key, [line]);
  }
  return groups;
}

/** The plan up to the cutoff and what was done, among some lines. */
type Sides = readonly [plan: Line[], actual: Line[]];

const sidesOf = (lines: readonly Line[]): Sides => [
  lines.filter((line) => line.kind === 'scheduled'),
  lines.filter((line) => line.kind === 'actual'),
];

/** Returns the rate of a line at each level: of the plan, else of actual lines, else of the level above. */
function ratesOf(all: readonly Line[], amount: Amount): (line: Line) => (Fraction | undefined)[] {
  const levels = LEVELS.map((keyOf) => {
    const groups = groupBy(all, keyOf);
    return (line: Line) => {
      const fractions = sidesOf(groups.get(keyOf(line)) ?? []).map((lines) => fractionOf(lines, amount));
      return fractions.find(isKnown);
    };
  });
  return (line) => {
    const rates: (Fraction | undefined)[] = [];
    for (const rateAt of levels) rates.push(rateAt(line) ?? rates.at(-1));
    return rates;
  };
}

/** Returns the effects of the lines of a cell. */
function cellEffects(
  cell: readonly Line[],
  amount: Amount,
  rates: readonly (Fraction | undefined)[],
  person: readonly Line[],
  digits: number,
): Effects {
  const [plan, actual] = sidesOf(cell);
  const worth = (hours: Exact, rate: Fraction | undefined) =>
    rate ? hours.times(rate.amount).dividedBy(rate.hours).toDecimalPlaces(digits) : ZERO;
  const [planned, done] = [fractionOf(plan, amount), fractionOf(actual, amount)];
  const [v0, v1, v2, v3] = rates.map((rate) => worth(hoursOf(actual).minus(hoursOf(plan)), rate)) as [
    Exact,
    Exact,
    Exact,
    Exact,
  ];
  const priced = worth(done.hours.minus(planned.hours), rates[3]);
  const billed = (lines: readonly Line[]) => lines.filter((line) => line.billable && line.fee !== null);
  const perBilled = sidesOf(person)
    .map((lines) => ({ amount: fractionOf(lines, 'fee').amount, hours: hoursOf(billed(lines)) }))
    .find(isKnown);
  const last = amount === 'cost' ? priced : worth(hoursOf(billed(actual)).minus(hoursOf(billed(plan))), perBilled);
  return {
    volume: v0,
    project_mix: v1.minus(v0),
    role_mix: v2.minus(v1),
    people: v3.minus(v2),
    unpriced: priced.minus(v3),
    ...(amount === 'fee' && { billability: last.minus(priced) }),
    rate: done.amount.minus(planned.amount).minus(last),
  };
}

/**
 * Returns a function that computes the effects of some rows' lines together.
 * @param all The lines of the query.
 */
export function bridgeOf(all: Counted, currency: string): (rows: readonly Counted[]) => Measures {
  const compared = ({ scheduledToDate, actual }: Counted) => [...scheduledToDate, ...actual];
  const everything = compared(all);
  const people = groupBy(everything, (line) => LEVELS[3]?.(line) ?? '');
  const rates = { cost: ratesOf(everything, 'cost'), fee: ratesOf(everything, 'fee') };
  const isPriced = (amount: Amount) => sidesOf(everything).some((lines) => isKnown(fractionOf(lines, amount)));
  const sumEffects = (rows: readonly Counted[], amount: Amount): Effects | undefined => {
    if (!isPriced(amount)) return undefined;
    const cells = rows.flatMap((row) => [...groupBy(compared(row), (line) => LEVELS[3]?.(line) ?? '')]);
    const effects = cells.flatMap(([key, lines]) => {
      const [first] = lines;
      return first
        ? [cellEffects(lines, amount, rates[amount](first), people.get(key) ?? [], minorUnit(currency))]
        : [];
    });
    return Object.fromEntries(EFFECTS.map((name) => [name, add(effects.map((each) => each[name] ?? ZERO))]));
  };
  return (rows) => {
    const [cost, fees] = [sumEffects(rows, 'cost'), sumEffects(rows, 'fee')];
    return Object.fromEntries(
      EFFECTS.flatMap((name) => {
        const [ofCost, ofFees] = [cost?.[name] ?? null, fees?.[name] ?? null];
        const profit = ofFees && cost ? ofFees.minus(ofCost ?? ZERO) : null;
        return [
          ...(name === 'billability' ? [] : [[`cost_${name}_effect`, ofCost]]),
          [`fees_${name}_effect`, ofFees],
          [`profit_${name}_effect`, profit],
        ];
      }),
    );
  };
}

/** All effects. */
export const EFFECT_MEASURES: readonly string[] = EFFECTS.flatMap((name) =>
  (name === 'billability' ? ['fees', 'profit'] : ['cost', 'fees', 'profit']).map((kind) => `${kind}_${name}_effect`),
);
