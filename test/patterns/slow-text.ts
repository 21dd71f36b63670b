import { type WorstText, worstTexts } from './worst-texts.ts';

/** A use of a pattern. */
export type PatternUse = 'search' | 'split';

/** Lengths of a text at which a slow pattern shows, the first ones for exponential time. Unit: characters. */
const SHORT_LENGTHS = [20, 200];
const LENGTH = 5_000;

/** The time from which a text is looked at more closely; linear time takes a tenth at most. Unit: ms. */
const SUSPICIOUS_MS = 1;

/** The least time that is told from the noise of a busy machine. Unit: ms. */
const CERTAIN_MS = 15;

/** The growth of time when the text grows to four times its length, between linear (4) and quadratic (16). */
const MAX_GROWTH = 8;

/** The time that waiting for a processor hardly changes, so that one try is enough. Unit: ms. */
const LONG_MS = 100;

const TRIES = 4;

/** Returns a text on which the time of a pattern grows faster than the text; undefined if none is found. */
export function findSlowText(pattern: RegExp, use: PatternUse = 'search'): WorstText | undefined {
  return worstTexts(pattern).find((text) => isSlow(pattern, use, text));
}

function isSlow(pattern: RegExp, use: PatternUse, text: WorstText): boolean {
  const msOf = (length: number) => measure(pattern, use, textOf(text, length));
  const leastOf = (length: number) => {
    let least = msOf(length);
    for (let tries = 1; tries < TRIES && least >= SUSPICIOUS_MS && least < LONG_MS; tries += 1)
      least = Math.min(least, msOf(length));
    return least;
  };
  if (SHORT_LENGTHS.some((length) => leastOf(length) >= SUSPICIOUS_MS)) return true;
  // Polynomial time: the text grows until one, two and four times its length take long enough to compare.
  for (let length = LENGTH; ; length *= 2) {
    const once = leastOf(length);
    if (once < SUSPICIOUS_MS) return false;
    const twice = leastOf(2 * length);
    const fourTimes = leastOf(4 * length);
    if (fourTimes >= CERTAIN_MS) return twice > once && fourTimes / once > MAX_GROWTH;
  }
}

function textOf({ start, repeated, end }: WorstText, length: number): string {
  return start + repeated.repeat(Math.ceil(length / repeated.length)) + end;
}

/** Returns the time of a use of a pattern. Unit: ms. */
function measure(pattern: RegExp, use: PatternUse, text: string): number {
  pattern.lastIndex = 0;
  const startedAt = performance.now();
  if (use === 'split') text.split(pattern);
  else if (pattern.global) text.replaceAll(pattern, '');
  else pattern.exec(text);
  return performance.now() - startedAt;
}
