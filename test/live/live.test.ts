// @module-tag slow
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../../src/base/error.ts';
import { LIMITS } from '../../src/doors/http/protocol/limits.ts';
import type { LiveSource } from '../../src/store/live/live-source.ts';
import { makeFolder, NEVER, type Opened, openData } from './data.ts';

/** Live data whose refreshes fail while a fault is set. */
let live: Opened;
let refreshFault: Error | undefined;
/** Called before each refresh, which waits for its promise. */
let waitForRelease: (() => Promise<void>) | undefined;
let remove: () => void;

/** Releases waiting refreshes, or fails them. */
let releaseRefreshes: (fault?: Error) => void = () => {};

/** Blocks refreshes from now on. @returns A promise of the first blocked refresh. */
function blockRefreshes(): Promise<void> {
  const opened = new Promise<void>((resolve, reject) => {
    releaseRefreshes = (fault) => {
      waitForRelease = undefined;
      if (fault) reject(fault);
      else resolve();
    };
  });
  return new Promise((resolve) => {
    waitForRelease = () => {
      resolve();
      return opened;
    };
  });
}

const withFaults = (source: LiveSource): LiveSource => ({
  ...source,
  async refresh(pending, signal) {
    if (refreshFault) throw refreshFault;
    await waitForRelease?.();
    await source.refresh(pending, signal);
  },
});

beforeAll(async () => {
  const folder = await makeFolder('company');
  remove = folder.remove;
  live = await openData(folder.file, { wrap: withFaults, limits: { refreshRetryMs: 300, snapshotsAtOnce: 4 } });
});
afterAll(async () => {
  await live.close();
  remove();
});
beforeEach(async () => {
  // Clears the state of the previous test.
  releaseRefreshes();
  await live.readHours();
});

const changeOf = (version: string) => Number(/\.(\d+)$/.exec(version)?.[1] ?? 0);

describe('a report requested after an answered write', () => {
  it('shows the write, under a new data version that ends in the number of the change', async () => {
    const before = await live.readHours();
    await live.logHour(2);
    const after = await live.readHours();
    expect(Number(after.hours) - Number(before.hours)).toBe(2);
    expect(changeOf(after.version)).toBe(changeOf(before.version) + 1);
    expect(live.generations.current().company.dataVersion).toBe(after.version);
  });

  it('does not wait without a new write', async () => {
    const { refreshes } = live.events;
    expect(live.generations.settle()).toBeUndefined();
    await live.readHours();
    expect(live.events.refreshes).toBe(refreshes);
  });

  it('shows the write to readers without rates, too', async () => {
    const before = await live.readHours(false);
    await live.logHour();
    expect(Number((await live.readHours(false)).hours) - Number(before.hours)).toBe(1);
  });

  it('shares one refresh with parallel reports', { tags: ['slow'] }, async () => {
    await live.logHour();
    const { refreshes } = live.events;
    await Promise.all(Array.from({ length: 6 }, () => live.readHours()));
    expect(live.events.refreshes).toBe(refreshes + 1);
  });
});

it('a long refresh is not followed by a needless second one', { tags: ['slow'] }, async () => {
  const reached = blockRefreshes();
  await live.logHour();
  const { refreshes } = live.events;
  const reading = live.readHours();
  await reached;
  await sleep(LIMITS.refreshDelayMs * 1.5);
  releaseRefreshes();
  await reading;
  await sleep(LIMITS.refreshDelayMs);
  expect(live.events.refreshes).toBe(refreshes + 1);
});

it('a write reaches the numbers soon, also without readers', async () => {
  await live.logHour();
  expect(live.countPending()).toBe(1);
  expect(live.generations.settle()).toBeInstanceOf(Promise);
  await expect.poll(() => live.countPending()).toBe(0);
});

it('a write does not wait for a background refresh, and the next report shows it', { tags: ['slow'] }, async () => {
  const before = await live.readHours();
  const { refreshes } = live.events;
  const reached = blockRefreshes();
  await live.logHour();
  await reached;
  const writing = live.logHour().then(() => 'written');
  expect(await Promise.race([writing, sleep(5_000, 'still waiting')])).toBe('written');
  expect(live.events.refreshes).toBe(refreshes);
  expect(live.countPending()).toBe(2);
  releaseRefreshes();
  const after = await live.readHours();
  expect(Number(after.hours) - Number(before.hours)).toBe(2);
  expect(changeOf(after.version)).toBe(changeOf(before.version) + 2);
  expect(live.countPending()).toBe(0);
});

