import type { ValueKind } from './row-property.ts';

export interface SqlExpression {
  readonly kind: ValueKind;
  readonly sql: string;
  /** The same as `sql`, but false where `sql` is null; used where a condition is negated or compared. */
  readonly strict?: string;
  /** True for a value other than null that the request gives. */
  readonly isValue?: boolean;
}

export const COMPARISONS: ReadonlyMap<string, string> = new Map([
  ['eq', '='],
  ['ne', '<>'],
  ['gt', '>'],
  ['ge', '>='],
  ['lt', '<'],
  ['le', '<='],
]);

/**
 * Compares as OData does: null equals only null, and is neither more nor less than any value.
 * A plain comparison with a value excludes the same rows, and lets the engine skip blocks that can't match.
 */
export function compareSql(left: SqlExpression, operator: string, right: SqlExpression): SqlExpression {
  const [a, b] = [left.strict ?? left.sql, right.strict ?? right.sql];
  const plain = `(${a} ${operator} ${b})`;
  if (operator === '<>') return { kind: 'boolean', sql: `(${a} IS DISTINCT FROM ${b})` };
  if (operator !== '=') return { kind: 'boolean', sql: plain, strict: `COALESCE(${plain}, FALSE)` };
  const strict = `(${a} IS NOT DISTINCT FROM ${b})`;
  return { kind: 'boolean', sql: left.isValue || right.isValue ? plain : strict, strict };
}

/** Compares with each value of a list, as `eq` does. @param values At least one, all of the kind of `left`, or null. */
export function isAmong(left: SqlExpression, values: readonly SqlExpression[]): SqlExpression {
  const operand = left.strict ?? left.sql;
  const others = values.filter(({ kind }) => kind !== 'null').map(({ sql }) => sql);
  if (others.length === 0) return { kind: 'boolean', sql: `(${operand} IS NULL)` };
  const sql = `(${operand} IN (${others.join(', ')}))`;
  if (others.length < values.length) return { kind: 'boolean', sql: `COALESCE(${sql}, TRUE)` };
  return { kind: 'boolean', sql, strict: `COALESCE(${sql}, FALSE)` };
}

export function joinConditions(word: 'AND' | 'OR', parts: readonly SqlExpression[]): SqlExpression {
  const join = (texts: readonly string[]) => `(${texts.join(` ${word} `)})`;
  return {
    kind: 'boolean',
    sql: join(parts.map(({ sql }) => sql)),
    strict: join(parts.map(({ sql, strict = sql }) => strict)),
  };
}

export function negateCondition({ sql, strict = sql }: SqlExpression): SqlExpression {
  return { kind: 'boolean', sql: `(NOT ${strict})` };
}
