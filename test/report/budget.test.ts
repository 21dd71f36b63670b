// @module-tag slow
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Value } from '../../src/base/database/database.ts';
import { type Company, openCompany, pick, type Row, toRow } from '../sql/company.ts';

// All projects have the same work and different budgets: 1000 on the project, 300 and 200 on its phases A and B, or 40, 30 and 20 on
// its tasks (in A, in B, without a phase). Ana is billed at 10 an hour.
const WINDOW = { start_date: '2026-01-01', end_date: '2026-01-31', cutoff_date: '2026-01-15' };
const [ANA, NOBODY] = [1, 2];
const [
  NO_TYPE,
  TYPE_ZERO,
  NO_TOTAL,
  NO_PHASE_TOTALS,
  NO_TASK_TOTALS,
  HALF_A_TOTAL,
  ZERO_TOTAL,
  NO_FEES,
  FEES_OF_EXPENSES,
] = [41, 42, 43, 44, 45, 46, 47, 48, 49];

/** Ids of projects: budget types 1 to 3, priorities 0 to 2; phases 1 and 2, tasks 1 to 3. */
const idOf = (type: number, priority: number) => type * 10 + priority;
const phaseOf = (project: number, phase: number) => (phase === 0 ? 0 : project * 10 + phase);
const taskOf = (project: number, task: number) => project * 100 + task;

const kinds = [1, 2, 3].flatMap((type) => [0, 1, 2].map((priority) => ({ type, priority, id: idOf(type, priority) })));

const workOf = (id: number) => {
  const entry = (name: string, date: string, phase: number, task: number, hours: number, more: object = {}) => ({
    logged_time_id: `${id}-${name}`,
    people_id: ANA,
    project_id: id,
    phase_id: phaseOf(id, phase),
    task_meta_id: taskOf(id, task),
    date,
    hours,
    ...more,
  });
  const allocation = (task_id: number, date: string, phase: number, hours: number, more: object) => ({
    task_id: id * 100 + task_id,
    people_id: ANA,
    project_id: id,
    phase_id: phaseOf(id, phase),
    start_date: date,
    end_date: date,
    hours,
    ...more,
  });
  return {
    project: {
      project_id: id,
      name: `Project ${id}`,
      budget_type: Math.floor(id / 10),
      budget_priority: id % 10,
      budget_total: 1000,
    },
    phases: [
      { phase_id: phaseOf(id, 1), project_id: id, name: 'A', budget_total: 300 },
      { phase_id: phaseOf(id, 2), project_id: id, name: 'B', budget_total: 200 },
    ],
    tasks: [
      { task_meta_id: taskOf(id, 1), project_id: id, phase_id: phaseOf(id, 1), task_name: 'One', budget: 40 },
      { task_meta_id: taskOf(id, 2), project_id: id, phase_id: phaseOf(id, 2), task_name: 'Two', budget: 30 },
      { task_meta_id: taskOf(id, 3), project_id: id, task_name: 'Three', budget: 20 },
    ],
    logged: [
      // 4 h before the window, 3 h in it and 1 h on the day of the cutoff are billable; 2 h are not; 5 h are after the cutoff.
      entry('before', '2025-12-10', 1, 1, 4),
      entry('within', '2026-01-10', 2, 2, 3),
      entry('free', '2026-01-12', 1, 1, 2, { billable: 0 }),
      entry('cutoff', '2026-01-15', 0, 3, 1),
      entry('after', '2026-01-20', 1, 1, 5),
    ],
    allocations: [
      // 6 h are up to the cutoff, 2 h and 1 h after it (the 1 h after the window too); 7 h are tentative, 3 h not billable.
      allocation(11, '2026-01-14', 1, 6, { task_meta_id: taskOf(id, 1) }),
      allocation(12, '2026-01-16', 1, 2, { task_meta_id: taskOf(id, 1) }),
      allocation(13, '2026-02-10', 2, 1, { task_meta_id: taskOf(id, 2) }),
      allocation(14, '2026-01-17', 1, 7, { task_meta_id: taskOf(id, 1), status: 1 }),
      allocation(15, '2026-01-18', 2, 3, { billable: 0 }),
    ],
    expenses: [
      // 5 on the day of the cutoff, 8 after it; 9 are not billable.
      { project_expense_id: id * 10 + 1, project_id: id, name: 'E', date: '2026-01-15', cost: 5, billable: 1 },
      { project_expense_id: id * 10 + 2, project_id: id, name: 'E', date: '2026-01-16', cost: 8, billable: 1 },
      { project_expense_id: id * 10 + 3, project_id: id, name: 'E', date: '2026-01-10', cost: 9, billable: 0 },
    ],
  };
};
const works = kinds.map(({ id }) => workOf(id));