it('each report has the hours of its data version while writers are active', { tags: ['slow'] }, async () => {
  const start = await live.readHours();
  let isWriting = true;
  const seen = new Set<string>();
  const read = async () => {
    while (isWriting) {
      const { hours, version } = await live.readHours();
      // Each change is one hour. The checks of the report would fail on partial records or lines.
      expect(Number(hours) - Number(start.hours)).toBe(changeOf(version) - changeOf(start.version));
      seen.add(version);
    }
  };
  let written = 0;
  const write = async () => {
    // On a busy machine, few reports are read in the time of 15 writes.
    for (let index = 0; index < 15 || seen.size <= 2; index += 1) {
      await live.logHour();
      written += 1;
      await sleep(20);
    }
  };
  const reading = Promise.all([read(), read(), read()]);
  await Promise.all([write(), write()]);
  isWriting = false;
  await reading;
  expect(seen.size).toBeGreaterThan(2);
  expect(changeOf((await live.readHours()).version)).toBe(changeOf(start.version) + written);
});

it('an answer in progress keeps its snapshot during writes', async () => {
  const lease = live.generations.lease(live.generations.current());
  const database = (await lease.open(NEVER)).database(true);
  const count = () =>
    database.rows('SELECT count(*) AS lines, (SELECT data_version FROM source.generation) AS v FROM core.ledger');
  const before = await count();
  await live.logHour();
  await live.readHours();
  expect(await count()).toEqual(before);
  lease.release();
});

it('the snapshot of an answer is read-only', async () => {
  const lease = live.generations.lease(live.generations.current());
  const database = (await lease.open(NEVER)).database(true);
  await expect(database.run('DELETE FROM source.people')).rejects.toThrow(/read-only/);
  lease.release();
});

describe('a failed refresh', { tags: ['slow'] }, () => {
  it('refuses reports with the message of the check, keeps the numbers, and recovers when the fault is gone', async () => {
    const before = await live.readHours();
    refreshFault = new AppError('check', 'The check hours.sql failed');
    await live.logHour();
    await expect(live.readHours()).rejects.toThrow('The check hours.sql failed');
    expect(live.findFault()).toBe('The check hours.sql failed');
    expect(live.generations.current().company.dataVersion).toBe(before.version);
    expect(live.events.faults).toEqual(['The check hours.sql failed']);
    refreshFault = undefined;
    await expect.poll(() => live.findFault()).toBeUndefined();
    expect(Number((await live.readHours()).hours) - Number(before.hours)).toBe(1);
  });

  it('is retried in time although the timer of an earlier write fires first', async () => {
    refreshFault = new AppError('check', 'The check early.sql failed');
    await live.logHour();
    await expect(live.readHours()).rejects.toThrow('early.sql');
    await live.logHour();
    await expect(live.readHours()).rejects.toThrow('early.sql');
    refreshFault = undefined;
    await expect.poll(() => live.findFault()).toBeUndefined();
  });

  it('is retried after another write, and not for each reader', async () => {
    const failures = () => live.events.faults.length;
    refreshFault = new AppError('check', 'The check days.sql failed');
    const before = failures();
    await live.logHour();
    for (const _ of [1, 2, 3]) await expect(live.readHours()).rejects.toThrow('days.sql');
    expect(failures()).toBe(before + 1);
    await live.logHour();
    await expect(live.readHours()).rejects.toThrow('days.sql');
    expect(failures()).toBe(before + 2);
    refreshFault = undefined;
    await live.logHour();
    await live.readHours();
  });

  it('is ignored when a later refresh has shown all changes', async () => {
    const reached = blockRefreshes();
    await live.logHour();
    await reached;
    // Blocks only the current refresh.
    waitForRelease = undefined;
    await live.readHours();
    releaseRefreshes(new Error('too late'));
    await expect.poll(() => live.events.faults.at(-1)).toContain('too late');
    expect(live.findFault()).toBeUndefined();
  });
});
