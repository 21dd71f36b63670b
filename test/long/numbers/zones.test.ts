import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { packageDirectory } from '../../../src/base/config/package.ts';
import { SEED } from '../../seed.ts';

/** Tests that compute, read or write days and times. */
const TESTS = [
  ...['sql', 'report', 'record', 'long/numbers/answers'],
  ...['ingest', 'published', 'write', 'database', 'long/records/ingest-values'],
];

/** Machines with a time zone and a clock at process start, just before midnight there or in UTC. */
const MACHINES = [
  ['UTC', '2028-02-29T23:59:58Z'],
  ['America/St_Johns', '2027-02-01T03:29:58Z'],
  ['Asia/Kathmandu', '2028-02-29T18:14:58Z'],
  ['Pacific/Kiritimati', '2026-12-31T09:59:58Z'],
  ['America/Adak', '2027-03-14T11:59:58Z'],
] as const;

/** The machine of a run, which takes minutes. Which it is depends on the seed. */
const [ZONE, MOMENT] = MACHINES[SEED % MACHINES.length] ?? MACHINES[0];

/** The parts that the files are divided into, of which a run tries one by the seed: 1 is all of them. */
const PARTS = Number(process.env['PLUMBLINE_ZONE_PARTS'] ?? 1);
const PART = `${(Math.floor(SEED / MACHINES.length) % PARTS) + 1}/${PARTS}`;

/** Longest duration of the tests on one machine. Unit: ms. */
const TESTS_MS = 1_200_000;

/** Largest output of a test run. Unit: bytes. */
const OUTPUT_BYTES = 64 * 2 ** 20;

it(`the tests of days and times, part ${PART}, pass in ${ZONE} at ${MOMENT}, PLUMBLINE_SEED=${SEED}`, {
  timeout: TESTS_MS,
}, async () => {
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
    `--shard=${PART}`,
    ...TESTS.map((path) => `test/${path}`),
  ];
  // Settings of this vitest run for its own processes must not reach the other run.
  const environment = Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST'));
  const ended = promisify(execFile)(process.execPath, args, {
    cwd: packageDirectory,
    maxBuffer: OUTPUT_BYTES,
    env: {
      ...Object.fromEntries(environment),
      TZ: ZONE,
      PLUMBLINE_CLOCK: MOMENT,
      NODE_OPTIONS: `--import=${join(packageDirectory, 'test', 'long', 'numbers', 'clock.js')}`,
    },
  });
  const { stdout } = await ended.catch((error: { stdout: string; stderr: string }) =>
    expect.fail(`${error.stdout.slice(-20_000)}\n${error.stderr.slice(-20_000)}`),
  );
  expect(stdout).toMatch(/Tests .*passed/);
});
