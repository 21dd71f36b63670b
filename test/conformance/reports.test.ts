import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, type Json, openApi } from './api.ts';

const [ANN, BOB, PLACEHOLDER] = [1, 2, 3];
const [BRIDGE, ARCH] = [1, 2];
/** Two weeks around today, Monday 2026-06-15: the past week, and the current one. */
const [PAST, AHEAD] = [
  { start_date: '2026-06-08', end_date: '2026-06-12' },
  { start_date: '2026-06-15', end_date: '2026-06-19' },
];
const WINDOW = 'start_date=2026-06-08&end_date=2026-06-21';

let api: Api;
beforeAll(async () => {
  api = await openApi({
    roles: [{ role_id: 1, name: 'Designer', default_hourly_rate: '90' }],
    people: [
      { people_id: ANN, name: 'Ann' },
      { people_id: BOB, name: 'Bob', people_type_id: 2, role_id: 1 },
      { people_id: PLACEHOLDER, name: 'Designer', people_type_id: 4, role_id: 1 },
    ],
    projects: [
      { project_id: BRIDGE, name: 'Bridge', budget_type: 1, budget_priority: 1 },
      { project_id: ARCH, name: 'Arch', budget_type: 1, budget_priority: 2 },
    ],
    phases: [
      { phase_id: 1, project_id: BRIDGE, name: 'Build', budget_total: 100, ...PAST },
      { phase_id: 2, project_id: BRIDGE, name: 'Draw', budget_total: 50.5, ...AHEAD },
    ],
    project_tasks: [
      { task_meta_id: 1, project_id: BRIDGE, task_name: 'Clean', billable: 0 },
      { task_meta_id: 2, project_id: ARCH, task_name: 'Sketch', budget: 12.5 },
    ],
    tasks: [
      { task_id: 1, project_id: BRIDGE, phase_id: 1, people_id: ANN, hours: 10, ...PAST },
      { task_id: 2, project_id: BRIDGE, phase_id: 2, people_id: ANN, hours: 6, ...AHEAD },
      { task_id: 3, project_id: BRIDGE, people_id: ANN, hours: 3, task_meta_id: 1, ...AHEAD },
      { task_id: 4, project_id: BRIDGE, people_id: PLACEHOLDER, hours: 2, ...PAST },
      { task_id: 5, project_id: BRIDGE, people_id: BOB, hours: 1, ...PAST },
    ],
    timeoffs: [
      { timeoff_id: 1, people_ids: [BOB], timeoff_type_id: 1, timeoff_type_name: 'Leave', full_day: 1, ...AHEAD },
    ],
    logged_time: [
      { logged_time_id: 'a', people_id: ANN, project_id: BRIDGE, phase_id: 1, date: '2026-06-08', hours: 7 },
    ],
    project_expenses: [
      {
        project_expense_id: 1,
        project_id: ARCH,
        name: 'Train',
        date: '2026-06-09',
        cost: 200,
        billable: 1,
        markup: 10,
        markup_type: 0,
      },
    ],
  });
});
afterAll(() => api.close());

const readRows = async (name: string, query = ''): Promise<Json[]> =>
  (await api.read(`reports/${name}?${WINDOW}&${query}`))[name];
const readPerson = async (id: number) => (await readRows('people', `people_id=${id}&include_empty=1`))[0];
const readProject = async (id: number, query = '') =>
  (await readRows('projects', `project_id=${id}&include_empty=1&${query}`))[0];

it('API 1-3, API 4.2-39: projects and phases have scheduled and actual hours', async () => {
  const project = await readProject(BRIDGE, 'expand=phases');
  // 5 days of 10, 6, 3, 2 and 1 hours.
  expect(project).toMatchObject({ scheduled_hours: 110, actual_hours: 7 });
  const phases = project.phases.map((phase: Json) => [phase.phase_id, phase.scheduled_hours, phase.actual_hours]);
  expect(phases).toEqual(
    expect.arrayContaining([
      [1, 50, 7],
      [2, 30, 0],
    ]),
  );
});

it('API 4.2-39: the projects report filters by project_id, start_date and end_date', async () => {
  const { projects } = await api.read(
    `reports/projects?start_date=2026-06-08&end_date=2026-06-08&project_id=${BRIDGE}`,
  );
  expect(projects).toMatchObject([{ project_id: BRIDGE, scheduled_hours: 13 }]);
});

