import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { steps } from '../../../src/base/database/steps.ts';
import { syncFolder, syncStatusFile } from '../../../src/store/generation/generation-files.ts';
import { readSyncStatus } from '../../../src/store/generation/sync-status.ts';
import { readSignature } from '../../../src/store/generation/watch.ts';
import type { SyncRun } from '../../../src/store/sync/history.ts';
import { type SyncOptions, syncOnce } from '../../../src/store/sync/sync.ts';
import { type Served, serve } from '../../http/served.ts';
import { makeFolder, type Opened, openData } from '../../live/data.ts';
import { company, TASKS } from '../../sync/company.ts';
import {
  type Asked,
  before,
  type FaultySource,
  given,
  openFaultySource,
  when,
  withJson,
} from '../../sync/faulty-source.ts';
import { NEVER, openFastReader, TOKEN } from '../../sync/pulling.ts';

let served: Served;
let source: FaultySource;
let place: Awaited<ReturnType<typeof makeFolder>>;
let synced: Opened;

const syncRuns = (options: SyncOptions = {}) =>
  syncOnce(
    {
      reader: openFastReader(source.url),
      live: synced,
      database: synced.source.database,
      file: place.file,
      memoryLimitMib: 256,
    },
    options,
    NEVER,
  );

/** Syncs once, and expects a single run. */
async function sync(options: SyncOptions = {}): Promise<SyncRun> {
  const [run, ...more] = await syncRuns(options);
  expect(more).toEqual([]);
  return run ?? expect.fail('There is no run');
}

