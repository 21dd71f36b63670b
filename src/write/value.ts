import type { Value } from '../database.ts';
import type { Column, Meta, Unit } from '../report/table.ts';

/** Units whose values are decimals, kept as text with all their digits. */
const DECIMALS: ReadonlySet<Unit> = new Set(['hours', 'money', 'rate', 'percent', 'budget']);

/** The fewest decimals that hours and rates are written with; they have up to 4. */
const FEWEST_DECIMALS = 2;

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

function formatDecimal(unit: Unit, text: string, minorUnits: number): string {
  if (unit === 'percent') return text;
  const [whole = '0', digits = ''] = text.split('.');
  const fewest = unit === 'money' ? minorUnits : FEWEST_DECIMALS;
  const kept = digits.replace(/0+$/, '').padEnd(fewest, '0');
  return kept === '' ? whole : `${whole}.${kept}`;
}

/** A row as one JSON object, its decimals as numbers with all their digits. */
export function formatRow(columns: readonly Column[], row: readonly Value[], meta: Meta): string {
  return `{${columns.map((column, index) => formatField(column, row[index] ?? null, meta)).join(',')}}`;
}

function formatField(column: Column, value: Value, meta: Meta): string {
  const text = formatValue(column, value, meta);
  const isBare = text === null || typeof value !== 'string' || DECIMALS.has(column.unit);
  return `${JSON.stringify(column.name)}:${isBare ? text : JSON.stringify(text)}`;
}