it('API 1-9, API 4.2-40: a placeholder is scheduled and reported like any person', async () => {
  expect(await readPerson(PLACEHOLDER)).toMatchObject({
    people_id: PLACEHOLDER,
    people_type_id: 4,
    scheduled_hours: 10,
  });
});

it('API 2.1-16: contractors are reported separately from employees', async () => {
  expect((await readRows('people', 'people_type_id=2')).map(({ people_id }) => people_id)).toEqual([BOB]);
  expect((await readRows('people', 'people_type_id=1')).map(({ people_id }) => people_id)).toEqual([ANN]);
});

it('API 2.2-12: budgets of project tasks add up', async () => {
  expect((await readProject(ARCH)).budget_total).toBe(12.5);
});

it('API 2.7-4: budgets of phases add up to that of the project', async () => {
  expect((await readProject(BRIDGE)).budget_total).toBe(150.5);
});

it('API 2.10-4: markup_type 0 is a percentage, 1 a fixed amount', async () => {
  expect((await readProject(ARCH)).expense_fees).toBe(220);
  await api.change('project-expenses/1', { markup_type: 1 });
  expect((await readProject(ARCH)).expense_fees).toBe(210);
});

it('API 2.11-2: default_hourly_rate of the role is the fallback', async () => {
  expect((await readPerson(BOB)).scheduled_fees).toBe(450);
  await api.change(`people/${BOB}`, { default_hourly_rate: '100' });
  expect((await readPerson(BOB)).scheduled_fees).toBe(500);
});

it('S 4.1-45: the next report shows the effect of a write', async () => {
  const before = (await readProject(ARCH)).actual_hours;
  const { logged_time_id } = await api.create('logged-time', {
    people_id: ANN,
    project_id: ARCH,
    date: '2026-06-09',
    hours: 3,
  });
  expect((await readProject(ARCH)).actual_hours).toBe(before + 3);
  await api.remove(`logged-time/${logged_time_id}`);
  expect((await readProject(ARCH)).actual_hours).toBe(before);
});

describe('additional names for other clients', () => {
  it('S 4.3-1, S 4.3-4: people', async () => {
    // Five days of 8 hours a week. Ann works 10 hours a day, from today on 9, 3 of them not billable.
    expect(await readPerson(ANN)).toMatchObject({
      capacity: 80,
      timeoff: 0,
      scheduled: 95,
      billable: 80,
      nonBillable: 15,
      overtime: 15,
      unscheduled: 0,
      futureScheduled: 36,
      futureBillable: 24,
      futureNonBillable: 12,
      futureOvertime: 4,
    });
  });

  it('S 4.3-1: people on time off', async () => {
    expect(await readPerson(BOB)).toMatchObject({
      capacity: 40,
      timeoff: 40,
      scheduled: 5,
      overtime: 0,
      unscheduled: 35,
    });
  });

  it('S 4.3-2, S 4.3-4: projects', async () => {
    expect(await readProject(BRIDGE)).toMatchObject({
      scheduled: 110,
      billable: 95,
      nonBillable: 15,
      futureScheduled: 36,
      futureBillable: 24,
      futureNonBillable: 12,
    });
  });

  it.each([
    [
      'people',
      {
        capacity: 'capacity_hours',
        timeoff: 'time_off_hours',
        overtime: 'overtime_hours',
        unscheduled: 'unscheduled_hours',
      },
    ],
    [
      'people',
      {
        scheduled: 'scheduled_hours',
        billable: 'scheduled_billable_hours',
        nonBillable: 'scheduled_non_billable_hours',
      },
    ],
    [
      'projects',
      {
        scheduled: 'scheduled_hours',
        billable: 'scheduled_billable_hours',
        nonBillable: 'scheduled_non_billable_hours',
      },
    ],
  ])('S 4.3-3: in %s they equal columns of the report: %j', async (name, columns) => {
    for (const row of await readRows(name)) {
      for (const [alias, column] of Object.entries(columns)) expect([alias, row[alias]]).toEqual([alias, row[column]]);
    }
  });

  it.each(['people', 'projects'])('S 4.3-5: the CSV of %s leaves them out', async (name) => {
    const { text } = await api.send('GET', `reports/${name}.csv?${WINDOW}`);
    const header = (text.split(/\r?\n/)[0] ?? '').split(',');
    expect(header).toContain('scheduled_hours');
    expect(
      header.filter((column) =>
        /^(capacity|timeoff|scheduled|billable|nonBillable|overtime|unscheduled|future.*)$/.test(column),
      ),
    ).toEqual([]);
  });
});
