import {
  DuckDBArrayValue,
  DuckDBDateValue,
  DuckDBDecimalValue,
  DuckDBListValue,
  DuckDBStructValue,
  DuckDBTimestampMillisecondsValue,
  DuckDBTimestampNanosecondsValue,
  DuckDBTimestampSecondsValue,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  type DuckDBType,
  type DuckDBValue,
} from '@duckdb/node-api';

// The driver formats zoned times in the machine's zone, not in the session's.
DuckDBTimestampTZValue.timezoneOffsetInMinutes = 0;

/**
 * A value read from the database.
 * Decimals are text with all digits of their scale ("12.5000"), hours with 4 decimals if they have no more, dates and timestamps are text
 * (YYYY-MM-DD, YYYY-MM-DD HH:MM:SS), integers are numbers while exact and bigint beyond.
 * All other types (times, intervals, UUIDs, maps) are text in DuckDB's format.
 */
export type Value = string | number | bigint | boolean | null | Value[] | { [name: string]: Value };

/** Converts a value, with timestamps of the type TIMESTAMP as records have them (4.1). */
export const readValue = makeReader((value) =>
  value instanceof DuckDBTimestampValue ? value.toString().slice(0, 'YYYY-MM-DD HH:MM:SS'.length) : undefined,
);

const TIMESTAMPS = [
  DuckDBTimestampValue,
  DuckDBTimestampTZValue,
  DuckDBTimestampSecondsValue,
  DuckDBTimestampMillisecondsValue,
  DuckDBTimestampNanosecondsValue,
];

/** Converts a value, with all timestamps in ISO 8601 and UTC: 2026-01-31T12:00:00Z, and a fraction if there is one. */
export const readZonedValue = makeReader((value) =>
  TIMESTAMPS.some((type) => value instanceof type)
    ? String(value).replace(/^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?)(?:\+00)?$/, '$1T$2Z')
    : undefined,
);

type ValueReader = (value: DuckDBValue, type: DuckDBType) => Value;

/**
 * Makes a reader of values.
 * @param formatMoment Returns the text of a timestamp; undefined for values that it doesn't format.
 */
function makeReader(formatMoment: (value: DuckDBValue) => string | undefined): ValueReader {
  const read: ValueReader = (value, type) => {
    if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
      return value;
    if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value;
    if (value instanceof DuckDBDecimalValue) return formatDecimal(value);
    if (value instanceof DuckDBDateValue) return value.toString();
    if (value instanceof DuckDBListValue || value instanceof DuckDBArrayValue)
      return value.items.map((item) => read(item, type));
    if (value instanceof DuckDBStructValue) {
      return Object.fromEntries(Object.entries(value.entries).map(([name, entry]) => [name, read(entry, type)]));
    }
    return formatMoment(value) ?? String(value);
  };
  return read;
}

/** The scale of hours, which are shown with 4 decimals unless they have more (1.2). Unit: digits. */
const HOURS_SCALE = 6;

/** Formats a decimal without the divisions of the driver: a report has tens of thousands. */
function formatDecimal({ value, scale }: Pick<DuckDBDecimalValue, 'value' | 'scale'>): string {
  const sign = value < 0n ? '-' : '';
  const digits = String(value < 0n ? -value : value).padStart(scale + 1, '0');
  if (scale === 0) return sign + digits;
  const point = digits.length - scale;
  const zeros = scale !== HOURS_SCALE || !digits.endsWith('0') ? 0 : digits.endsWith('00') ? 2 : 1;
  return `${sign}${digits.slice(0, point)}.${digits.slice(point, digits.length - zeros)}`;
}

/** Formats a moment as YYYY-MM-DD HH:MM:SS in UTC. */
export function formatTime(moment: Date): string {
  return moment.toISOString().slice(0, 19).replace('T', ' ');
}

/** Formats a moment as YYYY-MM-DDTHH:MM:SSZ. */
export function formatZonedTime(moment: Date): string {
  return `${moment.toISOString().slice(0, 19)}Z`;
}

/** Formats a moment for names of files and versions, as YYYYMMDDTHHMMSSZ. */
export function formatCompactTime(moment: Date): string {
  return formatZonedTime(moment).replaceAll(/[-:]/g, '');
}
