import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { packageDirectory } from '../../../src/base/config/package.ts';
import { loadBenchCompany, makeToken, readUrl, watchProgram } from './server.ts';

/** Readers who ask for little, and the time from one question to the next. Units: readers, ms. */
const READERS = 3;
const EVERY_MS = 100;

/** The time that they ask alone, and beside the hostile reader. Unit: ms. */
const ALONE_MS = 4_000;
const BESIDE_MS = 6_000;

/**
 * The most times longer that their p95 may be beside the hostile reader.
 * The aim is 2; 1.0 to 3.5 is usual: one of his queries uses both cores, and the engine has no priorities.
 */
const MAX_RATIO = 5;

/** An attack is measured again if the ratio is higher, since other work of the machine makes it so, too. */
const MAX_RUNS = 3;

/** Sends the requests of an attack until it is ended, from a process of its own. */
const PROGRAM = join(packageDirectory, 'test', 'long', 'alone', 'attack.js');

type Headers = Readonly<Record<string, string>>;

interface Attack {
  readonly name: string;
  readonly path: string;
  /** Requests at the same time: more than the limits allow one reader. */
  readonly atOnce: number;
  readonly body?: object;
}

const ATTACKS: readonly Attack[] = [
  {
    name: 'reports',
    path: '/v3/reports/people?start_date=2023-01-01&end_date=2025-12-31&interval=week',
    atOnce: 40,
  },
  { name: 'workbooks', path: '/v3/reports/lines.xlsx?start_date=2023-01-01&end_date=2025-12-31', atOnce: 10 },
  {
    name: 'SQL',
    path: '/v3/sql',
    atOnce: 20,
    body: { sql: 'SELECT sum(a.hours * b.hours) FROM marts.ledger a, marts.ledger b' },
  },
  { name: 'lists', path: '/v3/logged-time?per-page=200', atOnce: 40 },
  {
    name: 'writes',
    path: '/v3/logged-time',
    atOnce: 40,
    body: { people_id: 1_000_001, project_id: 2_000_001, date: '2025-05-05', hours: 0.25 },
  },
];

const LITTLE = [
  '/v3/people/1000001',
  '/v3/reports/projects?start_date=2025-04-01&end_date=2025-06-30&project_id=2000001',
];

function p95(times: readonly number[]): number {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length * 0.95)] ?? Number.NaN;
}

/** Asks for a record and a small report in turn. @returns the times of the answers, in ms. */
async function askLittle(url: string, headers: Headers, forMs: number): Promise<number[]> {
  const times: number[] = [];
  const endsAt = performance.now() + forMs;
  for (let index = 0; performance.now() < endsAt; index += 1) {
    const startedAt = performance.now();
    const response = await fetch(url + LITTLE[index % LITTLE.length], { headers });
    await response.arrayBuffer();
    expect(response.status).toBe(200);
    times.push(performance.now() - startedAt);
    await sleep(Math.max(0, EVERY_MS - (performance.now() - startedAt)));
  }
  return times;
}

/** Starts an attack. @returns Ends it. */
function attack(url: string, headers: Headers, { path, atOnce, body }: Attack): () => Promise<void> {
  const child = spawn(process.execPath, [PROGRAM, JSON.stringify({ url: url + path, headers, atOnce, body })], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(child, 'exit');
  return async () => {
    expect(child.exitCode, 'the attack has gone on').toBeNull();
    child.kill('SIGKILL');
    await ended;
  };
}

it('a reader who uses up his limits neither stops others nor makes them wait for long', {
  timeout: 600_000,
}, async () => {
  const file = await loadBenchCompany('S');
  const readers = await Promise.all(
    Array.from({ length: READERS }, (_, index) => makeToken(file, `reader ${index}`, ['reports'])),
  );
  const hostile = await makeToken(file, 'hostile', ['reports', 'rates', 'sql', 'write']);
  const { program } = watchProgram(['serve', '--write', '--database', file, '--port', '0', '--log-level', 'error']);
  const url = await readUrl(program);
  const askAll = async (forMs: number) =>
    p95((await Promise.all(readers.map((headers) => askLittle(url, headers, forMs)))).flat());
  await askAll(ALONE_MS / 3);
  const measure = async (each: Attack) => {
    const alone = await askAll(ALONE_MS);
    const stop = attack(url, hostile, each);
    await sleep(1_000);
    const ratio = (await askAll(BESIDE_MS)) / alone;
    await stop();
    // His last requests end before the others are measured alone again.
    await sleep(3_000);
    return ratio;
  };
  const ratios: Record<string, number> = {};
  for (const each of ATTACKS) {
    let ratio = await measure(each);
    for (let run = 1; run < MAX_RUNS && ratio >= MAX_RATIO; run += 1) ratio = Math.min(ratio, await measure(each));
    ratios[each.name] = ratio;
  }
  console.log(
    Object.entries(ratios)
      .map(([name, ratio]) => `${name} ${ratio.toFixed(1)} x`)
      .join(', '),
  );
  for (const [name, ratio] of Object.entries(ratios)) expect(ratio, name).toBeLessThan(MAX_RATIO);
  program.signal('SIGTERM');
  await program.outcome;
});
