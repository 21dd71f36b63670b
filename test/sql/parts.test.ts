import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Company, openCompany, pick } from './company.ts';

// Project 1 has the phases 11 and 12 and the task 5. Project 2 bills 50.00 an hour, and its records name those parts, too.
const PERSON = 1;
const log = (id: string, hours: number, more: object) => {
  return { logged_time_id: id, people_id: PERSON, project_id: 2, date: '2026-03-10', hours, ...more };
};
const plan = (task_id: number, more: object) => {
  return {
    task_id,
    people_id: PERSON,
    project_id: 2,
    start_date: '2026-03-13',
    end_date: '2026-03-13',
    hours: 8,
    ...more,
  };
};

let company: Company;
beforeAll(async () => {
  company = await openCompany({
    people: [{ people_id: PERSON, name: 'Ana', cost_rate: 50 }],
    projects: [
      { project_id: 1, name: 'One', default_hourly_rate: 100 },
      {
        project_id: 2,
        name: 'Two',
        default_hourly_rate: 50,
        budget_type: 1,
        budget_priority: 2,
        project_team: [{ people_id: PERSON, phase_id: 11, hourly_rate: 900 }],
      },
    ],
    phases: [
      { phase_id: 11, project_id: 1, name: 'Of One', default_hourly_rate: 200, non_billable: 0 },
      { phase_id: 12, project_id: 1, name: 'Of One, canceled', status: 4 },
      { phase_id: 21, project_id: 2, name: 'Of Two', default_hourly_rate: 70 },
    ],
    project_tasks: [
      { task_meta_id: 5, project_id: 1, task_name: 'Of One, free', billable: 0 },
      { task_meta_id: 6, project_id: 2, phase_id: 11, task_name: 'Of Two', budget: 30 },
    ],
    milestones: [{ milestone_id: 1, project_id: 2, phase_id: 11, name: 'Half', date: '2026-03-11' }],
    tasks: [
      plan(1, { phase_id: 11, task_meta_id: 5, billable: 1 }),
      plan(2, { phase_id: 12 }),
      plan(3, { phase_id: 98 }),
    ],
    logged_time: [
      log('moved', 4, { phase_id: 11 }),
      log('task', 2, { task_meta_id: 5 }),
      log('own', 1, { project_id: 1, phase_id: 11 }),
      log('unknown', 1, { phase_id: 98 }),
      log('planned', 1, { project_id: null, task_id: 2, task_meta_id: 5 }),
      log('planned in Two', 1, { project_id: null, task_id: 2, phase_id: 11 }),
      log('task of Two', 1, { project_id: null, task_meta_id: 6 }),
      log('phase of Two', 1, { project_id: null, phase_id: 21 }),
      log('nothing', 1, { project_id: null }),
    ],
  });
});
afterAll(() => company.close());

test('D9: a phase or project task of another project reprices and hides nothing', async () => {
  const lines = await company.rows(`
    SELECT COALESCE(logged_time_id, 'plan ' || task_id) AS name, project_id, phase_id, task_meta_id, status, billable, bill_rate_source, fee
    FROM core.ledger WHERE task_id IN (1, 2, 3) AND kind = 'scheduled' OR logged_time_id IN ('moved', 'task', 'own', 'unknown') ORDER BY name`);
  const inTwo = {
    project_id: 2,
    phase_id: 0,
    task_meta_id: null,
    status: 'confirmed',
    billable: true,
    bill_rate_source: 'project',
  };
  expect(lines).toEqual([
    { name: 'moved', ...inTwo, fee: '200' },
    // R4: the team of project 2 says nothing about a phase of project 1.
    { name: 'own', ...inTwo, project_id: 1, phase_id: 11, bill_rate_source: 'phase', fee: '200' },
    { name: 'plan 1', ...inTwo, fee: '400' },
    { name: 'plan 2', ...inTwo, fee: '400' },
    { name: 'plan 3', ...inTwo, phase_id: 98, fee: '400' },
    { name: 'task', ...inTwo, fee: '100' },
    { name: 'unknown', ...inTwo, phase_id: 98, fee: '50' },
  ]);
});

test('D8, D9: logged time has a project first, from its allocation, task or phase, and then the parts of that project', async () => {
  const lines = await company.rows(`
    SELECT logged_time_id AS id, project_id, phase_id, task_meta_id FROM core.ledger
    WHERE logged_time_id IN ('planned', 'planned in Two', 'task of Two', 'phase of Two', 'nothing') ORDER BY id`);
  expect(lines.map((line) => Object.values(line))).toEqual([
    ['nothing', 0, 0, null],
    ['phase of Two', 2, 21, null],
    ['planned', 2, 0, null],
    ['planned in Two', 2, 0, null],
    ['task of Two', 2, 0, 6],
  ]);
});

test('D9: the budget of a project task is in no phase of another project', async () => {
  const rows = await company.rows("SELECT project_id, phase_id, budget_total FROM marts.budgets WHERE level = 'phase'");
  expect(rows).toEqual([{ project_id: 2, phase_id: 0, budget_total: '30' }]);
});

test('D9, 3.4: each record that names a part of another project is a finding, with its hours and fees', async () => {
  const { rows } = await company.report('data-quality', { start_date: '1970-01-01', end_date: '2099-12-31' });
  const found = rows.filter(({ check }) => check === 'part_of_another_project');
  const shown = found.map((row) =>
    Object.values(pick(row, 'resource', 'id', 'hours', 'amount_at_risk', 'detail')).join(' | '),
  );
  expect(shown.sort()).toEqual([
    'logged_time | moved | 4 | 200 | phase_id 11 is of project 1, not of project 2: it counts for nothing',
    'logged_time | planned in Two | 1 | 50 | phase_id 11 is of project 1, not of project 2: it counts for nothing',
    'logged_time | planned | 1 | 50 | task_meta_id 5 is of project 1, not of project 2: it counts for nothing',
    'logged_time | task | 2 | 100 | task_meta_id 5 is of project 1, not of project 2: it counts for nothing',
    'milestones | 1 |  |  | phase_id 11 is of project 1, not of project 2: it counts for nothing',
    'project_tasks | 6 |  |  | phase_id 11 is of project 1, not of project 2: it counts for nothing',
    'projects | 2 |  |  | project_team.phase_id 11 is of project 1, not of project 2: it counts for nothing',
    'tasks | 1 | 8 | 400 | phase_id 11 is of project 1, not of project 2: it counts for nothing',
    'tasks | 1 | 8 | 400 | task_meta_id 5 is of project 1, not of project 2: it counts for nothing',
    'tasks | 2 | 8 | 400 | phase_id 12 is of project 1, not of project 2: it counts for nothing',
  ]);
});