/** Returns one hour logged on a project. */
const hour = (project_id: number, more: object = {}) => {
  return { logged_time_id: `hour-${project_id}`, people_id: ANA, project_id, date: '2026-01-05', hours: 1, ...more };
};

let company: Company;
beforeAll(async () => {
  company = await openCompany({
    settings: { work_days_hours: [8, 8, 8, 8, 8, 8, 8], currency: 'EUR' },
    people: [
      { people_id: ANA, name: 'Ana', default_hourly_rate: 10 },
      { people_id: NOBODY, name: 'Nobody knows' },
    ],
    projects: [
      ...works.map(({ project }) => project),
      { project_id: NO_TYPE, name: 'No type', budget_total: 1000 },
      { project_id: TYPE_ZERO, name: 'Type 0', budget_type: 0, budget_total: 1000 },
      { project_id: NO_TOTAL, name: 'No total', budget_type: 1 },
      { project_id: NO_PHASE_TOTALS, name: 'No phase totals', budget_type: 1, budget_priority: 1, budget_total: 1000 },
      { project_id: NO_TASK_TOTALS, name: 'No task totals', budget_type: 2, budget_priority: 2, budget_total: 1000 },
      { project_id: HALF_A_TOTAL, name: 'Half a total', budget_type: 1, budget_priority: 1 },
      { project_id: ZERO_TOTAL, name: 'Zero', budget_type: 1, budget_total: 0 },
      { project_id: NO_FEES, name: 'No fees', budget_type: 2, budget_total: 100 },
      { project_id: FEES_OF_EXPENSES, name: 'Fees of expenses', budget_type: 2, budget_total: 100 },
    ],
    phases: [
      ...works.flatMap(({ phases }) => phases),
      { phase_id: 901, project_id: NO_PHASE_TOTALS, name: 'A' },
      { phase_id: 902, project_id: HALF_A_TOTAL, name: 'A', budget_total: '12.5' },
      { phase_id: 903, project_id: HALF_A_TOTAL, name: 'B' },
    ],
    project_tasks: [
      ...works.flatMap(({ tasks }) => tasks),
      { task_meta_id: 9001, project_id: NO_TASK_TOTALS, task_name: 'One' },
    ],
    tasks: works.flatMap(({ allocations }) => allocations),
    logged_time: [
      ...works.flatMap(({ logged }) => logged),
      ...[NO_TYPE, TYPE_ZERO, NO_TOTAL, NO_PHASE_TOTALS, NO_TASK_TOTALS, ZERO_TOTAL].map((id) => hour(id)),
      hour(HALF_A_TOTAL, { phase_id: 903 }),
      hour(NO_FEES, { people_id: NOBODY }),
      hour(FEES_OF_EXPENSES, { people_id: NOBODY }),
    ],
    project_expenses: [
      ...works.flatMap(({ expenses }) => expenses),
      { project_expense_id: 9, project_id: FEES_OF_EXPENSES, name: 'E', date: '2026-01-05', cost: 30, billable: 1 },
    ],
  });
});
afterAll(() => company.close());

const report = (name: string, project: number | string, parameters: Record<string, string> = {}) => {
  return company.report(name, { ...WINDOW, project_id: String(project), ...parameters });
};

