import { quoteName } from '../../base/database/index.ts';
import { AppError } from '../../base/index.ts';
import type { Unit } from '../report/catalogue/table.ts';
import type { TypedColumn } from './value-sql.ts';

/** Types of columns from JavaScript, where decimals are sums of up to 38 digits. */
export const UNIT_TYPES: Readonly<Record<Unit, string>> = {
  id: 'BIGINT',
  code: 'VARCHAR',
  text: 'VARCHAR',
  list: 'VARCHAR',
  date: 'DATE',
  boolean: 'BOOLEAN',
  hours: 'DECIMAL(38,6)',
  money: 'DECIMAL(38,4)',
  rate: 'DECIMAL(38,4)',
  index: 'DECIMAL(38,4)',
  percent: 'DECIMAL(38,2)',
  budget: 'DECIMAL(38,6)',
  count: 'BIGINT',
  number: 'BIGINT',
};

/** The type of a unit's values in JSON; decimals are numbers, or strings on request. */
export const VALUE_TYPES: Readonly<Record<Unit, 'integer' | 'decimal' | 'text' | 'list' | 'date' | 'boolean'>> = {
  id: 'integer',
  code: 'text',
  text: 'text',
  list: 'list',
  date: 'date',
  boolean: 'boolean',
  hours: 'decimal',
  money: 'decimal',
  rate: 'decimal',
  index: 'decimal',
  percent: 'decimal',
  budget: 'decimal',
  count: 'integer',
  number: 'integer',
};

const HOURS = /^DECIMAL\((\d+),(4|6)\)$/;

const KEPT = /^(BOOLEAN|BIGINT|DATE|VARCHAR|DECIMAL\(\d+,\d+\))$/;
const SMALLER = /^(TINYINT|SMALLINT|INTEGER|UTINYINT|USMALLINT|UINTEGER)$/;
const GREATER = /^(UBIGINT|HUGEINT)$/;

/**
 * Selects a statement's rows with other types.
 * @param typeOf Returns the new type of a column.
 */
export function selectTyped<Column extends TypedColumn>(
  statement: string,
  columns: readonly Column[],
  typeOf: (column: Column) => string,
): string {
  const list = columns.map((column) => {
    const [name, type] = [quoteName(column.name), typeOf(column)];
    return type === column.type ? name : `CAST(${name} AS ${type}) AS ${name}`;
  });
  return `SELECT ${list.join(', ')} FROM (${statement}) AS listed`;
}

/**
 * Returns a column's type in typed files: no enumeration, and no integer that Parquet makes a float.
 * @throws AppError internal for a type that no report column should have.
 */
export function plainType({ name, type, unit }: TypedColumn): string {
  const [, width, scale] = HOURS.exec(type) ?? [];
  if (scale === '6' || unit === 'hours') return `DECIMAL(${Number(width) > 10 ? 38 : 10},6)`;
  if (KEPT.test(type)) return type;
  if (SMALLER.test(type)) return 'BIGINT';
  if (GREATER.test(type)) return 'DECIMAL(38,0)';
  if (isEnumeration(type)) return 'VARCHAR';
  throw new AppError('internal', `Files have no type for ${name}, which is ${type}`);
}

export function isEnumeration(type: string): boolean {
  return type.startsWith('ENUM(');
}
