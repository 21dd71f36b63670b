import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Api, type Json, openApi } from './api.ts';

const [DESIGNER, ENGINEER, UNPRICED, DATED] = [1, 2, 3, 4];

let api: Api;
beforeAll(async () => {
  api = await openApi({
    roles: [
      {
        role_id: DATED,
        name: 'Director',
        cost_rate_history: [
          { rate: '70', effective_date: '2024-01-01' },
          { rate: '75', effective_date: '2025-01-01' },
          { rate: '80', effective_date: '2026-07-01' },
        ],
      },
      {
        role_id: DESIGNER,
        name: 'Designer',
        cost_rate_history: [
          { rate: '40', effective_date: null },
          { rate: '45', effective_date: '2026-07-01' },
        ],
      },
      { role_id: ENGINEER, name: 'Engineer', cost_rate_history: [{ rate: '60', effective_date: null }] },
      { role_id: UNPRICED, name: 'Intern' },
    ],
  });
});
afterAll(() => api.close());

const create = (fields: object = {}) => api.create('people', { name: 'Ann', start_date: '2026-01-05', ...fields });
const change = (person: Json, fields: object) =>
  api.change(`people/${person.people_id}?expand=contracts`, fields).then(({ contracts }) => contracts);
const read = async (person: Json): Promise<Json[]> =>
  (await api.read(`people/${person.people_id}?expand=contracts`)).contracts;
const rates = (contracts: Json[]) =>
  contracts.map((each) => [each.effective_date, each.cost_rate, each.cost_rate_from]);

it('API 2.1-23, S 4.2-19, IN people.cost_rate: cost_rate is written and never returned, even by fields', async () => {
  const person = await create({ cost_rate: 50 });
  for (const answer of [
    person,
    await api.change(`people/${person.people_id}`, { cost_rate: '52.5' }),
    await api.read(`people/${person.people_id}`),
    await api.read(`people/${person.people_id}?fields=people_id,cost_rate`),
    ...(await api.read(`people?people_id=${person.people_id}`)),
  ]) {
    expect(answer).toHaveProperty('people_id');
    expect(answer).not.toHaveProperty('cost_rate');
  }
  expect(rates(await read(person))).toEqual([['2026-01-05', '52.5000', 'person']]);
});

it('API 2.1-23, API 2.1-25, S 4.2-14, IN people.effective_date: cost_rate with a date applies from that date', async () => {
  const person = await create({ cost_rate: '50' });
  expect(rates(await change(person, { cost_rate: '55', effective_date: '2026-04-01' }))).toEqual([
    ['2026-01-05', '50.0000', 'person'],
    ['2026-04-01', '55.0000', 'person'],
  ]);
  expect(await api.read(`people/${person.people_id}`)).not.toHaveProperty('effective_date');
});

it('API 2.1-11, API 2.1-25, S 4.2-14: role_id with a date applies from that date', async () => {
  const person = await create({ role_id: DESIGNER });
  const contracts = await change(person, { role_id: ENGINEER, effective_date: '2026-03-02' });
  expect(contracts.map((each: Json) => [each.effective_date, each.role_id, each.role_name])).toEqual([
    // The person's role is now Engineer, so the days before the start need an entry with the role that they keep.
    ['1970-01-01', DESIGNER, 'Designer'],
    ['2026-03-02', ENGINEER, 'Engineer'],
  ]);
});

it('API 2.1-25: cost_rate and role_id can share a date', async () => {
  const person = await create({ role_id: DESIGNER });
  const contracts = await change(person, { role_id: ENGINEER, cost_rate: '70', effective_date: '2026-03-02' });
  expect(contracts.at(-1)).toEqual({
    effective_date: '2026-03-02',
    role_id: ENGINEER,
    role_name: 'Engineer',
    cost_rate: '70.0000',
    cost_rate_from: 'person',
  });
});

it('API 2.1-24, S 4.2-17: cost_rate null with a date makes the person inherit the rate of the role from then', async () => {
  const person = await create({ role_id: ENGINEER, cost_rate: '50' });
  expect(rates(await change(person, { cost_rate: null, effective_date: '2026-05-01' }))).toEqual([
    ['2026-01-05', '50.0000', 'person'],
    ['2026-05-01', '60.0000', 'role'],
  ]);
});

it('S 4.2-15: without a date the contract starts at the beginning', async () => {
  const person = await create();
  expect(rates(await change(person, { cost_rate: '48' }))).toEqual([['2026-01-05', '48.0000', 'person']]);
});

it('API 4.2-6, S 4.2-16: the same date overwrites', async () => {
  const person = await create({ cost_rate: '50' });
  await change(person, { cost_rate: '55', effective_date: '2026-04-01' });
  expect(rates(await change(person, { cost_rate: '56', effective_date: '2026-04-01' }))).toEqual([
    ['2026-01-05', '50.0000', 'person'],
    ['2026-04-01', '56.0000', 'person'],
  ]);
});

it('API 4.2-5, S 4.2-18: contracts del deletes the contracts of these dates', async () => {
  const person = await create({ cost_rate: '50' });
  await change(person, { cost_rate: '55', effective_date: '2026-04-01' });
  await change(person, { cost_rate: '60', effective_date: '2026-05-01' });
  expect(rates(await change(person, { contracts: { del: ['2026-04-01'] } }))).toEqual([
    ['2026-01-05', '50.0000', 'person'],
    ['2026-05-01', '60.0000', 'person'],
  ]);
});

