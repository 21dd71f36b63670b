import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/base/database/database.ts';
import { type Pulled, type PullState, stateAfter } from '../../../src/pull/pulled.ts';
import { ingestDirectory } from '../../../src/records/ingest/ingest.ts';
import { type Served, serve } from '../../http/served.ts';
import { company, TASKS } from '../../sync/company.ts';
import { type FaultySource, given, openFaultySource, passing, when, withJson } from '../../sync/faulty-source.ts';
import { makeFolder, pullFrom, readRecords } from '../../sync/pulling.ts';

let served: Served;
let source: FaultySource;
let state: PullState;
const { folder, remove } = makeFolder();

beforeAll(async () => {
  served = await serve({ write: true, inMemory: true, now: () => new Date(), data: company });
  source = await openFaultySource(served.url);
});
afterAll(async () => {
  await source.close();
  await served.close();
  remove();
});

/** Returns what was asked of the source meanwhile, as paths with queries. */
async function asked(work: () => Promise<unknown>): Promise<string[]> {
  const before = source.asked.length;
  await work();
  return source.asked.slice(before).map(({ path, query }) => `${path}?${query}`);
}

describe('a first run', () => {
  it('reads every list whole, each record with what is expanded', async () => {
    const pulled = await pullFrom(source.url, folder);
    state = stateAfter(pulled, undefined);
    expect(pulled.wholeBecause).toBe('nothing was read before');
    expect(pulled.resources.every(({ isWhole }) => isWhole)).toBe(true);
    expect(pulled.resources.map(({ resource, read }) => [resource, read])).toEqual([
      ['accounts', 1],
      ['departments', 0],
      ['clients', 0],
      ['roles', 1],
      ['rate_cards', 0],
      ['project_stages', 0],
      ['timeoff_types', 0],
      ['holidays', 0],
      ['people', 2],
      ['projects', 1],
      ['project_expenses', 1],
      ['phases', 1],
      ['milestones', 0],
      ['project_tasks', 1],
      ['status', 0],
      ['tasks', TASKS],
      ['timeoffs', 1],
      ['logged_time', 1],
    ]);
    expect(readRecords(pulled, 'people', 'people_id').get('2')).toMatchObject({ people_type_id: 4 });
    expect(readRecords(pulled, 'people', 'people_id').get('1').contracts).not.toHaveLength(0);
    expect(readRecords(pulled, 'roles', 'role_id').get('1').cost_rate_history).toHaveLength(1);
    const project = readRecords(pulled, 'projects', 'project_id').get('1');
    expect(project.project_team).toMatchObject([{ people_id: 1, hourly_rate: '140.0005' }]);
    expect(project.expenses).toHaveLength(1);
    expect(readRecords(pulled, 'tasks', 'task_id').size).toBe(TASKS);
    expect(pulled.notes).toEqual([]);
  });

  it('leaves a dataset that loads without a fault', async () => {
    const database = await openDatabase(':memory:');
    const { resources } = await ingestDirectory(database, join(folder, 'records'));
    await database.close();
    const counts = resources.map(({ resource, loaded, setAside }) => [resource, loaded, setAside]);
    expect(counts).toContainEqual(['tasks', TASKS, 0]);
    expect(counts).toContainEqual(['project_expenses', 1, 0]);
    expect(counts).toContainEqual(['milestones', 0, 0]);
  });

  it('keeps the digits of every number as they were sent', () => {
    expect(readFileSync(join(folder, 'records/projects.ndjson'), 'utf8')).toContain('"cost":99999999.9999,');
  });

  it('opens the delete logs before it lists anything', async () => {
    const paths = await asked(() => pullFrom(source.url, folder, { isFull: true }));
    const lists = paths.findIndex((path) => path.startsWith('/v3/accounts'));
    expect(paths.slice(1, lists)).toEqual([
      '/v3/deleted/tasks?limit=500',
      '/v3/deleted/timeoffs?limit=500',
      '/v3/deleted/logged-time?limit=500',
      '/v3/settings?',
    ]);
  });
});

