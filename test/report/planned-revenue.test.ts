// @module-tag slow
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Company, openCompany } from '../sql/company.ts';

/* The revenue of plans (K5): each planned day of a project has ten hours of work, at 100.00. */

const AUGUST = { start_date: '2025-08-01', end_date: '2025-08-31' };
const WINDOW = { start_date: '2025-01-01', end_date: '2025-12-31' };
const ALL = 'draft,tentative,confirmed,completed';

const PROJECTS = [
  { name: 'time', budget_type: 3 },
  { name: 'by hours', contract: 'fixed', budget_total: '1000', ...AUGUST },
  { name: 'without hours', contract: 'fixed', budget_total: '1000', ...AUGUST },
  { name: 'without an end', contract: 'fixed', budget_total: '1000' },
  { name: 'evenly', contract: 'fixed', recognise: 'evenly', budget_total: '3100', ...AUGUST },
  { name: 'done', contract: 'fixed', recognise: 'done', budget_total: '1000', ...AUGUST },
  { name: 'milestones', contract: 'fixed', recognise: 'milestones', budget_total: '1000', ...AUGUST },
  { name: 'capped', contract: 'capped', budget_total: '2500' },
  { name: 'tentative', contract: 'fixed', budget_total: '1000', status: 1, ...AUGUST },
  { name: 'completed', contract: 'fixed', budget_total: '1000', status: 3, completed_on: '2025-08-06', ...AUGUST },
  { name: 'expenses inside', contract: 'fixed', budget_total: '1000', ...AUGUST },
  { name: 'expenses on top', contract: 'fixed', budget_total: '1000', fee_expenses: 'on_top', ...AUGUST },
];

const idOf = (name: string) => PROJECTS.findIndex((project) => project.name === name) + 1;

/** The planned days of August of a project. */
const PLANNED: Readonly<Record<string, readonly number[]>> = {
  time: [4, 25],
  'by hours': [4, 5, 26],
  evenly: [4],
  done: [4],
  milestones: [4],
  capped: [4, 5, 26],
  tentative: [4, 26],
  completed: [4, 26],
  'expenses inside': [4, 26],
  'expenses on top': [4, 26],
};

let company: Company;

beforeAll(async () => {
  company = await openCompany({
    settings: { currency: 'EUR' },
    people: [{ people_id: 1, name: 'Ana', cost_rate: '50' }],
    projects: PROJECTS.map((project) => ({ project_id: idOf(project.name), default_hourly_rate: '100', ...project })),
    milestones: [
      { milestone_id: 1, name: 'M', project_id: idOf('milestones'), date: '2025-08-06', amount: '200' },
      { milestone_id: 2, name: 'M', project_id: idOf('milestones'), date: '2025-08-26', amount: '300' },
    ],
    tasks: Object.entries(PLANNED).flatMap(([name, days]) =>
      days.map((day) => {
        const date = `2025-08-${String(day).padStart(2, '0')}`;
        const task_id = idOf(name) * 100 + day;
        return { task_id, project_id: idOf(name), people_id: 1, start_date: date, end_date: date, hours: 10 };
      }),
    ),
    // Nobody asks the plan how much was done.
    logged_time: ['by hours', 'completed', 'capped', 'time'].map((name, index) => ({
      logged_time_id: String(index + 1),
      project_id: idOf(name),
      people_id: 1,
      date: '2025-08-04',
      hours: 7,
    })),
    project_expenses: ['expenses inside', 'expenses on top', 'without hours'].map((name, index) => ({
      project_expense_id: index + 1,
      name: 'Train',
      project_id: idOf(name),
      date: '2025-08-05',
      cost: '150',
      billable: 1,
    })),
  });
});

afterAll(() => company.close());

interface Asked {
  readonly by?: string;
  readonly cutoff?: string;
  readonly status?: string;
}

/** Returns the values of a measure of a project by day or another grouping, without those that are 0. */
async function read(name: string, measure: string, { by = 'day', cutoff = '2025-08-20', status }: Asked = {}) {
  const { rows } = await company.report('pivot', {
    ...{ ...WINDOW, cutoff_date: cutoff, group_by: by, measures: measure, project_id: String(idOf(name)) },
    ...(status !== undefined && { status }),
  });
  return rows.filter((row) => row[measure] !== '0').map((row) => `${row[by]}: ${row[measure]}`);
}

