import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readSyncStatus } from '../../../src/store/generation/sync-status.ts';
import { syncOnce } from '../../../src/store/sync/sync.ts';
import { lastMonth, MAX_NAMED_DIFFERENCES, tieOutError } from '../../../src/store/tie-out/tie-out.ts';
import { run } from '../../errors/gallery.ts';
import { type Served, serve } from '../../http/served.ts';
import { makeFolder, type Opened, openData } from '../../live/data.ts';
import { company } from '../../sync/company.ts';
import {
  before,
  type Fault,
  type FaultySource,
  given,
  openFaultySource,
  passing,
  when,
  withJson,
} from '../../sync/faulty-source.ts';
import { NEVER, openFastReader, TOKEN } from '../../sync/pulling.ts';

let served: Served;
let source: FaultySource;
let place: Awaited<ReturnType<typeof makeFolder>>;
let synced: Opened;

/** Allocations of May 2026, the month before the test's day: 8.0004 hours, and 4.5 hours of a placeholder. */
const MAY = [
  { task_id: 9001, project_id: 1, people_id: 1, start_date: '2026-05-04', end_date: '2026-05-07', hours: '2.0001' },
  { task_id: 9002, project_id: 1, people_id: 2, start_date: '2026-05-05', end_date: '2026-05-05', hours: '4.5' },
];

beforeAll(async () => {
  const tasks = [...(company['tasks'] ?? []), ...MAY];
  served = await serve({ write: true, now: () => new Date(), data: { ...company, tasks } });
  source = await openFaultySource(served.url);
  place = await makeFolder('nothing');
  synced = await openData(place.file, { isSynced: true });
});
afterEach(() => {
  source.faults = [];
});
afterAll(async () => {
  await synced.close();
  await source.close();
  await served.close();
  place.remove();
});

/** Syncs and compares, with faults in the source's reports. */
async function compare(name: string, ...faults: readonly Fault[]) {
  source.faults = faults.map((fault) => when(({ path }) => path.endsWith(`/reports/${name}`), fault));
  const reader = openFastReader(source.url);
  const parts = { reader, live: synced, database: synced.source.database, file: place.file };
  const [run] = await syncOnce({ ...parts, memoryLimitMib: 256 }, { tiesOut: true }, NEVER);
  const { tieOut, notes } = run ?? expect.fail('There is no run');
  const status = readSyncStatus(place.file);
  expect(status?.last_run).toMatchObject({ result: 'ok', notes });
  expect(notes).toEqual(expect.arrayContaining([...(tieOut?.sentences ?? [])]));
  return tieOut;
}

type Row = Record<string, unknown>;

/** Replaces the rows of a report. */
const withRows = (name: string, change: (rows: readonly Row[]) => unknown): Fault =>
  withJson((json) => ({ [name]: change((json as Record<string, Row[]>)[name] ?? []) }));

const PEOPLE = "Scheduled hours equal the source's report people of 2026-05, in 2 rows.";
const PROJECTS = "Scheduled hours equal the source's report projects of 2026-05, in 1 row.";

