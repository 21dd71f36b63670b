import { describe, expect, it } from 'vitest';
import { buildState, compareStates, told } from './compared-company.ts';

const WINDOW = { start_date: '2026-03-01', end_date: '2026-03-31' };

const logged = (id: string, project_id: number, hours: number, date = '2026-03-05') => ({
  ...{ logged_time_id: id, project_id, people_id: 101, date, hours },
});

describe('X6 each cause of a budget, in a time zone a day ahead', () => {
  /** Projects with 10,000.00 of fees, at 100.00 an hour; each changes in another way. */
  const causes = [
    'late',
    'new',
    'removed',
    'moved away',
    'moved here',
    'status',
    'billable',
    'hours',
    'priced',
    'rate',
  ];
  const names = [...causes, 'expense', 'budget', 'cutoff'];
  const idOf = (name: string) => names.indexOf(name) + 1;
  const companyOf = (isNow: boolean) => ({
    settings: { time_zone: 'Pacific/Kiritimati', currency: 'USD' },
    people: [{ people_id: 101, name: 'Ana', cost_rate: 60 }],
    projects: names.map((name) => ({
      ...{
        project_id: idOf(name),
        name,
        ...(name === 'budget' && !isNow ? {} : { budget_type: 2, budget_total: 10_000 }),
      },
      ...(name === 'priced' && !isNow ? {} : { default_hourly_rate: name === 'rate' && isNow ? 120 : 100 }),
    })),
    tasks: [
      {
        task_id: 1,
        people_id: 101,
        hours: 8,
        project_id: idOf('status'),
        start_date: '2026-05-04',
        end_date: '2026-05-04',
        status: isNow ? 4 : 2,
      },
    ],
    logged_time: [
      ...(isNow ? [logged('late', idOf('late'), 3, '2026-04-03'), logged('new', idOf('new'), 2, '2026-04-04')] : []),
      ...(isNow ? [] : [logged('removed', idOf('removed'), 4)]),
      logged('moved', idOf(isNow ? 'moved here' : 'moved away'), 5),
      { ...logged('billable', idOf('billable'), 6), billable: isNow ? 0 : 1 },
      logged('hours', idOf('hours'), isNow ? 6 : 8),
      ...['priced', 'rate', 'budget'].map((name) => logged(name, idOf(name), 4)),
      logged('cutoff', idOf('cutoff'), 7, '2026-04-10'),
      // Each row keeps its budget by a line that stays.
      ...names.map((name) => logged(`${name} stays`, idOf(name), 1, '2026-03-10')),
    ],
    project_expenses: [
      {
        project_expense_id: 1,
        project_id: idOf('expense'),
        name: 'Hotel',
        date: '2026-03-05',
        cost: isNow ? 150 : 100,
        billable: 1,
      },
    ],
  });

  it('is told by its own name, of a state that is older than today', { tags: ['slow'] }, async () => {
    const [then, now] = [await buildState(companyOf(false)), await buildState(companyOf(true))];
    try {
      const days = { day: '2026-04-03', cutoffDate: '2026-04-05', cutoffNow: '2026-04-20' };
      const sent = { ...WINDOW, group_by: 'project', measures: 'budget_forecast' };
      const { rows } = await compareStates(then, now, 'changes', sent, days);
      expect(rows.map(({ measure: _, project_id: __, ...row }) => told(row))).toEqual([
        { project: 'late', value_then: '100', value_now: '400', difference: '300', late: '300' },
        { project: 'new', value_then: '100', value_now: '300', difference: '200', new: '200' },
        { project: 'removed', value_then: '500', value_now: '100', difference: '-400', removed: '-400' },
        { project: 'moved away', value_then: '600', value_now: '100', difference: '-500', moved: '-500' },
        { project: 'moved here', value_then: '100', value_now: '600', difference: '500', moved: '500' },
        { project: 'status', value_then: '900', value_now: '100', difference: '-800', status: '-800' },
        { project: 'billable', value_then: '700', value_now: '100', difference: '-600', billable: '-600' },
        { project: 'hours', value_then: '900', value_now: '700', difference: '-200', hours: '-200' },
        { project: 'priced', value_now: '500', priced: '500' },
        { project: 'rate', value_then: '500', value_now: '600', difference: '100', rate: '100' },
        { project: 'expense', value_then: '200', value_now: '250', difference: '50', expense: '50' },
        { project: 'budget', value_now: '500', budget: '500' },
        { project: 'cutoff', value_then: '100', value_now: '800', difference: '700', cutoff: '700' },
      ]);
    } finally {
      await Promise.all([then.close(), now.close()]);
    }
  });
});
