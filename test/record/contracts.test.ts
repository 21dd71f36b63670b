import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SCOPES } from '../../src/doors/identity/tokens.ts';
import { openService, type Reply, type Service } from './service.ts';

const DESIGNER = 1;
const ENGINEER = 2;

const roles = [
  {
    role_id: DESIGNER,
    name: 'Designer',
    cost_rate_history: [{ rate: 40 }, { rate: 45, effective_date: '2026-03-01' }],
  },
  { role_id: ENGINEER, name: 'Engineer', cost_rate_history: [{ rate: 60, effective_date: '2025-01-01' }] },
];

describe('contracts', () => {
  let service: Service;
  beforeAll(async () => {
    service = await openService({ roles });
  });
  afterAll(() => service.close());

  const create = async (body: object): Promise<number> =>
    (await service.call('POST', '/v3/people', { name: 'Ann', ...body })).json.people_id;
  const change = (id: number, body: object) => service.call('PATCH', `/v3/people/${id}`, body);
  const read = async (id: number) => (await service.call('GET', `/v3/people/${id}?expand=contracts`)).json.contracts;
  const faultsOf = ({ status, json }: Reply) => [status, ...json.errors.map(({ message }: Error) => message)];
  const entry = (effective_date: string | null, role_id: number | null, cost_rate: string | null, from = 'person') => ({
    effective_date,
    role_id,
    role_name: role_id === DESIGNER ? 'Designer' : role_id === ENGINEER ? 'Engineer' : null,
    cost_rate,
    cost_rate_from: cost_rate === null ? null : from,
  });

  it('one entry per date of a change of the role, the own rate, or the rate of the role', async () => {
    const id = await create({ role_id: DESIGNER });
    expect(await read(id)).toEqual([
      entry(null, DESIGNER, '40.0000', 'role'),
      entry('2026-03-01', DESIGNER, '45.0000', 'role'),
    ]);
    await change(id, { role_id: ENGINEER, effective_date: '2026-05-01' });
    expect(await read(id)).toEqual([
      entry(null, DESIGNER, '40.0000', 'role'),
      entry('2026-03-01', DESIGNER, '45.0000', 'role'),
      entry('2026-05-01', ENGINEER, '60.0000', 'role'),
    ]);
  });

  it("the person's own rate takes precedence over the role's", async () => {
    const id = await create({ role_id: DESIGNER });
    await change(id, { cost_rate: '50', effective_date: '2026-02-01' });
    expect(await read(id)).toEqual([
      entry(null, DESIGNER, '40.0000', 'role'),
      entry('2026-02-01', DESIGNER, '50.0000'),
    ]);
  });

  it('the same date overwrites', async () => {
    const id = await create({ role_id: DESIGNER });
    await change(id, { cost_rate: 50, effective_date: '2026-02-01' });
    await change(id, { cost_rate: 51.5, effective_date: '2026-02-01' });
    expect((await read(id)).at(-1)).toEqual(entry('2026-02-01', DESIGNER, '51.5000'));
    await change(id, { role_id: ENGINEER, effective_date: '2026-02-01' });
    expect((await read(id)).at(-1)).toEqual(entry('2026-02-01', ENGINEER, '51.5000'));
  });

  it('without a date, from the start until the next entry', async () => {
    const id = await create({ start_date: '2026-01-05' });
    await change(id, { cost_rate: 52, effective_date: '2026-04-01' });
    await change(id, { cost_rate: 51 });
    expect(await read(id)).toEqual([entry('2026-01-05', null, '51.0000'), entry('2026-04-01', null, '52.0000')]);
    await change(id, { role_id: ENGINEER });
    expect(await read(id)).toEqual([entry('2026-01-05', ENGINEER, '51.0000'), entry('2026-04-01', null, '52.0000')]);
  });

  it('a role sent back unchanged changes nothing', async () => {
    const id = await create({ role_id: DESIGNER });
    await change(id, { cost_rate: 50, effective_date: '2026-02-01' });
    const { json } = await service.call('GET', `/v3/people/${id}?expand=contracts`);
    await service.call('PUT', `/v3/people/${id}`, json);
    expect(await read(id)).toEqual(json.contracts);
  });

  it("cost_rate null with a date makes the person inherit the role's rate from then", async () => {
    const id = await create({ role_id: DESIGNER, cost_rate: 50 });
    await change(id, { cost_rate: null, effective_date: '2026-02-01' });
    expect(await read(id)).toEqual([
      entry(null, DESIGNER, '50.0000'),
      entry('2026-02-01', DESIGNER, '40.0000', 'role'),
      entry('2026-03-01', DESIGNER, '45.0000', 'role'),
    ]);
    await service.call('PATCH', `/v3/roles/${DESIGNER}`, {
      cost_rate_history: { add: [{ rate: 47, effective_date: '2026-06-01' }] },
    });
    expect((await read(id)).at(-1)).toEqual(entry('2026-06-01', DESIGNER, '47.0000', 'role'));
    await service.call('PATCH', `/v3/roles/${DESIGNER}`, { cost_rate_history: { del: ['2026-06-01'] } });
  });

  it('contracts: {del: [dates]} deletes entries', async () => {
    const id = await create({ role_id: DESIGNER, start_date: '2026-01-05' });
    await change(id, { cost_rate: 50 });
    await change(id, { cost_rate: 51, effective_date: '2026-04-01' });
    await change(id, { cost_rate: 52, effective_date: '2026-05-01' });
    await change(id, { contracts: { del: ['2026-04-01'] } });
    expect(await read(id)).toEqual([
      entry('2026-01-05', DESIGNER, '50.0000'),
      entry('2026-05-01', DESIGNER, '52.0000'),
    ]);
    await change(id, { contracts: { del: [null, '2026-05-01'] } });
    expect(await read(id)).toEqual([
      entry('2026-01-05', DESIGNER, '40.0000', 'role'),
      entry('2026-03-01', DESIGNER, '45.0000', 'role'),
    ]);
  });

  it('a wrong date, a date without a change, and a date without a contract', async () => {
    const id = await create({ role_id: DESIGNER });
    expect(faultsOf(await change(id, { cost_rate: 50, effective_date: '2026-02-30' }))).toEqual([
      422,
      'effective_date: not a day written YYYY-MM-DD',
    ]);
    expect(faultsOf(await change(id, { effective_date: '2026-02-01' }))).toEqual([
      422,
      'effective_date: it is the first day of cost_rate or role_id; send one of them too. A bill rate from a day on is bill_rate_history: {"add": [{"rate": 120, "effective_date": "2026-07-01"}]}',
    ]);
    expect(faultsOf(await change(id, { contracts: { del: ['2026-02-01'] } }))).toEqual([
      422,
      'contracts: there is no contract from 2026-02-01',
    ]);
    expect(faultsOf(await change(id, { contracts: { del: ['soon'] } }))).toEqual([
      422,
      'contracts: del: "soon" is not a day written YYYY-MM-DD',
    ]);
    expect(faultsOf(await change(id, { contracts: { del: '2026-02-01' } }))).toEqual([
      422,
      'contracts: del: not a list',
    ]);
    expect(faultsOf(await change(id, { cost_rate: -1 }))).toEqual([422, 'cost_rate: below 0']);
  });

  it('without the scope rates: one entry per change of role, and no rates', async () => {
    const id = await create({ role_id: DESIGNER, cost_rate: 50 });
    await change(id, { cost_rate: 51, effective_date: '2026-04-01' });
    await change(id, { role_id: ENGINEER, effective_date: '2026-05-01' });
    service.allow(['reports', 'write']);
    const contracts = await read(id);
    service.allow(SCOPES);
    expect(contracts).toEqual([
      { effective_date: null, role_id: DESIGNER, role_name: 'Designer' },
      { effective_date: '2026-05-01', role_id: ENGINEER, role_name: 'Engineer' },
    ]);
  });
});

