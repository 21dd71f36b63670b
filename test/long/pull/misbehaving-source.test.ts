import { readdirSync, readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { MAX_RESUME_HOURS } from '../../../src/pull/folder.ts';
import { type Pulled, stateAfter } from '../../../src/pull/pulled.ts';
import { formatMoment } from '../../../src/pull/requests/clock.ts';
import { MAX_CHANGES_HOURS } from '../../../src/pull/run-start.ts';
import { type Served, serve } from '../../http/served.ts';
import { Prng } from '../../oracle/prng.ts';
import { company } from '../../sync/company.ts';
import {
  before,
  byChance,
  clockOff,
  type FaultySource,
  given,
  openFaultySource,
  times,
  when,
  withHeaders,
  withJson,
} from '../../sync/faulty-source.ts';
import { makeFolder, pullFrom, readRecords, resumeFrom, TOKEN } from '../../sync/pulling.ts';

let served: Served;
let source: FaultySource;
const { folder, remove } = makeFolder();

beforeAll(async () => {
  served = await serve({ write: true, inMemory: true, now: () => new Date(), data: company });
  source = await openFaultySource(served.url);
});
afterEach(() => {
  source.faults = [];
});
afterAll(async () => {
  await source.close();
  await served.close();
  remove();
});

const TASK = { people_id: 1, project_id: 1, start_date: '2026-03-02', end_date: '2026-03-06', hours: '2' };

const hasNoLog = when(
  ({ path }) => path.includes('deleted'),
  async () => given(403, {}),
);

async function createTask(): Promise<string> {
  return String((await served.post('/v3/tasks', TASK)).json().task_id);
}

const deleteTask = (id: string) => served.get(`/v3/tasks/${id}`, {}, 'DELETE');

/** Reads the ids of all tasks that the source has. */
async function readTaskIds(): Promise<string[]> {
  const ids: string[] = [];
  for (let page = 1; ; page += 1) {
    const tasks: { task_id: number }[] = (await served.get(`/v3/tasks?per-page=200&page=${page}`)).json();
    if (tasks.length === 0) return ids.sort();
    ids.push(...tasks.map(({ task_id }) => String(task_id)));
  }
}

/** Returns the ids of the tasks that a run leaves: those that it read, without those deleted later. */
function tasksAfter(pulled: Pulled, earlier: readonly string[] = []): string[] {
  const tasks = pulled.resources.find(({ resource }) => resource === 'tasks');
  const ids = new Set([...(tasks?.isWhole ? [] : earlier), ...readRecords(pulled, 'tasks', 'task_id').keys()]);
  for (const { id } of tasks?.deleted ?? []) ids.delete(id);
  return [...ids].sort();
}

describe('while pages are read', () => {
  it.each([
    ['oldest first', []],
    [
      'newest first',
      [
        when(
          ({ query }) => query.delete('sort') === undefined,
          (_asked, forward) => forward(),
        ),
      ],
    ],
  ])('%s, deletions and insertions lose nothing', async (_title, order) => {
    let left = 5;
    const drift = before(async ({ path, query }) => {
      if (path !== '/v3/tasks' || query.get('page') === null || left === 0) return;
      left -= 1;
      const [oldest = ''] = (await readTaskIds()).sort((one, other) => Number(one) - Number(other));
      await deleteTask(oldest);
      await createTask();
    });
    source.faults = [...order, drift];
    const first = await pullFrom(source.url, folder);
    source.faults = [];
    expect(left).toBe(0);
    const had = tasksAfter(first);
    const second = await pullFrom(source.url, folder, { state: stateAfter(first, undefined) });
    expect(second.wholeBecause).toBeUndefined();
    expect(tasksAfter(second, had)).toEqual(await readTaskIds());
  });
});

describe('totals', () => {
  it.each<[string, string]>([
    ['missing', ''],
    ['too low', '3'],
    ['no number', 'many'],
  ])('%s, every record is read', async (_title, total) => {
    const headers = { 'x-pagination-total-count': total, 'x-pagination-page-count': '' };
    source.faults = [
      when(
        ({ path }) => total !== '3' || path === '/v3/tasks',
        withHeaders(() => headers),
      ),
    ];
    expect(tasksAfter(await pullFrom(source.url, folder))).toEqual(await readTaskIds());
  });

  it.each(['the order asked for', 'another order'])(
    'too high, in %s, the run fails, and the next is good',
    async (order) => {
      source.faults = [
        (asked, forward) => {
          if (order === 'another order') asked.query.delete('sort');
          return forward();
        },
        when(
          ({ path }) => path === '/v3/tasks',
          withHeaders(() => ({ 'x-pagination-total-count': '10000' })),
        ),
      ];
      await expect(pullFrom(source.url, folder)).rejects.toThrow(
        /^\/tasks could not be read whole: 3 readings found \d+ of 10000 records$/,
      );
      source.faults = [];
      expect(tasksAfter(await resumeFrom(source.url, folder))).toEqual(await readTaskIds());
    },
  );
});

it.each([10, -10])('a clock that is off by %i minutes misses no change', async (minutes) => {
  source.faults = [clockOff(minutes * 60_000)];
  const state = stateAfter(await pullFrom(source.url, folder), undefined);
  const id = await createTask();
  const later = await pullFrom(source.url, folder, { state });
  expect(later.wholeBecause).toBeUndefined();
  expect([...readRecords(later, 'tasks', 'task_id').keys()]).toContain(id);
});

describe('deletions', () => {
  it('come 50 times, in any order, and count once', async () => {
    const state = stateAfter(await pullFrom(source.url, folder), undefined);
    const ids = [await createTask(), await createTask(), await createTask()];
    for (const id of ids) await deleteTask(id);
    const shuffle = (json: unknown) => {
      const many = Array.from({ length: 50 }, () => json as object[]).flat();
      return {
        data: many
          .map((each, index) => [each, (index * 7919) % 101] as const)
          .sort(([, a], [, b]) => a - b)
          .map(([each]) => each),
      };
    };
    source.faults = [when(({ path }) => path.startsWith('/v3/deleted'), withJson(shuffle))];
    const later = await pullFrom(source.url, folder, { state });
    const tasks = later.resources.find(({ resource }) => resource === 'tasks');
    expect(tasks?.deleted.map(({ id }) => id).sort()).toEqual(ids.sort());
  });

  it('of records never seen do no harm, and deletions during the run are in it', async () => {
    const state = stateAfter(await pullFrom(source.url, folder), undefined);
    const id = await createTask();
    source.faults = [
      when(
        ({ path }) => path === '/v3/timeoffs',
        times(
          1,
          before(() => deleteTask(id)),
        ),
      ),
    ];
    const later = await pullFrom(source.url, folder, { state });
    expect(readRecords(later, 'tasks', 'task_id').has(id)).toBe(true);
    expect(later.resources.find(({ resource }) => resource === 'tasks')?.deleted.map((each) => each.id)).toContain(id);
  });
});

describe('a run that ends in the middle', () => {
  it.each([4, 14, 20, 22, 26])('goes on after %i requests', async (count) => {
    const whole = await pullFrom(source.url, folder);
    const digests = stateAfter(whole, undefined).digests;
    const before = source.asked.length;
    source.faults = [
      when(
        ({ number }) => number > before + count,
        async () => given(401, {}),
      ),
    ];
    await expect(pullFrom(source.url, folder)).rejects.toThrow("doesn't accept the token (401)");
    source.faults = [];
    const rest = await resumeFrom(source.url, folder);
    expect(stateAfter(rest, undefined).digests).toEqual(digests);
    // Beside the request for the clock, only a page on its way and the position in the logs are asked for again.
    expect(rest.requests).toBeLessThanOrEqual(whole.requests - count + 6);
  });

  it('is aborted between two pages, and keeps them', async () => {
    const { signal, abort } = abortAfter(8);
    await expect(pullFrom(source.url, folder, { signal, onProgress: abort })).rejects.toThrow('Stopped');
    const rest = await resumeFrom(source.url, folder);
    expect(tasksAfter(rest)).toEqual(await readTaskIds());
  });

  it('begins anew for another source, another state, or after some hours', async () => {
    const first = await pullFrom(source.url, folder);
    const same = await resumeFrom(source.url, folder);
    expect(same.startedAt).toBe(first.startedAt);
    expect(same.requests).toBeLessThan(6);
    const hours = (count: number) => () => new Date(Date.now() + count * 3_600_000);
    const others = [
      resumeFrom.bind(undefined, `${source.url}/v3`, folder, { isFull: true }),
      resumeFrom.bind(undefined, source.url, folder, { isFull: true, now: hours(MAX_RESUME_HOURS + 0.1) }),
      resumeFrom.bind(undefined, source.url.replace('127.0.0.1', 'localhost'), folder, { isFull: true }),
    ];
    for (const other of others) expect((await other()).requests).toBeGreaterThan(20);
  });

  it.each(['a delete log that ends', 'a state that has grown too old'])('begins anew after %s', async (what) => {
    const state = stateAfter(await pullFrom(source.url, folder), undefined);
    const isOld = what !== 'a delete log that ends';
    const startedAt = formatMoment(Date.now() - (MAX_CHANGES_HOURS - 1) * 3_600_000);
    const late = isOld ? { ...state, startedAt } : state;
    let hasRead = false;
    source.faults = [
      async ({ path }, forward) => {
        hasRead ||= path === '/v3/logged-time';
        return hasRead && path.includes('deleted') ? given(isOld ? 401 : 403, {}) : forward();
      },
    ];
    await expect(pullFrom(source.url, folder, { state: late })).rejects.toThrow(isOld ? /401/ : /^The delete log of/);
    source.faults = isOld ? [clockOff(2 * 3_600_000)] : [hasNoLog];
    const again = await resumeFrom(source.url, folder, { state: late });
    expect(again).toMatchObject({ isResumed: false, wholeBecause: expect.any(String) });
  });

  it('reads a list again if its file is damaged', async () => {
    await pullFrom(source.url, folder);
    truncateSync(join(folder, 'records', 'tasks.ndjson'), 100);
    expect(tasksAfter(await resumeFrom(source.url, folder))).toEqual(await readTaskIds());
  });
});

it.each([1, 2])('faults by chance change nothing: seed %i', async (seed) => {
  const digests = stateAfter(await pullFrom(source.url, folder), undefined).digests;
  const random = new Prng(seed);
  source.faults = [
    when(
      ({ number }) => number > 1,
      byChance(() => random.next(), 0.25),
    ),
  ];
  const again = await pullFrom(source.url, folder).catch(() => resumeFrom(source.url, folder));
  expect(stateAfter(again, undefined).digests).toEqual(digests);
});

it('the token is in no file and in no note', async () => {
  source.faults = [
    when(
      ({ path }) => path === '/v3/status',
      async () => given(404, { message: `No ${TOKEN}` }),
    ),
  ];
  const pulled = await pullFrom(source.url, folder);
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
  expect(files.length).toBeGreaterThan(10);
  for (const { parentPath, name } of files) expect(readFileSync(join(parentPath, name), 'utf8')).not.toContain(TOKEN);
  expect(JSON.stringify(pulled)).not.toContain(TOKEN);
  expect(source.asked.at(-1)?.token).toBe(TOKEN);
});

function abortAfter(pages: number): { readonly signal: AbortSignal; readonly abort: () => void } {
  const controller = new AbortController();
  let left = pages;
  const abort = () => {
    left -= 1;
    if (left === 0) controller.abort(new Error('Stopped'));
  };
  return { signal: controller.signal, abort };
}
