import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { expect, it, onTestFinished } from 'vitest';
import { readMemoryMib } from './beside.ts';
import { readUrl, watchProgram } from './server.ts';

const PEOPLE = 60;
const PROJECTS = 8;

/** Days on which each person logs time. */
const DAYS = 520;
const FIRST_DAY = Date.UTC(2024, 0, 1);
const DAY_MS = 86_400_000;

const WINDOW = 'start_date=2024-01-01&end_date=2025-12-31';
const ROWS = `${WINDOW}&group_by=day,person,project&measures=actual_hours,actual_fees`;

/** Asks for 62,400 rows, half of which have a difference. */
const CHANGES = `from=before&only_changed=0&${ROWS}`;

/** Days of people, a row each: as many as fit into a minute. */
const PEOPLE_BY_DAY = `people.arrow?interval=day&${WINDOW}`;

interface Asked {
  readonly path: string;
  readonly body?: object;
  /** The least size of the answer, so that a refusal isn't measured. Unit: bytes. */
  readonly leastBytes: number;
}

const report = (path: string, leastBytes: number): Asked => ({ path: `/v3/reports/${path}`, leastBytes });

/** Answers that are asked for at once. */
const AT_ONCE: Readonly<Record<string, readonly Asked[]>> = {
  'three workbooks of changes': Array.from({ length: 3 }, () => report(`changes.xlsx?${CHANGES}`, 2_000_000)),
  'JSON, CSV and Arrow': [
    report(`changes?${CHANGES}`, 15_000_000),
    report(`pivot.csv?${ROWS}`, 1_000_000),
    report(PEOPLE_BY_DAY, 10_000_000),
  ],
  'lists of lines': [
    report(`changed-lines?from=before&${WINDOW}&measure=actual_fees`, 10_000_000),
    report(`lines?${WINDOW}`, 10_000_000),
    report(`lines.xlsx?${WINDOW}`, 1_000_000),
  ],
  'OData, SQL and a preview': [
    { path: '/odata/v4/report_lines(start_date=2024-01-01,end_date=2025-12-31)', leastBytes: 2_000_000 },
    { path: '/v3/sql', body: { sql: 'SELECT * FROM marts.ledger', limit: 30_000 }, leastBytes: 2_000_000 },
    {
      path: '/v3/preview',
      body: {
        changes: [{ method: 'PATCH', path: '/v3/projects/1', body: { default_hourly_rate: 100 } }],
        report: 'pivot',
        parameters: { start_date: '2024-01-01', end_date: '2024-12-31', group_by: 'day,person,project' },
        measures: ['actual_fees'],
      },
      leastBytes: 2_000_000,
    },
  ],
};

/** The longest delay of the event loop at the 99th percentile beyond that of the test, which the machine makes. Unit: ms. */
const MAX_DELAY_MS = 100;

/** The most memory of the server's own process, whose aim is 1,024; those of SQL have a bound of their own. Unit: MiB. */
const MAX_MEMORY_MIB = 900;

/** The part of it that the engine may take, the default on a machine of 1 GiB; the rest is that of the program. */
const ENGINE_MEMORY_MIB = 410;

/** The time from one reading of the memory to the next. Unit: ms. */
const READ_EVERY_MS = 20;

/** Writes a company whose people log time each day. @returns Its folder. */
async function makeCompany(folder: string, rate: number): Promise<string> {
  const dataset = join(folder, `data-${rate}`);
  await mkdir(dataset);
  const count = (length: number) => Array.from({ length }, (_, index) => index + 1);
  const records = {
    people: count(PEOPLE).map((id) => ({ people_id: id, name: `Person ${id}`, cost_rate: 50 })),
    projects: count(PROJECTS).map((id) => ({ project_id: id, name: `Project ${id}`, default_hourly_rate: rate })),
    logged_time: count(PEOPLE).flatMap((id) =>
      count(DAYS).map((day) => ({
        logged_time_id: `${id}.${day}`,
        people_id: id,
        project_id: 1 + ((id + day) % PROJECTS),
        date: new Date(FIRST_DAY + day * DAY_MS).toISOString().slice(0, 10),
        hours: 2,
      })),
    ),
  };
  for (const [name, rows] of Object.entries(records))
    await writeFile(join(dataset, `${name}.json`), JSON.stringify(rows));
  return dataset;
}

async function runProgram(...args: string[]): Promise<void> {
  const { exitCode, stderr } = await watchProgram(args).program.outcome;
  expect(exitCode, stderr).toBe(0);
}

/** Reads an answer to its end without holding it, and expects its size. */
async function ask(url: string, { path, body, leastBytes }: Asked): Promise<void> {
  const response = await fetch(url + path, {
    ...(body && { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  if (response.status !== 200) expect.fail(`${path}: ${response.status} ${await response.text()}`);
  let bytes = 0;
  for await (const chunk of response.body ?? []) bytes += chunk.length;
  expect(bytes, path).toBeGreaterThan(leastBytes);
}

/** Reads the delay of the server's event loop at the 99th percentile since the last call. Unit: ms. */
async function readDelay(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return 1000 * Number(/^nodejs_eventloop_lag_p99_seconds (\S+)$/m.exec(text)?.[1] ?? Number.NaN);
}

it(`the largest answers of each door, three at once, hold nothing up and take less than ${MAX_MEMORY_MIB} MiB`, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'plumbline-large-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const database = ['--database', join(folder, 'company.duckdb')];
  await runProgram('load', await makeCompany(folder, 90), ...database);
  await runProgram('keep', 'before', ...database);
  await runProgram('load', await makeCompany(folder, 95), ...database);
  const options = ['--write', '--memory-limit', String(ENGINE_MEMORY_MIB), '--port', '0', '--log-level', 'error'];
  const { program } = watchProgram(['serve', ...database, ...options]);
  const url = await readUrl(program);
  let mostMib = 0;
  const timer = setInterval(() => {
    mostMib = Math.max(mostMib, readMemoryMib(program.pid));
  }, READ_EVERY_MS);
  onTestFinished(() => clearInterval(timer));
  for (const [name, asked] of Object.entries(AT_ONCE)) {
    const own = monitorEventLoopDelay({ resolution: 10 });
    own.enable();
    await readDelay(url);
    const startedAt = performance.now();
    await Promise.all(asked.map((each) => ask(url, each)));
    own.disable();
    const [delayMs, ownMs] = [await readDelay(url), own.percentile(99) / 1e6];
    console.log(
      `${name} in ${((performance.now() - startedAt) / 1000).toFixed(1)} s: p99 of the event loop ${delayMs.toFixed(0)} ms ` +
        `(of the test's own ${ownMs.toFixed(0)}), ${mostMib} MiB so far`,
    );
    expect(delayMs, name).toBeLessThan(MAX_DELAY_MS + ownMs);
    expect(mostMib, name).toBeLessThan(MAX_MEMORY_MIB);
  }
  clearInterval(timer);
  program.signal('SIGTERM');
  expect((await program.outcome).exitCode).toBe(0);
});
