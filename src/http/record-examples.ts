/** A body that creates a record, for each resource by the name of its table; its references are of the bundled company. */
export const EXAMPLES: Readonly<Record<string, object>> = {
  departments: { name: 'Research' },
  clients: { name: 'Northwind Utilities' },
  roles: { name: 'Data engineer', default_hourly_rate: '140.00' },
  people: {
    name: 'Ada Moreau',
    people_code: 'AM-7',
    email: 'ada@example.com',
    work_days_hours: [0, 8, 8, 8, 8, 6, 0],
    tags: ['remote'],
  },
  project_stages: { name: 'In review', status: 2 },
  projects: { name: 'Metering pilot', project_code: 'MP-1', budget_type: 1, budget_total: 400, tags: ['pilot'] },
  phases: { project_id: 501, name: 'Discovery', start_date: '2026-07-01', end_date: '2026-07-31' },
  milestones: { project_id: 501, name: 'Go live', date: '2026-07-31' },
  project_tasks: { project_id: 501, task_names: ['Design', 'Testing'], billable: 1, budget: 40 },
  tasks: { people_id: 101, project_id: 501, start_date: '2026-07-06', end_date: '2026-07-10', hours: '6.5' },
  timeoffs: { people_ids: [101], start_date: '2026-08-03', end_date: '2026-08-07', full_day: 1 },
  holidays: { name: "Founders' Day", date: '2026-07-06', region_id: 1 },
  logged_time: { people_id: 101, project_id: 501, date: '2026-07-06', hours: 7.25, notes: 'Kick-off' },
  project_expenses: { project_id: 501, name: 'Train to the site', date: '2026-07-06', cost: '86.40' },
  timeoff_types: { timeoff_type_name: 'Parental leave' },
};
