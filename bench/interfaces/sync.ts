import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { builtFile } from '../../src/base/config/package.ts';
import { loadDataset } from '../../src/doors/command/load/load-dataset.ts';
import { createToken, type Scope } from '../../src/doors/identity/tokens.ts';
import { lists } from '../../src/pull/source-lists.ts';
import { parseSize, type SizeName } from '../company.ts';
import { ensureCompany } from '../generate.ts';
import { startServer } from './child.ts';

/*
 * A sync against its comparators: `node dist/bench/interfaces/sync.js --size M`.
 * The source is a server of this program on loopback, without a rate limit.
 * At size M, the exit code is 1 if a limit is exceeded; at S, the start of the program takes most of a later run.
 */

/** Changes and deletions between two runs. */
const CHANGED = 500;
const DELETED = 50;

const DAY_MS = 86_400_000;

/** The size of a page, as a sync asks for it. */
const PER_PAGE = 200;

/** Requests at once of those that change records. */
const WRITERS = 10;

/** The limits: of the times as parts of their comparators, of requests for one large list, and of memory in MB. */
const MUST = { first: 1.3, changed: 0.02, nothing: 0.005, requests: 6, mb: 800 };

const REQUESTS_PER_MINUTE = '60000';
const TOKEN = 'PLUMBLINE_BENCH_TOKEN';
const program = builtFile('main.js');

interface Run {
  readonly seconds: number;
  readonly requests: number;
  /** The peak memory of the process. */
  readonly mb: number;
}

const { values } = parseArgs({ options: { size: { type: 'string', default: 'S' } } });
const size: SizeName = parseSize(values.size);
const directory = await ensureCompany(size);
const folder = await mkdtemp(`${directory}.sync-`);
const [source, tokens, synced] = ['at-source.duckdb', 'tokens.json', 'synced.duckdb'].map((name) => join(folder, name));

/** Prints a value, its limit, and whether it exceeds it. */
function judge(step: string, value: number, must: number, unit: 'x' | 'MB' | 'requests', more = ''): void {
  const isOver = !(value <= must);
  const shown = `${unit === 'x' ? value.toFixed(4) : value.toFixed(0)} ${unit}`;
  process.stdout.write(
    `${step.padEnd(60)} ${shown.padStart(12)}  must ${`${must} ${unit}`.padEnd(10)} ${isOver ? 'OVER' : 'ok'}  ${more}\n`,
  );
  if (isOver && size === 'M') process.exitCode = 1;
}

/** Reports a step and its duration on standard error: at size M, minutes pass before the first row. */
function report(step: string, seconds: number): void {
  process.stderr.write(`${step}: ${seconds.toFixed(1)} s\n`);
}

/** Runs a sync in a process of its own. */
async function sync(url: string, token: string): Promise<Run> {
  const args = [
    program,
    'sync',
    url,
    '--database',
    synced ?? '',
    '--token-env',
    TOKEN,
    '--requests-per-minute',
    REQUESTS_PER_MINUTE,
  ];
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, {
    env: { ...process.env, [TOKEN]: token },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text));
  let mb = 0;
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  let isRunning = true;
  void ended.then(() => (isRunning = false));
  while (isRunning) {
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '');
    mb = Math.max(mb, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
    await Promise.race([ended, setTimeout(50)]);
  }
  if ((await ended) !== 0) throw new Error(`sync failed:\n${output}`);
  const requests = Number(/with (\d+) requests/.exec(output)?.[1]);
  return { seconds: (performance.now() - startedAt) / 1000, requests, mb };
}

/** Fetches the pages of all lists that a first sync reads, and does nothing with them. */
async function fetchPages(url: string, token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  const startedAt = performance.now();
  for (const { resource, paths, queries } of lists) {
    const listedAt = performance.now();
    let pages = 0;
    for (const query of queries) {
      for (let page = 1, hasMore = true; hasMore; page += 1) {
        const parameters = new URLSearchParams({ ...query, 'per-page': String(PER_PAGE), page: String(page) });
        const response = await fetch(`${url}/v3/${paths[0]}?${parameters}`, { headers });
        hasMore = page < Number(response.headers.get('x-pagination-page-count') ?? 0);
        await response.arrayBuffer();
        pages += 1;
      }
    }
    report(`${pages} pages of ${resource.name} fetched`, (performance.now() - listedAt) / 1000);
  }
  return (performance.now() - startedAt) / 1000;
}

