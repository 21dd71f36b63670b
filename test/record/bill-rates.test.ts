import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openService, type Reply, type Service } from './service.ts';

const faultsOf = ({ status, json }: Reply) => [status, ...json.errors.map(({ message }: Error) => message)];

const MOST = 1000;

describe('bill rates with a day', () => {
  let service: Service;
  beforeAll(async () => {
    service = await openService({
      roles: [
        {
          role_id: 3,
          name: 'Builder',
          default_hourly_rate: 140,
          bill_rate_history: [{ rate: 141, effective_date: '2020-01-01' }],
        },
      ],
      people: [{ people_id: 1, name: 'Ann', role_id: 3 }],
      clients: [{ client_id: 7, name: 'Client' }],
      projects: [{ project_id: 5, name: 'Bridge', default_hourly_rate: 150, project_team: [{ people_id: 1 }] }],
      phases: [
        {
          phase_id: 6,
          project_id: 5,
          name: 'Piers',
          start_date: '2026-01-01',
          end_date: '2026-12-31',
          phase_team: [{ people_id: 1, hourly_rate: 90 }],
        },
      ],
    });
  });
  afterAll(() => service.close());

  const read = async (path: string, expand = 'bill_rate_history') =>
    (await service.call('GET', `/v3/${path}?expand=${expand}`)).json;
  const patch = (path: string, body: object) => service.call('PATCH', `/v3/${path}`, body);

  it('P5: an answer has the rate without a day and that of today, and all by expand', async () => {
    const plain = (await service.call('GET', '/v3/roles/3')).json;
    expect(plain).toMatchObject({ default_hourly_rate: '140.0000', current_hourly_rate: '141.0000' });
    expect(Object.keys(plain)).not.toContain('bill_rate_history');
    expect((await read('roles/3')).bill_rate_history).toEqual([{ rate: '141.0000', effective_date: '2020-01-01' }]);
  });

  it.each(['roles/3', 'projects/5', 'phases/6'])(
    'P5: effective_date adds an entry to %s, or replaces it',
    async (path) => {
      const before = await read(path);
      await patch(path, { default_hourly_rate: 145, effective_date: '2026-07-01' });
      await patch(path, { default_hourly_rate: 146, effective_date: '2026-07-01' });
      await patch(path, { default_hourly_rate: null, effective_date: '2026-09-01' });
      const after = await read(path);
      expect(after.default_hourly_rate).toBe(before.default_hourly_rate);
      expect(after.bill_rate_history).toEqual([
        ...before.bill_rate_history,
        { rate: '146.0000', effective_date: '2026-07-01' },
        { rate: null, effective_date: '2026-09-01' },
      ]);
      expect((await patch(path, after)).json).toMatchObject({ default_hourly_rate: before.default_hourly_rate });
      await patch(path, { default_hourly_rate: 99 });
      expect(await read(path)).toMatchObject({
        default_hourly_rate: '99.0000',
        bill_rate_history: after.bill_rate_history,
      });
      expect(faultsOf(await patch(path, { effective_date: '2026-07-01' }))).toEqual([
        422,
        'effective_date: it is the first day of default_hourly_rate; send that too, or bill_rate_history',
      ]);
    },
  );

  it('P5: a list replaces, {add, del} changes by day, on people too', async () => {
    const path = 'people/1';
    await patch(path, { bill_rate_history: [{ rate: 80, effective_date: '2020-01-01' }] });
    await patch(path, {
      bill_rate_history: { add: [{ rate: 85, effective_date: '2021-01-01' }], del: ['2020-01-01'] },
    });
    const { json } = await service.call('GET', '/v3/people/1?expand=bill_rate_history');
    expect(json).toMatchObject({
      default_hourly_rate: null,
      current_hourly_rate: '85.0000',
      bill_rate_history: [{ rate: '85.0000', effective_date: '2021-01-01' }],
    });
    const refused = [
      { del: ['2020-01-01'] },
      { set: [] },
      { add: [{ rate: -1, effective_date: '2026-01-01' }] },
      { add: [{ rate: 1 }] },
    ];
    for (const change of refused) expect((await patch(path, { bill_rate_history: change })).status).toBe(422);
    expect(faultsOf(await patch(path, { bill_rate_history: { del: ['2020-01-01'] } }))).toEqual([
      422,
      'bill_rate_history: there is no rate from 2020-01-01',
    ]);
    const many = Array.from({ length: MOST + 1 }, (_, day) => ({
      rate: 1,
      effective_date: new Date(day * 86_400_000 + 1).toISOString().slice(0, 10),
    }));
    expect((await patch(path, { bill_rate_history: many.slice(1) })).status).toBe(200);
    expect(faultsOf(await patch(path, { bill_rate_history: { add: many.slice(0, 1) } }))).toEqual([
      422,
      `bill_rate_history: more than ${MOST} entries`,
    ]);
    expect((await patch(path, { bill_rate_history: many })).status).toBe(422);
    await patch(path, { bill_rate_history: [] });
  });

  it('P1: a member of a team has rates, which other changes of the team keep', async () => {
    await patch('projects/5', {
      project_team: [{ people_id: 1, hourly_rate: 100, rates: [{ rate: 110, effective_date: '2026-05-01' }] }],
    });
    await patch('phases/6', {
      phase_team: [{ people_id: 1, rates: { add: [{ rate: 95, effective_date: '2026-06-01' }] } }],
    });
    await patch('projects/5', { project_team: { add: [{ people_id: 1, hourly_rate: 101 }] } });
    expect((await read('projects/5', 'project_team')).project_team).toEqual([
      {
        people_id: 1,
        role_id: null,
        hourly_rate: '101.0000',
        phase_id: 0,
        rates: [{ rate: '110.0000', effective_date: '2026-05-01' }],
      },
      {
        people_id: 1,
        role_id: null,
        hourly_rate: '90.0000',
        phase_id: 6,
        rates: [{ rate: '95.0000', effective_date: '2026-06-01' }],
      },
    ]);
    const wrong = { project_team: { add: [{ people_id: 1, rates: [{ rate: 1 }] }] } };
    expect(faultsOf(await patch('projects/5', wrong))).toEqual([
      422,
      'project_team.rates: item 1: effective_date: missing',
    ]);
  });

  it('P2: rate cards are records, which projects and clients name from a day on', async () => {
    const { json: card } = await service.call('POST', '/v3/rate-cards', {
      name: 'Card',
      rates: [{ role_id: 3, rate: 155, effective_date: '2026-01-01' }],
    });
    expect(card.rates).toEqual([{ role_id: 3, rate: '155.0000', effective_date: '2026-01-01' }]);
    const uses = [{ rate_card_id: card.rate_card_id, effective_date: '2026-03-01' }];
    for (const path of ['projects/5', 'clients/7']) {
      expect((await patch(path, { rate_cards: uses })).status).toBe(200);
      expect((await read(path, 'rate_cards')).rate_cards).toEqual(uses);
      expect((await patch(path, { rate_cards: [{ rate_card_id: 99 }] })).status).toBe(422);
    }
    expect(faultsOf(await service.call('DELETE', `/v3/rate-cards/${card.rate_card_id}`))[1]).toContain(
      'is still used by',
    );
  });
});
