import { setTimeout as sleep } from 'node:timers/promises';
import { endOfDayMs, LAST_DATE } from '../../base/calendar/index.ts';

/** The clock of a run. Tests replace it, so that they needn't wait. */
export interface Clock {
  /** Unit: ms since 1970. */
  now(): number;
  wait(ms: number, signal: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  wait: async (ms, signal) => {
    await sleep(ms, undefined, { signal }).catch((error: unknown) => {
      signal.throwIfAborted();
      throw error;
    });
  },
};

/** Formats a moment as YYYY-MM-DD HH:MM:SS in UTC. @param ms Unit: ms since 1970. */
export function formatMoment(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
}

/** The first and the last moment that a source can mean. Unit: ms since 1970. */
const FIRST_MOMENT_MS = 0;
const LAST_MOMENT_MS = endOfDayMs(LAST_DATE) - 1;

/** The longest moment as a text. Unit: characters. */
const MAX_MOMENT_CHARACTERS = 40;

/** Returns whether a moment is from 1970 to 2099: others can't be times of records, and some can't be stored. */
export function isPlausible(ms: number): boolean {
  return ms >= FIRST_MOMENT_MS && ms <= LAST_MOMENT_MS;
}

/**
 * Parses a moment of a record: a timestamp, in UTC unless it names a zone, a day, or Unix seconds.
 * @returns ms since 1970; undefined for anything else, and for moments before 1970 or after 2099.
 */
export function parseMoment(value: unknown): number | undefined {
  const ms = typeof value === 'number' ? value * 1000 : typeof value === 'string' ? parseText(value) : Number.NaN;
  return isPlausible(ms) ? ms : undefined;
}

function parseText(value: string): number {
  if (/^\d{9,11}$/.test(value)) return Number(value) * 1000;
  if (value.length > MAX_MOMENT_CHARACTERS || !/^\d{4}-\d{2}-\d{2}/.test(value)) return Number.NaN;
  const text = value.replace(' ', 'T');
  const isZoned = text.length === 10 || /(Z|[+-]\d{2}(:?\d{2})?)$/i.test(text);
  return Date.parse(isZoned ? text : `${text}Z`);
}
