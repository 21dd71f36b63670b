import { afterAll, beforeAll, expect, it } from 'vitest';
import { type BuiltState, buildState, compareStates, told } from './compared-company.ts';

const WINDOW = { start_date: '2026-03-01', end_date: '2026-03-31' };
const DAYS = { day: '2026-04-03', cutoffDate: '2026-03-31', cutoffNow: '2026-03-31' };

/** A completed project of an agreed fee, at 200.00 an hour, and one without, where Ben's hours change. */
const companyOf = (total: number, hours: number) => ({
  settings: { currency: 'EUR' },
  people: [1, 2].map((people_id) => ({ people_id, name: ['Ana', 'Ben'][people_id - 1], cost_rate: 100 })),
  projects: [
    { project_id: 1, name: 'Fixed', default_hourly_rate: 200, budget_type: 2, budget_total: total, status: 3 },
    { project_id: 2, name: 'By time', default_hourly_rate: 200 },
  ],
  logged_time: [1, 2].flatMap((project_id) => [
    { logged_time_id: `ana ${project_id}`, project_id, people_id: 1, date: '2026-03-05', hours: 5 },
    { logged_time_id: `ben ${project_id}`, project_id, people_id: 2, date: '2026-03-06', hours },
  ]),
});

let then: BuiltState;
let now: BuiltState;

beforeAll(async () => {
  then = await buildState(companyOf(1000, 5));
  now = await buildState(companyOf(1200, 15));
});

afterAll(async () => {
  await then?.close();
  await now?.close();
});

it('X10: another fee is the cause budget, and all else of lines of an agreed fee the cause estimate', async () => {
  const measures = 'earned_revenue,fees_beyond_budget,earned_profit,actual_fees';
  const { rows, totals } = await compareStates(then, now, 'changes', { ...WINDOW, measures, group_by: 'person' }, DAYS);
  // Ana earned 500.00 of 1,000.00; by half of 1,200.00 it is 600.00, by a quarter 300.00.
  expect(rows.map(({ people_id: _, ...row }) => told(row))).toEqual([
    ...[
      {
        value_then: '1500',
        value_now: '1300',
        difference: '-200',
        budget: '100',
        estimate: '-300',
      },
      {},
      {
        value_then: '500',
        value_now: '300',
        difference: '-200',
        budget: '100',
        estimate: '-300',
      },
      { value_then: '2000', value_now: '2000' },
    ].map((row) => ({ person: 'Ana', ...row })),
    ...[
      {
        value_then: '1500',
        value_now: '3900',
        difference: '2400',
        hours: '2000',
        budget: '100',
        estimate: '300',
      },
      {
        value_then: '1000',
        value_now: '2800',
        difference: '1800',
        budget: '-200',
        estimate: '2000',
      },
      {
        value_then: '500',
        value_now: '900',
        difference: '400',
        hours: '1000',
        budget: '100',
        estimate: '-700',
      },
      { value_then: '2000', value_now: '6000', difference: '4000', hours: '4000' },
    ].map((row) => ({ person: 'Ben', ...row })),
  ]);
  expect(totals.map((row) => told(row))[0]).toMatchObject({ difference: '2200', hours: '2000', budget: '200' });
});

it('X10: changed lines list the two amounts of each', { tags: ['slow'] }, async () => {
  const sent = { ...WINDOW, measure: 'earned_revenue' };
  const { rows } = await compareStates(then, now, 'changed-lines', sent, DAYS);
  expect(
    rows.map((row) => [row['line_id_then'], row['causes'], row['amount_then'], row['amount_now'], row['contribution']]),
  ).toEqual([
    ['a:ana 1', 'budget; estimate', '500', '300', '-200'],
    ['a:ben 1', 'budget; estimate', '500', '900', '400'],
    ['a:ben 2', 'hours', '1000', '3000', '2000'],
  ]);
});

/** A project that earns its fee evenly over March, and one that earns it at its end. */
const contractsOf = (total: number, end: string) => ({
  settings: { currency: 'EUR' },
  projects: [
    {
      ...{ project_id: 1, name: 'Evenly', budget_type: 2, budget_total: total, recognise: 'evenly' },
      ...{ start_date: '2026-03-01', end_date: '2026-03-31' },
    },
    { project_id: 2, name: 'Done', budget_type: 2, budget_total: 500, recognise: 'done', end_date: end },
  ],
});

it('X10: lines of kind revenue come, go and change by the contract', { tags: ['slow'] }, async () => {
  const [earlier, later] = [
    await buildState(contractsOf(3100, '2026-03-10')),
    await buildState(contractsOf(6200, '2026-03-12')),
  ];
  try {
    const sent = { ...WINDOW, measures: 'earned_revenue' };
    const { rows } = await compareStates(earlier, later, 'changes', { ...sent, group_by: 'project' }, DAYS);
    expect(rows.map(({ project, ...row }) => [project, told(row)])).toMatchObject([
      ['Evenly', { value_then: '3100', value_now: '6200', difference: '3100', budget: '3100' }],
      ['Done', { value_then: '500', value_now: '500' }],
    ]);
    const lines = { ...WINDOW, measure: 'earned_revenue', project_id: '2' };
    const listed = await compareStates(earlier, later, 'changed-lines', lines, DAYS);
    expect(listed.rows.map((row) => [row['line_id_then'], row['line_id_now'], row['contribution']])).toEqual([
      ['f:2:0:0:2026-03-10', null, '-500'],
      // By the contract of now, the earlier state has this line as well.
      ['f:2:0:0:2026-03-12', 'f:2:0:0:2026-03-12', '500'],
    ]);
  } finally {
    await earlier.close();
    await later.close();
  }
});
