import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openService, type Service } from './service.ts';

describe('logged-time', () => {
  let service: Service;
  beforeAll(async () => {
    service = await openService({
      people: [{ people_id: 1, name: 'Ann' }],
      projects: [
        { project_id: 7, name: 'Bridge' },
        { project_id: 8, name: 'Tunnel', status: 4 },
      ],
      project_tasks: [
        { task_meta_id: 5, project_id: 7, task_name: 'Travel', billable: 0 },
        { task_meta_id: 6, project_id: 8, task_name: 'Digging' },
        { task_meta_id: 9, project_id: 7, phase_id: 3, task_name: 'Piers' },
        { task_meta_id: 10, project_id: 7, task_name: 'Meetings' },
      ],
      phases: [{ phase_id: 3, project_id: 7, name: 'Start', status: 4 }],
      tasks: [
        { task_id: 2, project_id: 8, people_id: 1, start_date: '2026-01-05', end_date: '2026-01-05', hours: 8 },
        {
          task_id: 4,
          project_id: 7,
          phase_id: 3,
          people_id: 1,
          start_date: '2026-01-05',
          end_date: '2026-01-05',
          hours: 8,
        },
      ],
      logged_time: [
        { logged_time_id: 'old', people_id: 1, project_id: 7, date: '2026-01-05', hours: 8 },
        { logged_time_id: 'there', people_id: 1, project_id: 8, date: '2026-01-05', hours: 8 },
        { logged_time_id: 'travel', people_id: 1, project_id: 7, task_meta_id: 5, date: '2026-01-06', hours: 1 },
      ],
    });
  });
  afterAll(() => service.close());

  const make = (body: object = {}) =>
    service.call('POST', '/v3/logged-time', { people_id: 1, project_id: 7, date: '2026-01-06', hours: 8, ...body });
  const change = (id: string, body: object) => service.call('PATCH', `/v3/logged-time/${id}`, body);

  it('locked is always 0 or 1', async () => {
    expect((await make()).json.locked).toBe(0);
    expect((await make({ locked: 1 })).json.locked).toBe(1);
    expect((await make({ locked: null })).json.locked).toBe(0);
    expect((await service.call('GET', '/v3/logged-time/old')).json.locked).toBe(0);
    const { json } = await service.call('GET', '/v3/logged-time?locked=0&fields=locked');
    expect(new Set(json.map(({ locked }: { locked: number }) => locked))).toEqual(new Set([0]));
  });

  it('is billable as the ledger takes it, when the record tells nothing: by its project task (S2)', async () => {
    expect((await service.call('GET', '/v3/logged-time/travel')).json).toMatchObject({ billable: 0 });
    expect((await service.call('GET', '/v3/logged-time/old')).json).toMatchObject({ billable: 1 });
    const ids = async (query: string) =>
      ((await service.call('GET', `/v3/logged-time?${query}`)).json as { logged_time_id: string }[]).map(
        (row) => row.logged_time_id,
      );
    expect(await ids('billable=0')).toEqual(['travel']);
    expect((await ids('sort=billable'))[0]).toBe('travel');
  });

  it('task_name finds the project task of the project, or creates it', async () => {
    expect((await make({ task_name: 'travel' })).json).toMatchObject({
      task_meta_id: 5,
      task_name: 'Travel',
      billable: 0,
    });
    const { json: made } = await make({ task_name: 'Paint' });
    expect(made.task_name).toBe('Paint');
    const { json: again } = await make({ task_name: 'Paint' });
    expect(again.task_meta_id).toBe(made.task_meta_id);
    expect((await service.call('GET', `/v3/project-tasks/${made.task_meta_id}`)).json).toMatchObject({
      project_id: 7,
      task_name: 'Paint',
    });
    const changed = await change(made.logged_time_id, { task_name: 'Travel' });
    expect(changed.json).toMatchObject({ task_meta_id: 5, task_name: 'Travel' });
    // A given project task takes precedence; its name may be sent back unchanged.
    expect((await make({ task_meta_id: 5, task_name: 'Paint' })).json).toMatchObject({
      task_meta_id: 5,
      task_name: 'Travel',
    });
    const { json: locked } = await make({ task_meta_id: 5, locked: 1 });
    expect((await change(locked.logged_time_id, locked)).status).toBe(200);
    const found = await service.call('GET', '/v3/logged-time?task_name=Paint&fields=task_name');
    expect(found.json).toEqual([{ task_name: 'Paint' }]);
    expect((await make({ project_id: null, task_name: 'Alone' })).json).toMatchObject({
      task_meta_id: null,
      task_name: 'Alone',
    });
  });

  it('reference_date', async () => {
    expect((await make({ reference_date: '2026-01-05' })).json.reference_date).toBe('2026-01-05');
    expect((await make()).json.reference_date).toBe(null);
  });

  it('hours 0 on PATCH deletes', async () => {
    const { json } = await make();
    const { status, text } = await change(json.logged_time_id, { hours: '0.00' });
    expect([status, text]).toEqual([204, '']);
    expect((await service.call('GET', `/v3/logged-time/${json.logged_time_id}`)).status).toBe(404);
  });

  it('a locked record refuses change and deletion (422)', async () => {
    const { json } = await make({ locked: 1 });
    const id = json.logged_time_id;
    const errors = [
      {
        field: 'locked',
        message: 'locked: this record is locked; unlock it first, with a change that only sets locked to 0',
      },
    ];
    for (const body of [{ hours: 7 }, { hours: 0 }, { locked: 0, hours: 7 }, { notes: 'x' }]) {
      const answer = await change(id, body);
      expect([answer.status, answer.json.errors], JSON.stringify(body)).toEqual([422, errors]);
    }
    expect((await service.call('DELETE', `/v3/logged-time/${id}`)).status).toBe(422);
    expect((await service.call('GET', `/v3/logged-time/${id}`)).json).toEqual(json);
  });

  it('only locked 0 unlocks a locked record', async () => {
    const { json } = await make({ locked: 1 });
    expect((await change(json.logged_time_id, { ...json, locked: 0 })).json.locked).toBe(0);
    expect((await change(json.logged_time_id, { hours: 7 })).json.hours).toBe(7);
  });

  it('no new time can be logged on a canceled project (422), however it is named', async () => {
    for (const [field, body] of [
      ['project_id', { project_id: 8 }],
      ['task_id', { project_id: null, task_id: 2 }],
      ['task_meta_id', { project_id: null, task_meta_id: 6 }],
    ] as const) {
      const { status, json } = await make(body);
      expect({ status, errors: json.errors }).toEqual({
        status: 422,
        errors: [{ field, message: `${field}: the project 8 is canceled, so no time can be logged on it` }],
      });
    }
  });

  it('no new time can be logged on a canceled phase (422), however it is named (D8)', async () => {
    for (const body of [
      { phase_id: 3 },
      { project_id: null, task_meta_id: 9 },
      { project_id: null, task_id: 4 },
      { task_id: 4 },
    ]) {
      const { status, json } = await make(body);
      expect({ status, errors: json.errors }, JSON.stringify(body)).toEqual({
        status: 422,
        errors: [{ field: 'phase_id', message: 'phase_id: the phase 3 is canceled, so no time can be logged on it' }],
      });
    }
  });

  it('task_name finds the project task of the project that D8 chooses', async () => {
    const { json: bare } = await make({ project_id: null, task_meta_id: 5 });
    expect((await change(bare.logged_time_id, { task_name: 'Meetings' })).json).toMatchObject({ task_meta_id: 10 });
  });

  it('nor moved there; existing time can be corrected and moved away', async () => {
    expect((await change('old', { project_id: 8 })).status).toBe(422);
    expect((await change('there', { hours: 4 })).status).toBe(200);
    expect((await change('there', { project_id: 7 })).status).toBe(200);
    expect((await change('there', { project_id: 8 })).status).toBe(422);
  });

  it('a project canceled after time was logged accepts no more', async () => {
    const { json } = await service.call('POST', '/v3/projects', { name: 'Road' });
    expect((await make({ project_id: json.project_id })).status).toBe(201);
    await service.call('PATCH', `/v3/projects/${json.project_id}`, { status: 4 });
    expect((await make({ project_id: json.project_id })).status).toBe(422);
  });

  it('billable is that of the project task unless sent (S2)', async () => {
    expect((await make({ task_meta_id: 5 })).json.billable).toBe(0);
    expect((await make({ task_meta_id: 5, billable: 1 })).json.billable).toBe(1);
    expect((await make()).json.billable).toBe(1);
  });

  it('start_date and end_date select by the date, inclusively', async () => {
    const { json } = await service.call(
      'GET',
      '/v3/logged_time?start_date=2026-01-05&end_date=2026-01-05&fields=logged_time_id',
    );
    expect(json.map((record: { logged_time_id: string }) => record.logged_time_id).sort()).toEqual(['old', 'there']);
  });
});

