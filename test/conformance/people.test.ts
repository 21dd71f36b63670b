import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Api, type Json, openApi } from './api.ts';

const [STUDIO, LAB] = [1, 2];
const [DESIGNER, ENGINEER] = [1, 2];
const [OWNER, MANAGER] = [1, 2];

let api: Api;
beforeAll(async () => {
  api = await openApi({
    departments: [
      { department_id: STUDIO, name: 'Studio' },
      { department_id: LAB, name: 'Lab' },
    ],
    roles: [
      { role_id: DESIGNER, name: 'Designer' },
      { role_id: ENGINEER, name: 'Engineer' },
    ],
    accounts: [
      { account_id: OWNER, name: 'Olga', email: 'olga@example.com' },
      { account_id: MANAGER, name: 'Max', email: 'ann@example.com' },
    ],
    people: [{ people_id: 900, name: 'Designer', role_id: DESIGNER, people_type_id: 4 }],
  });
});
afterAll(() => api.close());

const create = (fields: object = {}) => api.create('people', { name: 'Ann', ...fields });
const change = (person: Json, fields: object) => api.change(`people/${person.people_id}`, fields);
const read = (person: Json) => api.read(`people/${person.people_id}`);
const ids = (query: string) => api.column(`people?per-page=200&${query}`, 'people_id');

it('API 2.1-1: people_id is an integer that the service assigns', async () => {
  const [one, other] = [await create(), await create({ people_id: 7777 })];
  expect(Number.isInteger(one.people_id)).toBe(true);
  expect(other.people_id).not.toBe(one.people_id);
  expect((await api.send('GET', 'people/7777')).status).toBe(404);
});

it('API 2.1-2, API 4.2-3, S 4.2-8: name is the only field required on create', async () => {
  expect(await api.refused('POST', 'people', { email: 'x@example.com' })).toEqual(['name']);
  expect(await api.create('people', { name: 'Ann' })).toMatchObject({ name: 'Ann' });
});

it('API 2.1-3, API 8-2, S 4.2-9: people_code has at most 32 characters', async () => {
  expect(await api.refused('POST', 'people', { name: 'Ann', people_code: 'x'.repeat(33) })).toEqual(['people_code']);
  expect(await api.refused('POST', 'people', { name: 'Ann', people_code: '🦉'.repeat(33) })).toEqual(['people_code']);
  for (const people_code of ['x'.repeat(32), '🦉'.repeat(32)])
    expect(await create({ people_code })).toMatchObject({ people_code });
});

it('API 2.1-4, API 4.2-3, API 7-4, S 4.1-35, S 4.2-9: a used people_code is 422, without regard to case', async () => {
  await create({ people_code: 'Dup-1' });
  const other = await create();
  for (const people_code of ['Dup-1', 'dup-1', 'DUP-1']) {
    expect(await api.refused('POST', 'people', { name: 'Bob', people_code })).toEqual(['people_code']);
    expect(await api.refused('PATCH', `people/${other.people_id}`, { people_code })).toEqual(['people_code']);
  }
});

it('API 2.1-5: people_code is optional, and set on create or later by PATCH', async () => {
  expect(await create({ people_code: 'Set-1' })).toMatchObject({ people_code: 'Set-1' });
  const person = await create();
  expect(person.people_code).toBeNull();
  expect(await change(person, { people_code: 'Set-2' })).toMatchObject({ people_code: 'Set-2' });
  expect(await change(person, { people_code: 'SET-2' })).toMatchObject({ people_code: 'SET-2' });
});

it('API 2.1-6, API 4.2-1: people_code as a filter returns at most one person', async () => {
  const person = await create({ people_code: 'One-1' });
  expect(await ids('people_code=One-1')).toEqual([person.people_id]);
  expect(await ids('people_code=ONE-1')).toEqual([person.people_id]);
  expect(await ids('people_code=One')).toEqual([]);
});

it('API 4.4-3: a person is looked up by code with fields=people_id', async () => {
  const { people_id } = await create({ people_code: 'HR/42' });
  expect(await api.read('people?people_code=HR%2F42&fields=people_id')).toEqual([{ people_id }]);
});

it('API 2.1-7: email is optional', async () => {
  expect((await create()).email).toBeNull();
  expect((await create({ email: 'a@example.com' })).email).toBe('a@example.com');
});

it('API 2.1-8, S 4.2-12: job_title follows the name of the role', async () => {
  const person = await create({ role_id: DESIGNER });
  expect(person.job_title).toBe('Designer');
  expect(await change(person, { role_id: ENGINEER })).toMatchObject({ job_title: 'Engineer' });
  await api.change(`roles/${ENGINEER}`, { name: 'Builder' });
  expect(await read(person)).toMatchObject({ job_title: 'Builder' });
});

it('API 2.1-9: department_id must reference a department', async () => {
  expect(await api.refused('POST', 'people', { name: 'Ann', department_id: 77 })).toEqual(['department_id']);
  const person = await create({ department_id: LAB });
  expect(await api.refused('PATCH', `people/${person.people_id}`, { department_id: 77 })).toEqual(['department_id']);
});

it('API 2.1-10, S 4.2-11: a department id goes in, a department object comes out', async () => {
  const person = await create({ department_id: LAB });
  expect(person.department).toEqual({ department_id: LAB, name: 'Lab' });
  expect((await change(person, { department_id: STUDIO })).department).toEqual({
    department_id: STUDIO,
    name: 'Studio',
  });
  expect((await read(person)).department).toEqual({ department_id: STUDIO, name: 'Studio' });
});

