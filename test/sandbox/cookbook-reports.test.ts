import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { packageDirectory } from '../../src/base/config/package.ts';
import { type Company, openCompany, type Records, type Row } from '../sql/company.ts';

const TEXT = readFileSync(join(packageDirectory, 'docs', 'cookbook.md'), 'utf8');

/** The recipes whose answer no report has, each with the reason. */
const NOT_REPORTED = {
  'People and full-time equivalents by month': 'no measure counts people',
  'People who started together': 'no dimension is a year of start',
  'How late time is logged': 'reports have no times of records',
  "Work on days on which the company doesn't work": 'no dimension tells them',
  'Milestones that are due': 'milestones have no measure',
  'Who is billed below the standard rate': 'no measure compares rates',
  'Where the bill rates come from': 'a part of a number, not a row',
  'Hours whose cost is unknown': 'a list of findings',
  "What a project's people cost and bill on a day": 'rates, not sums',
  'Rates that change within a project': 'rates, not sums',
  'Notes of logged time': 'records, not sums',
  'Largest expenses by name': 'no dimension is an expense',
  'The day on which a budget burns out': 'a day, not a sum',
  'A report as a table': 'it is the report',
  'Profit by client, with expenses': 'it is the report',
  'What to mend first': 'it is the report',
};

/** The recipes with a test of their own. */
const ALONE = ['Utilization of a department with all departments below it', 'Time off by type and month'];

const WEEK = [0, 8, 8, 8, 8, 8, 0];

/** A company with leavers, ids that no record has, names that two share, and rates that nobody knows. */
const RECORDS: Records = {
  settings: { currency: 'EUR', time_zone: 'UTC' },
  departments: [
    { department_id: 1, name: 'Studio' },
    { department_id: 2, name: 'Design', parent_id: 1 },
  ],
  clients: [
    { client_id: 1, name: 'Acme' },
    { client_id: 2, name: 'Acme' },
  ],
  roles: [
    { role_id: 1, name: 'Lead' },
    { role_id: 2, name: 'Maker' },
  ],
  people: [
    { people_id: 1, name: 'Ada', department_id: 1, role_id: 1, cost_rate: 60, work_days_hours: WEEK },
    { people_id: 2, name: 'Ben', department_id: 2, role_id: 2, cost_rate: 50, active: 0, end_date: '2026-02-13' },
    { people_id: 3, name: 'Ada', department_id: 2, role_id: 2 },
    { people_id: 4, name: 'Cy', cost_rate: 40 },
    { people_id: 5, name: 'Somebody', people_type_id: 4, department_id: 2 },
  ],
  projects: [
    {
      project_id: 1,
      name: 'Site',
      client_id: 1,
      default_hourly_rate: 100,
      budget_type: 1,
      budget_total: 100,
      status: 2,
    },
    { project_id: 2, name: 'Site', client_id: 2, budget_type: 2, budget_total: 5000, status: 2 },
    { project_id: 3, name: 'Inside', client_id: 77, non_billable: 1, default_hourly_rate: 90, status: 2 },
    { project_id: 4, name: 'Nobody', default_hourly_rate: 80, status: 2 },
  ],
  project_tasks: [{ task_meta_id: 1, project_id: 1, task_name: 'Draw', billable: 0 }],
  tasks: [
    { task_id: 1, project_id: 1, people_id: 1, start_date: '2026-01-05', end_date: '2026-06-12', hours: 6 },
    { task_id: 2, project_id: 2, people_id: 2, start_date: '2026-02-02', end_date: '2026-03-06', hours: 8 },
    { task_id: 3, project_id: 2, people_id: 3, start_date: '2026-04-06', end_date: '2026-06-05', hours: 10 },
    { task_id: 4, project_id: 4, people_id: 88, start_date: '2026-05-04', end_date: '2026-05-08', hours: 4 },
    { task_id: 5, project_id: 2, people_id: 4, start_date: '2026-06-08', end_date: '2026-06-19', hours: 5, status: 1 },
    { task_id: 6, project_id: 2, people_id: 5, start_date: '2026-06-08', end_date: '2026-06-19', hours: 5 },
  ],
  timeoffs: [{ timeoff_id: 1, people_ids: [1], start_date: '2026-03-02', end_date: '2026-03-03', full_day: 1 }],
  logged_time: [
    { logged_time_id: 'a', people_id: 1, project_id: 1, date: '2026-01-05', hours: 9, billable: 1 },
    { logged_time_id: 'b', people_id: 2, project_id: 2, date: '2026-01-12', hours: 8, billable: 1 },
    { logged_time_id: 'c', people_id: 2, project_id: 1, date: '2026-02-03', hours: 7, billable: 1 },
    { logged_time_id: 'd', people_id: 3, project_id: 1, date: '2026-02-04', hours: 6, billable: 1 },
    { logged_time_id: 'e', people_id: 4, project_id: 3, date: '2026-02-05', hours: 5 },
    { logged_time_id: 'f', people_id: 4, project_id: 4, date: '2026-03-05', hours: 4, billable: 1 },
    { logged_time_id: 'g', people_id: 88, project_id: 99, date: '2026-04-07', hours: 3, billable: 1 },
    { logged_time_id: 'h', people_id: 1, project_id: 1, task_meta_id: 1, date: '2026-05-04', hours: 2, billable: 0 },
    { logged_time_id: 'i', people_id: 3, project_id: 2, date: '2026-05-05', hours: 4, billable: 1 },
  ],
  project_expenses: [
    { project_expense_id: 1, project_id: 1, name: 'Flight', date: '2026-02-10', cost: 300, billable: 1, markup: 10 },
    { project_expense_id: 2, project_id: 2, name: 'Hotel', date: '2026-03-10', cost: 200, billable: 0 },
  ],
};