describe('the role in force today', () => {
  it('is that of the company’s day, not of the day in UTC', async () => {
    // 16 June in Kiritimati is 15 June in UTC.
    let now = new Date('2026-06-15T09:00:00Z');
    const people = [{ people_id: 1, name: 'Ann', role_id: DESIGNER }];
    const service = await openService({ settings: { time_zone: 'Pacific/Kiritimati' }, roles, people }, () => now);
    await service.call('PATCH', '/v3/people/1', { role_id: ENGINEER, effective_date: '2026-06-16' });
    const readRole = async () => (await service.call('GET', '/v3/people/1')).json.role_id;
    expect(await readRole()).toBe(DESIGNER);
    now = new Date('2026-06-15T10:00:01Z');
    await service.call('POST', '/v3/people', { name: 'Bob' });
    expect(await readRole()).toBe(ENGINEER);
    await service.close();
  });

  it('becomes the person’s own role on the first day of its contract', async () => {
    let now = new Date('2026-06-15T12:00:00Z');
    const service = await openService({ roles, people: [{ people_id: 1, name: 'Ann', role_id: DESIGNER }] }, () => now);
    const read = async () => (await service.call('GET', '/v3/people/1')).json;
    await service.call('PATCH', '/v3/people/1', { role_id: ENGINEER, effective_date: '2026-06-16' });
    expect(await read()).toMatchObject({ role_id: DESIGNER, job_title: null });
    now = new Date('2026-06-16T00:00:01Z');
    await service.call('POST', '/v3/people', { name: 'Bob' });
    expect(await read()).toMatchObject({ role_id: ENGINEER, job_title: 'Engineer' });
    const [change] = await service.rows(
      "SELECT token_label, method FROM service.changes WHERE record_id = '1' ORDER BY change_id DESC LIMIT 1",
    );
    expect(change).toEqual({ token_label: 'plumbline', method: 'PATCH' });
    await service.close();
  });
});
