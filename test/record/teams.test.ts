import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openService, type Reply, type Service } from './service.ts';

const DESIGNER = 1;
const NOBODYS = 2;

const faultsOf = ({ status, json }: Reply) => [status, ...json.errors.map(({ message }: Error) => message)];

describe('project_team', () => {
  let service: Service;
  beforeAll(async () => {
    service = await openService({
      roles: [
        { role_id: DESIGNER, name: 'Designer' },
        { role_id: NOBODYS, name: 'Juggler' },
      ],
      people: [
        { people_id: 1, name: 'Ann', role_id: DESIGNER },
        { people_id: 2, name: 'Bob' },
        { people_id: 3, name: 'Cid' },
        { people_id: 4, name: 'Juggler', role_id: NOBODYS, people_type_id: 4 },
      ],
    });
  });
  afterAll(() => service.close());

  const post = (project_team: unknown) => service.call('POST', '/v3/projects', { name: 'Bridge', project_team });
  const create = async (project_team: unknown): Promise<number> => (await post(project_team)).json.project_id;
  const change = (id: number, project_team: unknown) => service.call('PATCH', `/v3/projects/${id}`, { project_team });
  const read = async (id: number) =>
    (await service.call('GET', `/v3/projects/${id}?expand=project_team`)).json.project_team;
  const idsOf = async (id: number) => (await read(id)).map(({ people_id }: { people_id: number }) => people_id);
  const allocate = async (project_id: number, people_ids: number[], more: object = {}): Promise<number> => {
    const task = { project_id, people_ids, start_date: '2026-01-05', end_date: '2026-01-06', hours: 4, ...more };
    return (await service.call('POST', '/v3/tasks', task)).json.task_id;
  };
  const log = async (project_id: number, people_id: number, more: object = {}): Promise<string> => {
    const time = { project_id, people_id, date: '2026-01-05', hours: 2, ...more };
    return (await service.call('POST', '/v3/logged-time', time)).json.logged_time_id;
  };
  const statusOf = async (path: string) => (await service.call('GET', `/v3/${path}`)).status;

  it('an array of people_id on create; expand shows people_id, role_id, hourly_rate, phase_id 0', async () => {
    const id = await create([1, '2', { people_id: 3, role_id: DESIGNER, hourly_rate: 95 }]);
    expect(await read(id)).toEqual([
      { people_id: 1, role_id: null, hourly_rate: null, phase_id: 0 },
      { people_id: 2, role_id: null, hourly_rate: null, phase_id: 0 },
      { people_id: 3, role_id: DESIGNER, hourly_rate: '95.0000', phase_id: 0 },
    ]);
    const { json } = await service.call('GET', `/v3/projects/${id}`);
    expect(Object.keys(json)).not.toContain('project_team');
  });

  it('on PATCH {add, del}: omitted values of a member stay', async () => {
    const id = await create([{ people_id: 1, hourly_rate: 90 }]);
    await change(id, { add: [2, { people_id: 1, role_id: DESIGNER }] });
    expect(await read(id)).toEqual([
      { people_id: 1, role_id: DESIGNER, hourly_rate: '90.0000', phase_id: 0 },
      { people_id: 2, role_id: null, hourly_rate: null, phase_id: 0 },
    ]);
    await change(id, { add: [3, { people_id: 1, hourly_rate: null }], del: [2] });
    expect(await read(id)).toEqual([
      { people_id: 1, role_id: DESIGNER, hourly_rate: null, phase_id: 0 },
      { people_id: 3, role_id: null, hourly_rate: null, phase_id: 0 },
    ]);
  });

  it('two parallel additions to one team are both kept', async () => {
    const id = await create([1]);
    const replies = await Promise.all([change(id, { add: [2] }), change(id, { add: [3] })]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    expect((await idsOf(id)).sort()).toEqual([1, 2, 3]);
  });

  it('set replaces all members and overrides add and del', async () => {
    const id = await create([1, 2]);
    await change(id, { set: [3, 1], add: [2], del: [1, 77] });
    expect(await idsOf(id)).toEqual([3, 1]);
    await change(id, { set: [] });
    expect(await idsOf(id)).toEqual([]);
  });

  it('a member removed by set or del loses the allocations and logged time of this project', async () => {
    const [id, other] = [await create([1, 2]), await create([1, 2])];
    const [alone, shared, elsewhere] = [
      await allocate(id, [1]),
      await allocate(id, [1, 2]),
      await allocate(other, [1]),
    ];
    const [time, onTask, colleagues] = [
      await log(id, 1),
      await log(id, 1, { project_id: null, task_id: shared }),
      await log(id, 2, { project_id: null, task_id: alone }),
    ];
    await change(id, { del: [1] });
    expect(await statusOf(`tasks/${alone}`)).toBe(404);
    expect(await statusOf(`tasks/${elsewhere}`)).toBe(200);
    expect((await service.call('GET', `/v3/tasks/${shared}`)).json).toMatchObject({ people_id: 2, people_ids: [2] });
    expect(await statusOf(`logged-time/${time}`)).toBe(404);
    expect(await statusOf(`logged-time/${onTask}`)).toBe(404);
    // Time logged by others on a deleted allocation stays in the project.
    const { json } = await service.call('GET', `/v3/logged-time/${colleagues}`);
    expect(json).toMatchObject({ project_id: id, task_id: null });
    await change(id, { set: [3] });
    expect(await statusOf(`tasks/${shared}`)).toBe(404);
    expect(await statusOf(`logged-time/${colleagues}`)).toBe(404);
  });

  it('a member with locked logged time is not removed, and nothing else is changed', async () => {
    const id = await create([1, 2]);
    const task = await allocate(id, [1]);
    await log(id, 1, { locked: 1 });
    const reply = await service.call('PATCH', `/v3/projects/${id}`, { name: 'Tunnel', project_team: { del: [1] } });
    expect(faultsOf(reply)).toEqual([
      422,
      'project_team: some of its logged-time records are locked (1); unlock them first',
    ]);
    expect(await idsOf(id)).toEqual([1, 2]);
    expect(await statusOf(`tasks/${task}`)).toBe(200);
    expect((await service.call('GET', `/v3/projects/${id}`)).json.name).toBe('Bridge');
  });

  it('an item with people_id null and a role_id creates a new placeholder person of that role each time', async () => {
    const item = { people_id: null, role_id: DESIGNER, hourly_rate: '80' };
    const id = await create([1, item, item]);
    await change(id, { add: [{ role_id: DESIGNER }] });
    const team = await read(id);
    const placeholders = team.slice(1).map(({ people_id }: { people_id: number }) => people_id);
    expect(new Set(placeholders).size).toBe(3);
    expect(team[1]).toMatchObject({ role_id: DESIGNER, hourly_rate: '80.0000' });
    expect((await service.call('GET', `/v3/people/${placeholders[0]}`)).json).toMatchObject({
      name: 'Designer',
      job_title: 'Designer',
      role_id: DESIGNER,
      people_type_id: 4,
    });
  });

  it('a repeated POST with its Idempotency-Key creates no second placeholder', async () => {
    const body = { name: 'Bridge', project_team: [{ role_id: DESIGNER }] };
    const key = { 'idempotency-key': 'project-once' };
    const first = await service.call('POST', '/v3/projects', body, key);
    const again = await service.call('POST', '/v3/projects', body, key);
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.json).toEqual(first.json);
  });

  it('is refused (422) while no person holds that role', async () => {
    const count = async () => (await service.rows('SELECT count(*) AS count FROM source.people'))[0];
    const before = await count();
    expect(faultsOf(await post([{ role_id: DESIGNER }, { people_id: null, role_id: NOBODYS }]))).toEqual([
      422,
      'project_team: nobody holds the role 2; at least one person must hold it before it can be assigned to a project',
    ]);
    expect(await count()).toEqual(before);
    expect(faultsOf(await post([{ role_id: 99 }]))).toEqual([422, 'project_team: there is no record 99 in roles']);
  });

  it('an invalid team', async () => {
    const id = await create([1]);
    const faults = async (team: unknown) => (await faultsOf(await change(id, team)))[1];
    expect(await faults([99])).toBe('project_team[1].people_id: there is no record 99 in people');
    expect(await faults([{ people_id: 1, role_id: 99 }])).toBe(
      'project_team[1].role_id: there is no record 99 in roles',
    );
    expect(await faults([{}])).toBe('project_team: item 1: it has neither people_id nor role_id');
    expect(await faults([null])).toBe('project_team: item 1: it has neither people_id nor role_id');
    expect(await faults(['x'])).toBe('project_team: item 1: people_id: not an id');
    expect(await faults([{ people_id: 1, hourly_rate: -1 }])).toBe('project_team: item 1: hourly_rate: below 0');
    expect(await faults(7)).toBe('project_team: not a list');
    expect(await faults({ add: 2 })).toBe('project_team: add: not a list');
    expect(await faults({ sub: [2] })).toBe('project_team: sub is not one of add, set, del');
    expect(await faults({ del: [2] })).toBe('project_team: del: 2 is not in the team');
    expect(await faults({ del: [{ role_id: DESIGNER }] })).toBe('project_team: del: an item has no people_id');
    expect(await faults({ add: [1], del: [1] })).toBe('project_team: 1 is both in add and in del');
    expect(await faults([{ people_id: 1, phase_id: 5 }])).toBe('project_team: 5 is not a phase of this project');
  });
});

