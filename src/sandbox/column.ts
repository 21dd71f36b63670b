import type { Column, Unit } from '../report/catalogue/table.ts';
import type { ResultColumn } from './protocol.ts';

/** Units of decimals by the end of the column's name. */
const DECIMAL_SUFFIXES: readonly (readonly [RegExp, Unit])[] = [
  [/(^|_)hours$/, 'hours'],
  [/(^|_)(rate|rates)$/, 'rate'],
  [/(^|_)percent$/, 'percent'],
  [/(^|_)(cost|costs|fee|fees|margin|profit|amount|amounts)$/, 'money'],
];

/** Converts a result's column: its type and its name decide the unit. */
export function toColumn({ name, type }: ResultColumn): Column {
  return { name, label: name, unit: unitOf(name, type), description: '', needsRates: false, better: undefined };
}

function unitOf(name: string, type: string): Unit {
  if (type === 'BOOLEAN') return 'boolean';
  if (type === 'DATE') return 'date';
  // Other decimals are written like rates: at least two decimals, and all their digits.
  if (/^DECIMAL\(\d+,\d+\)$/.test(type)) return DECIMAL_SUFFIXES.find(([suffix]) => suffix.test(name))?.[1] ?? 'rate';
  if (/^U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?$/.test(type)) return integerUnitOf(name);
  if (type === 'DOUBLE' || type === 'FLOAT') return 'count';
  return /(^|_)code$/.test(name) ? 'code' : 'text';
}

/** Any integer may be a year, so only columns named as counts have thousands separators. */
function integerUnitOf(name: string): Unit {
  if (/(^|_)id$/.test(name)) return 'id';
  return /^count(_star)?(\(|$)|_count$/.test(name) ? 'count' : 'number';
}
