import { fork } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createToken, type Scope } from '../../src/doors/identity/tokens.ts';
import { fileWithoutRates } from '../../src/store/generation/generation-files.ts';
import { median } from '../measure.ts';
import { startServer } from './child.ts';

/*
 * Small requests of one reader, alone and beside another who asks for as much as the limits let him:
 * `node dist/bench/interfaces/greedy.js FILE START END [ROUNDS] [LARGE,...]`, with FILE of size S. Serves a copy with --write.
 * LARGE is what the other asks for: pivot, csv, arrow, parquet, workbook or page. Default: pivot, csv, workbook and page.
 * Alone and beside alternate, so that other load affects both.
 */

/** The time of each step, of each kind of request. Unit: ms. */
const STEP_MS = 10_000;

/** The time for the greedy reader to start. Unit: ms. */
const START_MS = 1_000;

/** The most that others may wait longer. */
const MUST = 2;

const [database = '', start = '', end = '', rounds = '3', asked = 'pivot,csv,workbook,page'] = process.argv.slice(2);
const window = `start_date=${start}&end_date=${end}`;

const QUERY = { sql: 'SELECT kind, SUM(hours) AS hours FROM marts.lines GROUP BY kind' };
const RECORD = { date: end, hours: 1.5, notes: 'bench' };

/** The small requests, with a body if it is sent one. */
const SMALL: Readonly<Record<string, { path: string; body?: object }>> = {
  reports: { path: `/v3/reports/projects?${window}` },
  workbooks: { path: `/v3/reports/projects.xlsx?${window}` },
  SQL: { path: '/v3/sql', body: QUERY },
  lists: { path: '/v3/tasks?per-page=200' },
  writes: { path: '/v3/logged-time', body: RECORD },
};

/** Requests of the other reader. */
const LARGE: ReadonlyMap<string, string> = new Map([
  ['pivot', `/v3/reports/pivot?group_by=client,project,person,month&${window}`],
  ['csv', `/v3/reports/lines.csv?${window}`],
  ['arrow', `/v3/reports/lines.arrow?${window}`],
  ['parquet', `/v3/reports/lines.parquet?${window}`],
  ['workbook', `/v3/reports/projects.xlsx?${window}`],
  ['page', '/v3/logged-time?per-page=200&page=400'],
]);

function findLarge(name: string): string {
  const path = LARGE.get(name);
  if (path === undefined) throw new Error(`${name} is not one of ${[...LARGE.keys()].join(', ')}`);
  return path;
}

const paths = asked.split(',').map(findLarge);

const folder = await mkdtemp(`${database}.greedy-`);
const served = join(folder, 'company.duckdb');
const tokens = join(folder, 'tokens.json');

async function issueToken(label: string): Promise<string> {
  const scopes: Scope[] = ['reports', 'rates', 'write', 'sql'];
  const { token } = await createToken(tokens, { label, scopes, expires: null, numbers: false }, new Date());
  return token;
}

function openReader(url: string, token: string) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return async (path: string, body?: object): Promise<{ status: number; text: string }> => {
    const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    const answer = await fetch(`${url}${path}`, { headers, ...sent });
    return { status: answer.status, text: await answer.text() };
  };
}

type Ask = ReturnType<typeof openReader>;

/** Asks repeatedly for a while. Returns the 95th percentile of the times. Unit: ms. */
async function measure(ask: Ask, { path, body }: { path: string; body?: object }): Promise<number> {
  const times: number[] = [];
  for (const until = performance.now() + STEP_MS; performance.now() < until; ) {
    const startedAt = performance.now();
    const { status, text } = await ask(path, body);
    if (status >= 300) throw new Error(`${path} answered ${status}: ${text}`);
    times.push(performance.now() - startedAt);
  }
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? Number.NaN;
}

/** Keeps large requests open while work runs, from a process of their own: reading them must not delay the measured ones. */
async function beside(urls: readonly string[], token: string, work: () => Promise<number>): Promise<number> {
  const reader = fork(fileURLToPath(new URL('./greedy-reader.js', import.meta.url)), [token, ...urls]);
  try {
    await setTimeout(START_MS);
    return await work();
  } finally {
    reader.kill();
    await once(reader, 'close');
  }
}

try {
  await copyFile(database, served);
  await copyFile(fileWithoutRates(database), fileWithoutRates(served));
  const [ownToken, greedyToken] = [await issueToken('own'), await issueToken('greedy')];
  const server = await startServer('write', served, tokens);
  const own = openReader(server.url, ownToken);
  const large = paths.map((path) => `${server.url}${path}`);
  const [task] = JSON.parse((await own('/v3/tasks?per-page=1')).text);
  Object.assign(RECORD, { people_id: task.people_id ?? task.people_ids[0], project_id: task.project_id });
  for (const [name, request] of Object.entries(SMALL)) {
    await measure(own, request);
    const [alone, among]: [number[], number[]] = [[], []];
    for (let round = 0; round < Number(rounds); round += 1) {
      alone.push(await measure(own, request));
      among.push(await beside(large, greedyToken, () => measure(own, request)));
    }
    const ratio = median(among.map((time, round) => time / (alone[round] as number)));
    process.stdout.write(
      `${name.padEnd(10)} ${ratio.toFixed(2)} x, at most ${MUST} x: p95 ${median(among).toFixed(0)} ms beside a greedy reader, ${median(alone).toFixed(0)} ms alone\n`,
    );
    if (ratio > MUST) process.exitCode = 1;
  }
  server.close();
} finally {
  await rm(folder, { recursive: true });
}
