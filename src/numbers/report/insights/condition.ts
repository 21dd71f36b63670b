import { Exact, type ExactDecimal } from '../../../base/index.ts';
import { type ComparisonTerm, isNumeral, type Operand, parseCondition } from '../catalogue/insight-rule.ts';
import type { RowFact } from './row-facts.ts';

const HOLDS: Readonly<Record<ComparisonTerm['operator'], (left: ExactDecimal, right: ExactDecimal) => boolean>> = {
  '>': (left, right) => left.greaterThan(right),
  '>=': (left, right) => left.greaterThanOrEqualTo(right),
  '<': (left, right) => left.lessThan(right),
  '<=': (left, right) => left.lessThanOrEqualTo(right),
  '=': (left, right) => left.equals(right),
};

export type FindFact = (name: string) => RowFact | undefined;

/** Returns a function that tests whether a condition holds of a row: exactly, and never of an unknown value. */
export function makeTest(when: string): (find: FindFact) => boolean {
  const terms = parseCondition(when) ?? [];
  return (find) =>
    terms.every(({ left, operator, right }) => {
      const [a, b] = [compute(left, find), compute(right, find)];
      return a !== undefined && b !== undefined && HOLDS[operator](a, b);
    });
}

function compute({ sign, name, of }: Operand, find: FindFact): ExactDecimal | undefined {
  const [value, whole] = [readValue(name, find), of === undefined ? undefined : readValue(of, find)];
  const counted = of === undefined ? value : value && whole?.times(value).dividedBy(100);
  return sign < 0 ? counted?.negated() : counted;
}

function readValue(name: string, find: FindFact): ExactDecimal | undefined {
  if (isNumeral(name)) return new Exact(name);
  const value = find(name)?.value ?? null;
  return value === null ? undefined : new Exact(value);
}
