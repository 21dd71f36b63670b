import type { Decimal } from 'decimal.js';
import { Exact } from '../../exact-decimal.ts';
import { type ComparisonTerm, isNumeral, type Operand, parseCondition } from '../catalogue/insight-rule.ts';
import type { RowFact } from './row-facts.ts';

const HOLDS: Readonly<Record<ComparisonTerm['operator'], (left: Decimal, right: Decimal) => boolean>> = {
  '>': (left, right) => left.greaterThan(right),
  '>=': (left, right) => left.greaterThanOrEqualTo(right),
  '<': (left, right) => left.lessThan(right),
  '<=': (left, right) => left.lessThanOrEqualTo(right),
  '=': (left, right) => left.equals(right),
};

/** Tests whether a condition holds of values: exactly, and never of an unknown one. */
export function holds(when: string, facts: ReadonlyMap<string, RowFact>): boolean {
  const read = (name: string): Decimal | undefined => {
    if (isNumeral(name)) return new Exact(name);
    const value = facts.get(name)?.value ?? null;
    return value === null ? undefined : new Exact(value);
  };
  const compute = ({ sign, name, of }: Operand): Decimal | undefined => {
    const [value, whole] = [read(name), of === undefined ? undefined : read(of)];
    const counted = of === undefined ? value : value && whole?.times(value).dividedBy(100);
    return sign < 0 ? counted?.negated() : counted;
  };
  return (parseCondition(when) ?? []).every(({ left, operator, right }) => {
    const [a, b] = [compute(left), compute(right)];
    return a !== undefined && b !== undefined && HOLDS[operator](a, b);
  });
}
