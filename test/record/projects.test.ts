import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openService, type Reply, type Service } from './service.ts';

const faultsOf = ({ status, json }: Reply) => [status, ...json.errors.map(({ message }: Error) => message)];

const DAY = '2026-03-02';

const PEOPLE = [1, 2, 3].map((people_id) => ({ people_id, name: `Person ${people_id}` }));

describe('projects', () => {
  let service: Service;
  beforeAll(async () => {
    service = await openService({
      people: PEOPLE,
      project_stages: [
        { stage_id: 1, name: 'Won', status: 2, sort_order: 2 },
        { stage_id: 2, name: 'Pitch', status: 1, sort_order: 1 },
        { stage_id: 3, name: 'Running', status: 2, sort_order: 1 },
        { stage_id: 4, name: 'Done', status: 3, sort_order: 3 },
      ],
      projects: [
        { project_id: 1, name: 'Bridge', project_code: 'BR-1' },
        { project_id: 2, name: 'Old', tentative: true },
        { project_id: 3, name: 'Odd', status: 2, stage_id: 4 },
      ],
    });
  });
  afterAll(() => service.close());

  const create = async (body: object = {}) =>
    (await service.call('POST', '/v3/projects', { name: 'New', ...body })).json;
  const change = (id: number, body: object) => service.call('PATCH', `/v3/projects/${id}`, body);

  it('name is required, project_code has at most 32 characters and is unique', async () => {
    expect(faultsOf(await service.call('POST', '/v3/projects', {}))).toEqual([422, 'name: missing']);
    expect(faultsOf(await service.call('POST', '/v3/projects', { name: 'X', project_code: 'x'.repeat(33) }))).toEqual([
      422,
      'project_code: longer than 32 characters',
    ]);
    expect(faultsOf(await service.call('POST', '/v3/projects', { name: 'X', project_code: 'br-1' }))).toEqual([
      422,
      'project_code: br-1 is already the code of record 1',
    ]);
  });

  it('color defaults to blue', async () => {
    expect((await create()).color).toBe('4a90d9');
    expect((await create({ color: 'ff0000' })).color).toBe('ff0000');
    expect((await service.call('GET', '/v3/projects/1')).json.color).toBe('4a90d9');
    expect((await create({ color: '#00FF00' })).color).toBe('00FF00');
    const { status, json } = await service.call('POST', '/v3/projects', { name: 'Bridge', color: 'blue' });
    expect([status, json.errors[0].message]).toEqual([422, 'color: not six hexadecimal digits']);
  });

  it('status alone selects the first stage of that status', async () => {
    const made = await create({ status: 1 });
    expect(made).toMatchObject({ status: 1, stage_id: 2, tentative: 1 });
    expect((await change(made.project_id, { status: 2 })).json).toMatchObject({ status: 2, stage_id: 3, tentative: 0 });
    expect((await change(made.project_id, { status: 0 })).json).toMatchObject({ status: 0, stage_id: null });
    expect((await change(made.project_id, { stage_id: 1 })).json).toMatchObject({ status: 2, stage_id: 1 });
    expect((await change(made.project_id, { status: 2 })).json).toMatchObject({ status: 2, stage_id: 1 });
  });

  it('stage_id takes precedence over status', async () => {
    const made = await create({ status: 3, stage_id: 2 });
    expect(made).toMatchObject({ status: 1, stage_id: 2 });
    expect((await change(made.project_id, { status: 0, stage_id: 4 })).json).toMatchObject({ status: 3, stage_id: 4 });
    expect(faultsOf(await change(made.project_id, { stage_id: 9 }))).toEqual([
      422,
      'stage_id: there is no record 9 in project_stages',
    ]);
  });

  it('a stage and a status sent back unchanged change nothing', async () => {
    const { json } = await service.call('GET', '/v3/projects/3');
    expect((await service.call('PUT', '/v3/projects/3', json)).json).toMatchObject({ status: 2, stage_id: 4 });
    const made = await create({ stage_id: 1 });
    const flipped = await service.call('PUT', `/v3/projects/${made.project_id}`, { ...made, tentative: 1 });
    expect(flipped.json).toMatchObject({ status: 1, stage_id: 2, tentative: 1 });
  });

  it('tentative still works both ways', async () => {
    const made = await create({ tentative: true });
    expect(made).toMatchObject({ status: 1, tentative: 1 });
    expect((await change(made.project_id, { tentative: 0 })).json).toMatchObject({ status: 2, tentative: 0 });
    expect((await change(made.project_id, { tentative: 1 })).json).toMatchObject({ status: 1, tentative: 1 });
    const { json } = await service.call('GET', `/v3/projects/${made.project_id}`);
    expect((await change(made.project_id, { status: json.status, tentative: 0 })).json).toMatchObject({ status: 2 });
    expect((await service.call('GET', '/v3/projects/2')).json).toMatchObject({ status: 1, tentative: 1 });
  });

  it('a status cascades to phases and allocations, except completed or canceled ones', { tags: ['slow'] }, async () => {
    const { project_id } = await create();
    const phase = { project_id, name: 'One', start_date: '2026-01-01', end_date: '2026-01-31' };
    const { phase_id } = (await service.call('POST', '/v3/phases', phase)).json;
    const task = { project_id, people_id: 1, start_date: '2026-01-05', end_date: '2026-01-06', hours: 4 };
    const { task_id } = (await service.call('POST', '/v3/tasks', task)).json;
    const canceled = (await service.call('POST', '/v3/tasks', { ...task, status: 4 })).json.task_id;
    const statuses = async () =>
      Promise.all(
        [`phases/${phase_id}`, `tasks/${task_id}`, `tasks/${canceled}`].map(
          async (path) => (await service.call('GET', `/v3/${path}`)).json.status,
        ),
      );
    for (const status of [1, 0, 2]) {
      await change(project_id, { status });
      expect(await statuses()).toEqual([status, status, 4]);
    }
    await change(project_id, { status: 3 });
    expect(await statuses()).toEqual([3, 3, 4]);
    await change(project_id, { status: 1 });
    expect(await statuses()).toEqual([3, 3, 4]);
    await change(project_id, { stage_id: null, status: 4 });
    expect(await statuses()).toEqual([4, 4, 4]);
    const time = { people_id: 1, project_id, date: '2026-01-05', hours: 1 };
    expect((await service.call('POST', '/v3/logged-time', time)).status).toBe(422);
  });

  it('a completion sets its day, also in phases, which keep one given before, and opening again empties it', async () => {
    const { project_id } = await create({ contract: 'Fixed', recognise: 'evenly', fee_expenses: 'on_top' });
    const phase = { project_id, name: 'One', start_date: '2026-01-01', end_date: '2026-01-31' };
    const made = [{}, { completed_on: '2026-05-04' }, { status: 3 }, { status: 3, completed_on: '2026-05-05' }];
    const ids: number[] = [];
    for (const more of made) ids.push((await service.call('POST', '/v3/phases', { ...phase, ...more })).json.phase_id);
    const days = async () => {
      const paths = [`projects/${project_id}`, ...ids.map((id) => `phases/${id}`)];
      return Promise.all(paths.map(async (path) => (await service.call('GET', `/v3/${path}`)).json.completed_on));
    };
    expect(await days()).toEqual([null, null, '2026-05-04', '2026-06-15', '2026-05-05']);
    await change(project_id, { stage_id: 4 });
    expect(await days()).toEqual(['2026-06-15', '2026-06-15', '2026-05-04', '2026-06-15', '2026-05-05']);
    await service.call('PATCH', `/v3/phases/${ids[1]}`, { status: 2 });
    await change(project_id, { status: 4 });
    expect(await days()).toEqual([null, null, null, null, null]);
  });

  it('a day of completion that a request changes stands, and one sent back does not', async () => {
    const { project_id } = await create();
    const given = await change(project_id, { status: 3, completed_on: '2026-06-01' });
    expect(given.json).toMatchObject({ status: 3, completed_on: '2026-06-01' });
    expect((await change(project_id, { completed_on: null })).json.completed_on).toBeNull();
    const { json } = await change(project_id, { completed_on: '2026-06-02' });
    expect((await change(project_id, { ...json, stage_id: null, status: 2 })).json.completed_on).toBeNull();
    const { json: open } = await service.call('GET', `/v3/projects/${project_id}`);
    expect((await change(project_id, { ...open, status: 3 })).json.completed_on).toBe('2026-06-15');
  });

  it('a contract is one of its words', async () => {
    expect(faultsOf(await service.call('POST', '/v3/projects', { name: 'X', contract: 'lump', recognise: 1 }))).toEqual(
      [
        422,
        'contract: not one of time, capped, fixed, internal',
        'recognise: not one of progress, evenly, done, milestones',
      ],
    );
  });

  it('the status of a phase cascades to its allocations, and 4 refuses new time', async () => {
    const { project_id } = await create();
    const phase = { project_id, name: 'One', start_date: '2026-01-01', end_date: '2026-01-31' };
    const { phase_id } = (await service.call('POST', '/v3/phases', phase)).json;
    const task = { project_id, phase_id, people_id: 1, start_date: '2026-01-05', end_date: '2026-01-06', hours: 4 };
    const { task_id } = (await service.call('POST', '/v3/tasks', task)).json;
    const other = (await service.call('POST', '/v3/tasks', { ...task, phase_id: null })).json.task_id;
    for (const status of [0, 4]) {
      await service.call('PATCH', `/v3/phases/${phase_id}`, { status });
      expect((await service.call('GET', `/v3/tasks/${task_id}`)).json.status).toBe(status);
      expect((await service.call('GET', `/v3/tasks/${other}`)).json.status).toBe(2);
    }
    for (const place of [{ project_id, phase_id }, { task_id }]) {
      const time = { people_id: 1, date: '2026-01-05', hours: 1, ...place };
      const { status, json } = await service.call('POST', '/v3/logged-time', time);
      expect([status, json.errors[0].field]).toEqual([422, 'phase_id']);
    }
  });

  it('project_manager: the account of the owner, else the first', { tags: ['slow'] }, async () => {
    const accounts = [
      { account_id: 3, account_type: 2 },
      { account_id: 4, account_type: 1 },
    ];
    for (const [given, expected] of [
      [accounts, 4],
      [accounts.slice(0, 1), 3],
      [[], null],
    ] as const) {
      const company = await openService({ accounts: given });
      const made = await company.call('POST', '/v3/projects', { name: 'Dam' });
      expect(made.json.project_manager).toBe(expected);
      await company.close();
    }
  });

  it('expand=project_team also lists the members of its phases', async () => {
    const { project_id } = await create({ project_team: ['1'] });
    const phase = { project_id, name: 'One', start_date: '2026-01-01', end_date: '2026-01-31' };
    const body = { ...phase, phase_team: [{ people_id: 1, hourly_rate: 80 }] };
    const { phase_id } = (await service.call('POST', '/v3/phases', body)).json;
    const { json } = await service.call('GET', `/v3/projects/${project_id}?expand=project_team`);
    expect(json.project_team).toEqual([
      { people_id: 1, role_id: null, hourly_rate: null, phase_id: 0 },
      { people_id: 1, role_id: null, hourly_rate: '80.0000', phase_id },
    ]);
  });

  it('start_date and end_date of a phase default to the earliest and latest date of its contents', {
    tags: ['slow'],
  }, async () => {
    const company = await openService({
      people: [{ people_id: 1 }],
      projects: [{ project_id: 1 }],
      phases: [{ phase_id: 5, project_id: 1 }],
      milestones: [
        { milestone_id: 1, project_id: 1, phase_id: 5, name: 'Go', date: '2026-02-02', end_date: '2026-02-05' },
      ],
      logged_time: [{ logged_time_id: 'a', people_id: 1, project_id: 1, phase_id: 5, date: '2026-01-05', hours: 1 }],
    });
    const dates = async () => {
      const { json } = await company.call('GET', '/v3/phases/5');
      return [json.start_date, json.end_date];
    };
    expect(await dates()).toEqual(['2026-01-05', '2026-02-05']);
    const changed = await company.call('PATCH', '/v3/phases/5', { start_date: '2026-01-05', notes: 'kept open' });
    expect(changed.status, changed.text).toBe(200);
    await company.call('DELETE', '/v3/logged-time/a');
    expect(await dates()).toEqual(['2026-02-02', '2026-02-05']);
    await company.close();
  });

  it('start_date and end_date of a project default to the earliest and latest date of its contents', async () => {
    const { project_id, start_date, end_date } = await create();
    expect([start_date, end_date]).toEqual([null, null]);
    const read = async () => {
      const { json } = await service.call('GET', `/v3/projects/${project_id}?fields=start_date,end_date`);
      return [json.start_date, json.end_date];
    };
    await service.call('POST', '/v3/milestones', { project_id, name: 'Go', date: '2026-03-01' });
    expect(await read()).toEqual(['2026-03-01', '2026-03-01']);
    const task = { project_id, people_id: 1, start_date: '2026-03-02', end_date: '2026-03-03', hours: 4 };
    const repeat = { repeat_state: 1, repeat_end_date: '2026-06-30' };
    const { task_id } = (await service.call('POST', '/v3/tasks', { ...task, ...repeat })).json;
    expect(await read()).toEqual(['2026-03-01', '2026-06-30']);
    const time = { people_id: 1, task_id, date: '2026-02-01', hours: 1 };
    expect((await service.call('POST', '/v3/logged-time', time)).status).toBe(201);
    expect(await read()).toEqual(['2026-02-01', '2026-06-30']);
    const phase = { project_id, name: 'One', start_date: '2026-01-01', end_date: '2026-07-31' };
    await service.call('POST', '/v3/phases', phase);
    expect(await read()).toEqual(['2026-01-01', '2026-07-31']);
    await change(project_id, { end_date: '2026-05-01' });
    expect(await read()).toEqual(['2026-01-01', '2026-05-01']);
    // Dates sent back unchanged don't become set dates.
    await service.call(
      'PUT',
      `/v3/projects/${project_id}`,
      (await service.call('GET', `/v3/projects/${project_id}`)).json,
    );
    const [stored] = await service.rows(
      `SELECT start_date, end_date FROM source.projects WHERE project_id = ${project_id}`,
    );
    expect(stored).toEqual({ start_date: null, end_date: '2026-05-01' });
    expect(faultsOf(await change(project_id, { start_date: '2026-06-01' }))).toEqual([
      422,
      'end_date is before start_date',
    ]);
  });

  it('a computed date of a project is never beyond a date that is set', { tags: ['slow'] }, async () => {
    const company = await openService({
      people: [{ people_id: 1 }],
      projects: [
        { project_id: 1, start_date: '2026-06-01' },
        { project_id: 2, end_date: '2026-01-01' },
      ],
      logged_time: [1, 2].map((id) => ({ logged_time_id: `${id}`, people_id: 1, project_id: id, date: DAY, hours: 1 })),
    });
    const read = async () =>
      (await company.call('GET', '/v3/projects?fields=project_id,start_date,end_date,dates_from&sort=project_id')).json;
    const shown = [
      { project_id: 1, start_date: '2026-06-01', end_date: '2026-06-01', dates_from: 'start_set' },
      { project_id: 2, start_date: '2026-01-01', end_date: '2026-01-01', dates_from: 'end_set' },
    ];
    expect(await read()).toEqual(shown);
    for (const { project_id, ...dates } of shown)
      expect((await company.call('PATCH', `/v3/projects/${project_id}`, dates)).status).toBe(200);
    expect(
      await company.rows('SELECT project_id, start_date, end_date FROM source.projects ORDER BY project_id'),
    ).toEqual([
      { project_id: 1, start_date: '2026-06-01', end_date: null },
      { project_id: 2, start_date: null, end_date: '2026-01-01' },
    ]);
    await company.close();
  });

  it('a project in which an allocation repeats without an end has no end, unless it is set', async () => {
    const task = { people_id: 1, start_date: DAY, end_date: DAY, hours: 1, repeat_state: 1 };
    const company = await openService({
      people: [{ people_id: 1 }],
      projects: [{ project_id: 1 }, { project_id: 2, end_date: '2026-08-31' }],
      tasks: [1, 2].map((id) => ({ ...task, task_id: id, project_id: id })),
    });
    const { json } = await company.call('GET', '/v3/projects?fields=start_date,end_date&sort=project_id');
    expect(json).toEqual([
      { start_date: DAY, end_date: null },
      { start_date: DAY, end_date: '2026-08-31' },
    ]);
    await company.close();
  });

  it.each([
    ['names only its project task (D8)', { task_meta_id: 5 }, [1, 2]],
    ['names only its allocation (D8)', { task_id: 4 }, [1, 2]],
    ['names its allocation and a phase (D8)', { task_id: 4, phase_id: 3 }, [1, 3]],
    ['names its project, and an allocation of another (D8)', { project_id: 6, task_id: 4 }, [6]],
  ])('dates of projects and phases cover logged time that %s', { tags: ['slow'] }, async (_which, place, expected) => {
    const company = await openService({
      people: [{ people_id: 1 }],
      projects: [{ project_id: 1 }, { project_id: 6 }],
      phases: [2, 3].map((phase_id) => ({ phase_id, project_id: 1 })),
      project_tasks: [{ task_meta_id: 5, project_id: 1, phase_id: 2, task_name: 'Draw' }],
      tasks: [{ task_id: 4, project_id: 1, phase_id: 2, people_id: 1, start_date: DAY, end_date: DAY, hours: 1 }],
      logged_time: [{ logged_time_id: 'a', people_id: 1, date: '2026-09-09', hours: 1, ...place }],
    });
    const [projects, phases] = await Promise.all(
      ['projects', 'phases'].map(async (path) => (await company.call('GET', `/v3/${path}`)).json),
    );
    const covering = [...projects, ...phases].filter(({ end_date }) => end_date === '2026-09-09');
    expect(covering.map(({ phase_id, project_id }) => phase_id ?? project_id).sort()).toEqual(expected);
    await company.close();
  });

  it.each([
    ['for 2 years', {}, '2028-03-02'],
    ['to the end of the project', { end_date: '2026-08-31' }, '2026-08-31'],
  ])(
    'dates of a phase cover an allocation that repeats without an end: %s (D2)',
    { tags: ['slow'] },
    async (_where, project, end_date) => {
      const company = await openService({
        people: [{ people_id: 1 }],
        projects: [{ project_id: 1, ...project }],
        phases: [{ phase_id: 5, project_id: 1 }],
        tasks: [
          {
            task_id: 1,
            project_id: 1,
            phase_id: 5,
            people_id: 1,
            start_date: DAY,
            end_date: DAY,
            hours: 1,
            repeat_state: 1,
          },
        ],
      });
      expect((await company.call('GET', '/v3/phases/5')).json).toMatchObject({ start_date: DAY, end_date });
      await company.close();
    },
  );

  it('expand: expenses, without costs for readers without the scope rates, and project_tasks', async () => {
    const { project_id } = await create();
    await service.call('POST', '/v3/project-tasks', { project_id, task_names: ['Draw', 'Build'] });
    await service.call('POST', '/v3/project-expenses', { project_id, name: 'Train', date: '2026-01-05', cost: 12.5 });
    const read = async () =>
      (await service.call('GET', `/v3/projects/${project_id}?expand=expenses,project_tasks`)).json;
    const { expenses, project_tasks } = await read();
    expect(expenses).toMatchObject([{ name: 'Train', cost: 12.5 }]);
    expect(project_tasks).toMatchObject([{ task_name: 'Draw' }, { task_name: 'Build' }]);
    service.allow(['reports']);
    const [expense] = (await read()).expenses;
    service.allow(['reports', 'write', 'rates']);
    expect(Object.keys(expense)).not.toContain('cost');
    const { headers } = await service.call('GET', `/v3/projects/${project_id}?expand=phases`);
    expect(headers['x-ignored-parameters']).toBe('phases');
  });
});

