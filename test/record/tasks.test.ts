import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openService, type Service } from './service.ts';

/** Monday to Friday of a week without time off. */
const WEEK = { start_date: '2026-01-05', end_date: '2026-01-09' };

describe('tasks', () => {
  let service: Service;
  beforeAll(async () => {
    service = await openService({
      clients: [{ client_id: 3, name: 'Acme' }],
      people: [
        { people_id: 1, name: 'Ann', email: 'ann@example.com' },
        { people_id: 2, name: 'Bob', start_date: '2026-01-07' },
        { people_id: 3, name: 'Cid' },
      ],
      projects: [
        { project_id: 7, name: 'Bridge', client_id: 3, end_date: '2026-06-30' },
        { project_id: 8, name: 'Tunnel' },
      ],
      phases: [{ phase_id: 70, project_id: 7, name: 'Design' }],
      project_tasks: [{ task_meta_id: 5, project_id: 7, task_name: 'Travel', billable: 0 }],
      timeoffs: [{ timeoff_id: 1, people_id: 1, start_date: '2026-01-06', end_date: '2026-01-06', full_day: 1 }],
      tasks: [
        { task_id: 1, project_id: 7, phase_id: 70, people_ids: [1, 2], hours: 8, ...WEEK },
        {
          task_id: 2,
          project_id: 7,
          people_id: 1,
          hours: 2,
          start_date: '2026-02-02',
          end_date: '2026-02-03',
          repeat_state: 1,
        },
        {
          task_id: 3,
          project_id: 8,
          people_id: 3,
          hours: 2,
          start_date: '2026-02-02',
          end_date: '2026-02-03',
          repeat_state: 2,
          repeat_end_date: '2026-04-06',
        },
        { task_id: 4, project_id: 8, people_id: 3, hours: 0, start_date: '2026-03-02', end_date: '2026-03-03' },
      ],
      logged_time: [
        { logged_time_id: 'a', people_id: 1, date: '2026-01-05', hours: 8, task_id: 1 },
        { logged_time_id: 'b', people_id: 1, date: '2026-01-05', hours: 8, task_id: 1, project_id: 8 },
      ],
    });
  });
  afterAll(() => service.close());

  const list = async (query: string): Promise<number[]> => {
    const { status, json, text } = await service.call('GET', `/v3/tasks?sort=task_id&${query}`);
    expect(status, text).toBe(200);
    return json.map(({ task_id }: { task_id: number }) => task_id);
  };
  const make = async (body: object) => {
    const { json } = await service.call('POST', '/v3/tasks', { project_id: 7, hours: 8, ...WEEK, ...body });
    return json;
  };

  describe('people_id or people_ids', () => {
    it('one of them is required', async () => {
      expect((await make({})).errors).toEqual([
        { field: 'people_id', message: 'people_id is missing, and people_ids is empty' },
      ]);
    });

    it('are both in answers: people_ids with all people, people_id with a single one', async () => {
      expect(await make({ people_id: 3 })).toMatchObject({ people_id: 3, people_ids: [3] });
      expect(await make({ people_ids: [3] })).toMatchObject({ people_id: 3, people_ids: [3] });
      expect(await make({ people_ids: [3, 2, 3] })).toMatchObject({ people_id: null, people_ids: [3, 2] });
    });

    it('are stored in one form', async () => {
      const { task_id } = await make({ people_id: 3, people_ids: [3] });
      expect(await service.rows(`SELECT people_id FROM source.tasks WHERE task_id = ${task_id}`)).toEqual([
        { people_id: 3 },
      ]);
      expect(await service.rows(`SELECT people_id FROM source.task_people WHERE task_id = ${task_id}`)).toEqual([]);
    });

    it('that differ are 422', async () => {
      expect((await make({ people_id: 1, people_ids: [2, 3] })).errors).toEqual([
        { field: 'people_id', message: 'people_id: 1 is not in people_ids; send only one of the two' },
      ]);
    });

    it('PATCH: the changed one counts if a client sends back both', async () => {
      const { task_id } = await make({ people_id: 1 });
      const change = async (body: object) => (await service.call('PATCH', `/v3/tasks/${task_id}`, body)).json;
      expect(await change({ people_id: 2, people_ids: [1] })).toMatchObject({ people_id: 2, people_ids: [2] });
      expect(await change({ people_id: 2, people_ids: [2, 3] })).toMatchObject({ people_id: null, people_ids: [2, 3] });
      expect(await change({ people_id: null, hours: 4 })).toMatchObject({ people_id: null, people_ids: [2, 3] });
      expect(await change({ people_id: 3 })).toMatchObject({ people_id: 3, people_ids: [3] });
      expect((await change({ people_ids: [] })).status).toBe(422);
    });

    it('people_id matches people_id and people_ids', async () => {
      expect(await list('people_id=2&task_id=1,2,3,4')).toEqual([1]);
      expect(await list('people_id=1&task_id=1,2,3,4')).toEqual([1, 2]);
      expect(await list('people_ids=2,3&task_id=1,2,3,4')).toEqual([1, 3, 4]);
    });
  });

  it('phase_id within project_id', async () => {
    expect(await list('project_id=7&phase_id=70')).toEqual([1]);
    expect(await list('project_id=7&phase_id=0&task_id=1,2,3,4')).toEqual([2]);
    const { errors } = await make({ people_id: 1, project_id: 8, phase_id: 70 });
    expect(errors).toEqual([{ field: 'phase_id', message: 'phase_id: 70 does not belong to project 8' }]);
  });

  it('hours are a decimal string in answers, a number or a string in requests', async () => {
    expect((await make({ people_id: 1, hours: 7.5 })).hours).toBe('7.5000');
    expect((await make({ people_id: 1, hours: '7.25' })).hours).toBe('7.2500');
  });

  it('billable of an allocation with a project task is that of the project task (S2)', async () => {
    expect((await make({ people_id: 1, task_meta_id: 5, billable: 1 })).billable).toBe(0);
    expect((await make({ people_id: 1, billable: 1 })).billable).toBe(1);
  });

  describe('start_date and end_date select the schedule of those dates, inclusively', () => {
    const within = (from: string, to: string) => list(`task_id=1,2,3,4&start_date=${from}&end_date=${to}`);

    it('days of the first occurrence', async () => {
      expect(await within('2026-01-09', '2026-01-20')).toEqual([1]);
      expect(await within('2026-01-01', '2026-01-05')).toEqual([1]);
      expect(await within('2026-01-10', '2026-02-01')).toEqual([]);
    });

    it('repeats up to and including repeat_end_date', async () => {
      // The first Monday of each month, for two days; the second day in April is after the repeat end.
      expect(await within('2026-04-06', '2026-04-06')).toEqual([2, 3]);
      expect(await within('2026-04-07', '2026-04-07')).toEqual([2]);
      expect(await within('2026-04-08', '2026-04-12')).toEqual([]);
    });

    it('without one, up to the end of the project, or else for 2 years after the start (D2)', async () => {
      expect(await within('2026-06-29', '2026-06-30')).toEqual([2]);
      expect(await within('2026-07-01', '2026-12-31')).toEqual([]);
    });

    it('allocations of 0 hours, too', async () => {
      expect(await within('2026-03-03', '2026-03-03')).toEqual([2, 3, 4]);
    });

    it('only one of the two', async () => {
      expect(await list('task_id=1,2,3,4&start_date=2026-04-07')).toEqual([2]);
      expect(await list('task_id=1,2,3,4&end_date=2026-02-01')).toEqual([1]);
    });

    it('a write is visible at once', async () => {
      const { task_id } = await make({ people_id: 1, repeat_state: 1, repeat_end_date: '2026-01-26' });
      expect(await list(`task_id=${task_id}&start_date=2026-01-26&end_date=2026-01-26`)).toEqual([task_id]);
      expect(await list(`task_id=${task_id}&start_date=2026-01-27&end_date=2026-01-30`)).toEqual([]);
    });

    it('invalid dates, or dates in the wrong order, are 400', async () => {
      for (const query of [
        'start_date=2026-02-30',
        'end_date=x',
        'start_date=',
        'start_date=2026-02-02&end_date=2026-02-01',
      ])
        expect((await service.call('GET', `/v3/tasks?${query}`)).status, query).toBe(400);
    });
  });

  it('expand: client_id, people', async () => {
    const { json } = await service.call('GET', '/v3/tasks/1?expand=client_id,people');
    expect(json).toMatchObject({
      client_id: 3,
      people: [
        { people_id: 1, name: 'Ann', email: 'ann@example.com' },
        { people_id: 2, name: 'Bob', email: null },
      ],
    });
    const [without] = (await service.call('GET', '/v3/tasks?task_id=3&fields=task_id,client_id')).json;
    expect(without).toEqual({ task_id: 3, client_id: null });
  });

  it('expand: task_days, the days actually worked, by the ledger (D6)', { tags: ['slow'] }, async () => {
    await service.call('PATCH', '/v3/tasks/2', { repeat_end_date: '2026-02-09' });
    const { json } = await service.call('GET', '/v3/tasks?task_id=1,2,4&sort=task_id&expand=task_days');
    expect(json.map(({ task_days }: { task_days: string[] }) => task_days)).toEqual([
      ['2026-01-05', '2026-01-07', '2026-01-08', '2026-01-09'],
      ['2026-02-02', '2026-02-03', '2026-02-09'],
      [],
    ]);
  });

  it('deleting one keeps the hours and project of its logged time (D8)', async () => {
    expect((await service.call('DELETE', '/v3/tasks/1')).status).toBe(204);
    const rows = await service.rows(
      'SELECT logged_time_id, task_id, project_id, phase_id FROM source.logged_time ORDER BY logged_time_id',
    );
    expect(rows).toEqual([
      { logged_time_id: 'a', task_id: null, project_id: 7, phase_id: 70 },
      { logged_time_id: 'b', task_id: null, project_id: 8, phase_id: null },
    ]);
  });
});
