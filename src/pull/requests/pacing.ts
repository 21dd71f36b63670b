import PQueue from 'p-queue';
import type { Clock } from './clock.ts';

/** The most requests a second; more only if the requests a minute can't be reached otherwise. */
export const REQUESTS_PER_SECOND = 10;

/** The most requests a minute, unless --requests-per-minute says otherwise. */
export const REQUESTS_PER_MINUTE = 200;

/** The fewest requests a minute after slowing down. */
export const LEAST_PER_MINUTE = 6;

/** The longest wait for the windows, which follow the system clock: it may be set back. Unit: ms. */
export const MAX_PACE_MS = 180_000;

const SECOND_MS = 1000;
const MINUTE_MS = 60_000;

export interface Pace {
  /** Waits until a request may be sent, and counts it. @returns the time waited, in ms. */
  take(signal: AbortSignal): Promise<number>;
  /** Sends nothing for a while. */
  pause(ms: number): void;
  /** Halves the requests a minute, because the source refused one. Each minute without a refusal doubles them again. */
  slowDown(): void;
}

/** Opens a pace. Its windows slide: no stretch of a second or a minute has more than its requests. */
export function openPace({ wait }: Pick<Clock, 'wait'>, requestsPerMinute: number): Pace {
  const mostPlaces = Math.max(1, Math.floor(requestsPerMinute / LEAST_PER_MINUTE));
  let windows = openWindows(requestsPerMinute);
  /** The places that a request takes in the window of a minute. */
  let places = 1;
  let slowedAt = 0;
  let pausedUntil = 0;

  const enter = async (signal: AbortSignal) => {
    const { second, minute } = windows;
    // The second window keeps the limit of the minute: it delays a request to a second after the tenth before it.
    for (let place = 0; place < places; place += 1) await minute.add(() => undefined, { signal });
    await second.add(() => undefined, { signal });
  };

  return {
    async take(signal) {
      const start = performance.now();
      if (pausedUntil > start) await wait(pausedUntil - start, signal);
      if (places > 1 && performance.now() - slowedAt >= MINUTE_MS) {
        places = Math.ceil(places / 2);
        slowedAt = performance.now();
      }
      const limit = AbortSignal.timeout(MAX_PACE_MS);
      await enter(AbortSignal.any([signal, limit])).catch(() => {
        signal.throwIfAborted();
        windows = openWindows(requestsPerMinute);
      });
      return performance.now() - start;
    },
    pause(ms) {
      pausedUntil = Math.max(pausedUntil, performance.now() + ms);
    },
    slowDown() {
      places = Math.min(mostPlaces, places * 2);
      slowedAt = performance.now();
    },
  };
}

function openWindows(requestsPerMinute: number): { readonly second: PQueue; readonly minute: PQueue } {
  const perSecond = Math.max(REQUESTS_PER_SECOND, Math.ceil((requestsPerMinute * SECOND_MS) / MINUTE_MS));
  return {
    second: new PQueue({ interval: SECOND_MS, intervalCap: perSecond, strict: true }),
    minute: new PQueue({ interval: MINUTE_MS, intervalCap: requestsPerMinute, strict: true }),
  };
}