describe('deleting', () => {
  const open = (locked: boolean) =>
    openService({
      people: PEOPLE,
      projects: [
        { project_id: 1, name: 'Bridge', project_team: [{ people_id: 1, hourly_rate: 90 }, { people_id: 2 }] },
        { project_id: 2, name: 'Other' },
      ],
      phases: [
        {
          phase_id: 1,
          project_id: 1,
          name: 'One',
          start_date: '2026-01-01',
          end_date: '2026-01-31',
          phase_team: [{ people_id: 1 }],
        },
      ],
      milestones: [{ milestone_id: 1, project_id: 1, phase_id: 1, name: 'Go', date: '2026-01-31' }],
      project_tasks: [{ task_meta_id: 1, project_id: 1, phase_id: 1, task_name: 'Draw' }],
      tasks: [
        {
          task_id: 1,
          project_id: 1,
          phase_id: 1,
          people_id: 1,
          start_date: '2026-01-05',
          end_date: '2026-01-05',
          hours: 4,
        },
        { task_id: 2, project_id: 1, people_ids: [1, 2], start_date: '2026-01-06', end_date: '2026-01-06', hours: 4 },
        {
          task_id: 3,
          project_id: 2,
          people_ids: [1, 2, 3],
          start_date: '2026-01-06',
          end_date: '2026-01-06',
          hours: 4,
        },
      ],
      timeoffs: [
        { timeoff_id: 1, people_ids: [1, 2], start_date: '2026-02-02', end_date: '2026-02-02', full_day: 1 },
        { timeoff_id: 2, people_id: 1, start_date: '2026-02-03', end_date: '2026-02-03', full_day: 1 },
      ],
      logged_time: [
        { logged_time_id: 'a', people_id: 1, project_id: 1, phase_id: 1, date: '2026-01-05', hours: 3 },
        { logged_time_id: 'b', people_id: 2, task_id: 2, date: '2026-01-06', hours: 3, locked },
        { logged_time_id: 'c', people_id: 2, project_id: 2, date: '2026-01-06', hours: 3 },
      ],
      project_expenses: [{ project_expense_id: 1, project_id: 1, date: '2026-01-06', cost: 3 }],
    });
  const ids = async (service: Service, table: string, id: string) =>
    (await service.rows(`SELECT ${id} AS id FROM source.${table} ORDER BY 1`)).map((row) => row['id']);

  it('a project is deleted with all its records, each in the record of changes', { tags: ['slow'] }, async () => {
    const service = await open(false);
    expect((await service.call('DELETE', '/v3/projects/1')).status).toBe(204);
    const left = {
      phases: await ids(service, 'phases', 'phase_id'),
      milestones: await ids(service, 'milestones', 'milestone_id'),
      project_tasks: await ids(service, 'project_tasks', 'task_meta_id'),
      tasks: await ids(service, 'tasks', 'task_id'),
      logged_time: await ids(service, 'logged_time', 'logged_time_id'),
      expenses: await ids(service, 'project_expenses', 'project_expense_id'),
      team: await ids(service, 'project_team', 'people_id'),
    };
    expect(left).toEqual({
      phases: [],
      milestones: [],
      project_tasks: [],
      tasks: [3],
      logged_time: ['c'],
      expenses: [],
      team: [],
    });
    const changes = await service.rows(
      "SELECT resource, count(*) AS count FROM service.changes WHERE method = 'DELETE' GROUP BY resource ORDER BY resource",
    );
    expect(changes).toEqual([
      { resource: 'logged_time', count: 2 },
      { resource: 'milestones', count: 1 },
      { resource: 'phases', count: 1 },
      { resource: 'project_expenses', count: 1 },
      { resource: 'project_tasks', count: 1 },
      { resource: 'projects', count: 1 },
      { resource: 'tasks', count: 2 },
    ]);
    await service.close();
  });

  it('a project or a person with locked logged time is 422, and nothing is deleted', { tags: ['slow'] }, async () => {
    const service = await open(true);
    const message = 'some of its logged-time records are locked (1); unlock them first';
    expect(faultsOf(await service.call('DELETE', '/v3/projects/1'))).toEqual([422, `project_id: ${message}`]);
    expect(faultsOf(await service.call('DELETE', '/v3/people/2'))).toEqual([422, `people_id: ${message}`]);
    expect(await service.rows('SELECT count(*) AS count FROM service.changes')).toEqual([{ count: 0 }]);
    expect((await service.call('DELETE', '/v3/people/1')).status).toBe(204);
    await service.close();
  });

  it('a person is deleted with allocations, time off, logged time and team places; shared records stay for the others', {
    tags: ['slow'],
  }, async () => {
    const service = await open(false);
    expect((await service.call('DELETE', '/v3/people/1')).status).toBe(204);
    const people = async (path: string) => {
      const { json } = await service.call('GET', `/v3/${path}`);
      return [json.people_id, json.people_ids];
    };
    expect(await ids(service, 'tasks', 'task_id')).toEqual([2, 3]);
    expect(await people('tasks/2')).toEqual([2, [2]]);
    expect(await people('tasks/3')).toEqual([null, [2, 3]]);
    expect(await ids(service, 'timeoffs', 'timeoff_id')).toEqual([1]);
    expect((await people('timeoffs/1'))[0]).toBe(2);
    expect(await ids(service, 'logged_time', 'logged_time_id')).toEqual(['b', 'c']);
    expect(await ids(service, 'project_team', 'people_id')).toEqual([2]);
    expect(await ids(service, 'phase_team', 'people_id')).toEqual([]);
    const [line] = await service.built('SELECT count(*) AS count FROM marts.ledger WHERE people_id = 1');
    expect(line).toEqual({ count: 0 });
    await service.close();
  });
});