describe('phases', () => {
  let service: Service;
  beforeAll(async () => {
    service = await openService({
      people: [
        { people_id: 1, name: 'Ann' },
        { people_id: 2, name: 'Bob' },
      ],
      projects: [
        { project_id: 1, name: 'Bridge', project_team: [1, 2].map((people_id) => ({ people_id })) },
        { project_id: 2, name: 'Other' },
      ],
    });
  });
  afterAll(() => service.close());

  const phase = { project_id: 1, name: 'One', start_date: '2026-01-01', end_date: '2026-01-31' };
  const post = (body: object) => service.call('POST', '/v3/phases', { ...phase, ...body });
  const create = async (body: object = {}): Promise<number> => (await post(body)).json.phase_id;
  const get = async (path: string) => (await service.call('GET', `/v3/${path}`)).json;

  it('project_id, name, start_date and end_date are required', async () => {
    expect(faultsOf(await service.call('POST', '/v3/phases', {}))).toEqual([
      422,
      'project_id: missing',
      'name: missing',
      'start_date: missing',
      'end_date: missing',
    ]);
    expect(faultsOf(await post({ end_date: '2025-12-31' }))).toEqual([422, 'end_date is before start_date']);
  });

  it('phase_team works like project_team; removed members lose the allocations and logged time of this phase', async () => {
    const id = await create({ phase_team: [1, { people_id: 2, hourly_rate: 70 }] });
    const task = { project_id: 1, people_id: 1, start_date: '2026-01-05', end_date: '2026-01-06', hours: 4 };
    const inside = (await service.call('POST', '/v3/tasks', { ...task, phase_id: id })).json.task_id;
    const outside = (await service.call('POST', '/v3/tasks', task)).json.task_id;
    const time = { people_id: 1, date: '2026-01-05', hours: 1 };
    const logged = (await service.call('POST', '/v3/logged-time', { ...time, task_id: inside })).json.logged_time_id;
    await service.call('PATCH', `/v3/phases/${id}`, { phase_team: { del: [1] } });
    expect((await get(`phases/${id}?expand=phase_team`)).phase_team).toEqual([
      { people_id: 2, role_id: null, hourly_rate: '70.0000' },
    ]);
    expect((await get(`tasks/${inside}`)).status).toBe(404);
    expect((await get(`logged-time/${logged}`)).status).toBe(404);
    expect((await get(`tasks/${outside}`)).task_id).toBe(outside);
  });

  it('leaving the team of the project means leaving those of its phases', async () => {
    const id = await create({ phase_team: [1, 2] });
    await service.call('PATCH', '/v3/projects/1', { project_team: { del: [2] } });
    const team = (await get(`phases/${id}?expand=phase_team`)).phase_team;
    expect(team.map(({ people_id }: { people_id: number }) => people_id)).toEqual([1]);
  });

  it('deleting a phase keeps its allocations, logged time, milestones and project tasks in the project', async () => {
    const id = await create();
    const part = { project_id: 1, phase_id: id };
    const task = { ...part, people_id: 1, start_date: '2026-01-05', end_date: '2026-01-06', hours: 4 };
    const made = [
      `tasks/${(await service.call('POST', '/v3/tasks', task)).json.task_id}`,
      `logged-time/${(await service.call('POST', '/v3/logged-time', { ...part, people_id: 1, date: '2026-01-05', hours: 1 })).json.logged_time_id}`,
      `milestones/${(await service.call('POST', '/v3/milestones', { ...part, name: 'Go', date: '2026-01-05' })).json.milestone_id}`,
      `project-tasks/${(await service.call('POST', '/v3/project-tasks', { ...part, task_name: 'Draw' })).json.task_meta_id}`,
    ];
    await service.call('PATCH', '/v3/projects/1', { project_team: { add: [{ people_id: 1, phase_id: id }] } });
    expect((await service.call('DELETE', `/v3/phases/${id}`)).status).toBe(204);
    for (const path of made) expect(await get(path)).toMatchObject({ project_id: 1, phase_id: null });
    const items = await service.rows(`SELECT people_id FROM source.project_team WHERE phase_id = ${id}`);
    expect(items).toEqual([]);
  });

  it("a phase with locked logged time can't be deleted, because its rate may apply to that time", async () => {
    const id = await create();
    const time = { project_id: 1, phase_id: id, people_id: 1, date: '2026-01-05', hours: 1, locked: 1 };
    await service.call('POST', '/v3/logged-time', time);
    expect(faultsOf(await service.call('DELETE', `/v3/phases/${id}`))).toEqual([
      422,
      'phase_id: some of its logged-time records are locked (1); unlock them first',
    ]);
  });

  it('a phase stays in its project, and records that name it belong to that project', async () => {
    const id = await create();
    expect(faultsOf(await service.call('PATCH', `/v3/phases/${id}`, { project_id: 2 }))).toEqual([
      422,
      'project_id: a phase stays in its project; create one in the other project',
    ]);
    const milestone = { project_id: 2, phase_id: id, name: 'Go', date: '2026-01-05' };
    expect(faultsOf(await service.call('POST', '/v3/milestones', milestone))).toEqual([
      422,
      `phase_id: ${id} does not belong to project 2`,
    ]);
    expect(faultsOf(await service.call('POST', '/v3/milestones', {}))).toEqual([
      422,
      'project_id: missing',
      'name: missing',
      'date: missing',
    ]);
  });
});
