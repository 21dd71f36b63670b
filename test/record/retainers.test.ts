import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openService, type Service } from './service.ts';

describe('retainers', () => {
  let service: Service;
  beforeAll(async () => {
    service = await openService({
      projects: [1, 2].map((project_id) => ({ project_id, name: `Project ${project_id}` })),
      phases: [{ phase_id: 1, project_id: 1, name: 'Run', start_date: '2026-01-01', end_date: '2026-12-31' }],
    });
  });
  afterAll(() => service.close());

  const forty = [{ amount: 40 }];
  const enter = (body: object) =>
    service.call('POST', '/v3/retainers', { project_id: 2, start_date: '2026-01-01', amounts: forty, ...body });
  const messages = async (reply: ReturnType<Service['call']>) => {
    const { status, json } = await reply;
    return [status, json.errors?.map((each: { message: string }) => each.message)];
  };

  it.each([
    [{ every: 'fortnight' }, 'every: not one of month, week, quarter, year'],
    [{ end_date: '2025-12-31' }, 'end_date is before start_date'],
    [{ start_date: '1990-01-01', end_date: '2040-01-01' }, 'end_date is more than 600 periods after start_date'],
    [{ amounts: [{ amount: -1 }] }, 'amounts: item 1: amount: below 0'],
    [{ amounts: [{ amount: 40, price: -1 }] }, 'amounts: item 1: price: below 0'],
    [{ amounts: [] }, 'amounts have none that holds on start_date'],
    [{ amounts: [{ amount: 40, effective_date: '2026-01-02' }] }, 'amounts have none that holds on start_date'],
    [
      { unit: 'fee', amounts: [{ amount: 40, price: 1 }] },
      'amounts have a price, and unit is fee: the amount is the price',
    ],
    [{ amounts: [{ amount: 100_000_000 }] }, 'amounts have hours that are not below 100000000'],
    [{ expires_after: 1, rollover: 'deficit' }, 'expires_after is given, and rollover is neither surplus nor both'],
  ])('refuses %j', async (body, message) => {
    expect(await messages(enter(body))).toEqual([422, [message]]);
  });

  it('takes 600 periods, whatever the words are written in', async () => {
    const { status, json } = await enter({
      project_id: 1,
      start_date: '1990-01-01',
      end_date: '2039-12-31',
      Every: 'Month',
    });
    expect([status, json.every, json.amounts]).toEqual([
      201,
      null,
      [{ amount: 40, price: null, effective_date: null }],
    ]);
    await service.call('DELETE', `/v3/retainers/${json.retainer_id}`);
  });

  it('refuses one that shares a day with another of the same project or phase, which it names', async () => {
    const { json: first } = await enter({ project_id: 1, end_date: '2026-06-30' });
    const said = `start_date is within the days of retainer_id ${first.retainer_id}, 2026-01-01 to 2026-06-30, for the same project_id 1: only one can hold on a day`;
    expect(await messages(enter({ project_id: 1, start_date: '2026-06-30', unit: 'fee' }))).toEqual([422, [said]]);
    expect(await messages(enter({ project_id: 1, start_date: '2025-01-01' }))).toEqual([422, [said]]);
    const { status, json: next } = await enter({ project_id: 1, start_date: '2026-07-01' });
    expect(status).toBe(201);
    const path = `/v3/retainers/${next.retainer_id}`;
    expect(await messages(service.call('PATCH', path, { start_date: '2026-06-01' }))).toEqual([422, [said]]);
    expect((await service.call('PATCH', path, { end_date: '2026-12-31' })).status).toBe(200);
    const { json: ofPhase } = await enter({ project_id: 1, phase_id: 1 });
    const again = `start_date is within the days of retainer_id ${ofPhase.retainer_id}, 2026-01-01 to no end, for the same project_id 1 and phase_id 1: only one can hold on a day`;
    expect(await messages(enter({ project_id: 1, phase_id: 1, start_date: '2030-01-01' }))).toEqual([422, [again]]);
  });

  it('is deleted with its phase or project', async () => {
    const phases = async () => {
      const { json } = await service.call('GET', '/v3/retainers?per-page=200&sort=retainer_id');
      return json.map(({ phase_id }: { phase_id: number }) => phase_id);
    };
    expect(await phases()).toEqual([null, null, 1]);
    await service.call('DELETE', '/v3/phases/1');
    expect(await phases()).toEqual([null, null]);
    await service.call('DELETE', '/v3/projects/1');
    expect(await phases()).toEqual([]);
  });
});