describe('a later run', () => {
  it('reads what changed and was deleted, with at most 6 requests a large list', async () => {
    const changed = [3, 200, 449];
    for (const id of changed) await fetch(`${served.url}/v3/tasks/${id}`, patch({ name: 'Changed' }));
    await fetch(`${served.url}/v3/tasks/10`, { method: 'DELETE' });
    let pulled = await pullFrom(source.url, folder, { state });
    const paths = await asked(async () => {
      pulled = await pullFrom(source.url, folder, { state });
    });
    expect(pulled.wholeBecause).toBeUndefined();
    const tasks = pulled.resources.find(({ resource }) => resource === 'tasks');
    expect(tasks).toMatchObject({ isWhole: false, read: 3, deleted: [{ id: '10' }], digest: undefined });
    expect([...readRecords(pulled, 'tasks', 'task_id').keys()].sort()).toEqual(changed.map(String).sort());
    expect(paths.filter((path) => /^\/v3\/(deleted\/)?tasks/.test(path)).length).toBeLessThanOrEqual(6);
    state = stateAfter(pulled, state);
  });

  it('tells which lists are as they were', async () => {
    const pulled = await pullFrom(source.url, folder, { state });
    const small = pulled.resources.filter(({ isWhole }) => isWhole);
    expect(small.map(({ isUnchanged }) => isUnchanged)).toEqual(small.map(() => true));
    await fetch(`${served.url}/v3/people/1`, patch({ notes: 'Back in May' }));
    const after = await pullFrom(source.url, folder, { state });
    expect(after.resources.filter((each) => each.isWhole && !each.isUnchanged).map(({ resource }) => resource)).toEqual(
      ['people'],
    );
  });

  it.each([
    ['a full run was asked for', {}, true],
    ['the last good run is more than 66 hours ago', { startedAt: hoursAgo(66.1) }, false],
    ['everything was last read more than a week ago', { wholeAt: hoursAgo(168.1) }, false],
    ['the clock of the source went back', { startedAt: hoursAgo(-1) }, false],
    // Two hours have passed here, and one there.
    ['the clock of the source went back', { startedAt: hoursAgo(1), startedHere: hoursAgo(2) }, false],
    ['the delete log of tasks no longer has the position of the last run', { cursors: { tasks: 'old' } }, false],
    ['the delete log of tasks was off in the last run', { cursors: {} }, false],
  ])('reads everything because %s', async (reason, change, isFull) => {
    const pulled = await pullFrom(source.url, folder, { state: { ...state, ...change }, isFull });
    expect(pulled.wholeBecause).toBe(reason);
    expect(pulled.resources.every(({ isWhole }) => isWhole)).toBe(true);
    expect(pulled.resources.find(({ resource }) => resource === 'tasks')?.cursor).toBeDefined();
  });

  it.each([
    ['all delete logs are', '/deleted/', 'The delete logs of tasks, timeoffs, and logged_time are off', 'them'],
    ['one delete log is', '/deleted/tasks', 'The delete log of tasks is off', 'it'],
  ])('reads everything while %s off, and says so once', async (_what, part, sentence, object) => {
    source.faults = [
      when(
        ({ path }) => path.includes(part),
        async () => ({ status: 403, headers: {}, body: Buffer.from('') }),
      ),
    ];
    const pulled = await pullFrom(source.url, folder, { state });
    source.faults = [];
    expect(pulled.resources.every(({ isWhole }) => isWhole)).toBe(true);
    expect(pulled.resources.find(({ resource }) => resource === 'tasks')?.cursor).toBe(undefined);
    expect(pulled.notes.filter((note) => note.includes('delete log'))).toEqual([
      `${sentence}, so each run reads everything. Switch ${object} on at the source.`,
    ]);
  });
});

