import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openService, type Service } from './service.ts';

describe('status, public-holidays and tags', () => {
  let service: Service;
  beforeAll(async () => {
    service = await openService({
      people: [
        { people_id: 1, name: 'Ann', tags: ['Red', 'blue'] },
        { people_id: 2, name: 'Ben', tags: ['red'] },
      ],
      projects: [{ project_id: 1, name: 'Bridge', tags: ['red'] }],
      holidays: [
        {
          holiday_id: 3,
          name: 'Spring',
          date: '2026-05-01',
          end_date: '2026-05-02',
          dates: ['2026-06-01'],
          region_id: 7,
        },
      ],
    });
  });
  afterAll(() => service.close());

  it('an empty list of statuses is 204', async () => {
    expect((await service.call('GET', '/v3/status')).status).toBe(204);
    const made = await service.call('POST', '/v3/status', {
      people_id: 1,
      status_type_id: 4,
      start_date: '2026-01-05',
    });
    expect([made.status, made.headers['location']]).toEqual([201, '/v3/status/1']);
    expect(made.json).toMatchObject({
      status_id: 1,
      people_id: 1,
      status_type_id: 4,
      status_name: null,
      start_date: '2026-01-05',
      end_date: '2026-01-05',
      repeat_state: 0,
      repeat_end_date: null,
    });
    expect((await service.call('PATCH', '/v3/status/1', { status_name: 'Desk' })).json.status_name).toBe('Desk');
    expect((await service.call('GET', '/v3/status?people_id=1')).json).toHaveLength(1);
    for (const wrong of [{ status_type_id: 5 }, { status_type_id: null }, { people_id: 9 }, { start_date: null }]) {
      const body = { people_id: 1, status_type_id: 4, start_date: '2026-01-05', ...wrong };
      const { status, json } = await service.call('POST', '/v3/status', body);
      expect([status, json.errors[0].field]).toEqual([422, Object.keys(wrong)[0]]);
    }
    expect((await service.call('DELETE', '/v3/status/1')).status).toBe(204);
    expect((await service.call('GET', '/v3/status')).status).toBe(204);
  });

  it('the statuses of a person are deleted with the person', async () => {
    const { people_id } = (await service.call('POST', '/v3/people', { name: 'Cleo' })).json;
    await service.call('POST', '/v3/status', { people_id, status_type_id: 1, start_date: '2026-01-05' });
    expect((await service.call('DELETE', `/v3/people/${people_id}`)).status).toBe(204);
    expect((await service.call('GET', '/v3/status')).status).toBe(204);
  });

  it.each(['public-holidays', 'public_holidays'])('%s are the holidays with a region', async (name) => {
    const dates = ['2026-05-01', '2026-05-02', '2026-06-01'];
    const seen = { id: 3, name: 'Spring', dates, region: 7 };
    const { json } = await service.call('GET', `/v3/${name}/3`);
    expect(json).toMatchObject(seen);
    expect(Object.keys(json).sort()).toEqual(['created', 'dates', 'id', 'modified', 'name', 'region']);
    expect((await service.call('GET', `/v3/${name}?region=7&fields=id,dates`)).json).toEqual([{ id: 3, dates }]);
    expect((await service.call('GET', `/v3/${name}?region=8`)).json).toEqual([]);
  });

  it('public holidays can be written, and appear in holidays', async () => {
    const body = { name: 'Midsummer', dates: ['2026-06-19', '2026-06-20'], region: 7 };
    const made = await service.call('POST', '/v3/public-holidays', body);
    expect([made.status, made.headers['location']]).toEqual([201, `/v3/public-holidays/${made.json.id}`]);
    expect(made.json).toMatchObject(body);
    const holiday = async () => (await service.call('GET', `/v3/holidays/${made.json.id}`)).json;
    expect(await holiday()).toMatchObject({ name: 'Midsummer', date: null, dates: body.dates, region_id: 7 });
    await service.call('PATCH', '/v3/public-holidays/3', { dates: ['2026-05-04'], region: null });
    expect((await service.call('GET', '/v3/holidays/3')).json).toMatchObject({
      date: null,
      end_date: null,
      dates: ['2026-05-04'],
      region_id: null,
    });
    expect((await service.call('POST', '/v3/public-holidays', { name: 'None' })).status).toBe(422);
    expect((await service.call('DELETE', `/v3/public-holidays/${made.json.id}`)).status).toBe(204);
    expect((await service.call('GET', `/v3/holidays/${made.json.id}`)).status).toBe(404);
    const changes = await service.rows("SELECT DISTINCT resource FROM service.changes WHERE resource LIKE '%holidays'");
    expect(changes).toEqual([{ resource: 'holidays' }]);
  });

  it('tags show their number of uses, and are read-only', async () => {
    const list = async (query = '') =>
      (await service.call('GET', `/v3/tags?sort=name&fields=name,count,people_count,project_count${query}`)).json;
    expect(await list()).toEqual([
      { name: 'blue', count: 1, people_count: 1, project_count: 0 },
      { name: 'red', count: 3, people_count: 2, project_count: 1 },
    ]);
    expect(await list('&count=3')).toHaveLength(1);
    expect(await list('&modified_since=2026-01-01')).toEqual([]);
    await service.call('PATCH', '/v3/people/2', { tags: ['green'] });
    expect(await list('&modified_since=2026-01-01')).toHaveLength(1);
    expect((await service.call('GET', '/v3/tags/red')).json).toMatchObject({ name: 'red', count: 2 });
    expect((await service.call('GET', '/v3/tags/none')).status).toBe(404);
    for (const [method, path] of [
      ['POST', 'tags'],
      ['PATCH', 'tags/red'],
      ['DELETE', 'tags/red'],
    ] as const)
      expect([404, 405]).toContain((await service.call(method, `/v3/${path}`, { name: 'x' })).status);
  });
});
