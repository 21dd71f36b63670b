import { DuckDBDateValue, DuckDBDecimalValue, type DuckDBValue } from '@duckdb/node-api';

/** Values bound to $name or ? in a statement. */
export type Parameters = Record<string, DuckDBValue> | DuckDBValue[];

/** Returns a decimal such as "-12.50" as a value to bind, with all its digits. */
export function decimalParameter(text: string): DuckDBValue {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d*)(?:\.(\d*))?$/.exec(text) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+(?=\d)/, '');
  return new DuckDBDecimalValue(BigInt(sign + digits), Math.max(digits.length, fraction.length), fraction.length);
}

/** Returns a date such as "2026-01-31" as a value to bind. */
export function dateParameter(text: string): DuckDBValue {
  const [year = 0, month = 0, day = 0] = text.split('-').map(Number);
  return DuckDBDateValue.fromParts({ year, month, day });
}