const PAST = { start_date: '2026-01-01', end_date: '2026-05-31', cutoff_date: '2026-05-31' };
const JUNE = { start_date: '2026-06-01', end_date: '2026-06-30', cutoff_date: '2026-05-31' };

/** A recipe, the report that answers the same, and columns of both that must be equal; a text of the report computes one. */
interface Comparison {
  readonly recipe: string;
  readonly report?: string;
  readonly asked: Readonly<Record<string, string>>;
  /** A column of the recipe, by the column of the report. */
  readonly columns: Readonly<Record<string, string>>;
  /** Which rows of the report the recipe has. */
  readonly has?: (row: Row) => boolean;
}

const isOver = (name: string) => (row: Row) => Number(row[name]) > 0;

const COMPARISONS: readonly Comparison[] = [
  {
    recipe: 'Utilization by department and month',
    asked: {
      ...PAST,
      group_by: 'department,month',
      measures: 'actual_billable_hours,capacity_hours,utilization_percent',
    },
    columns: {
      department: 'department',
      month: 'month',
      capacity_hours: 'capacity_hours',
      utilization_percent: 'utilization_percent',
    },
    has: ({ capacity_hours, actual_billable_hours }) => Number(capacity_hours) + Number(actual_billable_hours) > 0,
  },
  {
    recipe: 'Utilization by role and month',
    asked: {
      ...PAST,
      group_by: 'person_role,month',
      measures: 'actual_billable_hours,capacity_hours,utilization_percent',
    },
    columns: { person_role: 'role', month: 'month', utilization_percent: 'utilization_percent' },
    has: ({ capacity_hours, actual_billable_hours }) => Number(capacity_hours) + Number(actual_billable_hours) > 0,
  },
  {
    recipe: 'Who is free in the next eight weeks',
    asked: {
      start_date: '2026-06-01',
      end_date: '2026-07-26',
      group_by: 'person,week',
      measures: 'capacity_hours,unscheduled_hours',
    },
    columns: { person: 'person', week: 'week', unscheduled_hours: 'free_hours' },
    has: (row) => Number(row['unscheduled_hours']) >= 16,
  },
  {
    recipe: 'Who is booked beyond capacity',
    asked: { ...JUNE, group_by: 'person,day', measures: 'overtime_hours' },
    columns: { person: 'person', day: 'date', overtime_hours: 'overtime_hours' },
    has: isOver('overtime_hours'),
  },
  {
    recipe: 'Planned hours of the past that nobody logged',
    asked: { ...PAST, start_date: '2026-04-01', group_by: 'person', measures: 'unlogged_hours' },
    columns: { person: 'person', unlogged_hours: 'unlogged_hours' },
    has: isOver('unlogged_hours'),
  },
  {
    recipe: 'The largest overruns',
    report: 'projects',
    asked: PAST,
    columns: { name: 'project', variance_hours: 'over_hours' },
    has: isOver('variance_hours'),
  },
  {
    recipe: 'Budgets and what is used of them',
    report: 'projects',
    asked: PAST,
    columns: {
      name: 'project',
      budget_total: 'budget_total',
      budget_used: 'budget_used',
      budget_used_percent: 'used_percent',
    },
    has: ({ budget_total }) => budget_total !== null,
  },
  {
    recipe: "Work that isn't sure yet",
    asked: {
      start_date: '2026-06-01',
      end_date: '2026-12-31',
      status: 'draft,tentative',
      group_by: 'project',
      measures: 'scheduled_hours,scheduled_fees',
    },
    columns: { project: 'project', scheduled_hours: 'hours', scheduled_fees: 'fees' },
    has: isOver('scheduled_hours'),
  },
  {
    recipe: 'Work that nobody pays for',
    asked: { ...PAST, group_by: 'project,task', measures: 'actual_hours,actual_cost', billable: '0' },
    columns: { project: 'project', actual_hours: 'hours', actual_cost: 'cost' },
    has: isOver('actual_hours'),
  },
  {
    recipe: 'Expenses and what is billed of them',
    asked: { ...PAST, end_date: '2026-06-30', group_by: 'project', measures: 'expense_cost,expense_fees' },
    columns: { project: 'project', expense_cost: 'cost', expense_fees: 'billed' },
    has: isOver('expense_cost'),
  },
  {
    recipe: 'Results by fiscal quarter',
    asked: { ...PAST, end_date: '2026-06-30', group_by: 'quarter', measures: 'actual_hours,actual_fees' },
    columns: { actual_hours: 'hours', actual_fees: 'fees' },
  },
  {
    recipe: 'Hours by project, with the months across',
    asked: { ...PAST, end_date: '2026-03-31', group_by: 'project', columns: 'month', measures: 'actual_hours' },
    columns: { project: 'project', actual_hours_month_2026_01_01: '2026-01', actual_hours_month_2026_03_01: '2026-03' },
  },
  {
    recipe: 'The realized rate of each client',
    asked: { ...PAST, group_by: 'client', measures: 'actual_hours,actual_fees,actual_hours_without_bill_rate' },
    columns: {
      client: 'client',
      actual_hours: 'hours',
      actual_fees: 'fees',
      actual_hours_without_bill_rate: 'hours_without_fee',
    },
    has: isOver('actual_hours'),
  },
];