/** unit, total, used, remaining, used %, forecast, forecast %. */
type Budget = (Value | undefined)[];
const COLUMNS = [
  'budget_unit',
  'budget_total',
  'budget_used',
  'budget_remaining',
  'budget_used_percent',
  'budget_forecast',
  'budget_forecast_percent',
];
const budgetOf = (row: Row | undefined): Budget => COLUMNS.map((name) => row?.[name]);
const NONE: Budget = COLUMNS.map(() => null);

/** The budget rows of each level, by unit and priority. Phases are ordered: no phase, A, B. */
const HOURS = {
  project: [
    ['hours', '1000', '8', '992', '0.8', '11', '1.1'],
    ['hours', '500', '8', '492', '1.6', '11', '2.2'],
    ['hours', '90', '8', '82', '8.89', '11', '12.22'],
  ],
  phases: [
    [NONE, NONE, NONE],
    [NONE, ['hours', '300', '4', '296', '1.33', '6', '2'], ['hours', '200', '3', '197', '1.5', '4', '2']],
    [
      ['hours', '20', '1', '19', '5', '1', '5'],
      ['hours', '40', '4', '36', '10', '6', '15'],
      ['hours', '30', '3', '27', '10', '4', '13.33'],
    ],
  ],
  tasks: {
    One: ['hours', '40', '4', '36', '10', '6', '15'],
    Two: ['hours', '30', '3', '27', '10', '4', '13.33'],
    Three: ['hours', '20', '1', '19', '5', '1', '5'],
  },
};
// Fees of 40 + 30 + 10 and an expense of 5, then 20 + 10 and an expense of 8. Expenses have no phase and no task.
const MONEY = {
  project: [
    ['EUR', '1000', '85', '915', '8.5', '123', '12.3'],
    ['EUR', '500', '85', '415', '17', '123', '24.6'],
    ['EUR', '90', '85', '5', '94.44', '123', '136.67'],
  ],
  phases: [
    [NONE, NONE, NONE],
    [NONE, ['EUR', '300', '40', '260', '13.33', '60', '20'], ['EUR', '200', '30', '170', '15', '40', '20']],
    [
      ['EUR', '20', '15', '5', '75', '23', '115'],
      ['EUR', '40', '40', '0', '100', '60', '150'],
      ['EUR', '30', '30', '0', '100', '40', '133.33'],
    ],
  ],
  tasks: {
    One: ['EUR', '40', '40', '0', '100', '60', '150'],
    Two: ['EUR', '30', '30', '0', '100', '40', '133.33'],
    Three: ['EUR', '20', '10', '10', '50', '10', '50'],
  },
};

describe.each(kinds)('budget type $type, priority $priority', ({ type, priority, id }) => {
  const expected = type === 1 ? HOURS : MONEY;

  test('the project', async () => {
    const { rows, totals } = await report('projects', id);
    expect(rows.map(budgetOf)).toEqual([expected.project[priority]]);
    expect(budgetOf(totals)).toEqual(expected.project[priority]);
  });

  test('its phases', async () => {
    const { rows } = await report('phases', id, { sort: 'phase_id' });
    expect(rows.map(({ phase_id }) => phase_id)).toEqual([0, phaseOf(id, 1), phaseOf(id, 2)]);
    expect(rows.map(budgetOf)).toEqual(expected.phases[priority]);
  });

  test('its tasks', async () => {
    const { rows } = await report('tasks', id);
    const found = rows.map((row) => [row['name'], budgetOf(row)]);
    const own = priority === 2 ? expected.tasks : { One: NONE, Two: NONE, Three: NONE };
    expect(Object.fromEntries(found)).toEqual({ ...own, '(no task)': NONE });
  });
});

test.each([
  ['no type', NO_TYPE],
  ['type 0', TYPE_ZERO],
  ['no total', NO_TOTAL],
  ['a total on the project but on no phase', NO_PHASE_TOTALS],
  ['a total on the project but on no task', NO_TASK_TOTALS],
])('no budget: %s', async (_why, id) => {
  const { rows, totals } = await report('projects', id);
  expect(rows.map(budgetOf)).toEqual([NONE]);
  expect(budgetOf(totals)).toEqual(NONE);
});