/** Reads the requests that the source has answered for each large list and its delete log. */
async function countRequests(url: string): Promise<ReadonlyMap<string, number>> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  const counted = [...metrics.matchAll(/^plumbline_http_requests_total\{route="([^"]*)".*\} (\d+)$/gm)];
  const names = lists.filter(({ isLarge }) => isLarge).map(({ paths }) => paths[0] ?? '');
  const countOf = (name: string) =>
    counted.reduce((sum, [, route, count]) => sum + (route?.endsWith(`/${name}`) ? Number(count) : 0), 0);
  return new Map(names.map((name) => [name, countOf(name)]));
}

async function changeRecords(url: string, token: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const ids: string[] = [];
  for (let page = 1; ids.length < CHANGED + DELETED; page += 1) {
    const response = await fetch(`${url}/v3/logged-time?per-page=${PER_PAGE}&page=${page}`, { headers });
    ids.push(...((await response.json()) as { logged_time_id: string }[]).map((record) => record.logged_time_id));
  }
  const write = async (id: string, index: number) => {
    const request = index < CHANGED ? { method: 'PATCH', body: JSON.stringify({ hours: 1.25 }) } : { method: 'DELETE' };
    const { authorization } = headers;
    const response = await fetch(`${url}/v3/logged-time/${id}`, {
      ...request,
      headers: index < CHANGED ? headers : { authorization },
    });
    if (!response.ok) throw new Error(`${request.method} ${id} answered ${response.status}: ${await response.text()}`);
  };
  const queue = ids.slice(0, CHANGED + DELETED).entries();
  await Promise.all(
    Array.from({ length: WRITERS }, async () => {
      for (const [index, id] of queue) await write(id, index);
    }),
  );
}

try {
  const loadedAt = performance.now();
  // Records without times get that of the load: a later run would read those of the last minutes again.
  await loadDataset(directory, source ?? '', { now: new Date(Date.now() - DAY_MS) });
  const loadSeconds = (performance.now() - loadedAt) / 1000;
  report('files loaded', loadSeconds);
  const scopes: Scope[] = ['reports', 'rates', 'write'];
  const { token } = await createToken(
    tokens ?? '',
    { label: 'bench', scopes, expires: null, numbers: false },
    new Date(),
  );
  const server = await startServer('write', source ?? '', tokens ?? '');
  try {
    const plain = (await fetchPages(server.url, token)) + loadSeconds;
    const first = await sync(server.url, token);
    const told = ({ seconds, requests }: Run) => `${seconds.toFixed(2)} s, ${requests} requests`;
    judge(
      'first sync against fetching the pages and loading files',
      first.seconds / plain,
      MUST.first,
      'x',
      `${told(first)}, against ${plain.toFixed(1)} s`,
    );
    const changedAt = performance.now();
    await changeRecords(server.url, token);
    report('records changed', (performance.now() - changedAt) / 1000);
    const before = await countRequests(server.url);
    const changed = await sync(server.url, token);
    const after = await countRequests(server.url);
    judge(
      `${CHANGED} changed and ${DELETED} deleted against the first sync`,
      changed.seconds / first.seconds,
      MUST.changed,
      'x',
      told(changed),
    );
    const requests = [...after].map(([name, count]) => count - (before.get(name) ?? 0));
    judge('the same, requests for a large list and its delete log', Math.max(...requests), MUST.requests, 'requests');
    const nothing = await sync(server.url, token);
    judge('nothing changed against the first sync', nothing.seconds / first.seconds, MUST.nothing, 'x', told(nothing));
    judge('peak memory', Math.max(first.mb, changed.mb), MUST.mb, 'MB');
  } finally {
    server.close();
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
