import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, openApi } from './api.ts';

const ANN = 1;
const BRIDGE = 1;
const DAYS = { start_date: '2026-07-06', end_date: '2026-07-10' };
const TASK = { project_id: BRIDGE, people_id: ANN, hours: 4, ...DAYS };

/** Each resource: path, id, new record, and a change with its effect on a field. */
const resources = [
  ['people', 'people_id', { name: 'Eve' }, { name: 'Eva' }],
  ['departments', 'department_id', { name: 'Studio' }, { name: 'Lab' }],
  ['clients', 'client_id', { name: 'Acme' }, { name: 'Ajax' }],
  ['roles', 'role_id', { name: 'Designer' }, { name: 'Builder' }],
  ['projects', 'project_id', { name: 'Arch' }, { name: 'Tunnel' }],
  ['project-stages', 'stage_id', { name: 'Pitch', status: 1 }, { name: 'Offer' }],
  ['phases', 'phase_id', { project_id: BRIDGE, name: 'Build', ...DAYS }, { name: 'Draw' }],
  ['milestones', 'milestone_id', { project_id: BRIDGE, name: 'Done', date: '2026-07-10' }, { name: 'Sent' }],
  ['project-tasks', 'task_meta_id', { project_id: BRIDGE, task_names: 'Sketch' }, { task_name: 'Paint' }],
  ['tasks', 'task_id', TASK, { notes: 'Later' }],
  ['timeoffs', 'timeoff_id', { people_ids: [ANN], timeoff_type_id: 1, full_day: 1, ...DAYS }, { timeoff_notes: 'Sea' }],
  ['timeoff-types', 'timeoff_type_id', { timeoff_type_name: 'Sabbatical' }, { timeoff_type_name: 'Pause' }],
  ['logged-time', 'logged_time_id', { people_id: ANN, date: '2026-06-01', hours: 4 }, { notes: 'Long' }],
  [
    'project-expenses',
    'project_expense_id',
    { project_id: BRIDGE, name: 'Train', date: '2026-07-06', cost: 9 },
    { name: 'Taxi' },
  ],
  ['holidays', 'holiday_id', { name: 'Founding day', date: '2026-07-08' }, { name: 'Day of song' }],
  ['public-holidays', 'id', { name: 'Day of light', dates: ['2026-12-13'], region: 7 }, { name: 'Day of dark' }],
  ['status', 'status_id', { people_id: ANN, status_type_id: 1, ...DAYS }, { status_type_id: 2 }],
] as const;

let api: Api;
beforeAll(async () => {
  api = await openApi({
    people: [{ people_id: ANN, name: 'Ann' }],
    accounts: [{ account_id: 1, name: 'Olga' }],
    projects: [{ project_id: BRIDGE, name: 'Bridge' }],
    timeoffs: [
      { timeoff_id: 900, people_ids: [ANN], timeoff_type_id: 1, timeoff_type_name: 'Leave', full_day: 1, ...DAYS },
    ],
  });
});
afterAll(() => api.close());

it.each(resources)('S 4.2-1: %s has list, read, create, update and delete', async (path, id, fields, change) => {
  const [record] = [await api.create(path, fields)].flat();
  const one = `${path}/${record[id]}`;
  expect(await api.read(one)).toEqual(record);
  expect(await api.column(path, id)).toContain(record[id]);
  expect(await api.change(one, change)).toMatchObject({ ...change, [id]: record[id] });
  expect(await api.read(one)).toMatchObject(change);
  await api.remove(one);
  expect((await api.send('GET', one)).status).toBe(404);
});

describe('S 4.2-3', () => {
  const hyphenated = resources.filter(([path]) => path.includes('-'));
  it.each(hyphenated)('S 4.2-3: %s is also available at the underscored path', async (path, id, fields, change) => {
    const underscored = path.replaceAll('-', '_');
    const [record] = [await api.create(underscored, fields)].flat();
    expect(await api.read(`${underscored}/${record[id]}`)).toEqual(await api.read(`${path}/${record[id]}`));
    expect(await api.column(underscored, id)).toContain(record[id]);
    await api.change(`${underscored}/${record[id]}`, change);
    await api.remove(`${underscored}/${record[id]}`);
  });
});

it.each([
  'people',
  'projects',
  'phases',
  'milestones',
  'project_tasks',
  'tasks',
  'timeoffs',
  'logged_time',
  'roles',
  'project_expenses',
  'accounts',
  'departments',
  'clients',
  'project_stages',
])('API 1-2: %s are stored, and listed as an array', async (path) => {
  expect(await api.read(path)).toEqual(expect.any(Array));
});
