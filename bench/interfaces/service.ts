import type { Stats } from 'node:fs';
import { copyFile, mkdtemp, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import autocannon from 'autocannon';
import { packageDirectory } from '../../src/base/config/package.ts';
import { openDatabase } from '../../src/base/database/database.ts';
import { createToken } from '../../src/doors/identity/tokens.ts';
import { buildModels } from '../../src/numbers/model/build.ts';
import { fileWithoutRates } from '../../src/store/generation/generation-files.ts';
import { openStore } from '../../src/store/live/store.ts';
import { parseListQuery } from '../../src/store/record/list.ts';
import { formatJson } from '../../src/store/record/node.ts';
import { parseQueryString } from '../../src/store/record/query-string.ts';
import { readPage } from '../../src/store/record/read.ts';
import type { ServedResource } from '../../src/store/record/records.ts';
import { servedResources } from '../../src/store/record/served-resources.ts';
import { openJournal } from '../../src/store/record/storage/journal.ts';
import { prepareService } from '../../src/store/record/storage/tables.ts';
import { median } from '../measure.ts';
import { type ServerProcess, startServer } from './child.ts';

/*
 * The service against its comparators: `node dist/bench/interfaces/service.js FILE START END`.
 * Serves a copy of the loaded database FILE with --write. START and END are the window of the reports.
 */

/** The duration of concurrent reads and writes. Unit: s. */
const SECONDS = 15;

const READERS = 50;

const WRITERS = 20;

const ROUNDS = 3;

/** Requests of one round: a second's at least, so that each round includes a refresh. */
const WRITES = 500;
const PAGES = 40;
const LINES = 11;

const [database = '', start_date = '', end_date = ''] = process.argv.slice(2);
const folder = await mkdtemp(`${database}.service-`);
const served = join(folder, 'company.duckdb');

const print = (step: string, ratio: number, must: string, more: string) =>
  process.stdout.write(`${step.padEnd(82)} ${ratio.toFixed(3)} x  must ${must}  ${more}\n`);

/** Measures each of several runs in sequence. Unit: ms. */
async function timeEach(count: number, work: (index: number) => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const startedAt = performance.now();
    await work(index);
    times.push(performance.now() - startedAt);
  }
  return times;
}

function p95(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? Number.NaN;
}

const sum = (times: readonly number[]) => times.reduce((total, time) => total + time, 0);

/** Sends a request to the server; any status but success is an error. */
type Send = (path: string, body?: object) => Promise<string>;

