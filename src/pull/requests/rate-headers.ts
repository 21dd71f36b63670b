/** Values above it are Unix times, values below are delays. Unit: s. */
const UNIX_TIME_SECONDS = 1_000_000_000;

/** Values above it are Unix times in ms. */
const UNIX_TIME_MS = 1_000_000_000_000;

/** Names of the headers with the requests left, and the time when there are more. */
const COUNTED = ['ratelimit', 'x-ratelimit', 'x-rate-limit'];

/**
 * Parses Retry-After: seconds, or a date by the source's own clock.
 * @returns the delay in ms; undefined if there is none.
 */
export function parseRetryAfter(headers: Headers, now: number): number | undefined {
  const text = headers.get('retry-after')?.trim();
  if (!text) return undefined;
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
  const until = Date.parse(text);
  const date = Date.parse(headers.get('date') ?? '');
  return Number.isNaN(until) ? undefined : Math.max(0, until - (Number.isNaN(date) ? now : date));
}

/**
 * Parses the headers in which a source counts requests: RateLimit-Remaining and -Reset, the same with X-,
 * and the structured RateLimit of the later drafts ("default";r=0;t=30, or limit=100, remaining=0, reset=30).
 * @returns the delay in ms until requests are left; undefined while some are.
 */
export function parseExhausted(headers: Headers, now: number): number | undefined {
  const structured = headers.get('ratelimit') ?? '';
  const left = /\b(?:r|remaining)=(\d+)/.exec(structured)?.[1];
  const delay = /\b(?:t|reset)=(\d+)/.exec(structured)?.[1];
  const pairs = COUNTED.map((name) => [headers.get(`${name}-remaining`), headers.get(`${name}-reset`)] as const);
  for (const [remaining, reset] of [[left, delay] as const, ...pairs]) {
    if (!remaining || Number(remaining) !== 0 || !reset) continue;
    const ms = parseReset(reset.trim(), now);
    if (ms !== undefined) return ms;
  }
  return undefined;
}

function parseReset(text: string, now: number): number | undefined {
  const value = Number(text);
  if (Number.isNaN(value)) {
    const until = Date.parse(text);
    return Number.isNaN(until) ? undefined : Math.max(0, until - now);
  }
  if (value > UNIX_TIME_MS) return Math.max(0, value - now);
  if (value > UNIX_TIME_SECONDS) return Math.max(0, value * 1000 - now);
  return Math.max(0, value * 1000);
}
