import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openService, type Service } from './service.ts';

const DESIGNER = 1;
const ENGINEER = 2;

const roles = [
  { role_id: DESIGNER, name: 'Designer' },
  { role_id: ENGINEER, name: 'Engineer' },
];

describe('people', () => {
  let service: Service;
  beforeAll(async () => {
    service = await openService({
      roles,
      departments: [{ department_id: 1, name: 'Studio' }],
      clients: [{ client_id: 1, name: 'Acme' }],
      people: [
        { people_id: 1, name: 'Ann', people_code: 'A1', department: { department_id: 1, name: 'Studio' } },
        { people_id: 2, name: 'Designer', role_id: DESIGNER, people_type_id: 4 },
        { people_id: 3, name: 'Cid', contractor: true },
      ],
    });
  });
  afterAll(() => service.close());

  const create = (body: object) => service.call('POST', '/v3/people', body);
  const change = (id: number, body: object) => service.call('PATCH', `/v3/people/${id}`, body);
  const faultsOf = ({ status, json }: { status: number; json: { errors: { message: string }[] } }) => [
    status,
    ...json.errors.map(({ message }) => message),
  ];

  it('name is required', async () => {
    expect(faultsOf(await create({}))).toEqual([422, 'name: missing']);
    expect(faultsOf(await create({ name: '' }))).toEqual([422, 'name: missing']);
    expect(faultsOf(await change(1, { name: null }))).toEqual([422, 'name: missing']);
  });

  it('people_code has at most 32 characters, and is unique without regard to case', async () => {
    expect(faultsOf(await create({ name: 'Bea', people_code: 'x'.repeat(33) }))).toEqual([
      422,
      'people_code: longer than 32 characters',
    ]);
    expect(faultsOf(await create({ name: 'Bea', people_code: 'a1' }))).toEqual([
      422,
      'people_code: a1 is already the code of record 1',
    ]);
    expect((await change(1, { people_code: 'a1' })).json.people_code).toBe('a1');
    expect((await create({ name: 'Bea', people_code: 'x'.repeat(32) })).status).toBe(201);
  });

  it('tags become lowercase, without blanks around them', async () => {
    const { json } = await create({ name: 'Dan', tags: ['Senior', { name: 'LONDON' }, '\u00a0Very Important \t'] });
    expect(json.tags).toEqual(['senior', 'london', 'very important']);
    expect(faultsOf(await create({ name: 'Eve', tags: ['senior', ' \u3000'] }))).toEqual([
      422,
      'tags: item 2: missing',
    ]);
  });

  it('a person who is archived twice is archived once, and comes back whole', async () => {
    const { json } = await create({ name: 'Fay', tags: ['senior'], end_date: '2026-03-31' });
    const first = await change(json.people_id, { active: 0 });
    expect([first.status, first.json]).toMatchObject([200, { active: 0, end_date: '2026-03-31' }]);
    const second = await change(json.people_id, { active: 0 });
    expect([second.status, second.json]).toEqual([200, { ...first.json, modified: second.json.modified }]);
    const back = await change(json.people_id, { active: 1 });
    expect(back.json).toEqual({ ...json, modified: back.json.modified });
    expect(faultsOf(await change(json.people_id, { active: 2 }))).toEqual([422, expect.stringContaining('active: ')]);
  });

  it('a department id goes in, a department object comes out', async () => {
    const studio = { department_id: 1, name: 'Studio' };
    expect((await create({ name: 'Eve', department_id: 1 })).json.department).toEqual(studio);
    expect((await create({ name: 'Eve', department: 1 })).json.department).toEqual(studio);
    const { json } = await create({ name: 'Eve', department: { department_id: 1 } });
    expect(json.department).toEqual(studio);
    expect((await change(json.people_id, { department: null })).json.department).toBeNull();
    expect(faultsOf(await change(json.people_id, { department: 9 }))).toEqual([
      422,
      'department_id: there is no record 9 in departments',
    ]);
    expect(faultsOf(await change(json.people_id, { department: { name: 'Studio' } }))).toEqual([
      422,
      'department: department_id: missing',
    ]);
    expect(faultsOf(await change(json.people_id, { department: 'x' }))).toEqual([422, 'department: not an id']);
  });

  it('removing a person from a department removes its name too', { tags: ['slow'] }, async () => {
    await change(1, { department_id: null });
    const [person] = await service.built('SELECT department FROM core.people WHERE people_id = 1');
    expect(person).toEqual({ department: null });
  });

  it("job_title follows the role's name", async () => {
    const { json } = await create({ name: 'Fay', job_title: 'Boss', role_id: DESIGNER });
    const read = async () => (await service.call('GET', `/v3/people/${json.people_id}`)).json.job_title;
    expect(json.job_title).toBe('Designer');
    expect((await change(json.people_id, { job_title: 'Boss' })).json.job_title).toBe('Designer');
    expect((await change(json.people_id, { role_id: ENGINEER })).json.job_title).toBe('Engineer');
    await service.call('PATCH', `/v3/roles/${ENGINEER}`, { name: 'Builder' });
    expect(await read()).toBe('Builder');
    await service.call('PATCH', `/v3/roles/${ENGINEER}`, { name: 'Engineer' });
    expect((await change(json.people_id, { role_id: null })).json.job_title).toBeNull();
    expect((await change(json.people_id, { job_title: 'Boss' })).json.job_title).toBe('Boss');
  });

  it('role placeholders (people_type_id 4) are in lists only when people_type_id asks for them', async () => {
    const ids = async (query: string) =>
      (await service.call('GET', `/v3/people?per-page=200${query}`)).json.map(
        ({ people_id }: { people_id: number }) => people_id,
      );
    expect(await ids('')).not.toContain(2);
    expect(await ids('')).toContain(3);
    expect(await ids('&people_type_id=4')).toEqual([2]);
    expect(await ids(`&people_type_id=4&role_id=${DESIGNER}`)).toEqual([2]);
    expect((await service.call('GET', '/v3/people/2')).json.people_type_id).toBe(4);
  });

  it('people_type_id and contractor agree', async () => {
    expect((await service.call('GET', '/v3/people/3')).json).toMatchObject({ people_type_id: 2, contractor: 1 });
    expect((await create({ name: 'Gil', contractor: 1 })).json).toMatchObject({ people_type_id: 2, contractor: 1 });
    const { json } = await create({ name: 'Gil', people_type_id: 2 });
    expect(json.contractor).toBe(1);
    expect((await change(json.people_id, { contractor: 0 })).json.people_type_id).toBe(1);
  });

  it('cost_rate is never returned and never a filter', async () => {
    const { json } = await create({ name: 'Hal', cost_rate: 4913.27, effective_date: '2026-01-01' });
    expect(Object.keys(json)).not.toContain('cost_rate');
    expect(Object.keys(json)).not.toContain('effective_date');
    expect((await service.call('GET', '/v3/people?sort=cost_rate')).status).toBe(400);
    for (const query of ['fields=cost_rate', 'cost_rate=4913.27']) {
      const { headers, text } = await service.call('GET', `/v3/people?${query}`);
      expect(headers['x-ignored-parameters']).toBe('cost_rate');
      expect(text).not.toContain('4913');
    }
  });

  it('a missing role, and dates out of order', async () => {
    expect(faultsOf(await create({ name: 'Ida', role_id: 99 }))).toEqual([
      422,
      'role_id: there is no record 99 in roles',
    ]);
    expect(faultsOf(await change(1, { role_id: 99, effective_date: '2030-01-01' }))).toEqual([
      422,
      'role_id: there is no record 99 in roles',
    ]);
    expect(faultsOf(await create({ name: 'Ida', start_date: '2026-02-01', end_date: '2026-01-01' }))).toEqual([
      422,
      'end_date is before start_date',
    ]);
  });
});
