import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { type Database, openDatabase } from '../../src/base/database/database.ts';
import { type Program, runProcess, startProgram } from '../errors/program.ts';
import { type Served, serve } from '../http/served.ts';
import { Prng } from '../oracle/prng.ts';
import { SEED } from '../seed.ts';
import { makeFolder, TOKEN } from './pulling.ts';
import { LARGE, steadyCompany } from './source-writes.ts';

/** Number of kills between runs that end by themselves. */
const KILLS_PER_RUN = 10;

/** A program is killed after a random part of the duration of a run, or in a later run. */
const LATEST = 2;

const READER_PAUSE_MS = 150;

const WORK = { people_id: 1, project_id: 1 };

type Resource = (typeof LARGE)[number];

/** Bodies of new records of the large lists. */
const NEW: Readonly<Record<Resource, object>> = {
  tasks: { ...WORK, start_date: '2026-02-02', end_date: '2026-02-06', hours: 1 },
  timeoffs: { people_ids: [1], start_date: '2026-03-02', end_date: '2026-03-02' },
  logged_time: { ...WORK, date: '2026-02-02', hours: '1.25' },
};

/** SQL of the number of good runs whose changes aren't all in sync.changes. */
const TORN_RUNS = `SELECT count(*) AS torn FROM sync.runs WHERE result = 'ok' AND new + changed + gone
  <> (SELECT count(*) FROM sync.changes WHERE changes.run_id = runs.run_id)`;

/** The runs and the records of a published database. */
interface Published {
  readonly version: string;
  readonly runs: number;
  /** By resource: the records, and those that all runs together have left. */
  readonly records: readonly { readonly resource: string; readonly stored: number; readonly left: number }[];
  /** Good runs whose number of changes isn't that of sync.changes. */
  readonly torn: number;
  readonly lines: number;
  readonly hours: string;
}

/**
 * Kills a program that syncs at random moments, while another process reads what it publishes.
 * @param kills Number of kills; PLUMBLINE_SYNC_KILLS overrides it.
 * @param args The program's arguments beside those of the sync.
 */
export function testSyncKills(kills: number, name: string, args: (url: string) => readonly string[]): void {
  const count = Number(process.env['PLUMBLINE_SYNC_KILLS'] ?? kills);
  it(`${name} killed at ${count} random moments shows whole runs only, PLUMBLINE_SEED=${SEED}`, {
    timeout: count * 30_000 + 120_000,
  }, async () => {
    console.log(`PLUMBLINE_SEED=${SEED}`);
    const served = await serve({ write: true, now: () => new Date(), data: steadyCompany });
    const { folder, remove } = makeFolder();
    await killSyncs({ served, file: join(folder, 'company.duckdb'), folder }, args, count);
    await served.close();
    remove();
  });
}

interface Place {
  readonly served: Served;
  readonly folder: string;
  readonly file: string;
}

async function killSyncs(
  { served, folder, file }: Place,
  args: (url: string) => readonly string[],
  kills: number,
): Promise<void> {
  const random = new Prng(SEED);
  const token = join(folder, 'token');
  writeFileSync(token, TOKEN);
  const flags = ['--token-file', token, '--requests-per-minute', '600', '--database', file];
  const versions = new Map<string, Published>();
  const expectWhole = (found: Published, when: string) => {
    expect(found.torn, when).toBe(0);
    for (const { resource, stored, left } of found.records) expect(stored, `${when}: ${resource}`).toBe(left);
    const known = versions.get(found.version) ?? found;
    expect(found, when).toEqual(known);
    versions.set(found.version, known);
  };
  const finish = async (when: string) => {
    const { exitCode, stderr } = await runProcess(['sync', served.url, ...flags]);
    expect(exitCode, `${when}: ${stderr}`).toBe(0);
    const found = await readFile(file);
    expectWhole(found, when);
    await expectSourceCounts(served, found, when);
  };
  await finish('the first run');
  const start = performance.now();
  await finish('the second run');
  const tookMs = performance.now() - start;

  const reading = new AbortController();
  const reader = readOnAndOn(file, reading.signal, expectWhole);
  const totals = new Map<string, unknown>();
  const isServer = args(served.url)[0] === 'serve';
  let [runs, answers] = [0, 0];
  try {
    for (let kill = 1; kill <= kills; kill += 1) {
      for (let writes = random.int(0, 2); writes > 0; writes -= 1) await write(served, random);
      // Deletes may undo all earlier creates, but not this one: there is always something to sync.
      await create(served, random.pick(LARGE));
      const delayMs = Math.round(random.next() * tookMs * LATEST);
      const when = `kill ${kill} after ${delayMs} ms`;
      const program = startProgram([...args(served.url), ...flags]);
      const url = isServer ? findUrl(program) : Promise.resolve(undefined);
      let tellAnswer = () => {};
      const answered = new Promise<void>((resolve) => {
        tellAnswer = resolve;
      });
      const asking = askUntilKilled(program, url, totals, tellAnswer);
      asking.catch(() => undefined);
      // Every other server is killed while it starts, the others after their first answer.
      if (kill % 2 === 1) await Promise.race([answered, asking]);
      await sleep(delayMs);
      program.signal('SIGKILL');
      answers += await asking;
      const { exitCode, stderr } = await program.outcome;
      expect(exitCode, `${when}: ${stderr}`).toBeNull();
      const after = await readFile(file);
      expectWhole(after, when);
      expect(after.runs, when).toBeGreaterThanOrEqual(runs);
      runs = after.runs;
      if (kill % KILLS_PER_RUN === 0 || kill === kills) await finish(when);
    }
  } finally {
    reading.abort();
  }
  console.log(`${await reader} readings of ${versions.size} versions, ${answers} answers of ${totals.size} versions`);
  expect(versions.size).toBeGreaterThan(1);
  if (isServer) expect(answers).toBeGreaterThan(0);
}

