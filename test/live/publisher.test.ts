import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createSerialQueue } from '../../src/base/database/serial-queue.ts';
import type { Generation } from '../../src/store/generation/generations.ts';
import { makeDebounce } from '../../src/store/live/debounce.ts';
import { type LiveContext, schedulePublication } from '../../src/store/live/live-context.ts';
import { LIVE_LIMITS } from '../../src/store/live/live-limits.ts';
import type { LiveSource } from '../../src/store/live/live-source.ts';
import { beginRefresh, makeState, showRefresh } from '../../src/store/live/live-state.ts';
import { publishDue } from '../../src/store/live/publisher.ts';

const EVERY_MS = 1_000;

let live: LiveContext;
let version: number;
/** Start times of publications. Unit: ms. */
let starts: number[];
let published: string[];
/** Durations of successive publications. Unit: ms. */
let takeMs: readonly number[];
/** The error of each publication, if any. */
let error: Error | undefined;

/** Makes a generation with only the fields that a publication needs. */
const generationOf = (dataVersion: string) => ({ company: { dataVersion } }) as Generation;

const source = {
  freeze: async () => {
    starts.push(performance.now());
  },
  publish: () =>
    new Promise<void>((resolve, reject) =>
      setTimeout(() => (error ? reject(error) : resolve()), takeMs[starts.length % takeMs.length]),
    ),
} as LiveSource;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  [version, starts, published, takeMs, error] = [0, [], [], [100], undefined];
  const none = () => undefined;
  live = {
    source,
    state: makeState(),
    limits: LIVE_LIMITS,
    queue: createSerialQueue(),
    freezes: createSerialQueue(),
    current: generationOf('0'),
    beside: undefined,
    isLong: false,
    stopping: new AbortController(),
    refresh: makeDebounce(async () => undefined),
    publication: makeDebounce(() => publishDue(live)),
    closed: [],
    published: '0',
    publishedAtMs: Number.NEGATIVE_INFINITY,
    publishEveryMs: EVERY_MS,
    listener: {
      refreshed: none,
      refreshFailed: none,
      published: (dataVersion) => published.push(dataVersion),
      publishFailed: none,
      dayFailed: none,
    },
  };
  showRefresh(live.state, beginRefresh(live.state));
});
afterEach(() => vi.useRealTimers());

function show(dataVersion: number): void {
  live.current = generationOf(String(dataVersion));
  schedulePublication(live);
}

/** Changes the data every 50 ms for a period. Unit: ms. */
async function change(forMs: number): Promise<void> {
  for (let passed = 0; passed < forMs; passed += 50) {
    version += 1;
    show(version);
    await vi.advanceTimersByTimeAsync(50);
  }
}

it.each([
  [[100]],
  [[950]],
  [[1_050]],
  // A late end must not make the next two publications start in quick succession.
  [[1_700, 100]],
  [[3_500, 100, 400]],
])('publications that take %j ms start at least their interval apart, and publish the last change', async (times) => {
  takeMs = times;
  const longestMs = Math.max(...times);
  await change(20_000);
  const between = starts.slice(1).map((start, index) => start - (starts[index] ?? 0));
  expect(Math.min(...between)).toBeGreaterThanOrEqual(EVERY_MS);
  expect(Math.max(...between)).toBeLessThanOrEqual(longestMs + EVERY_MS);
  await vi.advanceTimersByTimeAsync(2 * (longestMs + EVERY_MS));
  expect(published.at(-1)).toBe(String(version));
});

it('a change is published at once if the last publication started long ago', async () => {
  await vi.advanceTimersByTimeAsync(EVERY_MS);
  show(1);
  await vi.advanceTimersByTimeAsync(0);
  expect(starts).toHaveLength(1);
});

it.each([0, EVERY_MS])(
  'a failed publication is retried every 10 s, also if one may follow another in %i ms',
  async (everyMs) => {
    error = new Error('No space left on device');
    live = { ...live, publishEveryMs: everyMs };
    show(1);
    await vi.advanceTimersByTimeAsync(2 * LIVE_LIMITS.refreshRetryMs);
    expect(starts).toHaveLength(2);
    error = undefined;
    await vi.advanceTimersByTimeAsync(LIVE_LIMITS.refreshRetryMs);
    expect(published).toEqual(['1']);
  },
);
