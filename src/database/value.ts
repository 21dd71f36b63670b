import {
  DuckDBArrayValue,
  DuckDBDateValue,
  DuckDBDecimalValue,
  DuckDBListValue,
  DuckDBStructValue,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  type DuckDBType,
  type DuckDBValue,
} from '@duckdb/node-api';

// The driver writes times that have a zone in the machine's zone of today, whatever that of the session is.
DuckDBTimestampTZValue.timezoneOffsetInMinutes = 0;

/**
 * A value out of the database. Decimals are text with all the digits of their scale ("12.5000"), dates and timestamps are
 * text (YYYY-MM-DD, YYYY-MM-DD HH:MM:SS), integers are numbers while they are exact and bigint beyond. What else there is (times, intervals, UUIDs,
 * maps) is text as DuckDB writes it.
 */
export type Value = string | number | bigint | boolean | null | Value[] | { [name: string]: Value };

/** The driver's value as ours. */
export function readValue(value: DuckDBValue, type: DuckDBType): Value {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return value;
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  if (value instanceof DuckDBDecimalValue) return formatDecimal(value);
  if (value instanceof DuckDBDateValue) return value.toString();
  if (value instanceof DuckDBTimestampValue) return value.toString().slice(0, 'YYYY-MM-DD HH:MM:SS'.length);
  if (value instanceof DuckDBListValue || value instanceof DuckDBArrayValue)
    return value.items.map((item) => readValue(item, type));
  if (value instanceof DuckDBStructValue) {
    return Object.fromEntries(Object.entries(value.entries).map(([name, entry]) => [name, readValue(entry, type)]));
  }
  return String(value);
}

/** The driver's own text of a decimal divides twice; a report has some ten thousand of them. */
function formatDecimal({ value, scale }: DuckDBDecimalValue): string {
  const sign = value < 0n ? '-' : '';
  const digits = String(value < 0n ? -value : value).padStart(scale + 1, '0');
  return scale === 0 ? sign + digits : `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

/** Returns a moment as the engine writes it: YYYY-MM-DD HH:MM:SS in UTC. */
export function formatTime(moment: Date): string {
  return moment.toISOString().slice(0, 19).replace('T', ' ');
}
