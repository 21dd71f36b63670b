import { beforeAll, describe, expect, it } from 'vitest';
import { type BuiltState, buildState, compareStates, told } from './compared-company.ts';

const logged = (id: string, project_id: number, hours: number, date = '2026-03-05', people_id = 101) => ({
  logged_time_id: id,
  project_id,
  people_id,
  date,
  hours,
});

const project = (project_id: number, budget: object = {}) => ({
  project_id,
  name: `Project ${project_id}`,
  default_hourly_rate: 100,
  ...budget,
});

const hoursOf = (budget_total: number) => ({ budget_type: 1, budget_total });
const feesOf = (budget_total: number) => ({ budget_type: 2, budget_total });

const people = [
  { people_id: 101, name: 'Ana', cost_rate: 60 },
  { people_id: 102, name: 'Ben', cost_rate: 50 },
];

const plan = { task_id: 1, people_id: 101, project_id: 501, hours: 8 };

const THEN = {
  people,
  projects: [project(501, hoursOf(100)), project(502, feesOf(5000)), project(503), project(504, hoursOf(50))],
  tasks: [{ ...plan, start_date: '2026-04-06', end_date: '2026-04-08' }],
  logged_time: [
    logged('1', 501, 8),
    // Long before the window: a budget is of the whole life.
    logged('2', 501, 6, '2025-11-03'),
    logged('3', 502, 4),
    logged('4', 503, 5),
    logged('5', 504, 7),
  ],
};

const NOW = {
  people,
  projects: [
    project(501, hoursOf(120)),
    project(502, feesOf(5000)),
    project(503, hoursOf(30)),
    project(504, feesOf(900)),
  ],
  tasks: [{ ...plan, start_date: '2026-04-06', end_date: '2026-04-09' }],
  logged_time: [
    logged('1', 501, 8),
    logged('2', 501, 4, '2025-11-03'),
    logged('3', 502, 4),
    logged('4', 503, 5),
    logged('5', 504, 7),
    logged('6', 502, 3, '2026-03-30', 102),
    logged('7', 501, 2, '2026-04-02', 102),
  ],
};

const WINDOW = { start_date: '2026-03-01', end_date: '2026-03-31' };
const DAYS = { day: '2026-04-03', cutoffDate: '2026-03-31', cutoffNow: '2026-03-31' };
const BUDGETS = 'budget_total,budget_used,budget_remaining,budget_forecast,budget_used_percent';

