import { expect, test } from 'vitest';
import { openCompany, type Records } from './company.ts';

const END = { end_date: '2025-03-20' };
const fixed = { budget_type: 2, budget_total: 900, start_date: '2025-03-01' };

const log = (project_id: number, date: string, more: object = {}) => ({
  ...{ logged_time_id: `${project_id} ${date}`, people_id: 1, project_id, date, hours: 1 },
  ...more,
});

/** Projects of a source that doesn't say who has set their days, and others. */
const records: Records = {
  people: [{ people_id: 1, name: 'Ana', default_hourly_rate: '100' }],
  projects: [
    { project_id: 1, name: 'Doubtful', ...fixed, ...END, dates_from: 'unknown' },
    { project_id: 2, name: 'Later end', ...fixed, end_date: '2025-03-21', dates_from: 'unknown' },
    { project_id: 3, name: 'Told', ...fixed, ...END, dates_from: 'set' },
    { project_id: 4, name: 'From a file', ...fixed, ...END },
    { project_id: 5, name: 'Evenly', ...fixed, ...END, recognise: 'evenly', dates_from: 'unknown' },
    {
      project_id: 6,
      name: 'Completed',
      ...fixed,
      ...END,
      status: 3,
      completed_on: '2025-03-31',
      dates_from: 'unknown',
    },
    { project_id: 7, name: 'By phase', budget_type: 2, budget_priority: 1, ...END, dates_from: 'unknown' },
    { project_id: 8, name: 'Time', budget_type: 3, budget_total: 900, ...END, dates_from: 'unknown' },
  ],
  phases: [
    { phase_id: 71, project_id: 7, name: 'With an end', budget_total: 400, ...END, dates_from: 'unknown' },
    { phase_id: 72, project_id: 7, name: 'Without', budget_total: 500 },
  ],
  logged_time: [
    ...[1, 2, 3, 4, 5, 6, 8].flatMap((id) => [log(id, '2025-03-10'), log(id, '2025-03-20')]),
    ...[71, 72].map((phase_id) => log(7, '2025-03-20', { logged_time_id: String(phase_id), phase_id })),
  ],
};

test('K3: an end that a source may have computed ends nothing and spreads nothing', { tags: ['slow'] }, async () => {
  const company = await openCompany(records);
  try {
    const window = { start_date: '2025-01-01', end_date: '2025-12-31' };
    const asked = { ...window, cutoff_date: '2025-06-30', fields: 'project,name,actual_revenue' };
    const { rows } = await company.report('phases', asked);
    expect(rows.map(({ project, name, actual_revenue }) => `${project}, ${name}: ${actual_revenue}`).sort()).toEqual([
      'By phase, With an end: 400',
      'By phase, Without: 100',
      'Completed, (no phase): 900',
      'Doubtful, (no phase): 200',
      'Evenly, (no phase): 200',
      'From a file, (no phase): 900',
      'Later end, (no phase): 900',
      'Time, (no phase): 200',
      'Told, (no phase): 900',
    ]);
    const { rows: found } = await company.report('data-quality', window);
    const shown = found
      .filter(({ check }) => /end_date_may|agreed_fee_without|recognised/.test(String(check)))
      .map(({ check, id, amount_at_risk, detail }) => [check, id, amount_at_risk, detail].join(' | '));
    const detail = 'end_date 2025-03-20 is the last day of its lines';
    expect(shown.toSorted()).toEqual([
      `end_date_may_be_computed | 1 | 900 | ${detail}`,
      `end_date_may_be_computed | 5 | 900 | ${detail}`,
      `end_date_may_be_computed | 7 | 500 | ${detail}`,
      'recognised_by_progress | 5 | 900 | recognise evenly, without end_date',
    ]);
  } finally {
    await company.close();
  }
});