describe('other shapes', () => {
  it('reads lists at paths with underscores, and wrapped in data', async () => {
    source.faults = [
      when(
        ({ path }) => path.includes('-'),
        async () => ({ status: 404, headers: {}, body: Buffer.from('{}') }),
      ),
      withJson((json) => ({ kind: 'data', data: json })),
    ];
    const pulled = await pullFrom(source.url, folder, { isFull: true });
    source.faults = [];
    expect(readRecords(pulled, 'logged_time', 'logged_time_id').size).toBe(1);
    expect(readRecords(pulled, 'project_tasks', 'task_meta_id').size).toBe(1);
    expect(readRecords(pulled, 'tasks', 'task_id').size).toBe(TASKS - 1);
    expect(pulled.resources.find(({ resource }) => resource === 'logged_time')?.cursor).toBeDefined();
  });

  it('takes expenses from the projects if the source has no list of them', async () => {
    source.faults = [
      when(
        ({ path }) => /project.expenses/.test(path),
        async () => given(404, {}),
      ),
    ];
    const pulled = await pullFrom(source.url, folder, { isFull: true });
    source.faults = [];
    expect(pulled.resources).toContainEqual(
      expect.objectContaining({ resource: 'project_expenses', nestedIn: 'projects', read: 1 }),
    );
  });

  it('only counts the expenses of a list if as many came inside the projects', async () => {
    let pulled: Pulled | undefined;
    const requests = await asked(async () => {
      pulled = await pullFrom(source.url, folder, { isFull: true });
    });
    expect(requests.filter((request) => request.includes('project-expenses'))).toEqual([
      '/v3/project-expenses?per-page=1',
    ]);
    expect(pulled?.resources).toContainEqual(
      expect.objectContaining({ resource: 'project_expenses', nestedIn: 'projects', read: 1 }),
    );
  });

  it.each([
    ['other numbers of them', { 'x-pagination-total-count': '2' }],
    ['none', { 'x-pagination-total-count': '' }],
  ])('reads the list of expenses of a source that counts %s', async (_what, headers) => {
    source.faults = [
      when(
        ({ path, query }) => path === '/v3/project-expenses' && query.get('per-page') === '1',
        async (_asked, forward) => {
          const answer = await forward();
          return { ...answer, headers: { ...answer.headers, ...headers } };
        },
      ),
    ];
    const pulled = await pullFrom(source.url, folder, { isFull: true });
    source.faults = [];
    expect(pulled.resources).toContainEqual(
      expect.objectContaining({ resource: 'project_expenses', nestedIn: undefined, read: 1 }),
    );
  });

  it('notes lists that the source does not offer, and leaves them out', async () => {
    source.faults = [
      when(
        ({ path }) => /milestones|status/.test(path),
        async () => ({ status: 404, headers: {}, body: Buffer.from('') }),
      ),
    ];
    const pulled = await pullFrom(source.url, folder, { state });
    source.faults = [];
    expect(pulled.notes).toEqual(['The source has no list of milestones.', 'The source has no list of status.']);
    expect(pulled.resources.map(({ resource }) => resource)).not.toContain('milestones');
  });
});

it('faults that pass change nothing', async () => {
  const whole = await pullFrom(source.url, folder, { isFull: true });
  const faults = Object.values(passing);
  let met = 0;
  source.faults = [
    (one, forward) => {
      const fault = one.number % 3 === 0 ? faults[met++ % faults.length] : undefined;
      return fault ? fault(one, forward) : forward();
    },
  ];
  const again = await pullFrom(source.url, folder, { isFull: true });
  source.faults = [];
  expect(stateAfter(again, undefined).digests).toEqual(stateAfter(whole, undefined).digests);
  expect(met).toBeGreaterThanOrEqual(faults.length);
  expect(again.requests).toBeGreaterThan(whole.requests);
});

function patch(body: object): RequestInit {
  return { method: 'PATCH', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

function hoursAgo(hours: number): string {
  return new Date(Date.now() - hours * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
}
