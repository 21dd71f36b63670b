import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openPublisher, type Publisher } from '../../src/http/publisher.ts';

const EVERY_MS = 1_000;

let publisher: Publisher;
let version: number;
/** Moments at which publications began. Unit: ms. */
let starts: number[];
let published: string[];
/** The times that publications take in turn. Unit: ms. */
let takeMs: readonly number[];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  [version, starts, published, takeMs] = [0, [], [], [100]];
  publisher = openPublisher(
    {
      publishedVersion: '0',
      async publish(freeze) {
        starts.push(performance.now());
        const takesMs = takeMs[starts.length % takeMs.length];
        await freeze(async () => undefined);
        await new Promise((resolve) => setTimeout(resolve, takesMs));
      },
    },
    EVERY_MS,
    { published: (dataVersion) => published.push(dataVersion), publishFailed: () => undefined },
    (moment) => moment(),
  );
});
afterEach(() => vi.useRealTimers());

/** Changes the data every 50 ms, for so long. */
async function change(forMs: number): Promise<void> {
  for (let passed = 0; passed < forMs; passed += 50) {
    version += 1;
    publisher.note(String(version));
    await vi.advanceTimersByTimeAsync(50);
  }
}

it.each([
  [[100]],
  [[950]],
  [[1_050]],
  // One that ends late must not have the next two begin one right after the other.
  [[1_700, 100]],
  [[3_500, 100, 400]],
])(
  'publications that take %j ms begin no sooner than their time after one another, and publish the last change',
  async (times) => {
    takeMs = times;
    const longestMs = Math.max(...times);
    await change(20_000);
    const between = starts.slice(1).map((start, index) => start - (starts[index] ?? 0));
    expect(Math.min(...between)).toBeGreaterThanOrEqual(EVERY_MS);
    expect(Math.max(...between)).toBeLessThanOrEqual(longestMs + EVERY_MS);
    await vi.advanceTimersByTimeAsync(2 * (longestMs + EVERY_MS));
    expect(published.at(-1)).toBe(String(version));
  },
);

it('a change is published at once when the last publication began long ago', async () => {
  await vi.advanceTimersByTimeAsync(EVERY_MS);
  publisher.note('1');
  await vi.advanceTimersByTimeAsync(0);
  expect(starts).toHaveLength(1);
});
