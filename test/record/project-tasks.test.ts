import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openService, type Service } from './service.ts';

describe('project-tasks', () => {
  let service: Service;
  beforeAll(async () => {
    const planned = { people_id: 1, start_date: '2026-01-05', end_date: '2026-01-05', hours: 8 };
    const logged = { people_id: 1, project_id: 7, date: '2026-01-05', hours: 8 };
    service = await openService({
      people: [{ people_id: 1, name: 'Ann' }],
      projects: [
        { project_id: 7, name: 'Bridge' },
        { project_id: 8, name: 'Tunnel' },
      ],
      project_tasks: [
        { task_meta_id: 5, project_id: 7, task_name: 'Travel' },
        { task_meta_id: 6, project_id: 7, task_name: 'Meetings', billable: 0 },
        { task_meta_id: 9, project_id: 7, task_name: 'Closed' },
      ],
      tasks: [
        { task_id: 1, project_id: 7, task_meta_id: 5, ...planned },
        { task_id: 2, project_id: 7, task_meta_id: 6, ...planned },
      ],
      logged_time: [
        { logged_time_id: 'open', task_meta_id: 5, ...logged },
        { logged_time_id: 'locked', task_meta_id: 5, locked: 1, ...logged },
        { logged_time_id: 'meeting', task_meta_id: 6, people_id: 1, date: '2026-01-05', hours: 8 },
        { logged_time_id: 'closed', task_meta_id: 9, locked: 1, ...logged },
      ],
    });
  });
  afterAll(() => service.close());

  const make = (body: object) => service.call('POST', '/v3/project-tasks', { project_id: 7, ...body });
  const read = async (path: string) => (await service.call('GET', `/v3/${path}`)).json;

  it('task_names on create, task_name in answers: one record each', async () => {
    const { status, headers, json } = await make({ task_names: ['Design', 'Building'], budget: '100.5' });
    expect(json).toMatchObject([
      { task_name: 'Design', budget: 100.5, billable: 1 },
      { task_name: 'Building', budget: 100.5, billable: 1 },
    ]);
    expect([status, headers['location']]).toEqual([201, `/v3/project-tasks/${json[0].task_meta_id}`]);
    expect(json[0]).not.toHaveProperty('task_names');
    expect((await make({ task_names: 'Alone' })).json.task_name).toBe('Alone');
    expect((await make({ task_names: ['Alone'] })).json.task_name).toBe('Alone');
    expect((await make({ task_name: 'Named' })).json.task_name).toBe('Named');
  });

  it('invalid task_names are 422, and create none of the records', async () => {
    const count = async () => (await service.rows('SELECT count(*) AS count FROM source.project_tasks'))[0];
    const before = await count();
    for (const task_names of [[], [''], ['a', null], ['a', {}], {}, true, [['a']]]) {
      const { status, json } = await make({ task_names });
      expect([status, json.errors[0].field], JSON.stringify(task_names)).toEqual([422, 'task_names']);
    }
    expect((await make({ task_names: ['a', 'b'], project_id: 99 })).status).toBe(422);
    expect(await count()).toEqual(before);
  });

  it('a project task without a name has an empty one', async () => {
    const { status, json } = await make({});
    expect([status, json.task_name]).toEqual([201, '']);
  });

  it('counts its allocations and its logged time in every answer', async () => {
    const { task_meta_id, ...made } = (await make({ task_name: 'Counted' })).json;
    expect(made).toMatchObject({ count_tasks: 0, count_logged_time: 0 });
    const work = { project_id: made.project_id, people_id: 1, task_meta_id, hours: 1 };
    const days = { start_date: '2026-06-01', end_date: '2026-06-02' };
    const posts = [
      await service.call('POST', '/v3/tasks', { ...work, ...days }),
      await service.call('POST', '/v3/logged-time', { ...work, date: '2026-06-01' }),
      await service.call('POST', '/v3/logged-time', { ...work, date: '2026-06-02' }),
    ];
    expect(posts.map(({ status }) => status)).toEqual([201, 201, 201]);
    const counts = { count_tasks: 1, count_logged_time: 2 };
    const path = `/v3/project-tasks/${task_meta_id}`;
    expect((await service.call('GET', path)).json).toMatchObject(counts);
    expect((await service.call('GET', `${path}?fields=count_logged_time,count_tasks`)).json).toEqual(counts);
    expect((await service.call('PATCH', path, {})).json).toMatchObject(counts);
    const [listed] = (await service.call('GET', `/v3/project-tasks?task_meta_id=${task_meta_id}`)).json;
    expect(listed).toMatchObject(counts);
    const whole = (await service.call('GET', `/v3/projects/${made.project_id}?expand=project_tasks`)).json;
    expect(whole.project_tasks).toContainEqual(listed);
  });

  it('a change of billable reaches its allocations and logged time, except locked ones', async () => {
    await service.call('PATCH', '/v3/project-tasks/5', { billable: 0 });
    expect((await read('tasks/1')).billable).toBe(0);
    expect((await read('logged-time/open')).billable).toBe(0);
    expect((await read('logged-time/locked')).billable).toBe(1);
    await service.call('PATCH', '/v3/project-tasks/5', { billable: 1 });
    expect((await read('tasks/1')).billable).toBe(1);
    expect((await read('logged-time/open')).billable).toBe(1);
  });

  it('a used project task stays in its project', async () => {
    expect((await service.call('PATCH', '/v3/project-tasks/5', { project_id: 8 })).json.errors).toEqual([
      { field: 'project_id', message: 'project_id: allocations and logged-time records use this project task (3)' },
    ]);
  });

  it('deleting one keeps its allocations and logged time in their project, with their billable value', async () => {
    expect((await service.call('DELETE', '/v3/project-tasks/6')).status).toBe(204);
    expect(await read('tasks/2')).toMatchObject({ task_meta_id: null, billable: 0 });
    expect(await read('logged-time/meeting')).toMatchObject({ task_meta_id: null, billable: 0, project_id: 7 });
  });

  it("one with locked time can't be deleted", async () => {
    const { status, json } = await service.call('DELETE', '/v3/project-tasks/9');
    expect([status, json.errors[0].message]).toEqual([
      422,
      'task_meta_id: locked logged-time records use this project task (1)',
    ]);
  });
});
