import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pick, readPlanned, useBaseline } from './baseline-company.ts';
import { type BuiltState, buildState } from './compared-company.ts';

const allocation = (task_id: number, phase_id: number, start_date: string, end_date: string, hours = 10) => {
  return { task_id, project_id: 2, phase_id, people_id: 1, start_date, end_date, hours };
};

const logged = (id: string, phase_id: number, date: string, hours: number) => {
  return { logged_time_id: id, project_id: 2, phase_id, people_id: 1, date, hours };
};

const shared = {
  settings: { work_days_hours: [10, 10, 10, 10, 10, 10, 10], currency: 'EUR' },
  people: [{ people_id: 1, name: 'Ana', cost_rate: '60' }],
  projects: [{ project_id: 2, name: 'Pier' }],
};

const DONE = [allocation(3, 21, '2026-02-01', '2026-02-16'), allocation(4, 22, '2026-03-01', '2026-03-04')];

let then: BuiltState;
let now: BuiltState;

/** 160 h of Piles and 40 h of Deck were promised up to the cutoff, 200 h of Deck after it. Piles is completed; Deck takes 245 h more. */
beforeAll(async () => {
  const phases = [
    { phase_id: 21, project_id: 2, name: 'Piles' },
    { phase_id: 22, project_id: 2, name: 'Deck' },
  ];
  then = await buildState({
    ...shared,
    phases,
    tasks: [...DONE, allocation(5, 22, '2026-05-01', '2026-05-20')],
  });
  now = await buildState({
    ...shared,
    phases: phases.map((phase) => (phase.name === 'Piles' ? { ...phase, status: 3 } : phase)),
    tasks: [...DONE, allocation(5, 22, '2026-05-01', '2026-05-25', 9.8)],
    logged_time: [
      ...Array.from({ length: 17 }, (_, day) =>
        logged(`p${day}`, 21, `2026-02-${String(day + 1).padStart(2, '0')}`, 10),
      ),
      logged('d', 22, '2026-03-01', 5),
    ],
  });
});
afterAll(async () => {
  await then.close();
  await now.close();
});

const MADE = ['planned_value', 'earned_value', 'actual_to_date', 'schedule_variance', 'cost_variance', 'spi', 'cpi'];
const AHEAD = ['eac_plan', 'eac_budget', 'eac_cpi', 'estimate_to_complete', 'variance_at_completion', 'tcpi'];
const NAMES = ['budget_at_completion', 'budget_source', 'percent_complete', ...MADE, ...AHEAD];

const sent = {
  fields: ['project_id', ...NAMES].join(','),
  cutoff_date: '2026-03-31',
  earned_in: 'cost',
  technique: 'completed',
};

describe('W6: earned value against the plan that was agreed', () => {
  it('in cost, by completed parts', async () => {
    const { rows, totals } = await useBaseline(then, now, (context) => readPlanned(context, 'projects', sent));
    const expected = [
      ...['24000', 'baseline', '40', '12000', '9600', '10500', '-2400', '-900', '0.8', '0.9143'],
      ...['25200', '24900', '26250', '14700', '-1200', '1.0667'],
    ];
    expect(pick(rows[0], ...NAMES)).toEqual(expected);
    expect(pick(totals, ...NAMES)).toEqual(expected);
  });

  it('is that of the present plan without a baseline', async () => {
    const { rows } = await useBaseline(then, now, ({ baseline: _, ...context }) =>
      readPlanned(context, 'projects', sent),
    );
    expect(pick(rows[0], ...NAMES).slice(0, 4)).toEqual(['26700', 'schedule', '35.96', '12000']);
  });

  it('opens the promised lines', async () => {
    const more = { measure: 'planned_value', report: 'projects', project_id: '2' };
    const { fields: _, ...chosen } = sent;
    const { rows } = await useBaseline(then, now, (context) => readPlanned(context, 'lines', { ...chosen, ...more }));
    expect(new Set(rows.map(({ kind }) => kind))).toEqual(new Set(['baseline']));
    expect(rows.reduce((sum, { contribution }) => sum + Number(contribution), 0)).toBe(12_000);
  });
});