async function write(method: string, path: string, body?: object): Promise<void> {
  const answer = await fetch(`${served.url}/v3/${path}`, {
    method,
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  expect(answer.ok, `${method} ${path}: ${await answer.text()}`).toBe(true);
}

const readRows = async (sql: string) => synced.source.database.rows(sql);

beforeAll(async () => {
  served = await serve({ write: true, inMemory: true, now: () => new Date(), data: company });
  source = await openFaultySource(served.url);
  place = await makeFolder('nothing');
  synced = await openData(place.file, { isSynced: true });
});
afterAll(async () => {
  await synced.close();
  await source.close();
  await served.close();
  place.remove();
});

describe('a sync of a server of its own', () => {
  it('publishes nothing before the first run', () => {
    expect(existsSync(place.file)).toBe(false);
  });

  it('brings everything, and says so in the status', async () => {
    const summary = await sync();
    expect(summary).toMatchObject({ result: 'ok', isFull: true, gone: 0, setAside: 0 });
    expect(await readRows('SELECT count(*) AS tasks FROM source.tasks')).toEqual([{ tasks: TASKS }]);
    const { dataVersion, syncedAt, sourceUrl } = synced.generations.current().company;
    expect(readSyncStatus(place.file)).toMatchObject({
      source: sourceUrl,
      synced_at: syncedAt,
      data_version: dataVersion,
      last_run: { result: 'ok', message: null },
    });
    expect(readFileSync(syncStatusFile(place.file), 'utf8')).not.toContain(TOKEN);
  });

  it('opens, finds nothing and closes without refreshing or publishing anything', async () => {
    await synced.close();
    const signature = await readSignature(place.file);
    const { take } = steps;
    const taken: string[] = [];
    steps.take = (step, work) => {
      taken.push(step);
      return take(step, work);
    };
    synced = await openData(place.file, { isSynced: true });
    const run = await sync().finally(synced.close);
    steps.take = take;
    synced = await openData(place.file, { isSynced: true });
    expect(run).toMatchObject({ isFull: false, new: 0, changed: 0, gone: 0 });
    expect(taken).toEqual([]);
    expect(await readSignature(place.file)).toBe(signature);
  });

  it('finds nothing when nothing changed', async () => {
    const version = synced.generations.current().company.dataVersion;
    expect(await sync()).toMatchObject({ isFull: false, new: 0, changed: 0, gone: 0 });
    expect(await sync({ isFull: true })).toMatchObject({ isFull: true, new: 0, changed: 0, gone: 0 });
    expect(synced.generations.current().company.dataVersion).toBe(version);
  });

  it('brings what was written, changed and deleted', async () => {
    await write('POST', 'logged-time', { people_id: 1, project_id: 1, date: '2026-01-06', hours: 3 });
    await write('PATCH', 'tasks/1', { hours: 2 });
    await write('DELETE', 'tasks/2');
    expect(await sync()).toMatchObject({ new: 1, changed: 1, gone: 1 });
    expect(await readRows('SELECT CAST(hours AS VARCHAR) AS hours FROM source.tasks WHERE task_id <= 2')).toEqual([
      { hours: '2.000000' },
    ]);
  });

  it('keeps everything when the source fails, and says why', async () => {
    const before = await readRows('SELECT task_id, hours FROM source.tasks ORDER BY task_id');
    source.faults = [async () => given(401, { message: 'No' })];
    await expect(sync()).rejects.toThrow(/401/);
    source.faults = [];
    expect(await readRows('SELECT task_id, hours FROM source.tasks ORDER BY task_id')).toEqual(before);
    expect(readSyncStatus(place.file)?.last_run).toMatchObject({
      result: 'failed',
      message: expect.stringMatching(/401/),
    });
    expect(await readRows('SELECT result FROM sync.runs ORDER BY run_id DESC LIMIT 1')).toEqual([{ result: 'failed' }]);
    expect(await sync()).toMatchObject({ result: 'ok' });
  });

  it('tells fields that nobody knows, and sets records aside whose values have another type', async () => {
    const tasks = ({ path }: Asked) => path === '/v3/tasks';
    const drift = (change: (task: Record<string, unknown>) => object) =>
      when(
        tasks,
        withJson((json) => (json as Record<string, unknown>[]).map((task) => ({ ...task, ...change(task) }))),
      );
    source.faults = [drift(() => ({ mood: 'good' }))];
    await write('PATCH', 'tasks/3', { hours: 3 });
    expect((await sync()).load?.unknownFields).toEqual([{ resource: 'tasks', fields: ['mood'] }]);
    const [before] = await readRows('SELECT count(*) AS tasks FROM source.tasks');
    source.faults = [drift(({ task_id }) => (task_id === 3 ? { hours: { planned: 3 } } : {}))];
    const turned = await sync();
    expect(turned).toMatchObject({ gone: 1, setAside: 1 });
    expect(turned.load?.reasons).toMatchObject([{ resource: 'tasks' }]);
    source.faults = [];
    expect(await sync()).toMatchObject({ new: 1, setAside: 0 });
    expect(await readRows('SELECT count(*) AS tasks FROM source.tasks')).toEqual([before]);
  });

  it('removes an expense that came only in its list, once the list is empty', async () => {
    source.faults = [
      when(
        ({ path }) => path === '/v3/projects',
        withJson((json) => (json as object[]).map((project) => ({ ...project, expenses: [] }))),
      ),
    ];
    await sync();
    expect(await readRows('SELECT project_expense_id FROM source.project_expenses')).toEqual([
      { project_expense_id: 7 },
    ]);
    await write('DELETE', 'project-expenses/7');
    expect(await sync()).toMatchObject({ gone: 1 });
    source.faults = [];
    expect(await readRows('SELECT project_expense_id FROM source.project_expenses')).toEqual([]);
  });

  it('is complete if 200 records are added between any two requests, after one more run', async () => {
    const task = { people_id: 1, project_id: 1, start_date: '2026-03-02', end_date: '2026-03-02', hours: 1 };
    let left = 3;
    source.faults = [
      when(
        ({ path }) => path === '/v3/tasks',
        before(async () => {
          left -= 1;
          if (left >= 0) for (let count = 0; count < 200; count += 1) await write('POST', 'tasks', task);
        }),
      ),
    ];
    await sync({ isFull: true });
    source.faults = [];
    await sync();
    const total = Number((await served.get('/v3/tasks?per-page=1')).headers.get('x-pagination-total-count'));
    expect(await readRows('SELECT count(*) AS tasks FROM source.tasks')).toEqual([{ tasks: total }]);
    expect(left).toBeLessThan(0);
  });

  it('goes on where a run was killed, and then brings what has changed since', async () => {
    let requests = 0;
    source.faults = [
      async ({ path }, forward) => {
        if (path === '/v3/logged-time') requests += 1;
        return requests > 0 ? given(401, {}) : forward();
      },
    ];
    await expect(sync({ isFull: true })).rejects.toThrow(/401/);
    source.faults = [];
    await write('POST', 'departments', { name: 'Workshop' });
    await write('PATCH', 'tasks/5', { hours: 6 });
    await write('DELETE', 'tasks/6');
    const [resumed, last] = await syncRuns({ isFull: true });
    expect(resumed).toMatchObject({ isFull: true, isResumed: true, new: 0, changed: 0, gone: 1 });
    expect(last).toMatchObject({ isFull: false, isResumed: false, new: 1, changed: 1, gone: 0 });
    expect(await readRows("SELECT count(*) AS many FROM source.departments WHERE name = 'Workshop'")).toEqual([
      { many: 1 },
    ]);
  });

  it('keeps no records outside the database', async () => {
    expect(readdirSync(syncFolder(place.file)).filter((name) => name.startsWith('records'))).toEqual([]);
    expect(existsSync(`${syncFolder(place.file)}/run/records`)).toBe(false);
  });
});
