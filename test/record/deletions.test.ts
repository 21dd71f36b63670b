import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NOW, openService, type Service } from './service.ts';

const HOUR_MS = 3_600_000;

describe('deleted records', () => {
  let service: Service;
  let now = NOW;
  const time = { people_id: 1, date: '2026-01-05', hours: 8 };
  beforeAll(async () => {
    service = await openService(
      { people: [{ people_id: 1, name: 'Ann' }], projects: [{ project_id: 7, name: 'P' }] },
      () => now,
    );
  });
  afterAll(() => service.close());

  const list = (query = '', path = 'logged-time') => service.call('GET', `/v3/deleted/${path}${query}`);
  const cursorOf = (headers: Readonly<Record<string, unknown>>) => String(headers['x-pagination-next-cursor']);
  const remove = async () => {
    const { json } = await service.call('POST', '/v3/logged-time', time);
    await service.call('DELETE', `/v3/logged-time/${json.logged_time_id}`);
    return json.logged_time_id as string;
  };

  it('{id, timestamp} of deletions, by DELETE or by 0 hours', async () => {
    const first = await remove();
    const { json } = await service.call('POST', '/v3/logged-time', time);
    await service.call('PATCH', `/v3/logged-time/${json.logged_time_id}`, { hours: 0 });
    const answer = await list();
    expect(answer.json).toEqual([
      { id: first, logged_time_id: first, timestamp: '2026-06-15 12:00:00' },
      { id: json.logged_time_id, logged_time_id: json.logged_time_id, timestamp: '2026-06-15 12:00:00' },
    ]);
    expect((await list('', 'logged_time')).json).toEqual(answer.json);
  });

  it('ids of tasks and timeoffs are numbers', async () => {
    const days = { people_id: 1, start_date: '2026-01-05', end_date: '2026-01-05' };
    const task = (await service.call('POST', '/v3/tasks', { ...days, project_id: 7, hours: 8 })).json.task_id;
    const off = (await service.call('POST', '/v3/timeoffs', days)).json.timeoff_id;
    await service.call('DELETE', `/v3/tasks/${task}`);
    await service.call('DELETE', `/v3/timeoffs/${off}`);
    expect((await list('', 'tasks')).json).toMatchObject([{ id: task, task_id: task }]);
    expect((await list('', 'timeoffs')).json).toMatchObject([{ id: off, timeoff_id: off }]);
  });

  it('a cursor continues at its position, and later returns new deletions', async () => {
    const start = cursorOf((await list()).headers);
    const ids = [await remove(), await remove(), await remove()];
    const first = await list(`?limit=2&cursor=${start}`);
    expect(first.json.map(({ id }: { id: string }) => id)).toEqual(ids.slice(0, 2));
    expect(first.headers['x-pagination-has-more']).toBe('true');
    const second = await list(`?limit=2&cursor=${cursorOf(first.headers)}`);
    expect(second.json.map(({ id }: { id: string }) => id)).toEqual(ids.slice(2));
    expect(second.headers['x-pagination-has-more']).toBe('false');
    const third = await list(`?cursor=${cursorOf(second.headers)}`);
    expect(third.json).toEqual([]);
    const next = await remove();
    expect((await list(`?cursor=${cursorOf(third.headers)}`)).json).toMatchObject([{ id: next }]);
  });

  it('limit is 100 by default and at most 500', { tags: ['slow'] }, async () => {
    await Promise.all(Array.from({ length: 501 }, remove));
    expect((await list()).json).toHaveLength(100);
    expect((await list('?limit=101')).json).toHaveLength(101);
    for (const limit of [500, 501, 1_000_000]) expect((await list(`?limit=${limit}`)).json).toHaveLength(500);
  });

  it('a bad cursor or limit is 400 and named', async () => {
    const other = cursorOf((await list('', 'tasks')).headers);
    for (const query of [
      'limit=0',
      'limit=-1',
      'limit=x',
      'limit=1e2',
      'limit=',
      'cursor=x',
      'cursor=',
      `cursor=${other}`,
      'cursor=a&cursor=b',
    ]) {
      const { status, json } = await list(`?${query}`);
      expect([status, json.errors[0].field], query).toEqual([400, query.split('=')[0]]);
    }
  });

  it('deletions are kept for 72 hours; an older cursor is 410, and the client must read everything again', async () => {
    const cursor = cursorOf((await list()).headers);
    now = new Date(NOW.getTime() + 71 * HOUR_MS);
    expect((await list(`?cursor=${cursor}`)).status).toBe(200);
    expect((await list()).json.length).toBeGreaterThan(0);
    now = new Date(NOW.getTime() + 73 * HOUR_MS);
    const { status, json } = await list(`?cursor=${cursor}`);
    expect([status, json.name, json.code]).toEqual([410, 'gone', 'gone']);
    expect((await list()).json).toEqual([]);
    const fresh = cursorOf((await list()).headers);
    expect((await list(`?cursor=${fresh}`)).status).toBe(200);
    now = NOW;
  });

  it('a cursor of other data is 410', async () => {
    const ahead = Buffer.from(`logged_time:999999:${NOW.getTime() / 1000}`).toString('base64url');
    expect((await list(`?cursor=${ahead}`)).status).toBe(410);
  });
});
