import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openService, type Service } from './service.ts';

describe('progress', () => {
  let service: Service;
  beforeAll(async () => {
    service = await openService({
      projects: [{ project_id: 1, name: 'Bridge' }],
      phases: [{ phase_id: 1, project_id: 1, name: 'Build', start_date: '2026-01-01', end_date: '2026-06-30' }],
      project_tasks: [{ task_meta_id: 1, project_id: 1, task_name: 'Weld' }],
    });
  });
  afterAll(() => service.close());

  const enter = (body: object) => service.call('POST', '/v3/progress', { project_id: 1, date: '2026-03-31', ...body });

  it.each([
    [{ percent: 101 }, 'percent: outside 0 to 100'],
    [{ percent: -0.5 }, 'percent: outside 0 to 100'],
    [{ remaining_hours: -1 }, 'remaining_hours: below 0'],
    [{ remaining_hours: '100000000' }, 'remaining_hours: not below 100000000'],
    [{}, 'percent is missing, and so is remaining_hours: one of them is required'],
    [{ percent: 40, remaining_hours: 5 }, 'percent is given beside remaining_hours, and only one of them can be'],
  ])('refuses %j', async (body, message) => {
    const { status, json } = await enter(body);
    expect([status, json.errors.map((each: { message: string }) => each.message)]).toEqual([422, [message]]);
  });

  it('is a percentage of four decimals, or the hours that remain: giving one empties the other', async () => {
    const { status, json } = await enter({ percent: '33.33335', notes: 'A third' });
    expect([status, json.percent, json.remaining_hours, json.notes]).toEqual([201, 33.3334, null, 'A third']);
    const path = `/v3/progress/${json.progress_id}`;
    const { json: hours } = await service.call('PATCH', path, { remaining_hours: '12.3456785' });
    expect([hours.percent, hours.remaining_hours]).toEqual([null, 12.345679]);
    const { json: percent } = await service.call('PATCH', path, { percent: 0 });
    expect([percent.percent, percent.remaining_hours]).toEqual([0, null]);
    const { json: noted } = await service.call('PATCH', path, { notes: 'Nothing yet' });
    expect([noted.percent, noted.remaining_hours]).toEqual([0, null]);
    expect((await service.call('PATCH', path, { percent: null })).status).toBe(422);
  });

  it('is deleted with its phase, project task or project', async () => {
    const ids = async () => {
      const { json } = await service.call('GET', '/v3/progress?per-page=200');
      return json.map((entry: { phase_id: number; task_meta_id: number }) => [entry.phase_id, entry.task_meta_id]);
    };
    await enter({ percent: 10, phase_id: 1 });
    await enter({ percent: 10, task_meta_id: 1 });
    expect(await ids()).toEqual(
      expect.arrayContaining([
        [1, null],
        [null, 1],
      ]),
    );
    await service.call('DELETE', '/v3/phases/1');
    await service.call('DELETE', '/v3/project-tasks/1');
    expect(await ids()).toEqual([[null, null]]);
    await service.call('DELETE', '/v3/projects/1');
    expect(await ids()).toEqual([]);
  });
});

describe('the scope progress', () => {
  let service: Service;
  beforeAll(async () => {
    service = await openService({
      clients: [1, 2].map((client_id) => ({ client_id, name: `Client ${client_id}` })),
      projects: [1, 2].map((id) => ({ project_id: id, client_id: id, name: `Project ${id}` })),
      phases: [1, 2].map((id) => ({ phase_id: id, project_id: id, name: 'Build' })),
    });
    await service.built('SELECT 1');
  });
  afterAll(() => service.close());

  const enter = (body: object) =>
    service.call('POST', '/v3/progress', { project_id: 1, date: '2026-03-31', percent: 40, ...body });
  const answer = async (reply: ReturnType<Service['call']>) => {
    const { status, json } = await reply;
    return [status, json.errors?.[0]?.message ?? json.message];
  };

  it('lets its reader enter progress, and write nothing else', async () => {
    service.allow(['reports', 'progress']);
    expect((await enter({})).status).toBe(201);
    expect((await service.call('PATCH', '/v3/progress/1', { percent: 50 })).status).toBe(403);
    expect((await service.call('DELETE', '/v3/progress/1')).status).toBe(403);
    expect((await service.call('POST', '/v3/clients', { name: 'New' })).status).toBe(403);
    service.allow(['reports']);
    expect(await answer(enter({}))).toEqual([403, expect.stringContaining('has no scope "progress"')]);
    service.allow(['write']);
    expect((await enter({})).status).toBe(201);
  });

  it('is for projects of the part of a reader, and tells nothing of others', async () => {
    service.allow(['reports', 'progress'], { client_id: [1] });
    expect((await enter({ phase_id: 1 })).status).toBe(201);
    const unknown = (field: string, id: number, of: string) => [422, `${field}: there is no record ${id} in ${of}`];
    expect(await answer(enter({ project_id: 2 }))).toEqual(unknown('project_id', 2, 'projects'));
    expect(await answer(enter({ project_id: 9 }))).toEqual(unknown('project_id', 9, 'projects'));
    expect(await answer(enter({ phase_id: 2 }))).toEqual(unknown('phase_id', 2, 'phases'));
    expect(await answer(enter({ phase_id: 9 }))).toEqual(unknown('phase_id', 9, 'phases'));
    expect((await service.call('GET', '/v3/progress')).status).toBe(403);
  });
});
