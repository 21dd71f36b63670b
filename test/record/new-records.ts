/** A body to create a record of each resource that has a POST, with references to records 1. */
export const NEW_RECORDS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  departments: { name: 'Work' },
  clients: { name: 'Acme' },
  roles: { name: 'Digger' },
  people: { name: 'Ann' },
  project_stages: { name: 'Sale', status: 1 },
  projects: { name: 'Bridge' },
  phases: { project_id: 1, name: 'Design', start_date: '2026-01-05', end_date: '2026-01-09' },
  milestones: { project_id: 1, name: 'Start', date: '2026-01-05' },
  project_tasks: { project_id: 1, task_name: 'Travel' },
  tasks: { project_id: 1, people_id: 1, start_date: '2026-01-05', end_date: '2026-01-09', hours: 8 },
  timeoff_types: { timeoff_type_name: 'Sick' },
  timeoffs: { people_id: 1, start_date: '2026-01-05', end_date: '2026-01-09' },
  logged_time: { people_id: 1, project_id: 1, date: '2026-01-05', hours: 8 },
  status: { people_id: 1, status_type_id: 1, start_date: '2026-01-05', end_date: '2026-01-09' },
  holidays: { name: 'Spring', date: '2026-01-05' },
  project_expenses: { name: 'Train', project_id: 1, date: '2026-01-05', cost: 10 },
};
