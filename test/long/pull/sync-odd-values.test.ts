import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { SyncRun } from '../../../src/store/sync/history.ts';
import { type SyncOptions, syncOnce } from '../../../src/store/sync/sync.ts';
import { type Served, serve } from '../../http/served.ts';
import { makeFolder, type Opened, openData } from '../../live/data.ts';
import { withoutPublishing } from '../../live/memory-source.ts';
import { company, TASKS } from '../../sync/company.ts';
import {
  type Fault,
  type FaultySource,
  given,
  openFaultySource,
  when,
  withHeaders,
  withJson,
} from '../../sync/faulty-source.ts';
import { NEVER, openFastReader } from '../../sync/pulling.ts';

/** A length beyond the largest record. Unit: bytes. */
const TOO_MANY_BYTES = 17_000_000;

/** Ids that a conversion would make 1 or 2, by the task that they are sent for. */
const ODD_IDS = [
  [11, '1.5'],
  [12, '[1]'],
  [13, 'true'],
  [14, '1.0000000000000000001'],
  [15, '"1.0000000000000000001"'],
] as const;

let served: Served;
let source: FaultySource;
let place: Awaited<ReturnType<typeof makeFolder>>;
let synced: Opened;

beforeAll(async () => {
  served = await serve({ write: true, inMemory: true, now: () => new Date(), data: company });
  source = await openFaultySource(served.url);
  place = await makeFolder('nothing');
  synced = await openData(place.file, { isSynced: true, wrap: withoutPublishing });
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

/** Syncs once, and expects a single run. */
async function sync(options: SyncOptions = {}): Promise<SyncRun> {
  const reader = openFastReader(source.url);
  const { database } = synced.source;
  const parts = { reader, live: synced, database, file: place.file, memoryLimitMib: 256 };
  const [run, ...more] = await syncOnce(parts, options, NEVER);
  expect(more).toEqual([]);
  return run ?? expect.fail('There is no run');
}

const readRows = (sql: string) => synced.source.database.rows(sql);

const onTasks = (fault: Fault) => when(({ path }) => path === '/v3/tasks', fault);

describe('counts of expenses, which come in a list of their own and inside projects', () => {
  it.each<[string, readonly Fault[]]>([
    ['both', []],
    [
      'inside projects alone',
      [
        when(
          ({ path }) => /project.expenses/.test(path),
          async () => given(404, {}),
        ),
      ],
    ],
  ])('agree between the run and status: %s', async (title, faults) => {
    // Lists that are as they were are not loaded again.
    const headers = { 'content-type': 'application/json' };
    await fetch(`${served.url}/v3/projects/1`, { method: 'PATCH', headers, body: JSON.stringify({ notes: title }) });
    source.faults = faults;
    const { reads } = await sync({ isFull: true });
    const [stored] = await readRows(
      "SELECT read, loaded, set_aside, duplicates FROM source.load_counts WHERE resource = 'project_expenses'",
    );
    expect(stored).toEqual({ read: 1, loaded: 1, set_aside: 0, duplicates: 0 });
    expect(reads.find(({ resource }) => resource === 'project_expenses')?.read).toBe(1);
  });
});

describe('ids that are none', () => {
  const oddIds = onTasks(async (_asked, forward) => {
    const answer = await forward();
    const text = ODD_IDS.reduce(
      (json, [id, odd]) => json.replace(`"task_id":${id},`, `"task_id":${odd},`),
      answer.body.toString(),
    );
    return { ...answer, body: Buffer.from(text) };
  });

  it.each<[string, SyncOptions]>([
    ['changes', {}],
    ['whole lists', { isFull: true }],
  ])('remove and change no other record: %s', async (_title, options) => {
    await sync();
    const before = await readRows('SELECT task_id, name FROM source.tasks ORDER BY task_id');
    expect(before).toHaveLength(TASKS);
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ name: 'With an odd id' });
    for (const [id] of ODD_IDS) await fetch(`${served.url}/v3/tasks/${id}`, { method: 'PATCH', headers, body });
    source.faults = [oddIds];
    const run = await sync(options);
    // A number that would be rounded is left out before the load, which takes it for 1.
    expect(run).toMatchObject({ new: 0, changed: 0, gone: 0, setAside: ODD_IDS.length - 1 });
    expect(run.notes).toContain("Records of tasks whose id isn't a whole number as sent are left out.");
    expect(await readRows('SELECT task_id, name FROM source.tasks ORDER BY task_id')).toEqual(before);
    source.faults = [];
    expect(await sync({ isFull: true })).toMatchObject({ changed: ODD_IDS.length, setAside: 0 });
    const names = { name: 'As before' };
    for (const [id] of ODD_IDS) {
      await fetch(`${served.url}/v3/tasks/${id}`, { method: 'PATCH', headers, body: JSON.stringify(names) });
    }
  });
});

it('a record of more than 16 MiB is set aside with its reason, and everything else is synced', async () => {
  const notes = 'x'.repeat(TOO_MANY_BYTES);
  source.faults = [
    onTasks(
      withJson((json) =>
        (json as { task_id: number }[]).map((task) => (task.task_id === 3 ? { ...task, notes } : task)),
      ),
    ),
  ];
  const run = await sync({ isFull: true });
  expect(run).toMatchObject({ result: 'ok', gone: 1, setAside: 1 });
  expect(await readRows('SELECT count(*) AS tasks, count(*) FILTER (task_id = 3) AS third FROM source.tasks')).toEqual([
    { tasks: TASKS - 1, third: 0 },
  ]);
  expect(await readRows('SELECT resource, record_id, reasons FROM source.rejected')).toEqual([
    { resource: 'tasks', record_id: '3', reasons: ['larger than 16 MiB'] },
  ]);
  source.faults = [];
  expect(await sync({ isFull: true })).toMatchObject({ new: 1, setAside: 0 });
});

it.each([
  ['Sat, 13 Sep 275760 00:00:00 GMT', 275760],
  ['Mon, 01 Jan 0001 00:00:00 GMT', 1],
  ['Thu, 01 Jan 1601 00:00:00 GMT', 1601],
])('the clock %s is told, and the run succeeds', async (date, year) => {
  source.faults = [withHeaders(() => ({ date }))];
  const run = await sync({ isFull: true });
  expect(run.result).toBe('ok');
  expect(run.notes).toContain(`The source's clock is in the year ${year}, so the clock of this machine is used.`);
});
