import { afterAll, beforeAll, expect, test } from 'vitest';
import { AppError } from '../../src/base/error.ts';
import { Prng } from '../oracle/prng.ts';
import { SEED } from '../seed.ts';
import { clockOff } from './faulty-source.ts';
import { troubles } from './source-faults.ts';
import { closeWorld, expectEqualRecords, expectEqualWorld, openWorld, type World, writeToSource } from './world.ts';

/** The most requests of a run before it is killed, or before a write comes between. */
const MAX_REQUESTS = 32;

/** The most statements of a run before one fails. */
const MAX_STATEMENTS = 80;

/** Offsets of the source's clock. Unit: ms. */
const CLOCKS_MS = [0, 0, 600_000, -600_000];

/** Histories after which every list and every report is compared. */
const REPORTS_EVERY = 50;

/**
 * Compares a synced server with its source after each of some random histories: writes to the source, a sync with faults,
 * writes and kills at random moments, and then a quiet sync. They share a source, so a history is repeated with those
 * before it: its error names PLUMBLINE_SEED and PLUMBLINE_SYNC_HISTORIES.
 * @param histories Number of histories; PLUMBLINE_SYNC_HISTORIES overrides it.
 * @param resources The resources that are written to.
 */
export function testSyncHistories(histories: number, resources: readonly string[]): void {
  const count = Number(process.env['PLUMBLINE_SYNC_HISTORIES'] ?? histories);
  let world: World;

  beforeAll(async () => {
    world = await openWorld();
    await world.synced.sync();
  });
  afterAll(() => closeWorld(world));

  test(`after each of ${count} histories a quiet sync equals the source, PLUMBLINE_SEED=${SEED}`, {
    timeout: count * 60_000,
  }, async () => {
    const counts = new Map<string, number>();
    for (let index = 0; index < count; index += 1) {
      const steps: string[] = [`PLUMBLINE_SEED=${SEED} PLUMBLINE_SYNC_HISTORIES=${index + 1}`];
      const random = new Prng(SEED + index);
      for (const outcome of await runHistory(world, random, resources, steps))
        counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
      await expectEqual(world, steps);
      if ((index + 1) % REPORTS_EVERY !== 0 && index + 1 < count) continue;
      await expectEqualWorld(world, steps.join('\n'));
      const ends = [...counts].map(([name, times]) => `${times} ${name}`).join(', ');
      console.log(`PLUMBLINE_SEED=${SEED}: ${index + 1} histories, syncs ${ends}`);
    }
  });
}

/** Runs one history up to its quiet sync. @returns the ends of its syncs. */
async function runHistory(
  world: World,
  random: Prng,
  resources: readonly string[],
  steps: string[],
): Promise<string[]> {
  const write = async () => void steps.push(await writeToSource(world, random, resources));
  if (random.chance(0.15)) world.clockMs = random.pick(CLOCKS_MS);
  const outcomes: string[] = [];
  do {
    for (let writes = random.int(1, 5); writes > 0; writes -= 1) await write();
    outcomes.push(await syncWithFaults(world, random, write, steps));
  } while (random.chance(0.2));
  return outcomes;
}

/** Syncs with faults, writes and kills at random moments. @returns the end of the sync: good, refused, or killed. */
async function syncWithFaults(
  world: World,
  random: Prng,
  write: () => Promise<void>,
  steps: string[],
): Promise<string> {
  const { source, synced, answers } = world;
  const names = random.some(Object.keys(troubles), 0, 2);
  const drifts = new Set(Array.from({ length: random.int(0, 4) }, () => random.int(1, MAX_REQUESTS)));
  const killAt = random.chance(0.5) ? random.int(1, MAX_REQUESTS) : undefined;
  synced.failpoint.at = random.chance(0.2) ? random.int(1, MAX_STATEMENTS) : undefined;
  const isFull = random.chance(0.05);
  steps.push(
    `clock ${world.clockMs / 1000} s; sync${isFull ? ' --full' : ''} with ${[...names, `writes at ${[...drifts].join(' ')}`].join(', ')}; ` +
      `killed at request ${killAt}, failing at statement ${synced.failpoint.at}`,
  );
  const stop = new AbortController();
  const start = source.asked.length;
  source.faults = [
    clockOff(world.clockMs),
    ...names.map((name) => troubles[name]?.(random) ?? expect.fail(name)),
    async ({ number }, forward) => {
      if (number - start === killAt) stop.abort(new Error('Killed'));
      if (drifts.has(number - start)) await write();
      return forward();
    },
    answers.answer,
  ];
  const outcome = await synced.sync({ isFull }, stop.signal).then(
    () => 'good',
    (error: unknown) => {
      if (error instanceof AppError) return `refused (${error.message})`;
      if (error instanceof Error && /^(Killed|Failed on purpose)/.test(error.message)) return error.message;
      throw new Error(steps.join('\n'), { cause: error });
    },
  );
  synced.failpoint.at = undefined;
  steps.push(outcome);
  return outcome.replace(/ ?[(:].*/s, '');
}

/** Syncs without faults, and compares. */
async function expectEqual(world: World, steps: readonly string[]): Promise<void> {
  const { source, synced, answers } = world;
  source.faults = [clockOff(world.clockMs), answers.answer];
  await synced.sync().catch((error: unknown) => {
    throw new Error(steps.join('\n'), { cause: error });
  });
  await expectEqualRecords(world, steps.join('\n'));
}