const WHOLE = {
  time: ['2025-08-04: 1000', '2025-08-25: 1000'],
  'by hours': ['2025-08-04: 333.33', '2025-08-05: 333.34', '2025-08-26: 333.33'],
  'without hours': ['2025-08-05: 150', '2025-08-31: 850'],
  'without an end': [],
  done: ['2025-08-31: 1000'],
  milestones: ['2025-08-06: 200', '2025-08-26: 300', '2025-08-31: 500'],
  capped: ['2025-08-04: 1000', '2025-08-05: 1000', '2025-08-26: 500'],
  tentative: [],
  completed: ['2025-08-04: 500', '2025-08-26: 500'],
  'expenses inside': ['2025-08-04: 500', '2025-08-26: 500'],
  'expenses on top': ['2025-08-04: 500', '2025-08-05: 150', '2025-08-26: 500'],
};

test.for(Object.entries(WHOLE))('the plan of a project earns by the contract alone: %s', async ([name, days]) => {
  expect(await read(name, 'scheduled_revenue')).toEqual(days);
  const months = await read(name, 'scheduled_revenue', { by: 'month' });
  const sum = days.reduce((all, day) => all + Math.round(Number(day.split(': ')[1]) * 100), 0) / 100;
  expect(months).toEqual(sum === 0 ? [] : [`2025-08-01: ${sum}`]);
  expect(await read(name, 'scheduled_to_date_revenue')).toEqual(
    days.filter((day) => day.slice(0, '2025-08-20'.length) <= '2025-08-20'),
  );
});

test('the plan of a fee that is earned evenly earns each day, with or without work', async () => {
  const days = await read('evenly', 'scheduled_revenue');
  expect([days.length, new Set(days.map((day) => day.split(': ')[1])).size, days.at(-1)]).toEqual([
    31,
    1,
    '2025-08-31: 100',
  ]);
  expect(await read('evenly', 'scheduled_to_date_revenue', { by: 'month' })).toEqual(['2025-08-01: 2000']);
});

test('the plan of a tentative project counts where it is asked, and then earns the fee', async () => {
  expect(await read('tentative', 'scheduled_revenue', { status: ALL })).toEqual(['2025-08-04: 500', '2025-08-26: 500']);
});

test('in whole months, quarters and windows, of one project and of all, the plan earns what its days add up to', {
  tags: ['slow'],
}, async () => {
  const measures = 'scheduled_revenue,scheduled_to_date_revenue,variance_revenue,scheduled_profit';
  const sums = async (group_by: string, more: object = {}) => {
    const { totals } = await company.report('pivot', {
      ...WINDOW,
      cutoff_date: '2025-08-20',
      group_by,
      measures,
      ...more,
    });
    return measures.split(',').map((measure) => totals[measure]);
  };
  const byDay = await sums('project,day');
  expect(byDay).not.toContain('0');
  for (const grouping of ['project', 'month', 'project,quarter', 'client', 'phase', 'person']) {
    expect([grouping, await sums(grouping)]).toEqual([grouping, byDay]);
  }
  for (const status of [ALL, 'confirmed,completed,tentative', 'tentative']) {
    expect([status, await sums('project', { status })]).toEqual([status, await sums('project,day', { status })]);
  }
});

test('lines of the plan are listed with what it earns with each', async () => {
  const asked = { ...WINDOW, cutoff_date: '2025-08-20', measure: 'scheduled_revenue' };
  const lines = async (name: string) => {
    const { rows } = await company.report('lines', { ...asked, project_id: String(idOf(name)) });
    return rows.map((row) => [row['kind'], row['date'], row['fee'], row['contribution']]);
  };
  expect(await lines('milestones')).toEqual([
    ['scheduled', '2025-08-04', '1000', '0'],
    ['revenue', '2025-08-06', null, '200'],
    ['revenue', '2025-08-26', null, '300'],
    ['revenue', '2025-08-31', null, '500'],
  ]);
  expect(await lines('expenses on top')).toEqual([
    ['scheduled', '2025-08-04', '1000', '500'],
    ['expense', '2025-08-05', '150', '150'],
    ['scheduled', '2025-08-26', '1000', '500'],
  ]);
});
