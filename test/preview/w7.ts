/** Person 101 at 60.00: 2400.00 logged in March, and an allocation of 8 h on 13 to 24 April (W7). */
export const COMPANY = {
  people: [{ people_id: 101, name: 'Ada', cost_rate: 60 }],
  accounts: [{ account_id: 1, name: 'Ada' }],
  projects: [{ project_id: 501, name: 'Harbor', default_hourly_rate: 100 }],
  tasks: [{ task_id: 77, project_id: 501, people_id: 101, start_date: '2026-04-13', end_date: '2026-04-24', hours: 8 }],
  logged_time: ['02', '03', '04', '05', '06'].map((day) => ({
    logged_time_id: day,
    project_id: 501,
    people_id: 101,
    date: `2026-03-${day}`,
    hours: 8,
  })),
};

/** The request of W7. */
export const W7 = {
  changes: [
    { method: 'PATCH', path: '/v3/people/101', body: { cost_rate: '66.00', effective_date: '2026-04-01' } },
    { method: 'PATCH', path: '/v3/tasks/77', body: { start_date: '2026-04-27', end_date: '2026-05-08' } },
  ],
  report: 'projects',
  parameters: { start_date: '2026-03-01', end_date: '2026-04-30', cutoff_date: '2026-03-31', project_id: '501' },
  measures: ['forecast_cost'],
};

/** The bridge of W7. */
export const BRIDGE = {
  project_id: 501,
  measure: 'forecast_cost',
  value_then: 7200,
  value_now: 4512,
  difference: -2688,
  late: 0,
  new: 0,
  removed: 0,
  moved: -2880,
  status: 0,
  billable: 0,
  hours: 0,
  priced: 0,
  rate: 192,
  expense: 0,
  budget: 0,
  cutoff: 0,
};
