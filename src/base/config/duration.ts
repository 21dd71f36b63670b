import { AppError } from '../error.ts';

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** The longest duration of a setting: a year. Unit: s. */
const MAX_SECONDS = 31_536_000;

/**
 * Parses a duration such as 90s, 15m, 2h or 1d.
 * @returns seconds.
 * @throws AppError usage for another text, or one out of range.
 */
export function parseDuration(flag: string, text: string): number {
  const [, number = '', unit = ''] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  const seconds = Number(number) * (SECONDS[unit] ?? 0);
  if (seconds > 0 && seconds <= MAX_SECONDS) return seconds;
  throw new AppError('usage', `--${flag}: "${text}" is not a duration of 1 second to 1 year`, {
    hint: 'Write a number and a unit: 90s, 15m, 2h or 1d.',
  });
}