it('API 2.1-26, API 4.2-7, API 4.2-8, IN people.contracts: contracts are returned only with expand=contracts', async () => {
  const person = await create({ cost_rate: '50' });
  const path = `people/${person.people_id}`;
  for (const plain of [person, await api.read(path), await api.change(path, { name: 'Bea' })]) {
    expect(plain).not.toHaveProperty('contracts');
  }
  for (const expanded of [
    await api.read(`${path}?expand=contracts`),
    await api.change(`${path}?expand=contracts`, { name: 'Bea' }),
    (await api.read(`people?people_id=${person.people_id}&expand=contracts`))[0],
  ]) {
    expect(expanded.contracts).toHaveLength(1);
  }
});

it('API 2.1-28, S 4.2-21: the first contract starts on start_date', async () => {
  for (const fields of [{ cost_rate: '50' }, { role_id: ENGINEER }, {}]) {
    const [first] = await read(await create({ start_date: '2026-02-02', ...fields }));
    expect(first.effective_date).toBe('2026-02-02');
  }
});

it("API 2.1-28, S 4.2-21: the first contract starts on start_date, though the role's rate is older", async () => {
  const startsOf = async (fields: object) => (await read(await create({ role_id: DATED, ...fields }))).map(dated);
  const dated = (each: Json) => [each.effective_date, each.cost_rate];
  const later = ['2026-07-01', '80.0000'];
  expect(await startsOf({})).toEqual([['2026-01-05', '75.0000'], later]);
  expect(await startsOf({ start_date: '2024-06-03' })).toEqual([
    ['2024-06-03', '70.0000'],
    ['2025-01-01', '75.0000'],
    later,
  ]);
  expect(await startsOf({ start_date: '2023-05-01' })).toEqual([
    ['2023-05-01', null],
    ['2024-01-01', '70.0000'],
    ['2025-01-01', '75.0000'],
    later,
  ]);
  expect(await startsOf({ cost_rate: '90', effective_date: '2026-02-02' })).toEqual([
    ['2026-01-05', '75.0000'],
    ['2026-02-02', '90.0000'],
  ]);
});

it('S 4.2-21: the first contract starts on 1970-01-01 where days before the start would else have another role or rate', {
  tags: ['slow'],
}, async () => {
  const start_date = '2026-01-05';
  const company = await openApi({
    roles: [{ role_id: DESIGNER, name: 'Designer' }],
    people: [
      { people_id: 1, start_date, cost_rate: '28.3382' },
      { people_id: 2, start_date, role_id: DESIGNER, contracts: [{ effective_date: '1970-01-01', cost_rate: '50' }] },
      { people_id: 3, start_date, cost_rate: '60', effective_date: '2025-06-01' },
      { people_id: 4, start_date, contracts: [{ cost_rate: '70' }] },
      { people_id: 5, start_date, role_id: DESIGNER },
      { people_id: 6, cost_rate: '80' },
    ],
  });
  const people: Json[] = await company.read('people?expand=contracts&sort=people_id');
  await company.close();
  expect(people.map(({ contracts }) => contracts.map((each: Json) => [each.effective_date, each.cost_rate]))).toEqual([
    [['1970-01-01', '28.3382']],
    [['1970-01-01', '50.0000']],
    [['2025-06-01', '60.0000']],
    [[start_date, '70.0000']],
    [[start_date, null]],
    [[null, '80.0000']],
  ]);
});

it('API 2.1-29: role_id and role_name are null without a role', async () => {
  const [contract] = await read(await create({ cost_rate: '50' }));
  expect(contract).toMatchObject({ role_id: null, role_name: null });
});

it('API 2.1-30, S 4.2-23: a contract has its five fields, cost_rate as a string of four decimals', async () => {
  expect(await read(await create({ role_id: DESIGNER, cost_rate: 50 }))).toEqual([
    {
      effective_date: '2026-01-05',
      role_id: DESIGNER,
      role_name: 'Designer',
      cost_rate: '50.0000',
      cost_rate_from: 'person',
    },
  ]);
});

it('API 2.1-30, API 2.1-31: cost_rate and cost_rate_from are null without a rate', async () => {
  const [contract] = await read(await create({ role_id: UNPRICED }));
  expect(contract).toMatchObject({ role_id: UNPRICED, cost_rate: null, cost_rate_from: null });
});

it("API 2.1-31: cost_rate_from is role if the rate is the role's", async () => {
  expect(rates(await read(await create({ role_id: ENGINEER })))).toEqual([['2026-01-05', '60.0000', 'role']]);
});

it("API 2.1-32, S 4.2-22: each change of the role's rate has an entry", async () => {
  expect(rates(await read(await create({ role_id: DESIGNER })))).toEqual([
    ['2026-01-05', '40.0000', 'role'],
    ['2026-07-01', '45.0000', 'role'],
  ]);
});

it("API 2.1-33, S 4.2-22, S 4.2-24: a rate of the person hides changes of the role's rate", async () => {
  const person = await create({ role_id: DESIGNER, cost_rate: '50' });
  expect(rates(await read(person))).toEqual([['2026-01-05', '50.0000', 'person']]);
});

it('API 2.1-32: sending a list of contracts changes nothing', async () => {
  const person = await create({ cost_rate: '50' });
  const [contract] = await read(person);
  await change(person, { contracts: [{ ...contract, cost_rate: '99' }] });
  expect(await read(person)).toEqual([contract]);
});