/** Creates or deletes a record at the source. */
async function write(served: Served, random: Prng): Promise<void> {
  const resource = random.pick(LARGE);
  if (random.chance(0.6)) await create(served, resource);
  else {
    const path = pathOf(resource);
    const [newest] = (await served.get(`${path}?per-page=1&sort=-created`)).json() as Record<string, unknown>[];
    if (newest) await served.get(`${path}/${Object.values(newest)[0]}`, {}, 'DELETE');
  }
}

async function create(served: Served, resource: Resource): Promise<void> {
  expect((await served.post(pathOf(resource), NEW[resource])).status).toBe(201);
}

function pathOf(resource: Resource): string {
  return `/v3/${resource.replaceAll('_', '-')}`;
}

/** Opens the published database again and again, as reports do. @returns the number of times. */
async function readOnAndOn(
  file: string,
  signal: AbortSignal,
  expectWhole: (found: Published, when: string) => void,
): Promise<number> {
  let count = 0;
  for (; !signal.aborted; count += 1) {
    expectWhole(await readFile(file), 'a reader');
    await sleep(READER_PAUSE_MS);
  }
  return count;
}

/**
 * Asks a server for a report and by SQL until it is killed.
 * @param listening The server's URL; undefined for a program that serves nothing.
 * @param totals The totals of the report by data version.
 * @returns the number of whole answers.
 */
async function askUntilKilled(
  program: Program,
  listening: Promise<string | undefined>,
  totals: Map<string, unknown>,
  tellAnswer: () => void,
): Promise<number> {
  const ended = new AbortController();
  void program.outcome.then(() => ended.abort());
  const url = await listening;
  let answers = 0;
  while (url !== undefined && !ended.signal.aborted) {
    const report = await ask(`${url}/v3/reports/projects?start_date=2026-01-01&end_date=2026-06-30`, ended.signal);
    const torn = await ask(`${url}/v3/sql`, ended.signal, { sql: TORN_RUNS });
    if (!report || !torn) continue;
    const version = report.meta.data_version;
    expect(report.totals, version).toEqual(totals.get(version) ?? report.totals);
    totals.set(version, report.totals);
    expect(torn.rows).toEqual([{ torn: 0 }]);
    answers += 1;
    tellAnswer();
  }
  return answers;
}

/** Waits until a server answers. @returns its URL; undefined if it ends before. */
function findUrl(program: Program): Promise<string | undefined> {
  return new Promise((resolve) => {
    program.onStderr((text) => {
      const [, found] = /answers on (http:\/\/[\d.:]+)/.exec(text) ?? [];
      if (found) resolve(found);
    });
    void program.outcome.then(() => resolve(undefined));
  });
}

/** Asks for JSON. @returns undefined if there is no answer, or no data yet. */
// biome-ignore lint/suspicious/noExplicitAny: tests read whatever they requested.
async function ask(url: string, signal: AbortSignal, body?: object): Promise<any> {
  const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  try {
    const answer = await fetch(url, { signal, ...(body && post) });
    const json = await answer.json();
    return answer.ok ? json : undefined;
  } catch {
    return undefined;
  }
}

async function readFile(file: string): Promise<Published> {
  const database = await openDatabase(file, { readOnly: true });
  try {
    return await readPublished(database);
  } finally {
    await database.close();
  }
}

async function readPublished(database: Database): Promise<Published> {
  const [row] = await database.rows<Omit<Published, 'records'>>(`
    SELECT data_version AS version, (SELECT count(*) FROM sync.runs WHERE result = 'ok') AS runs,
      (${TORN_RUNS}) AS torn,
      (SELECT count(*) FROM marts.lines) AS lines, (SELECT CAST(sum(hours) AS VARCHAR) FROM marts.lines) AS hours
    FROM source.generation`);
  const records = LARGE.map(
    (name) => `SELECT '${name}' AS resource, (SELECT count(*) FROM source.${name}) AS stored,
      (SELECT count(*) FILTER (what = 'new') - count(*) FILTER (what = 'gone') FROM sync.changes WHERE resource = '${name}') AS "left"`,
  );
  if (!row) throw new Error('The database holds no generation');
  return { ...row, records: await database.rows(records.join(' UNION ALL ')) };
}

async function expectSourceCounts(served: Served, { records }: Published, when: string): Promise<void> {
  for (const { resource, stored } of records) {
    const { headers } = await served.get(`/v3/${resource.replaceAll('_', '-')}?per-page=1`);
    expect(stored, `${when}: ${resource}`).toBe(Number(headers.get('x-pagination-total-count')));
  }
}
