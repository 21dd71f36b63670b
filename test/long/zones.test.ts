import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { packageDirectory } from '../../src/config/package.ts';
import { SEED } from '../seed.ts';

/** Tests that compute days and show them. */
const DAYS = ['sql', 'report', 'record', 'http/answers', 'http/deletions'];

/** Tests that read or write days and times besides. */
const ALL = [...DAYS, 'ingest', 'published', 'write', 'database', 'long/ingest-values'];

/** Machines with a time zone and a clock at process start, just before midnight there or in UTC. */
const MACHINES = [
  ['UTC', '2028-02-29T23:59:58Z'],
  ['America/St_Johns', '2027-02-01T03:29:58Z'],
  ['Asia/Kathmandu', '2028-02-29T18:14:58Z'],
  ['Pacific/Kiritimati', '2026-12-31T09:59:58Z'],
  ['America/Adak', '2027-03-14T11:59:58Z'],
] as const;

/** The number of machines of a run, which take minutes each. Which they are depends on the seed; the first one runs all tests. */
const CHOSEN = 2;

const RUNS = Array.from({ length: CHOSEN }, (_, index) => {
  const [zone, moment] = MACHINES[(SEED + index) % MACHINES.length] ?? MACHINES[0];
  return [zone, moment, index === 0 ? ALL : DAYS] as const;
});

/** Longest duration of the tests on one machine. Unit: ms. */
const TESTS_MS = 1_200_000;

/** Largest output of a test run. Unit: bytes. */
const OUTPUT_BYTES = 64 * 2 ** 20;

it.each(RUNS)('the tests of days and times pass in %s at %s', { timeout: TESTS_MS }, async (zone, moment, files) => {
  const vitest = join(packageDirectory, 'node_modules', 'vitest', 'vitest.mjs');
  const args = [
    vitest,
    'run',
    '--project',
    'short',
    '--project',
    'long',
    '--maxWorkers=1',
    // A machine tries the many quick cases; the slow ones compute days no differently.
    '--tags-filter=!slow',
    ...files.map((path) => `test/${path}`),
  ];
  // Settings of this vitest run for its own processes must not reach the other run.
  const environment = Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST'));
  const ended = promisify(execFile)(process.execPath, args, {
    cwd: packageDirectory,
    maxBuffer: OUTPUT_BYTES,
    env: {
      ...Object.fromEntries(environment),
      TZ: zone,
      PLUMBLINE_CLOCK: moment,
      NODE_OPTIONS: `--import=${join(packageDirectory, 'test', 'long', 'clock.js')}`,
    },
  });
  const { stdout } = await ended.catch((error: { stdout: string; stderr: string }) =>
    expect.fail(`${error.stdout.slice(-20_000)}\n${error.stderr.slice(-20_000)}`),
  );
  expect(stdout).toMatch(/Tests .*passed/);
});
