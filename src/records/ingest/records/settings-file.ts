import type { Database } from '../../../base/database/index.ts';
import { AppError } from '../../../base/index.ts';
import { settings, settingsResource } from '../../resource/company-resources.ts';
import { isCurrency } from '../../resource/currencies.ts';
import { SQL_TYPES } from '../../resource/field.ts';
import { collectKeys, noteUnknown } from './keys.ts';
import { buildRecordQuery, REASONS, RECORD } from './record-query.ts';

const DEFAULTS: Readonly<Record<string, string>> = {
  currency: "'USD'",
  work_days_hours: '[0, 8, 8, 8, 8, 8, 0]',
  time_zone: "'UTC'",
  week_starts_on: '1',
  fiscal_year_starts_in: '1',
};

interface SettingsRow {
  readonly currency: string | null;
  readonly time_zone: string | null;
  readonly fiscal_year_starts_in: number | null;
  readonly reasons: readonly string[] | null;
  readonly record: string | null;
}

/**
 * Creates source.settings for a dataset without a settings file: one row of defaults.
 * @returns the names of the settings that are assumed.
 */
export async function createDefaultSettings(database: Database): Promise<string[]> {
  await database.run(`CREATE TABLE source.settings AS SELECT ${formatColumns(() => 'NULL')}`);
  return Object.keys(DESCRIPTIONS);
}

/**
 * Creates source.settings: one row, with defaults for missing settings.
 * @param relation SQL for the settings as a relation of records.
 * @param file The name of their file, for messages.
 * @returns the names of the settings that are assumed.
 * @throws AppError input for an invalid value: another currency or week would change every number.
 */
export async function loadSettings(database: Database, relation: string, file: string): Promise<string[]> {
  await database.run(`CREATE TEMP TABLE given_settings AS\n${buildRecordQuery(settingsResource, relation)}`);
  const rows = await database.rows<SettingsRow>(
    `SELECT currency, time_zone, fiscal_year_starts_in, ${REASONS} AS reasons, ${RECORD} AS record FROM given_settings`,
  );
  const [row] = rows;
  if (!row || rows.length > 1) {
    const areMany = file.includes(' and ');
    throw new AppError('input', `${file} ${areMany ? 'hold' : 'holds'} ${rows.length} records, not one`, {
      hint: `Put one object with the settings of the company into ${areMany ? 'one of them, and remove the other' : 'it, or remove it'}.`,
    });
  }
  checkSettings(row, file);
  await database.run(`
    CREATE TABLE source.settings AS SELECT ${formatColumns((name) => name)} FROM given_settings;
    DROP TABLE given_settings;`);
  await collectKeys(database, relation);
  await noteUnknown(database, settingsResource, []);
  return Object.keys(DESCRIPTIONS).filter((name) => row[name as keyof SettingsRow] === null);
}

/** @param given Returns SQL of the value that is given for a setting, NULL for its default. */
function formatColumns(given: (name: string) => string): string {
  const columns = Object.entries(settings).map(([name, field]) => {
    return `CAST(COALESCE(${given(name)}, ${DEFAULTS[name] ?? 'NULL'}) AS ${SQL_TYPES[field.type]}) AS ${name}`;
  });
  return columns.join(', ');
}

function checkSettings({ currency, time_zone: timeZone, reasons, record }: SettingsRow, file: string): void {
  const [reason] = reasons ?? [];
  if (reason) {
    const [field = '', problem] = reason.split(': ');
    if (problem === undefined) {
      // A reason without a field concerns the whole record.
      throw new AppError('input', `${file}: ${reason}: ${record}`, {
        hint: 'Put one object with the settings of the company into it, or remove it. Nothing was loaded.',
      });
    }
    throw settingError(file, field, givenValue(record, field), problem);
  }
  if (currency !== null && !isCurrency(currency))
    throw settingError(file, 'currency', currency, 'not a currency of ISO 4217');
  if (timeZone !== null && !isTimeZone(timeZone))
    throw settingError(file, 'time_zone', timeZone, 'not a time zone of IANA');
}

/** Descriptions of the settings that a load names when it assumes them. */
const DESCRIPTIONS: Readonly<Record<string, (value: string) => string>> = {
  currency: (code) => `the currency ${code}`,
  time_zone: (zone) => `the time zone ${zone}`,
  fiscal_year_starts_in: (month) => `a fiscal year from ${formatMonth(Number(month))}`,
};

/** Describes settings in force. @param names Default: all settings with a description. */
export async function describeSettings(
  database: Database,
  names: readonly string[] = Object.keys(DESCRIPTIONS),
): Promise<string> {
  const [row = {}] = await database.rows<Record<string, string>>(
    `SELECT ${Object.keys(DESCRIPTIONS).join(', ')} FROM source.settings`,
  );
  const words = names.flatMap((name) => DESCRIPTIONS[name]?.(String(row[name])) ?? []);
  return new Intl.ListFormat('en-GB').format(words);
}

/** Describes the settings that a dataset lacks, in a sentence; undefined if it has them all. */
export async function describeAssumed(database: Database, names: readonly string[]): Promise<string | undefined> {
  if (names.length === 0) return undefined;
  return `Settings assumed: ${await describeSettings(database, names)}. A file settings.json sets others.`;
}

function formatMonth(month: number): string {
  return new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' }).format(Date.UTC(2000, month - 1));
}

const EXAMPLES: Readonly<Record<string, string>> = {
  currency: 'EUR',
  work_days_hours: '[0, 8, 8, 8, 8, 8, 0], Sunday first',
  time_zone: 'Europe/Berlin',
  week_starts_on: '1 for Monday',
  fiscal_year_starts_in: '1 for January',
};

function settingError(file: string, field: string, value: string, problem: string): AppError {
  const message = `${file}: ${field} is ${value}: ${problem}`;
  const example = EXAMPLES[field] ? `Write for example ${EXAMPLES[field]}, or leave` : 'Write a valid value, or leave';
  return new AppError('input', message, {
    hint: `${example} ${field} out. Nothing was loaded.`,
    fields: [{ field, message: problem }],
  });
}

function givenValue(record: string | null, field: string): string {
  try {
    const given: unknown = JSON.parse(record ?? '');
    return JSON.stringify((given as Record<string, unknown>)[field]) ?? String(record);
  } catch {
    return String(record);
  }
}

export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return !/^[+-]/.test(name);
  } catch {
    return false;
  }
}