test('a phase without a total has no budget, and the project has the sum of the others', async () => {
  const { rows } = await report('projects', HALF_A_TOTAL);
  expect(budgetOf(rows[0])).toEqual(['hours', '12.5', '1', '11.5', '8', '1', '8']);
  const phases = await report('phases', HALF_A_TOTAL);
  expect(phases.rows.map(budgetOf)).toEqual([NONE]);
});

test('a budget of 0 is a budget, without percentages', async () => {
  const { rows } = await report('projects', ZERO_TOTAL);
  expect(budgetOf(rows[0])).toEqual(['hours', '0', '1', '-1', null, '1', null]);
});

test('the used part of a money budget is unknown if no fee is known, else the sum of the known fees', {
  tags: ['slow'],
}, async () => {
  const { rows } = await report('projects', NO_FEES);
  expect(budgetOf(rows[0])).toEqual(['EUR', '100', null, '100', null, null, null]);
  const other = await report('projects', FEES_OF_EXPENSES);
  expect(budgetOf(other.rows[0])).toEqual(['EUR', '100', '30', '70', '30', '30', '30']);
  // The rows add up to the totals.
  const both = await report('projects', `${NO_FEES},${FEES_OF_EXPENSES}`);
  expect(budgetOf(both.totals)).toEqual(['EUR', '200', '30', '170', '15', '30', '15']);
});

test('budgets of one unit add up in the totals, budgets of two units do not', { tags: ['slow'] }, async () => {
  const hours = await report('projects', `${idOf(1, 0)},${idOf(1, 1)},${NO_TYPE}`);
  expect(budgetOf(hours.totals)).toEqual(['hours', '1500', '16', '1484', '1.07', '22', '1.47']);
  const money = await report('projects', `${idOf(2, 0)},${idOf(3, 2)}`);
  expect(budgetOf(money.totals)).toEqual(['EUR', '1090', '170', '920', '15.6', '246', '22.57']);
  const mixed = await report('projects', `${idOf(1, 0)},${idOf(2, 0)}`);
  expect(budgetOf(mixed.totals)).toEqual(NONE);
});

test('budgets of work without a phase are lines of their own, in an order that never varies', {
  tags: ['slow'],
}, async () => {
  const ids = [idOf(2, 2), idOf(3, 2)];
  const sent = { measure: 'budget_forecast', report: 'phases', limit: '1' };
  const found: (Value | undefined)[] = [];
  let more: Record<string, string> = {};
  do {
    const { rows, table } = await report('lines', ids.join(), { ...sent, ...more });
    found.push(...rows.map(({ line_id }) => line_id));
    more = table.meta.next_cursor === undefined ? {} : { cursor: table.meta.next_cursor };
  } while (more['cursor'] !== undefined);
  expect(found.slice(0, 6)).toEqual(
    ids.flatMap((id) => [0, 1, 2].map((phase) => `b:phase:${id}:${phaseOf(id, phase)}`)),
  );
  expect(new Set(found).size).toBe(found.length);
});

test('marts.budget_burn ends with what the report says of each budget on the last logged day', async () => {
  const burnt = await company.rows(`
    SELECT project_id, budget_unit, budget_total, arg_max(budget_used, date) AS budget_used, arg_max(budget_forecast, date) AS budget_forecast
    FROM marts.budget_burn GROUP BY project_id, budget_unit, budget_total HAVING MAX(budget_forecast) > 0 ORDER BY project_id`);
  const { rows } = await company.report('projects', { ...WINDOW, cutoff_date: '2026-01-20', sort: 'project_id' });
  const used = rows.filter((row) => Number(row['budget_forecast'] ?? 0) > 0);
  const names = ['project_id', 'budget_unit', 'budget_total', 'budget_used', 'budget_forecast'] as const;
  expect(burnt.length).toBeGreaterThan(kinds.length);
  expect(burnt).toEqual(used.map((row) => pick(row, ...names)));
});