let company: Company;
beforeAll(async () => {
  company = await openCompany(RECORDS);
});
afterAll(() => company.close());

function runRecipe(title: string): Promise<Row[]> {
  const [, sql] = TEXT.split(`\n### ${title}\n`)[1]?.split('```sql\n') ?? [];
  return company.rows(sql?.split('```')[0] ?? '');
}

it.each(COMPARISONS)(
  '"$recipe" has the numbers of the report',
  async ({ recipe, report = 'pivot', asked, columns, has = () => true }) => {
    const { rows } = await company.report(report, asked);
    const pairs = Object.entries(columns);
    const expected = rows.filter(has).map((row) => pairs.map(([name]) => row[name]));
    const found = (await runRecipe(recipe)).map((row) => pairs.map(([, name]) => row[name]));
    const sorted = (list: unknown[]) => list.map((row) => JSON.stringify(row)).toSorted();
    expect(expected.length).toBeGreaterThan(0);
    expect(sorted(found)).toEqual(sorted(expected));
  },
);

it('a realized rate divides by the hours whose fee is known', async () => {
  const rates = (await runRecipe('The realized rate of each client')).map((row) => [row['fees'], row['fee_per_hour']]);
  // Client 1: 22 billable hours at 100 and 2 others; client 2 has no bill rate; (no client): 4 hours at 80, and 3 hours without a rate.
  expect(rates).toEqual(
    expect.arrayContaining([
      ['2200', 91.67],
      [null, null],
      ['320', 80],
    ]),
  );
});

it('a department with those below it has their utilization together', async () => {
  const measures = 'actual_billable_hours,capacity_hours,utilization_percent';
  const { totals } = await company.report('pivot', { ...PAST, group_by: 'department', department_id: '1,2', measures });
  const rows = await runRecipe('Utilization of a department with all departments below it');
  expect(rows.find(({ department }) => department === 'Studio')).toMatchObject({
    utilization_percent: totals['utilization_percent'],
  });
});

it('time off by reason adds up to that of the report', async () => {
  const { totals } = await company.report('people', { ...PAST, end_date: '2026-06-30' });
  const rows = await runRecipe('Time off by type and month');
  expect(rows.reduce((sum, { hours }) => sum + Number(hours), 0)).toBe(Number(totals['time_off_hours']));
});

it('every recipe is compared, or no report has its answer', () => {
  const titles = [...TEXT.matchAll(/^### (.*)$/gm)].map(([, title]) => title);
  const compared = [...COMPARISONS.map(({ recipe }) => recipe), ...ALONE, ...Object.keys(NOT_REPORTED)];
  expect(compared.toSorted()).toEqual(titles.toSorted());
});
