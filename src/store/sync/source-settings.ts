import type { Database } from '../../base/database/index.ts';
import { describeSettings, isTimeZone } from '../../records/ingest/index.ts';
import { HOURS_PER_DAY, isCurrency } from '../../records/resource/index.ts';

/** The longest accepted name of a company. Unit: characters. */
const MAX_NAME_CHARACTERS = 1_000;

const DAYS_OF_WEEK = 7;

/** Tests of settings by field. */
const TESTS: Readonly<Record<string, (value: unknown) => boolean>> = {
  name: (value) => value === null || (typeof value === 'string' && value.length <= MAX_NAME_CHARACTERS),
  currency: (value) => typeof value === 'string' && isCurrency(value),
  time_zone: (value) => typeof value === 'string' && isTimeZone(value),
  week_starts_on: (value) => isInteger(value, 0, DAYS_OF_WEEK - 1),
  fiscal_year_starts_in: (value) => isInteger(value, 1, 12),
  work_days_hours: (value) => Array.isArray(value) && value.length === DAYS_OF_WEEK && value.every(isHours),
};

/**
 * Returns the settings of a source as the text of a settings file; undefined if their form differs: another service may
 * serve something else at that path.
 * @param text Valid JSON.
 */
export function parseSourceSettings(text: string): string | undefined {
  const sent = JSON.parse(text) as Readonly<Record<string, unknown>>;
  const isWhole = Object.entries(TESTS).every(([name, isValid]) => Object.hasOwn(sent, name) && isValid(sent[name]));
  return isWhole ? JSON.stringify(Object.fromEntries(Object.keys(TESTS).map((name) => [name, sent[name]]))) : undefined;
}

/** Describes the settings that a run assumes because its source doesn't send them. */
export async function describeUntold(session: Database): Promise<string> {
  return `The source sends no settings. Assumed: ${await describeSettings(session)}; --full --settings FILE sets others.`;
}

function isInteger(value: unknown, least: number, most: number): boolean {
  return Number.isInteger(value) && Number(value) >= least && Number(value) <= most;
}

function isHours(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && value <= HOURS_PER_DAY;
}
