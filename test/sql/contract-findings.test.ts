import { expect, test } from 'vitest';
import { openCompany, type Records } from './company.ts';

const AUGUST = { start_date: '2025-08-01', end_date: '2025-08-31' };

/** Contracts that count nowhere, lack what they need, or are as they should be. */
const records: Records = {
  people: [{ people_id: 1, name: 'Ana' }],
  projects: [
    { project_id: 1, name: 'Without phases', contract: 'capped', budget_priority: 1 },
    { project_id: 2, name: 'Without tasks', contract: 'fixed', budget_priority: 2 },
    { project_id: 3, name: 'Whole', budget_total: 100, contract: 'fixed', ...AUGUST },
    { project_id: 4, name: 'By task', budget_priority: 2, contract: 'time' },
    { project_id: 5, name: 'Without a budget', contract: 'capped' },
    { project_id: 6, name: 'In hours', contract: 'fixed', budget_type: 1, budget_total: 40 },
    { project_id: 7, name: 'By phase', budget_priority: 1, contract: 'capped' },
    { project_id: 8, name: 'Free', non_billable: 1, contract: 'fixed', budget_total: 100 },
    { project_id: 9, name: 'Even', contract: 'fixed', budget_total: 900, recognise: 'evenly', end_date: '2025-08-31' },
    { project_id: 10, name: 'Tasks', contract: 'fixed', budget_priority: 2, recognise: 'milestones', ...AUGUST },
    { project_id: 11, name: 'Endless', budget_type: 2, budget_total: 500, start_date: '2025-08-01' },
    { project_id: 12, name: 'Completed', budget_type: 2, budget_total: 500, status: 3 },
    { project_id: 13, name: 'Completed by work', budget_type: 2, budget_total: 500, status: 3 },
    { project_id: 14, name: 'Canceled', budget_type: 2, budget_total: 500, status: 4 },
    { project_id: 15, name: 'Internal', contract: 'internal', budget_priority: 1 },
  ],
  phases: [
    { phase_id: 31, project_id: 3, name: 'In a project with a budget', contract: 'internal' },
    { phase_id: 41, project_id: 4, name: 'Without tasks', contract: 'fixed' },
    { phase_id: 71, project_id: 7, name: 'Without a budget', contract: 'fixed' },
    { phase_id: 72, project_id: 7, name: 'With one', budget_total: 10 },
    { phase_id: 73, project_id: 7, name: 'Free', contract: 'capped', budget_total: 10, non_billable: 1 },
  ],
  project_tasks: [
    { task_meta_id: 42, project_id: 4, task_name: 'T' },
    { task_meta_id: 101, project_id: 10, task_name: 'T', budget: 70 },
  ],
  retainers: [
    { retainer_id: 1, project_id: 3, start_date: '2025-08-01', amounts: [{ amount: 10 }] },
    { retainer_id: 2, project_id: 7, phase_id: 71, start_date: '2025-08-01', amounts: [{ amount: 10 }] },
    { retainer_id: 3, project_id: 7, phase_id: 72, start_date: '2025-08-01', amounts: [{ amount: 10 }] },
  ],
  logged_time: [{ logged_time_id: 'a', people_id: 1, project_id: 13, date: '2025-08-04', hours: 1 }],
};

test('contracts that count nowhere or lack what they need are found (K1 to K3, 12.4)', { tags: ['slow'] }, async () => {
  const company = await openCompany(records);
  try {
    const { rows } = await company.report('data-quality', { start_date: '2025-01-01', end_date: '2025-12-31' });
    const shown = rows
      .filter(({ check }) => /contract_|recognised|agreed_fee|retainer/.test(String(check)))
      .map(({ check, severity, resource, id, amount_at_risk, detail }) =>
        [check, severity, `${resource} ${id}`, amount_at_risk ?? '', detail].join(' | '),
      );
    expect(shown.toSorted()).toEqual([
      'agreed_fee_without_days | notice | projects 11 | 500 | a fixed fee without an end',
      'agreed_fee_without_days | notice | projects 12 | 500 | a fixed fee without an end',
      'contract_of_non_billable | warning | phases 73 |  | contract capped of a non-billable phase',
      'contract_of_non_billable | warning | projects 8 |  | contract fixed of a non-billable project',
      'contract_without_amount | warning | phases 71 |  | contract fixed, without a budget',
      'contract_without_amount | warning | projects 5 |  | contract capped, without a budget',
      'contract_without_amount | warning | projects 6 |  | contract fixed, with a budget of hours',
      'contract_without_place | warning | phases 31 |  | contract internal: the budget stands on the project',
      'contract_without_place | warning | phases 41 |  | contract fixed: budgets stand on project tasks, and it has none',
      'contract_without_place | warning | projects 1 |  | contract capped: budgets stand on phases, and it has none',
      'contract_without_place | warning | projects 2 |  | contract fixed: budgets stand on project tasks, and it has none',
      'recognised_by_progress | warning | project_tasks 101 | 70 | recognise milestones: a project task has no milestones',
      'recognised_by_progress | warning | projects 9 | 900 | recognise evenly, without start_date',
      'retainer_beside_agreed_fee | warning | retainers 1 | 100 | an agreed fee beside the retainer is not used',
      'retainer_beside_agreed_fee | warning | retainers 3 | 10 | an agreed fee beside the retainer is not used',
    ]);
  } finally {
    await company.close();
  }
});