describe('X6 changes of budgets', { tags: ['slow'] }, () => {
  let [then, now]: (BuiltState | undefined)[] = [];
  beforeAll(async () => {
    [then, now] = [await buildState(THEN), await buildState(NOW)];
    return () => Promise.all([then?.close(), now?.close()]);
  });

  const read = async (sent: Record<string, string>, days = DAYS) => {
    const { rows, totals } = await compareStates(then, now, 'changes', { ...WINDOW, measures: BUDGETS, ...sent }, days);
    return { rows: rows.map(({ measure, ...row }) => [measure, told(row)]), totals };
  };

  it('takes the use over the whole life apart, beyond the window', async () => {
    const { rows } = await read({ group_by: 'project', project_id: '501' });
    const row = { project_id: 501, project: 'Project 501' };
    expect(rows).toEqual([
      ['budget_total', { ...row, value_then: '100', value_now: '120', difference: '20', budget: '20' }],
      ['budget_used', { ...row, value_then: '14', value_now: '12', difference: '-2', hours: '-2' }],
      ['budget_remaining', { ...row, value_then: '86', value_now: '108', difference: '22', hours: '2', budget: '20' }],
      ['budget_forecast', { ...row, value_then: '38', value_now: '44', difference: '6', hours: '-2', new: '8' }],
      ['budget_used_percent', { ...row, value_then: '14', value_now: '10', difference: '-4' }],
    ]);
  });

  it('tells what the later cutoff uses up', async () => {
    const days = { ...DAYS, cutoffNow: '2026-04-03' };
    const { rows } = await read({ group_by: 'project', project_id: '501', measures: 'budget_used' }, days);
    expect(rows[0]?.[1]).toMatchObject({ value_now: '14', hours: '-2', cutoff: '2' });
  });

  it('gives a budget that comes all that its lines use, and one of another unit no cause', async () => {
    const { rows } = await read({ group_by: 'project', project_id: '503,504', measures: 'budget_used' });
    expect(rows).toEqual([
      ['budget_used', { project_id: 503, project: 'Project 503', value_now: '5', budget: '5' }],
      ['budget_used', { project_id: 504, project: 'Project 504', value_then: '7', value_now: '700' }],
    ]);
  });

  it('moves a budget to a row whose lines name it now', async () => {
    const { rows } = await read({ group_by: 'person', project_id: '502', measures: 'budget_used,budget_total' });
    const [ana, ben] = [
      { people_id: 101, person: 'Ana' },
      { people_id: 102, person: 'Ben' },
    ];
    expect(rows).toEqual([
      ['budget_used', { ...ana, value_then: '400', value_now: '700', difference: '300', late: '300' }],
      ['budget_total', { ...ana, value_then: '5000', value_now: '5000' }],
      ['budget_used', { ...ben, value_now: '700', late: '300', moved: '400' }],
      ['budget_total', { ...ben, value_now: '5000', moved: '5000' }],
    ]);
  });

  it('leaves totals of several units without causes, as without a value', async () => {
    const { totals } = await read({ group_by: 'project', measures: 'budget_total' });
    expect(totals[0]).toMatchObject({ value_now: null, difference: null, budget: null });
  });

  const lines = async (sent: Record<string, string>, days = DAYS) => {
    const answer = await compareStates(then, now, 'changed-lines', { ...WINDOW, ...sent }, days);
    const shown = ['line_id_now', 'causes', 'amount_then', 'amount_now', 'contribution'];
    const { table, rows } = answer;
    const total = table.totals?.[table.columns.findIndex(({ name }) => name === 'contribution')];
    const unit = table.columns.find(({ name }) => name === 'contribution')?.unit;
    return { rows: rows.map((row) => shown.map((name) => row[name])), notes: table.meta.notes, total, unit };
  };

  it('X8: lists the lines that use a budget, over its whole life and in its unit', async () => {
    expect(await lines({ project_id: '501', measure: 'budget_used' })).toEqual({
      rows: [['a:2', 'hours', '6', '4', '-2']],
      notes: [],
      total: '-2.0000',
      unit: 'hours',
    });
    const remaining = await lines({ project_id: '501', measure: 'budget_remaining' });
    expect(remaining).toMatchObject({
      rows: [['a:2', 'hours', '-6', '-4', '2']],
      notes: [
        'Budgets that have changed, come or gone are 20.00 h of the difference, by the cause budget; no line is behind that.',
      ],
    });
    const forecast = await lines({ project_id: '501', measure: 'budget_forecast' });
    expect(forecast.rows).toEqual([
      ['a:2', 'hours', '6', '4', '-2'],
      ['s:1:101:2026-04-09', 'new', null, '8', '8'],
    ]);
    const fees = await lines({ project_id: '502', measure: 'budget_used' });
    expect(fees).toEqual({ rows: [['a:6', 'late', null, '300', '300']], notes: [], total: '300.0000', unit: 'money' });
  });

  it('X8: lists what the later cutoff uses up, of budgets that have come, too', async () => {
    const days = { ...DAYS, cutoffNow: '2026-04-03' };
    const { rows } = await lines({ project_id: '501,503', measure: 'budget_used' }, days);
    expect(rows).toEqual([
      ['a:2', 'hours', '6', '4', '-2'],
      ['a:7', 'cutoff', null, '2', '2'],
    ]);
    const earlier = { ...DAYS, cutoffDate: '2026-02-28' };
    expect(await lines({ project_id: '503', measure: 'budget_used' }, earlier)).toMatchObject({
      rows: [['a:4', 'cutoff', null, '5', '5']],
      notes: [],
    });
  });

  it('X8: says what whole budgets do without a line', async () => {
    expect(await lines({ project_id: '503', measure: 'budget_used' })).toMatchObject({
      rows: [],
      notes: [expect.stringContaining('are 5.00 h of the difference, by the cause budget')],
    });
    const ben = { people_id: '102', measure: 'budget_used', group_by: 'person' };
    expect(await lines({ ...ben, project_id: '502' })).toMatchObject({
      rows: [['a:6', 'late', null, '300', '300']],
      notes: [
        'Budgets that enter or leave these filters as a whole are 400.00 USD of the difference, by the cause moved; no line is behind that.',
      ],
    });
    expect((await lines({ ...ben, project_id: '502', cause: 'late' })).notes).toEqual([]);
  });

  it('X8: refuses budgets in several units, and what is no use of a budget', async () => {
    await expect(lines({ measure: 'budget_used' })).rejects.toMatchObject({
      message: "measure: budget_used is of budgets in hours and of budgets in money, which don't add up",
      code: 'usage',
    });
    await expect(lines({ measure: 'budget_total' })).rejects.toThrow(
      'measure: budget_total is what budgets are, and not their use, so no line is a part of its difference',
    );
    await expect(lines({ measure: 'budget_used_percent' })).rejects.toThrow('budget_used_percent is no sum of lines');
  });
});
