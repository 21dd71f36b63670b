import { formatZonedTime } from '../../base/database/index.ts';
import type { Column, Company, Loading, Table, Unit } from '../../numbers/report/catalogue/index.ts';
import type { ResultColumn, SqlParameter } from './protocol.ts';
import type { SqlResult } from './sandbox.ts';

export interface ResultContext {
  readonly company: Pick<Company, 'currency' | 'minorUnits'>;
  /** The origin and the time of the numbers. */
  readonly loading: Loading;
  readonly parameters: Readonly<Record<string, SqlParameter>>;
  readonly maxRows: number;
  readonly now: Date;
}

export function tableOf(answer: SqlResult, { company, loading, parameters, maxRows, now }: ResultContext): Table {
  return {
    name: 'sql',
    label: 'SQL',
    columns: answer.columns.map(toColumn),
    rows: inPieces(answer.rows),
    totals: undefined,
    nested: undefined,
    meta: {
      report: 'sql',
      parameters: Object.fromEntries(Object.entries(parameters).map(([name, { text }]) => [name, text])),
      currency: company.currency,
      minor_units: company.minorUnits,
      generated_at: formatZonedTime(now),
      data_version: answer.dataVersion,
      ...loading,
      notes: [...answer.notes, ...(answer.isTruncated ? [cutNote(maxRows)] : [])],
      checks: [],
    },
  };
}

export function cutNote(maxRows: number): string {
  return `There are more rows than the ${maxRows} that are shown.`;
}

/** Rows written before the event loop gets its turn. Unit: rows. */
const ROWS_AT_ONCE = 500;

async function* inPieces(rows: SqlResult['rows']): Table['rows'] {
  for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
    yield rows.slice(start, start + ROWS_AT_ONCE);
    await new Promise(setImmediate);
  }
}

/** Units of decimals by the end of the column's name. */
const DECIMAL_SUFFIXES: readonly (readonly [RegExp, Unit])[] = [
  [/(^|_)hours$/, 'hours'],
  [/(^|_)(rate|rates)$/, 'rate'],
  [/(^|_)percent$/, 'percent'],
  [/(^|_)(cost|costs|fee|fees|margin|profit|amount|amounts)$/, 'money'],
];

/** Converts a result's column: its type and its name decide the unit. */
function toColumn({ name, type }: ResultColumn): Column {
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
