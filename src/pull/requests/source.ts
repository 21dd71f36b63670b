import pRetry, { type RetryContext } from 'p-retry';
import { AppError } from '../../base/index.ts';
import { parseAddress } from './address.ts';
import { type Clock, systemClock } from './clock.ts';
import { openPace, REQUESTS_PER_MINUTE } from './pacing.ts';
import { parseExhausted, parseRetryAfter } from './rate-headers.ts';
import { type Outcome, REQUEST_LIMITS, type RequestLimits, type SourceAnswer, sendRequest } from './request.ts';
import { badSourceStatus, type Failed } from './request-errors.ts';

/** The most times that one request is sent. */
export const MAX_TRIES = 8;

/** The most retries of a run. */
export const MAX_RETRIES = 500;

/** The longest delay that a source may ask for; a longer one ends the run. Unit: ms. */
export const MAX_RETRY_AFTER_MS = 900_000;

/** The upper bound of the delay before the first retry, doubled for each one after it. Unit: ms. */
export const FIRST_BACKOFF_MS = 500;

/** The upper bound of the delay before any retry. Unit: ms. */
export const MAX_BACKOFF_MS = 60_000;

export interface SourceOptions {
  /** The address as given, with or without /v3. */
  readonly url: string;
  /** Returns the current token, in printable ASCII; called before each request. */
  readonly token: () => string | Promise<string>;
  readonly requestsPerMinute?: number;
  readonly limits?: Partial<RequestLimits>;
  readonly clock?: Clock;
  /** Returns a random number from 0 to 1, for the jitter of retries. */
  readonly random?: () => number;
}

export interface Source {
  readonly base: URL;
  readonly clock: Clock;
  /**
   * Reads a path below the root, with retries.
   * @returns an answer of status 200 or 204, or 400, 403, 404, 405, 409, 410 or 422, which callers interpret.
   * @throws AppError source without such an answer.
   */
  ask(path: string, parameters: Readonly<Record<string, string>>, signal: AbortSignal): Promise<SourceAnswer>;
  /** Reads a path like `ask`. @throws AppError source also if the token has no right to it. */
  get(path: string, parameters: Readonly<Record<string, string>>, signal: AbortSignal): Promise<SourceAnswer>;
  /** Resets the counts of requests, waits and retries. */
  startRun(): void;
  /** Returns the requests sent in a run, and the time waited for rate limits and before retries. Unit: requests, ms. */
  counts(): { readonly requests: number; readonly waitedMs: number };
}

/** @throws AppError usage for an address or a number that can't be used. */
export function openSource(options: SourceOptions): Source {
  const { url, token, requestsPerMinute = REQUESTS_PER_MINUTE, clock = systemClock, random = Math.random } = options;
  const base = parseAddress(url);
  const limits = { ...REQUEST_LIMITS, ...options.limits };
  const pace = openPace(clock, requestsPerMinute);
  let requests = 0;
  let retries = 0;
  let waitedMs = 0;
  let hasAnswered = false;

  const send = async (target: URL, signal: AbortSignal): Promise<Outcome> => {
    waitedMs += await pace.take(signal);
    requests += 1;
    const outcome = await sendRequest(target, await token(), limits, signal);
    const { headers } = 'answer' in outcome ? outcome.answer : outcome;
    const exhaustedMs = headers && parseExhausted(headers, clock.now());
    if (exhaustedMs !== undefined) pace.pause(Math.min(exhaustedMs, MAX_RETRY_AFTER_MS));
    return outcome;
  };

  const source: Source = {
    base,
    clock,
    async get(path, parameters, signal) {
      const answer = await source.ask(path, parameters, signal);
      if (answer.status === 403) throw badSourceStatus(new URL(`${base.href}/${path}`), 403, '');
      return answer;
    },
    async ask(path, parameters, signal) {
      const target = new URL(`${base.href}/${path}`);
      target.search = new URLSearchParams(parameters).toString();
      let failed: Failed | undefined;
      const attempt = async () => {
        const outcome = await send(target, signal);
        if (!('answer' in outcome)) {
          failed = outcome;
          throw outcome.error;
        }
        hasAnswered = true;
        return outcome.answer;
      };
      const shouldRetry = async ({ error, attemptNumber }: RetryContext) => {
        // A wrong address fails at once, a known one is given time to recover.
        if (failed?.error !== error || (!hasAnswered && failed.kind === 'address')) return false;
        retries += 1;
        if (retries > MAX_RETRIES) return false;
        if (failed.kind === 'refused') pace.slowDown();
        const ms = retryDelay(failed, attemptNumber, clock.now(), random);
        waitedMs += ms;
        await clock.wait(ms, signal);
        return true;
      };
      // The source may set the delay, so shouldRetry waits for it.
      return pRetry(attempt, { retries: MAX_TRIES - 1, minTimeout: 0, shouldRetry, signal });
    },
    startRun() {
      [requests, retries, waitedMs] = [0, 0, 0];
    },
    counts: () => ({ requests, waitedMs }),
  };
  return source;
}

/** Returns the delay before a retry: as requested by the source, or else random up to a bound that doubles (full jitter). */
function retryDelay({ headers, error }: Failed, tries: number, now: number, random: () => number): number {
  const jitter = random() * Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (tries - 1));
  const asked = headers && parseRetryAfter(headers, now);
  if (asked === undefined) return jitter;
  if (asked > MAX_RETRY_AFTER_MS) {
    throw new AppError('source', `${error.message}, and asks to wait for ${Math.ceil(asked / 60_000)} minutes`, {
      hint: 'Run it again after that time. Pages that were read are kept.',
    });
  }
  return asked + jitter;
}
