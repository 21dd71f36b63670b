import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { readSyncStatus } from '../../../src/store/generation/sync-status.ts';
import { startServer } from '../../errors/program.ts';
import { makeFolder, TOKEN } from '../../sync/pulling.ts';
import { hostileSeconds, MAX_MEMORY_MIB, MAX_STOP_MS, readMemoryMib } from './beside.ts';

/** The length of the attack. Unit: s. */
const SECONDS = hostileSeconds(60);

/** The longest time for an answer to the client beside, on a busy machine. Unit: ms. */
const MAX_ANSWER_MS = 5_000;

/** Answers a page of the tasks. */
type Oddity = (page: number, response: ServerResponse) => void;

/** The page that makes the server ready before the attack. */
const GOOD: Oddity = (_page, response) =>
  json(
    response,
    '[{"task_id":7,"people_id":1,"project_id":1,"start_date":"2026-01-05","end_date":"2026-01-09","hours":1}]',
  );

const REPORT = '/v3/reports/people?start_date=2026-01-01&end_date=2026-01-31';

const json = (response: ServerResponse, text: string, headers: Readonly<Record<string, string>> = {}) => {
  response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(text);
};

const tasks = (count: number, first = 1) =>
  JSON.stringify(Array.from({ length: count }, (_, index) => ({ task_id: first + index })));

const bomb = (text: string): Oddity => {
  const body = gzipSync(text);
  return (_page, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(body);
};

/** Sources that misbehave and let a run end soon. */
const ODDITIES: Readonly<Record<string, Oddity>> = {
  'pages without an end': (page, response) => json(response, tasks(200, page * 200)),
  'the same page': (_page, response) => json(response, tasks(200)),
  'the same id': (_page, response) => json(response, JSON.stringify(Array(200).fill({ task_id: 7 }))),
  'totals that grow': (page, response) =>
    json(response, tasks(page > 3 ? 0 : 200, page * 200), { 'x-pagination-total-count': String(600 + nextGrowth()) }),
  'a total of 10^12-1': (_page, response) => json(response, tasks(200), { 'x-pagination-total-count': '999999999999' }),
  'pages that are too large': (page, response) => json(response, tasks(5_000, page * 5_000)),
  'deep nesting': (_page, response) => json(response, `${'['.repeat(5_000_000)}${']'.repeat(5_000_000)}`),
  'a bomb of numbers': bomb(`[${'0,'.repeat(30_000_000)}0]`),
  'a bomb of objects': bomb(`[${'{},'.repeat(18_000_000)}{}]`),
  'a bomb of spaces': bomb(`[\n${' '.repeat(60_000_000)}1]`),
  'odd values': (_page, response) => json(response, '[1,"a",null,true,[],{"task_id":1.5},{"task_id":[1]}]'),
  'an odd clock': (_page, response) => json(response, tasks(3), { date: 'Sat, 13 Sep 275760 00:00:00 GMT' }),
  'a web page': (_page, response) =>
    void response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Sign in</title>'),
  'a redirect with a password': (_page, response) =>
    void response.writeHead(302, { location: 'http://ada:secret@127.0.0.1/' }).end(),
  'a redirect in a circle': (_page, response) => void response.writeHead(302, { location: '/v3/tasks' }).end(),
};

let growth = 0;

function nextGrowth(): number {
  growth += 1;
  return growth;
}

it(`a server answers while it syncs from hostile sources for ${SECONDS} s`, {
  timeout: (SECONDS + 240) * 1000,
}, async () => {
  const { folder, remove } = makeFolder();
  const file = join(folder, 'company.duckdb');
  process.env['PLUMBLINE_SOURCE_TOKEN'] = TOKEN;
  const source = await openHostileSource();
  const { program, url } = await startServer(file, {
    flags: ['--sync', source.url, '--every', '1s', '--requests-per-minute', '60000'],
  });
  const outcomes = new Set<string>();
  let [slowest, mostMib, finishedAt] = [0, 0, ''];
  const ask = async (path: string) => {
    const start = performance.now();
    const { status } = await fetch(`${url}${path}`, { signal: AbortSignal.timeout(MAX_ANSWER_MS) });
    slowest = Math.max(slowest, performance.now() - start);
    return status;
  };
  await expect.poll(() => ask('/readyz'), { timeout: 120_000 }).toBe(200);
  source.turn = 0;
  const end = Date.now() + SECONDS * 1000;
  while (Date.now() < end) {
    expect(await ask('/healthz')).toBe(200);
    expect(await ask(REPORT)).toBe(200);
    mostMib = Math.max(mostMib, readMemoryMib(program.pid));
    const run = readSyncStatus(file)?.last_run;
    if (run && run.finished_at !== finishedAt) {
      finishedAt = run.finished_at;
      outcomes.add(run.message ?? run.result);
      source.turn += 1;
    }
    await sleep(100);
  }
  source.isDripping = true;
  await expect.poll(() => source.drips, { timeout: 120_000 }).toBeGreaterThan(0);
  const stopping = performance.now();
  program.signal('SIGTERM');
  const { exitCode, stderr } = await program.outcome;
  const stoppedMs = performance.now() - stopping;
  source.close();
  remove();
  console.log(
    `${source.turn} runs, slowest answer ${Math.round(slowest)} ms, ${mostMib} MiB:\n${[...outcomes].join('\n')}`,
  );
  expect(exitCode, stderr).toBe(0);
  expect(stoppedMs).toBeLessThan(MAX_STOP_MS);
  expect(mostMib).toBeLessThan(MAX_MEMORY_MIB);
  expect(source.turn).toBeGreaterThan(0);
  expect([...outcomes].filter((outcome) => /Error:|Conversion|undefined|NaN/.test(outcome))).toEqual([]);
});

/** Opens a source whose tasks are good before the first turn, then those of an oddity by turn, or drip a byte a second. */
async function openHostileSource() {
  const names = Object.keys(ODDITIES);
  const state = { turn: -1, isDripping: false, drips: 0 };
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://source');
    if (/deleted|settings/.test(pathname)) return void response.writeHead(404).end('{}');
    if (!pathname.endsWith('/tasks')) return json(response, '[{"people_id":1,"name":"Ada"}]');
    if (!state.isDripping) {
      const answer = ODDITIES[names[state.turn % names.length] ?? ''] ?? GOOD;
      return answer(Number(searchParams.get('page') ?? 1), response);
    }
    state.drips += 1;
    response.writeHead(200);
    const timer = setInterval(() => response.write(' '), 1_000);
    return void response.on('close', () => clearInterval(timer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return Object.assign(state, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close });
}