describe('the scheduled hours of the last full month', () => {
  it('equal those in the reports of the source', async () => {
    expect(await compare('people')).toEqual({ sentences: [PEOPLE, PROJECTS], differing: 0 });
  });

  it.each<[string, (rows: readonly Row[]) => unknown]>([
    ['texts', (rows) => rows.map((row) => ({ ...row, scheduled: String(row['scheduled']) }))],
    [
      'numbers with the noise of floating point',
      (rows) => rows.map((row) => ({ ...row, scheduled: Number(row['scheduled']) + 1e-15 })),
    ],
    [
      'two rows of one person',
      ([first, ...rows]) => [{ ...first, scheduled: 5 }, { ...first, scheduled: 3.0004 }, ...rows],
    ],
  ])('are read from %s', async (_title, change) => {
    expect(await compare('people', withRows('people', change))).toEqual({
      sentences: [PEOPLE, PROJECTS],
      differing: 0,
    });
  });

  it('differ by a ten-thousandth of an hour, a person only there, and one only here', async () => {
    const others = [
      { people_id: 1, name: 'Ada', scheduled: 8.0005 },
      { people_id: 7, name: 'Grace', scheduled: 1 },
      { people_id: 8, name: 'Idle', scheduled: 0 },
    ];
    const found = await compare(
      'people',
      withRows('people', () => others),
    );
    expect(found?.sentences[0]).toBe(
      "Scheduled hours differ from the source's report people of 2026-05: 1 (Ada) has 8.0005 hours there and 8.0004 here; 2 (Role: engineer) has 0.00 hours there and 4.50 here; 7 (Grace) has 1.00 hours there and 0.00 here.",
    );
    expect(found && tieOutError(found)).toMatchObject({ code: 'check', message: expect.stringContaining('in 3 rows') });
  });

  it('differ when the source changes after the run, until the next', async () => {
    const change = (hours: number) =>
      fetch(`${served.url}/v3/tasks/9002`, {
        method: 'PATCH',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ hours }),
      });
    const { sentences = [] } =
      (await compare(
        'people',
        before(() => change(6)),
      )) ?? {};
    expect(sentences.join(' ')).toContain('2 (Role: engineer) has 6.00 hours there and 4.50 here');
    expect(sentences.join(' ')).toContain('1 (Bridge) has 14.00 hours there and 12.50 here');
    expect(await compare('people')).toMatchObject({ differing: 0 });
  });

  it('name the first differences only', async () => {
    const rows = Array.from({ length: 30 }, (_, index) => ({ people_id: 100 + index, name: 'X', scheduled: 1 }));
    const found = await compare(
      'people',
      withRows('people', (own) => [...own, ...rows]),
    );
    expect(found?.differing).toBe(30);
    expect(found?.sentences[0]?.match(/\(X\)/g)).toHaveLength(MAX_NAMED_DIFFERENCES);
    expect(found?.sentences[0]).toMatch(/; and 10 more\.$/);
  });
});

describe('a source that shows no hours', () => {
  it.each<[string, Fault, RegExp]>([
    ['has no reports', async () => given(404, {}), /the source doesn't have it \(404\)/],
    ['refuses them to the token', async () => given(403, {}), /the token may not read it \(403\)/],
    [
      'answers rows of another kind',
      async () => given(200, { people: [{ id: 1 }] }),
      /its rows have no scheduled hours/,
    ],
    ['answers no list', async () => given(200, { message: 'Hello' }), /something other than a list/],
    ['fails', passing['a server error'] as Fault, /can't answer \/v3\/reports\/people/],
  ])('%s: it is told, and the sync is good', async (_title, fault, reason) => {
    const found = await compare('people', fault);
    expect(found).toMatchObject({ sentences: [expect.stringMatching(reason), PROJECTS], differing: 0 });
    expect(found?.sentences[0]).toMatch(
      /^Scheduled hours were not compared with the source's report people of 2026-05: /,
    );
  });
});

it.each([
  ['2026-06-15', '2026-05-01', '2026-05-31'],
  ['2026-01-01', '2025-12-01', '2025-12-31'],
  ['2028-03-31', '2028-02-01', '2028-02-29'],
])('the last full month before %s is %s to %s', (today, start, end) => {
  expect(lastMonth(today)).toEqual({ start, end });
});

it('plumbline sync --tie-out fails with the differences, and keeps the records', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-tie-out-'));
  const database = join(folder, 'company.duckdb');
  writeFileSync(join(folder, 'token'), TOKEN);
  const flags = ['--token-file', join(folder, 'token'), '--requests-per-minute', '6000', '--database', database];
  const sync = () => run(['sync', source.url, '--tie-out', ...flags]);
  try {
    expect(await sync()).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('Scheduled hours equal') });
    const raised = withRows('people', (rows) => rows.map((row) => ({ ...row, scheduled: 1 })));
    source.faults = [when(({ path }) => path.endsWith('/reports/people'), raised)];
    const { exitCode, stderr } = await sync();
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/1 \(Ada\) has 1.00 hours there and 2,250.23 here/);
    expect(stderr).toMatch(/^Error: Scheduled hours do not tie out with the source's own reports in 2 rows$/m);
    const { stdout } = await run(['status', '--max-age', '1h', '--database', database]);
    expect(stdout).toMatch(/^Scheduled hours differ from the source's report people of /m);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
