import type { Column, Unit } from '../report/table.ts';
import type { ResultColumn } from './protocol.ts';

/** What the end of a name says of a decimal. */
const DECIMAL_SUFFIXES: readonly (readonly [RegExp, Unit])[] = [
  [/(^|_)hours$/, 'hours'],
  [/(^|_)(rate|rates)$/, 'rate'],
  [/(^|_)percent$/, 'percent'],
  [/(^|_)(cost|costs|fee|fees|margin|profit|amount|amounts)$/, 'money'],
];

/** A column of a result as the writers take it: its unit is what its type allows and its name says. */
export function columnOf({ name, type }: ResultColumn): Column {
  return { name, label: name, unit: unitOf(name, type), description: '', needsRates: false, better: undefined };
}

function unitOf(name: string, type: string): Unit {
  if (type === 'BOOLEAN') return 'boolean';
  if (type === 'DATE') return 'date';
  // Any other decimal is written like a rate: two decimals at least, and all that it has.
  if (/^DECIMAL\(\d+,\d+\)$/.test(type)) return DECIMAL_SUFFIXES.find(([suffix]) => suffix.test(name))?.[1] ?? 'rate';
  if (/^U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?$/.test(type)) return /(^|_)id$/.test(name) ? 'id' : 'count';
  if (type === 'DOUBLE' || type === 'FLOAT') return 'count';
  return /(^|_)code$/.test(name) ? 'code' : 'text';
}
