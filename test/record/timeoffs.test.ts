import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openService, type Service } from './service.ts';

const DAYS = { start_date: '2026-03-02', end_date: '2026-03-03' };

describe('timeoffs', () => {
  let service: Service;
  beforeAll(async () => {
    service = await openService({
      people: [
        { people_id: 1, name: 'Ann', end_date: '2026-12-31' },
        { people_id: 2, name: 'Bob' },
      ],
      timeoffs: [
        { timeoff_id: 1, people_ids: [1, 2], timeoff_type_id: 4, timeoff_type_name: 'Holiday', ...DAYS },
        {
          timeoff_id: 2,
          people_id: 2,
          hours: 3,
          status: 1,
          start_date: '2026-05-04',
          end_date: '2026-05-04',
          repeat_state: 9,
        },
        { timeoff_id: 3, people_id: 1, start_date: '2026-05-04', end_date: '2026-05-04', repeat_state: 9 },
      ],
    });
  });
  afterAll(() => service.close());

  const list = async (query: string): Promise<number[]> => {
    const { json } = await service.call('GET', `/v3/timeoffs?timeoff_id=1,2,3&${query}`);
    return json.map(({ timeoff_id }: { timeoff_id: number }) => timeoff_id);
  };
  const make = (body: object) =>
    service.call('POST', '/v3/timeoffs', { people_id: 1, timeoff_type_id: 4, ...DAYS, ...body });

  it('people_ids or people_id', async () => {
    const { json } = await make({ people_id: undefined, people_ids: [2, 1] });
    expect(json.people_ids).toEqual([2, 1]);
    expect(json, 'several people have no people_id').not.toHaveProperty('people_id');
    expect((await make({})).json).toMatchObject({ people_id: 1, people_ids: [1] });
    expect((await make({ people_id: undefined })).status).toBe(422);
    expect(await list('people_id=1')).toEqual([3, 1]);
  });

  it('timeoff_type_name follows the type', async () => {
    const { json } = await make({ timeoff_type_name: 'Mine' });
    expect(json.timeoff_type_name).toBe('Holiday');
    await service.call('PATCH', '/v3/timeoff-types/4', { timeoff_type_name: 'Vacation' });
    expect((await service.call('GET', `/v3/timeoffs/${json.timeoff_id}`)).json.timeoff_type_name).toBe('Vacation');
    expect((await service.call('GET', '/v3/timeoffs/1')).json.timeoff_type_name).toBe('Vacation');
    const none = await service.call('PATCH', `/v3/timeoffs/${json.timeoff_id}`, { timeoff_type_id: null });
    expect(none.json).toMatchObject({ timeoff_type_id: null, timeoff_type_name: null });
  });

  it('an unknown type is 422', async () => {
    const { status, json } = await make({ timeoff_type_id: 99 });
    expect({ status, errors: json.errors }).toEqual({
      status: 422,
      errors: [{ field: 'timeoff_type_id', message: 'timeoff_type_id: there is no record 99 in timeoff_types' }],
    });
  });

  it('status 1 is tentative, 2 confirmed, 3 declined; default 2', async () => {
    expect((await make({})).json.status).toBe(2);
    expect((await make({ status: 3 })).json.status).toBe(3);
    expect((await make({ status: 4 })).json.errors[0].field).toBe('status');
  });

  it('full_day defaults to full if hours is null (D4)', async () => {
    expect((await make({})).json).toMatchObject({ full_day: 1, hours: null });
    const { json } = await make({ hours: 4 });
    expect(json).toMatchObject({ full_day: 0, hours: 4 });
    const change = async (body: object) => (await service.call('PATCH', `/v3/timeoffs/${json.timeoff_id}`, body)).json;
    expect(await change({ hours: null })).toMatchObject({ full_day: 1, hours: null });
    expect(await change({ hours: 2 })).toMatchObject({ full_day: 0, hours: 2 });
    expect(await change({ end_date: '2026-03-04' })).toMatchObject({ full_day: 0, hours: 2 });
    expect(await change({ full_day: 1 })).toMatchObject({ full_day: 1 });
    expect(await list('full_day=0')).toEqual([2]);
  });

  it('a partial day of no hours is 422', async () => {
    expect((await make({ full_day: 0 })).json.errors).toEqual([
      { field: 'hours', message: 'hours: missing, although the time off is not for full days' },
    ]);
  });

  it('start_date and end_date select the schedule: repeats to the end of the person, also tentative ones', async () => {
    expect(await list('start_date=2026-03-03&end_date=2026-03-31')).toEqual([1]);
    // The first Monday of May, each year.
    expect(await list('start_date=2027-05-03&end_date=2027-05-03')).toEqual([2]);
    expect(await list('start_date=2029-05-01&end_date=2029-12-31')).toEqual([]);
  });
});

describe('timeoff-types', () => {
  it('list, read, create, update and delete', async () => {
    const service = await openService({ people: [{ people_id: 1, name: 'Ann' }] });
    const made = await service.call('POST', '/v3/timeoff-types', { timeoff_type_name: 'Sick' });
    expect([made.status, made.headers['location'], made.json.timeoff_type_name]).toEqual([
      201,
      '/v3/timeoff-types/1',
      'Sick',
    ]);
    expect((await service.call('GET', '/v3/timeoff_types')).json).toHaveLength(1);
    expect(
      (await service.call('PUT', '/v3/timeoff-types/1', { timeoff_type_name: 'Ill' })).json.timeoff_type_name,
    ).toBe('Ill');
    expect((await service.call('POST', '/v3/timeoff-types', { timeoff_type_name: '' })).json.errors[0].field).toBe(
      'timeoff_type_name',
    );
    expect((await service.call('DELETE', '/v3/timeoff-types/1')).status).toBe(204);
    expect((await service.call('GET', '/v3/timeoff-types/1')).status).toBe(404);
    await service.close();
  });

  it("one in use can't be deleted", async () => {
    const service = await openService({
      people: [{ people_id: 1, name: 'Ann' }],
      timeoffs: [{ timeoff_id: 1, people_id: 1, timeoff_type_id: 4, timeoff_type_name: 'Holiday', ...DAYS }],
    });
    const { status, json } = await service.call('DELETE', '/v3/timeoff-types/4');
    expect({ status, errors: json.errors }).toEqual({
      status: 422,
      errors: [
        {
          field: 'timeoff_type_id',
          message: 'timeoff_type_id: time off records still have type 4 (1); give them another type first',
        },
      ],
    });
    await service.close();
  });
});
