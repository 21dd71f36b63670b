import type { Value } from '../database.ts';
import type { Column, Meta, Unit } from '../report/table.ts';

/*
 * How a value of a unit is written. What the database writes itself is spelt the same in value-sql.ts; test/write/value-sql.test.ts holds the
 * two together.
 */

/** How decimals stand in JSON: as numbers with all their digits, or as strings of the same digits. */
export type DecimalStyle = 'number' | 'string';

/** Units whose values are decimals, kept as text with all their digits. */
const DECIMALS: ReadonlySet<Unit> = new Set(['hours', 'money', 'rate', 'percent', 'budget']);

/** The fewest decimals that hours and rates are written with; they have up to 4. */
const FEWEST_DECIMALS = 2;

/** Whether a unit's values are decimals. */
export function isDecimal(unit: Unit): boolean {
  return DECIMALS.has(unit);
}

/** Whether a unit's values are numbers. Ids are, but nobody adds them up. */
export function isNumeric(unit: Unit): boolean {
  return DECIMALS.has(unit) || unit === 'count';
}

/** A value as text: decimals with all the digits that they have, money with those of its minor unit; null is null. */
export function formatValue(column: Column, value: Value, meta: Meta): string | null {
  if (value === null) return null;
  if (typeof value === 'string' && DECIMALS.has(column.unit))
    return formatDecimal(column.unit, value, meta.minor_units);
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** The fewest decimals that a unit's values are written with; undefined where they keep those that they have. */
export function fewestDecimals(unit: Unit, minorUnits: number): number | undefined {
  if (unit === 'percent') return undefined;
  return unit === 'money' ? minorUnits : FEWEST_DECIMALS;
}

function formatDecimal(unit: Unit, text: string, minorUnits: number): string {
  const fewest = fewestDecimals(unit, minorUnits);
  if (fewest === undefined) return text;
  const [whole = '0', digits = ''] = text.split('.');
  const kept = digits.replace(/0+$/, '').padEnd(fewest, '0');
  return kept === '' ? whole : `${whole}.${kept}`;
}

/** A row as one JSON object. */
export function formatRow(
  columns: readonly Column[],
  row: readonly Value[],
  meta: Meta,
  decimals: DecimalStyle = 'number',
): string {
  return `{${columns.map((column, index) => formatField(column, row[index] ?? null, meta, decimals)).join(',')}}`;
}

function formatField(column: Column, value: Value, meta: Meta, decimals: DecimalStyle): string {
  const text = formatValue(column, value, meta);
  const isNumber = DECIMALS.has(column.unit) && decimals === 'number';
  const isBare = text === null || typeof value !== 'string' || isNumber;
  return `${JSON.stringify(column.name)}:${isBare ? text : JSON.stringify(text)}`;
}