test('an expense after the cutoff is forecast, and used once the cutoff has reached it', async () => {
  const { rows } = await report('projects', idOf(2, 0), { cutoff_date: '2026-01-16' });
  // 8 more are used; the allocation of the 16th (20) is in the past.
  expect(pick(rows[0], 'budget_used', 'budget_forecast')).toEqual({ budget_used: '93', budget_forecast: '103' });
});

test('the cutoff is exact to the day, in the middle and at the ends of a month', { tags: ['slow'] }, async () => {
  const used = async (cutoff_date: string) => {
    const { rows } = await report('projects', idOf(1, 0), { cutoff_date });
    return [rows[0]?.['budget_used'], rows[0]?.['budget_forecast']];
  };
  // 4 h on the 10th of December, 3 h on the 10th and 1 h on the 15th of January, 5 h on the 20th; 6 h, 2 h and 1 h are planned.
  expect(await used('2025-12-09')).toEqual(['0', '9']);
  expect(await used('2025-12-10')).toEqual(['4', '13']);
  expect(await used('2025-12-31')).toEqual(['4', '13']);
  expect(await used('2026-01-14')).toEqual(['7', '10']);
  expect(await used('2026-01-31')).toEqual(['13', '14']);
  expect(await used('2026-02-10')).toEqual(['13', '13']);
});

test('a forecast counts the requested statuses', async () => {
  const { rows } = await report('projects', idOf(1, 0), { status: 'confirmed,tentative' });
  expect(pick(rows[0], 'budget_used', 'budget_forecast')).toEqual({ budget_used: '8', budget_forecast: '18' });
});

test('a budget covers the whole life: the window, the interval and line filters change nothing', async () => {
  const expected = HOURS.project[0];
  const later = await report('projects', idOf(1, 0), { start_date: '2026-02-01', end_date: '2026-02-28' });
  expect(later.rows.map(budgetOf)).toEqual([expected]);
  const filtered = await report('projects', idOf(1, 0), { people_id: String(ANA), billable: '0' });
  expect(filtered.rows.map(budgetOf)).toEqual([expected]);
  const weeks = await report('projects', idOf(1, 0), { interval: 'week' });
  expect(weeks.rows.length).toBeGreaterThan(1);
  for (const row of weeks.rows) expect(budgetOf(row)).toEqual(expected);
  expect(budgetOf(weeks.totals)).toEqual(expected);
});

test("expand=phases shows each phase's budget inside its project", async () => {
  const { table } = await report('projects', idOf(2, 1), { expand: 'phases' });
  const nested = table.nested?.rows.map((row) => toRow(table.nested?.columns ?? [], row)) ?? [];
  const found = Object.fromEntries(nested.map((row) => [row['name'], budgetOf(row)]));
  expect(found).toEqual({ '(no phase)': NONE, A: MONEY.phases[1]?.[1], B: MONEY.phases[1]?.[2] });
});

test('a pivot by project shows the same', async () => {
  const measures = COLUMNS.slice(1).join(',');
  const { rows } = await company.report('pivot', {
    ...WINDOW,
    group_by: 'project',
    measures,
    project_id: String(idOf(3, 0)),
  });
  expect(rows.map(budgetOf)).toEqual([MONEY.project[0]]);
});

test('R5, 3.3: hours that are not billable use 0 of a fee budget even if the billable ones have no rate', {
  tags: ['slow'],
}, async () => {
  const unpriced = await openCompany({
    people: [{ people_id: 1, name: 'Ana' }],
    projects: [{ project_id: 1, name: 'One', budget_type: 2, budget_total: 100 }],
    logged_time: [
      { logged_time_id: 'a', people_id: 1, project_id: 1, date: '2026-01-05', hours: 8 },
      { logged_time_id: 'b', people_id: 1, project_id: 1, date: '2026-01-05', hours: 4, billable: 0 },
    ],
  });
  try {
    const { rows } = await unpriced.report('projects', {
      start_date: '2026-01-01',
      end_date: '2026-01-31',
      cutoff_date: '2026-01-31',
    });
    expect(rows.map((row) => [row['actual_fees'], row['budget_used'], row['budget_remaining']])).toEqual([
      ['0', '0', '100'],
    ]);
  } finally {
    await unpriced.close();
  }
});
