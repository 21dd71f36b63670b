import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileWithoutRates } from '../../src/generation/generation-files.ts';
import { createToken, type Scope } from '../../src/identity/tokens.ts';
import { median } from '../measure.ts';
import { startServer } from './child.ts';

/*
 * Small requests of one reader, alone and beside another who asks for as much as the limits let him:
 * `node dist/bench/interfaces/greedy.js FILE START END [ROUNDS]`, with FILE of size S. Serves a copy with --write.
 * Alone and beside alternate, so that other load affects both.
 */

/** The time of each step, of each kind of request. Unit: ms. */
const STEP_MS = 10_000;

/** The requests that the greedy reader has open, of each of his paths: more than the server computes of one reader. */
const OPEN_EACH = 6;

/** The most that others may wait longer. */
const MUST = 2;

const [database = '', start = '', end = '', rounds = '3'] = process.argv.slice(2);
const window = `start_date=${start}&end_date=${end}`;
const folder = await mkdtemp(`${database}.greedy-`);
const served = join(folder, 'company.duckdb');
const tokens = join(folder, 'tokens.json');

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

const LARGE = [
  `/v3/reports/pivot?group_by=client,project,person,month&${window}`,
  `/v3/reports/lines.csv?${window}`,
  `/v3/reports/projects.xlsx?${window}`,
  '/v3/logged-time?per-page=200&page=400',
];

async function openReader(url: string, label: string) {
  const scopes: Scope[] = ['reports', 'rates', 'write', 'sql'];
  const { token } = await createToken(tokens, { label, scopes, expires: null, numbers: false }, new Date());
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return async (path: string, body?: object, signal?: AbortSignal): Promise<{ status: number; text: string }> => {
    const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    const answer = await fetch(`${url}${path}`, { headers, ...sent, ...(signal && { signal }) });
    return { status: answer.status, text: await answer.text() };
  };
}

type Ask = Awaited<ReturnType<typeof openReader>>;

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

/** Keeps large requests open while work runs; a refusal of one is what the limits are for. */
async function beside(ask: Ask, work: () => Promise<number>): Promise<number> {
  const ending = new AbortController();
  const loop = async (path: string) => {
    while (!ending.signal.aborted) await ask(path, undefined, ending.signal).catch(() => undefined);
  };
  const loops = LARGE.flatMap((path) => Array.from({ length: OPEN_EACH }, () => loop(path)));
  try {
    return await work();
  } finally {
    ending.abort();
    await Promise.all(loops);
  }
}

try {
  await copyFile(database, served);
  await copyFile(fileWithoutRates(database), fileWithoutRates(served));
  await createToken(tokens, { label: 'first', scopes: ['reports'], expires: null, numbers: false }, new Date());
  const server = await startServer('write', served, tokens);
  const [own, greedy] = [await openReader(server.url, 'own'), await openReader(server.url, 'greedy')];
  // The server takes new tokens within seconds.
  while ((await own('/v3/tasks')).status === 401 || (await greedy('/v3/tasks')).status === 401);
  const [task] = JSON.parse((await own('/v3/tasks?per-page=1')).text);
  Object.assign(RECORD, { people_id: task.people_id ?? task.people_ids[0], project_id: task.project_id });
  for (const [name, request] of Object.entries(SMALL)) {
    await measure(own, request);
    const [alone, among]: [number[], number[]] = [[], []];
    for (let round = 0; round < Number(rounds); round += 1) {
      alone.push(await measure(own, request));
      among.push(await beside(greedy, () => measure(own, request)));
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