describe('a request that only creates logged time', () => {
  let service: Service;
  beforeAll(async () => {
    service = await openService({
      people: [{ people_id: 1, name: 'Ann' }],
      projects: [1, 2].map((project_id) => ({ project_id, name: `Bridge ${project_id}` })),
    });
  });
  afterAll(() => service.close());

  const log = async (place: object) => {
    const body = { people_id: 1, date: '2026-06-01', hours: 1, ...place };
    return (await service.call('POST', '/v3/logged-time', body)).status;
  };
  /** Counts the records in the database, without those in the journal. */
  const count = async (table: string) => {
    const [row] = await service.database.rows<{ count: number }>(`SELECT count(*) AS count FROM source.${table}`);
    return row?.count;
  };

  it('waits in the journal, even with a reference used for the first time', async () => {
    expect([await log({ project_id: 1 }), await log({ project_id: 2 }), await log({ project_id: 1 })]).toEqual([
      201, 201, 201,
    ]);
    expect(await count('logged_time')).toBe(0);
    expect((await service.call('GET', '/v3/logged-time')).json).toHaveLength(3);
    expect(await count('logged_time')).toBe(3);
  });

  it('can refer to a record created just before, and not to a missing one', async () => {
    const body = { people_id: 1, project_id: 2, start_date: '2026-06-01', end_date: '2026-06-01', hours: 1 };
    const { json } = await service.call('POST', '/v3/tasks', body);
    expect(await count('tasks')).toBe(0);
    expect(await log({ project_id: 2, task_id: json.task_id })).toBe(201);
    expect(await count('tasks')).toBe(1);
    expect(await log({ project_id: 2, task_id: json.task_id + 1 })).toBe(422);
  });

  it('is refused as soon as the project is canceled', async () => {
    expect(await log({ project_id: 1 })).toBe(201);
    expect((await service.call('PATCH', '/v3/projects/1', { status: 4 })).status).toBe(200);
    expect(await log({ project_id: 1 })).toBe(422);
  });
});
