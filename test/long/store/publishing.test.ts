import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '../../../src/base/error.ts';
import type { LiveSource } from '../../../src/store/live/live-source.ts';
import { makeFolder, openData } from '../../live/data.ts';

/** Publications fail while it is set. */
let publishFault: Error | undefined;

const withFaults = (source: LiveSource): LiveSource => ({
  ...source,
  async publish() {
    if (publishFault) throw publishFault;
    await source.publish();
  },
});

describe('publishing', () => {
  let folder: { file: string; remove(): void };
  beforeAll(async () => {
    folder = await makeFolder('nothing');
  });
  afterAll(() => folder.remove());

  it('happens at once if nothing is published, then at its interval, and at the end', async () => {
    const empty = await openData(folder.file, { publishEveryMs: 1_000 });
    expect(existsSync(folder.file)).toBe(true);
    expect(empty.events.published).toHaveLength(1);
    for (let index = 0; index < 10; index += 1) {
      await empty.logHour();
      await empty.readHours();
    }
    await expect.poll(() => empty.events.published.at(-1)).toMatch(/\.10$/);
    await empty.logHour();
    await empty.close();
    expect(empty.events.published.at(-1)).toMatch(/\.11$/);
    expect(empty.events.faults).toEqual([]);
  });

  it('does not happen without changes', async () => {
    const same = await openData(folder.file, { publishEveryMs: 10 });
    await same.readHours();
    await sleep(200);
    await same.close();
    expect(same.events.published).toEqual([]);
  });

  it('leaves the files unchanged when it fails, and is retried', async () => {
    const failing = await openData(folder.file, {
      wrap: withFaults,
      publishEveryMs: 300,
      limits: { refreshRetryMs: 300 },
    });
    publishFault = new AppError('storage', 'The disk is full');
    await failing.logHour();
    await failing.readHours();
    await expect.poll(() => failing.events.faults.length).toBeGreaterThan(1);
    expect(failing.events.published).toEqual([]);
    publishFault = undefined;
    await expect.poll(() => failing.events.published.length).toBe(1);
    await failing.close();
  });
});
