import { setTimeout as sleep } from 'node:timers/promises';

/** Time as a run sees it. Tests replace it, so that waits take none. */
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

/**
 * Parses a moment of a record: a timestamp, in UTC unless it names a zone, a day, or Unix seconds.
 * @returns ms since 1970; undefined for anything else.
 */
export function parseMoment(value: unknown): number | undefined {
  if (typeof value === 'number') return value * 1000;
  if (typeof value === 'string' && /^\d{9,11}$/.test(value)) return Number(value) * 1000;
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}/.test(value)) return undefined;
  const text = value.replace(' ', 'T');
  const isZoned = text.length === 10 || /(Z|[+-]\d{2}(:?\d{2})?)$/i.test(text);
  const ms = Date.parse(isZoned ? text : `${text}Z`);
  return Number.isNaN(ms) ? undefined : ms;
}