function createSender(server: ServerProcess, token: string): Send {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return async (path, body) => {
    const post = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    const answer = await fetch(`${server.url}${path}`, { headers, ...post });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text}`);
    return text;
  };
}

interface LoggedAssignment {
  readonly people_id: number;
  readonly project_id: number;
  readonly phase_id: number | null;
}

/** Reads assignments for logging time: those known from earlier records, or projects new to the person. */
async function readAssignments(isNew: boolean): Promise<LoggedAssignment[]> {
  const known = `SELECT DISTINCT people_id, project_id, phase_id FROM source.logged_time`;
  const other = `SELECT people_id, project_id, CAST(NULL AS BIGINT) AS phase_id FROM source.people CROSS JOIN source.projects
    WHERE (people_id, project_id) NOT IN (SELECT (people_id, project_id) FROM core.assignments)`;
  const loaded = await openDatabase(database, { readOnly: true });
  try {
    return await loaded.rows(`
      SELECT assignment.people_id, assignment.project_id, assignment.phase_id FROM (${isNew ? other : known}) AS assignment
      JOIN source.projects USING (project_id) JOIN source.people USING (people_id)
      WHERE COALESCE(projects.status, 2) <> 4 ORDER BY hash(people_id * 10000 + project_id), phase_id LIMIT 1000`);
  } finally {
    await loaded.close();
  }
}

const [known, other] = [await readAssignments(false), await readAssignments(true)];
const timeAt = (assignment: LoggedAssignment | undefined) => ({
  ...assignment,
  date: '2025-03-04',
  hours: 1.5,
  notes: 'bench',
});
const timeOf = (index: number) => timeAt(known[index % known.length]);

/** Waits for the first publication: a server with a new working file publishes at once, then once a minute. */
async function untilPublished(before: Stats): Promise<void> {
  while ((await stat(served)).ino === before.ino) await setTimeout(100);
}

/** Measures one client that posts records in sequence. Unit: ms. */
async function postAll(url: string, token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const requests = Array.from({ length: WRITES }, (_, index) => ({ body: JSON.stringify(timeOf(index)) }));
  const startedAt = performance.now();
  const result = await autocannon({
    url: `${url}/v3/logged-time`,
    method: 'POST',
    headers,
    requests,
    connections: 1,
    amount: WRITES,
  });
  if (result['2xx'] !== WRITES) throw new Error(`${WRITES - result['2xx']} of ${WRITES} records were refused`);
  return performance.now() - startedAt;
}

async function measurePosts(url: string, token: string): Promise<void> {
  const bare = await openDatabase(join(folder, 'bare.duckdb'));
  await bare.run(`CREATE TABLE logged_time (logged_time_id BIGINT PRIMARY KEY, people_id BIGINT, date DATE, hours DECIMAL(9,4),
    billable BOOLEAN, locked BOOLEAN, project_id BIGINT, notes VARCHAR, created TIMESTAMP, modified TIMESTAMP)`);
  const [ours, theirs]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    const insert = (index: number) =>
      bare.run(`INSERT INTO logged_time VALUES (${round * WRITES + index}, 1, DATE '2025-03-04', 1.5, TRUE, FALSE, 1, 'bench',
        TIMESTAMP '2025-03-04 10:00:00', TIMESTAMP '2025-03-04 10:00:00')`);
    theirs.push(sum(await timeEach(WRITES, insert)));
    ours.push(await postAll(url, token));
  }
  await bare.close();
  const perSecond = (times: readonly number[]) => (WRITES * 1000) / median(times);
  print(
    'POST per second, one client | bare durable inserts',
    perSecond(ours) / perSecond(theirs),
    'at least 0.4 x',
    `${perSecond(ours).toFixed(0)} | ${perSecond(theirs).toFixed(0)} per second`,
  );
}

async function measureLine(send: Send): Promise<void> {
  const copy = join(folder, 'rebuilt.duckdb');
  await copyFile(database, copy);
  const rebuilt = await openDatabase(copy, { memoryLimitMib: 2048 });
  const lineOf = async (assignment: LoggedAssignment | undefined) => {
    const record = JSON.parse(await send('/v3/logged-time', timeAt(assignment)));
    const { people_id, date, logged_time_id } = record;
    const lines = await send(`/v3/reports/lines?start_date=${date}&end_date=${date}&people_id=${people_id}`);
    if (!lines.includes(logged_time_id)) throw new Error(`the report lacks ${logged_time_id}`);
  };
  const kinds = [
    { name: 'on what the person works on', assignments: known, times: [] as number[] },
    { name: 'on a project new to the person', assignments: other, times: [] as number[] },
  ];
  const wholes: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    wholes.push(...(await timeEach(1, () => buildModels(rebuilt, join(packageDirectory, 'sql')))));
    for (const { assignments, times } of kinds) {
      const next = assignments.slice(round * LINES, (round + 1) * LINES);
      // The first record warms up.
      times.push(...(await timeEach(LINES, (index) => lineOf(next[index]))).slice(1));
    }
  }
  await rebuilt.close();
  for (const { name, times } of kinds) {
    print(
      `a POST and its line in the next report, ${name} | a rebuild`,
      median(times) / median(wholes),
      'at most 0.02 x',
      `${median(times).toFixed(0)} | ${median(wholes).toFixed(0)} ms`,
    );
  }
}

async function measurePages(send: Send): Promise<void> {
  const query = `start_date=${start_date}&end_date=${end_date}&status=2&expand=people,client_id&per-page=200`;
  const kind = servedResources.get('tasks') as ServedResource;
  const copy = join(folder, 'pages.duckdb');
  await copyFile(database, copy);
  const loaded = await openDatabase(copy, { memoryLimitMib: 2048 });
  await prepareService(loaded, '2025-01-01 00:00:00');
  const journal = await openJournal(loaded, join(folder, 'pages.journal'));
  const store = await openStore(loaded, { now: () => new Date(), journal });
  const readHere = async () => {
    const page = await readPage(store.reader, kind, parseListQuery(kind, parseQueryString(query), true), true);
    return formatJson(page.records);
  };
  const [ours, theirs]: [number[], number[]] = [[], []];
  await readHere();
  for (let round = 0; round < ROUNDS; round += 1) {
    theirs.push(...(await timeEach(PAGES, readHere)));
    ours.push(...(await timeEach(PAGES, () => send(`/v3/tasks?${query}`))));
  }
  await store.close();
  await journal.close();
  await loaded.close();
  print(
    'a page of 200 tasks with filters and expand, p95 | in process',
    p95(ours) / p95(theirs),
    'at most 3 x',
    `${p95(ours).toFixed(0)} | ${p95(theirs).toFixed(0)} ms`,
  );
}

/** Measures readers that request the report repeatedly, by response. */
async function readRepeatedly(send: Send, until: number): Promise<number[]> {
  const times: number[] = [];
  const path = `/v3/reports/projects?start_date=${start_date}&end_date=${end_date}`;
  const reader = async () => {
    while (performance.now() < until) times.push(...(await timeEach(1, () => send(path))));
  };
  await Promise.all(Array.from({ length: READERS }, reader));
  return times;
}

async function measureReaders(send: Send): Promise<void> {
  const until = () => performance.now() + SECONDS * 1000;
  const alone = await readRepeatedly(send, until());
  const end = until();
  let written = 0;
  const writer = async () => {
    while (performance.now() < end) {
      written += 1;
      await send('/v3/logged-time', timeOf(written));
    }
  };
  const [among] = await Promise.all([readRepeatedly(send, end), ...Array.from({ length: WRITERS }, writer)]);
  print(
    `${READERS} readers of reports while ${WRITERS} clients write, p95 | alone`,
    p95(among) / p95(alone),
    'at most 2 x',
    `${p95(among).toFixed(0)} | ${p95(alone).toFixed(0)} ms, ${(written / SECONDS).toFixed(0)} writes a second`,
  );
}

try {
  await copyFile(database, served);
  await copyFile(fileWithoutRates(database), fileWithoutRates(served));
  const tokens = join(folder, 'tokens.json');
  const scopes = ['reports', 'rates', 'write'] as const;
  const { token } = await createToken(tokens, { label: 'bench', scopes: [...scopes], expires: null }, new Date());
  const before = await stat(served);
  const server = await startServer('write', served, tokens);
  const send = createSender(server, token);
  await untilPublished(before);
  await measurePosts(server.url, token);
  await measureLine(send);
  await measurePages(send);
  await measureReaders(send);
  server.close();
} finally {
  await rm(folder, { recursive: true });
}
