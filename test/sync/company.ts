import type { Records } from '../sql/company.ts';

/** Tasks of the company: several pages. */
export const TASKS = 450;

/** A company with several pages of tasks, created a minute apart. Amounts have digits that a binary float loses. */
export const company: Records = {
  accounts: [{ account_id: 1, name: 'Owner', email: 'owner@example.com', account_type: 1 }],
  roles: [{ role_id: 1, name: 'Engineer', cost_rate_history: [{ rate: '61.0001', effective_date: '2026-01-01' }] }],
  people: [
    { people_id: 1, name: 'Ada', role_id: 1, people_type_id: 1, tags: ['remote'] },
    { people_id: 2, name: 'Role: engineer', role_id: 1, people_type_id: 4 },
  ],
  projects: [{ project_id: 1, name: 'Bridge', project_team: [{ people_id: 1, hourly_rate: '140.0005' }] }],
  project_expenses: [
    { project_expense_id: 7, project_id: 1, name: 'Train', date: '2026-01-07', cost: '99999999.9999' },
  ],
  phases: [{ phase_id: 3, project_id: 1, name: 'Build', start_date: '2026-01-01', end_date: '2026-06-30' }],
  project_tasks: [{ task_meta_id: 5, project_id: 1, task_name: 'Design' }],
  tasks: Array.from({ length: TASKS }, (_, index) => ({
    task_id: index + 1,
    project_id: 1,
    people_id: 1,
    start_date: '2026-01-05',
    end_date: '2026-01-09',
    hours: '1.0001',
    created: new Date(Date.UTC(2026, 0, 1, 0, index)).toISOString().slice(0, 19).replace('T', ' '),
    modified: '2026-01-02 00:00:00',
  })),
  timeoffs: [{ timeoff_id: 9, people_ids: [1], start_date: '2026-02-02', end_date: '2026-02-03', full_day: 1 }],
  logged_time: [{ logged_time_id: 'a1', people_id: 1, project_id: 1, date: '2026-01-05', hours: '5.2501' }],
};
