import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { openGenerations } from '../../../src/store/generation/generations.ts';

/** The time between two looks, and for how long they go on. Unit: ms. */
const [POLL_MS, FOR_MS] = [5, 1_000];

/** The engine needs 10 ms of processor time to find no file: 500 to 1,000 ms in all. Unit: ms. */
const MOST_CPU_MS = 250;

it('a server without a database looks for one without starting the engine', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'plumbline-generations-'));
  const faults: string[] = [];
  const file = join(folder, 'company.duckdb');
  const listener = { moved: () => undefined, failed: (message: string) => void faults.push(message) };
  const generations = await openGenerations(file, 256, { pollMs: POLL_MS, heldVersionMs: 0 }, listener);
  const before = process.cpuUsage();
  await sleep(FOR_MS);
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1_000).toBeLessThan(MOST_CPU_MS);
  expect(faults).toEqual([
    `There is no database ${file}. Load a dataset first: plumbline load DIR, or name another file with --database.`,
  ]);
  expect(() => generations.current()).toThrow('There is no database');
  await generations.close();
  rmSync(folder, { recursive: true });
});