it('API 2.1-11: role_id is an integer or null', async () => {
  expect((await create({ role_id: DESIGNER })).role_id).toBe(DESIGNER);
  expect((await create()).role_id).toBeNull();
});

it('API 2.1-12: notes and avatar_file are a string or null, auto_email and employee_type integers', async () => {
  const sent = { notes: 'Likes tea', avatar_file: 'ann.png', auto_email: 1, employee_type: 0 };
  expect(await create(sent)).toMatchObject(sent);
  expect(await create()).toMatchObject({ notes: null, avatar_file: null });
});

it('API 2.1-13: work_days_hours is seven numbers, the first of them Sunday', async () => {
  const sunday = [4, 0, 0, 0, 0, 0, 0];
  const person = await create({ work_days_hours: sunday });
  expect(person.work_days_hours).toEqual(sunday);
  // 2026-03-01 is a Sunday.
  expect(await readCapacity(person, '2026-03-01')).toBe(4);
  expect(await readCapacity(person, '2026-03-02')).toBe(0);
  expect(await api.refused('POST', 'people', { name: 'Ann', work_days_hours: [8] })).toEqual(['work_days_hours']);
});

it('API 2.1-14: work_days_hours null means the days and hours of the account', async () => {
  const person = await create({ work_days_hours: [4, 4, 4, 4, 4, 4, 4] });
  expect((await change(person, { work_days_hours: null })).work_days_hours).toBeNull();
  expect(await readCapacity(person, '2026-03-01')).toBe(0);
  expect(await readCapacity(person, '2026-03-02')).toBe(8);
});

async function readCapacity({ people_id }: Json, day: string): Promise<number> {
  const { people } = await api.read(
    `reports/people?start_date=${day}&end_date=${day}&people_id=${people_id}&include_empty=1`,
  );
  return people[0].capacity_hours;
}

it('API 2.1-15: contractor is 1 or 0', async () => {
  expect((await create()).contractor).toBe(0);
  expect((await create({ contractor: 1 })).contractor).toBe(1);
});

it('API 2.1-18, S 4.2-10: tags are strings in lowercase', async () => {
  const person = await create({ tags: ['Senior', 'LONDON Bridge'] });
  expect(person.tags).toEqual(['senior', 'london bridge']);
  expect((await change(person, { tags: ['Lead'] })).tags).toEqual(['lead']);
});

it('API 2.1-19: start_date and end_date are a date or null', async () => {
  const dates = { start_date: '2026-01-05', end_date: '2026-12-31' };
  expect(await create(dates)).toMatchObject(dates);
  expect(await create()).toMatchObject({ start_date: null, end_date: null });
});

it('API 2.1-20: active is 1 or 0', async () => {
  const person = await create();
  expect(person.active).toBe(1);
  expect((await change(person, { active: 0 })).active).toBe(0);
});

it('API 2.1-21: created is a timestamp', async () => {
  expect((await create()).created).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
});

it('API 2.1-22: default_hourly_rate is a string', async () => {
  expect((await create({ default_hourly_rate: 80.5 })).default_hourly_rate).toBe('80.5000');
  expect((await create({ default_hourly_rate: '80.25' })).default_hourly_rate).toBe('80.2500');
});

it('API 2.1-27, S 4.2-20: expand takes account, managers and manager; the latter two return account ids', async () => {
  const person = await create({ email: 'ann@example.com', department_id: LAB });
  const expanded = await api.read(`people/${person.people_id}?expand=account,managers,manager`);
  expect(expanded.account === null || Number.isInteger(expanded.account?.account_id)).toBe(true);
  expect(expanded.managers.every(Number.isInteger)).toBe(true);
  expect(expanded.manager === null || Number.isInteger(expanded.manager)).toBe(true);
  for (const name of ['account', 'managers', 'manager']) expect(person).not.toHaveProperty(name);
});

it('S 4.2-20: expand takes contracts', async () => {
  expect((await api.read(`people/${(await create()).people_id}?expand=contracts`)).contracts).toEqual(
    expect.any(Array),
  );
});

it('API 4.2-1: people are an array, filtered by department_id and people_type_id', async () => {
  const person = await create({ department_id: LAB, people_type_id: 2 });
  expect(await ids(`department_id=${LAB}`)).toContain(person.people_id);
  expect(await ids(`department_id=${STUDIO}`)).not.toContain(person.people_id);
  expect(await ids('people_type_id=2')).toContain(person.people_id);
  expect(await ids('people_type_id=1')).not.toContain(person.people_id);
});

it('API 4.2-2, S 4.2-13: placeholders are in lists only when people_type_id asks for them', async () => {
  expect(await ids('')).not.toContain(900);
  expect(await ids('people_type_id=4')).toEqual([900]);
  expect(await ids('people_type_id=1,4')).toContain(900);
  expect(await api.read('people/900')).toMatchObject({ people_type_id: 4 });
});

it('API 4.2-4: PATCH takes any field of a person and returns 200', async () => {
  const person = await create();
  const fields = { tags: ['a'], work_days_hours: [0, 6, 6, 6, 6, 6, 0], people_type_id: 2, people_code: 'Patch-1' };
  expect(await change(person, fields)).toMatchObject(fields);
  expect(await read(person)).toMatchObject({ ...fields, name: 'Ann' });
});
