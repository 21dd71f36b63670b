/** Unique costs and cost rates, so that a search finds them. */
export const COSTS = {
  personRate: '6137.91',
  contractRate: '7351.83',
  roleRate: '8269.47',
  expenseCost: '9433.19',
  wrongRate: '-5867.13',
  wrongCost: '4783.61x',
  markup: '17.77',
} as const;

/** A small dataset with every source of prices, and two invalid records that contain costs. */
export const priced = {
  settings: { name: 'Priced', currency: 'EUR' },
  roles: [{ id: 1, name: 'Engineer', default_hourly_rate: '110', cost_rate_history: [{ rate: COSTS.roleRate }] }],
  people: [
    { people_id: 1, name: 'Ann', cost_rate: COSTS.personRate, default_hourly_rate: '90', start_date: '2026-01-01' },
    {
      people_id: 2,
      name: 'Ben',
      role_id: 1,
      contracts: [
        { effective_date: '2026-01-01', cost_rate: COSTS.contractRate },
        { effective_date: '2026-02-01', cost_rate: COSTS.wrongRate },
      ],
    },
    { people_id: 3, name: 'Cy', role_id: 1 },
    { people_id: 4, name: 'Dee' },
  ],
  clients: [{ client_id: 1, name: 'Client' }],
  projects: [{ project_id: 1, name: 'Work', client_id: 1, budget_type: 1, budget_total: '100', budget_priority: 0 }],
  tasks: [1, 2, 3, 4].map((id) => ({
    task_id: id,
    people_id: id,
    project_id: 1,
    start_date: '2026-01-05',
    end_date: '2026-01-16',
    hours: '7.5',
    status: 2,
    billable: 1,
  })),
  timeoffs: [{ timeoff_id: 1, people_id: 1, start_date: '2026-01-08', end_date: '2026-01-08', full_day: 1 }],
  logged_time: [1, 2, 3, 4].flatMap((id) =>
    ['2026-01-05', '2026-01-06'].map((date) => ({
      logged_time_id: `${id}-${date}`,
      people_id: id,
      project_id: 1,
      date,
      hours: '3.25',
      billable: 1,
    })),
  ),
  project_expenses: [
    {
      project_expense_id: 1,
      project_id: 1,
      date: '2026-01-07',
      cost: COSTS.expenseCost,
      markup: COSTS.markup,
      billable: 1,
    },
    { project_expense_id: 2, project_id: 1, date: '2026-01-07', cost: COSTS.wrongCost, billable: 1 },
    {
      project_expense_id: 3,
      project_id: 1,
      date: '2026-01-07',
      cost: COSTS.expenseCost,
      markup: COSTS.markup,
      billable: 0,
    },
  ],
};
