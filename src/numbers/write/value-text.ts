import type { Value } from '../../base/database/index.ts';
import { fewestDecimals, LIST_SEPARATOR, trimZeros } from '../../base/index.ts';
import type { Column, Meta, Unit } from '../report/catalogue/table.ts';

/*
 * Formats values by their unit. value-sql.ts does the same in SQL, and
 * test/write/value-sql.test.ts compares the two.
 */

/** The form of decimals in JSON: numbers with all digits, or strings of the same digits. */
export type DecimalStyle = 'number' | 'string';

/** Units whose values are decimals, held as text with all digits. */
const DECIMALS: ReadonlySet<Unit> = new Set(['hours', 'money', 'rate', 'percent', 'budget', 'index']);

export function isDecimal(unit: Unit): boolean {
  return DECIMALS.has(unit);
}

/** Tests whether a unit's values are aligned as numbers; ids are not. */
export function isNumeric(unit: Unit): boolean {
  return DECIMALS.has(unit) || unit === 'count' || unit === 'number';
}

/** Formats a value as text: decimals with all digits, money with its minor units; null is null. */
export function formatValue(
  column: Pick<Column, 'unit'>,
  value: Value,
  meta: Pick<Meta, 'minor_units'>,
): string | null {
  if (value === null) return null;
  if (typeof value === 'string' && DECIMALS.has(column.unit))
    return trimZeros(value, fewestDecimals(column.unit, meta.minor_units));
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function listOf(value: Value): string {
  return value === null ? 'null' : JSON.stringify(String(value).split(LIST_SEPARATOR));
}

export function objectFormatter(
  columns: readonly Column[],
  meta: Meta,
  decimals: DecimalStyle = 'number',
): (row: readonly Value[]) => string {
  const fields = columns.map((column, index) => {
    const isNumber = DECIMALS.has(column.unit) && decimals === 'number';
    const name = `${index === 0 ? '' : ','}${JSON.stringify(column.name)}:`;
    if (column.unit === 'list') return (value: Value) => name + listOf(value);
    const fewest = fewestDecimals(column.unit, meta.minor_units);
    return (value: Value) => {
      if (isNumber && typeof value === 'string') return name + trimZeros(value, fewest);
      const text = formatValue(column, value, meta);
      return name + (text === null || typeof value !== 'string' ? text : JSON.stringify(text));
    };
  });
  return (row) => {
    let object = '{';
    for (const [index, format] of fields.entries()) object += format(row[index] ?? null);
    return `${object}}`;
  };
}
