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

// The driver formats zoned times in the machine's zone, not in the session's.
DuckDBTimestampTZValue.timezoneOffsetInMinutes = 0;

/**
 * A value read from the database.
 * Decimals are text with all digits of their scale ("12.5000"), dates and timestamps are text
 * (YYYY-MM-DD, YYYY-MM-DD HH:MM:SS), integers are numbers while exact and bigint beyond.
 * All other types (times, intervals, UUIDs, maps) are text in DuckDB's format.
 */
export type Value = string | number | bigint | boolean | null | Value[] | { [name: string]: Value };

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

/** Formats a decimal with one division less than the driver: a report has tens of thousands. */
function formatDecimal({ value, scale }: DuckDBDecimalValue): string {
  const sign = value < 0n ? '-' : '';
  const digits = String(value < 0n ? -value : value).padStart(scale + 1, '0');
  return scale === 0 ? sign + digits : `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

/** Formats a moment as YYYY-MM-DD HH:MM:SS in UTC. */
export function formatTime(moment: Date): string {
  return moment.toISOString().slice(0, 19).replace('T', ' ');
}
