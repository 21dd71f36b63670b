import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Api, openApi } from './api.ts';

const [ANN, BOB] = [1, 2];
const [NORTH, SOUTH] = [7, 8];

let api: Api;
beforeAll(async () => {
  api = await openApi({
    departments: [{ department_id: 1, name: 'Studio' }],
    clients: [{ client_id: 1, name: 'Acme' }],
    accounts: [
      { account_id: 1, name: 'Olga', email: 'olga@example.com', account_type: 1, department_filter: [1, 2], active: 1 },
      { account_id: 2, name: 'Max' },
    ],
    people: [
      { people_id: ANN, name: 'Ann', tags: ['senior', 'painter'], region_id: NORTH },
      { people_id: BOB, name: 'Bob', tags: ['senior'], region_id: SOUTH },
    ],
    projects: [{ project_id: 1, name: 'Bridge', tags: ['urgent'] }],
  });
});
afterAll(() => api.close());

it('API 2.12-1: an account has its eight fields', async () => {
  expect(await api.read('accounts/1')).toMatchObject({
    account_id: 1,
    name: 'Olga',
    email: 'olga@example.com',
    account_type: 1,
    department_filter: [1, 2],
    active: 1,
    created: expect.stringMatching(/^\d{4}-/),
    modified: expect.stringMatching(/^\d{4}-/),
  });
});

it('API 2.12-2: department_filter is an array of ids or null', async () => {
  expect((await api.read('accounts/2')).department_filter).toBeNull();
  expect((await api.change('accounts/2', { department_filter: [1] })).department_filter).toEqual([1]);
  expect((await api.change('accounts/2', { department_filter: null })).department_filter).toBeNull();
});

it('S 4.2-2: accounts can be changed, but not created or deleted', async () => {
  expect((await api.change('accounts/1', { name: 'Olga K.' })).name).toBe('Olga K.');
  expect((await api.send('POST', 'accounts', { name: 'Eve' })).status).toBe(405);
  expect((await api.send('DELETE', 'accounts/1')).status).toBe(405);
});

it('API 2.13-1: departments have an id and a name', async () => {
  expect(await api.read('departments/1')).toMatchObject({ department_id: 1, name: 'Studio' });
});

it('API 2.13-2: clients have an id', async () => {
  expect(await api.read('clients/1')).toMatchObject({ client_id: 1, name: 'Acme' });
});

it.each(['departments', 'clients', 'accounts'])('API 4.2-9: GET /%s returns an array', async (path) => {
  expect(await api.read(path)).toEqual(expect.arrayContaining([expect.objectContaining({ name: expect.any(String) })]));
});

it('API 2.13-3: name, description and sort order of a project stage can be changed', async () => {
  const { stage_id } = await api.create('project-stages', { name: 'Pitch', status: 1 });
  const fields = { name: 'Offer', description: 'Sent, not signed', sort_order: 3 };
  expect(await api.change(`project-stages/${stage_id}`, fields)).toMatchObject(fields);
  expect(await api.read(`project-stages/${stage_id}`)).toMatchObject(fields);
});

it('S 4.2-5: tags are read with their name and number of uses', async () => {
  const tags = await api.read('tags');
  const senior = tags.find(({ name }: { name: string }) => name === 'senior');
  expect(Object.values(senior)).toContain(2);
  expect(tags.map(({ name }: { name: string }) => name).sort()).toEqual(['painter', 'senior', 'urgent']);
});

const capacity = async (person: number, day: string): Promise<number> => {
  const report = await api.read(`reports/people?start_date=${day}&end_date=${day}&people_id=${person}&include_empty=1`);
  return report.people[0].capacity_hours;
};

it('S 4.2-4, IN holidays.dates, IN holidays.region: a public holiday is a holiday of a region', async () => {
  const made = await api.create('public-holidays', {
    name: 'Founding day',
    dates: ['2026-07-08', '2026-07-15'],
    region: NORTH,
  });
  expect(made).toMatchObject({ id: expect.any(Number), name: 'Founding day', dates: ['2026-07-08', '2026-07-15'] });
  const [listed] = await api.read('public-holidays');
  expect(Object.keys(listed)).toEqual(expect.arrayContaining(['id', 'name', 'dates', 'region']));
  expect(await api.column('holidays', 'name')).toContain('Founding day');
  expect([
    await capacity(ANN, '2026-07-08'),
    await capacity(ANN, '2026-07-15'),
    await capacity(BOB, '2026-07-08'),
  ]).toEqual([0, 0, 8]);
});

it('S 4.2-4: a holiday without a region applies to everybody, as a public holiday too', async () => {
  await api.create('holidays', { name: 'New year', date: '2027-01-01' });
  expect([await capacity(ANN, '2027-01-01'), await capacity(BOB, '2027-01-01')]).toEqual([0, 0]);
  const [listed] = (await api.read('public-holidays')).filter(({ name }: { name: string }) => name === 'New year');
  expect(listed).toMatchObject({ dates: ['2027-01-01'], region: null });
});

it('API 7-3, S 4.1-36, S 4.2-7: an empty list of status is 204', async () => {
  for (const query of ['', `?people_id=${ANN}`]) {
    const { status, text } = await api.send('GET', `status${query}`);
    expect([status, text]).toEqual([204, '']);
  }
});

it('S 4.2-6: a status has its fields', async () => {
  const sent = {
    people_id: ANN,
    status_type_id: 3,
    status_name: 'At the fair',
    start_date: '2026-07-06',
    end_date: '2026-07-07',
    repeat_state: 1,
    repeat_end_date: '2026-08-31',
  };
  const made = await api.create('status', sent);
  expect(made).toMatchObject({ status_id: expect.any(Number), ...sent });
  expect(await api.read('status')).toEqual([made]);
  for (const status_type_id of [1, 2, 3, 4]) {
    expect((await api.change(`status/${made.status_id}`, { status_type_id })).status_type_id).toBe(status_type_id);
  }
  expect(await api.refused('PATCH', `status/${made.status_id}`, { status_type_id: 5 })).toEqual(['status_type_id']);
  await api.remove(`status/${made.status_id}`);
});
