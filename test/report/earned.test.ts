// @module-tag slow
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { hideRates } from '../../src/numbers/report/catalogue/rates.ts';
import { type Company, catalogue, openCompany, type Row } from '../sql/company.ts';

const WINDOW = { start_date: '2026-03-01', end_date: '2026-03-31', cutoff_date: '2026-03-31' };

/** Returns an allocation of 10 hours on each of some consecutive days. */
const planned = (task_id: number, project_id: number, start_date: string, end_date: string, more: object = {}) => ({
  task_id,
  project_id,
  people_id: 1,
  start_date,
  end_date,
  hours: 10,
  ...more,
});

/** Returns records of 10 logged hours on each of some consecutive days. */
const logged = (project_id: number, month: string, days: number, more: object = {}) =>
  [...Array(days).keys()].map((index) => {
    const date = `${month}-${String(index + 1).padStart(2, '0')}`;
    return { logged_time_id: `${project_id}-${date}`, project_id, people_id: 1, date, hours: 10, ...more };
  });

/** Quay is the first example. Pier has phases and no budget, Mole a fee budget and expenses, Weir a person without rates. */
const RECORDS = {
  settings: { work_days_hours: [10, 10, 10, 10, 10, 10, 10], currency: 'EUR' },
  people: [
    { people_id: 1, name: 'Ana', cost_rate: '60', default_hourly_rate: '100' },
    { people_id: 2, name: 'Ben' },
  ],
  clients: [{ client_id: 1, name: 'Port' }],
  projects: [
    { project_id: 1, name: 'Quay', client_id: 1, budget_type: 1, budget_total: 400 },
    { project_id: 2, name: 'Pier', client_id: 1 },
    { project_id: 3, name: 'Mole', budget_type: 2, budget_total: 9000 },
    { project_id: 4, name: 'Weir' },
    { project_id: 5, name: 'Dock', budget_type: 1, budget_total: 100 },
  ],
  phases: [
    { phase_id: 21, project_id: 2, name: 'Piles', status: 3 },
    { phase_id: 22, project_id: 2, name: 'Deck' },
  ],
  tasks: [
    planned(1, 1, '2026-03-01', '2026-03-20'),
    planned(2, 1, '2026-04-01', '2026-04-26'),
    // 160 h of the completed phase, 40 h more up to the cutoff, 200 h after it.
    planned(3, 2, '2026-02-01', '2026-02-16', { phase_id: 21 }),
    planned(4, 2, '2026-03-01', '2026-03-04', { phase_id: 22 }),
    planned(5, 2, '2026-05-01', '2026-05-20', { phase_id: 22 }),
    // 20 h are not billable.
    planned(6, 3, '2026-03-01', '2026-03-04'),
    planned(7, 3, '2026-03-05', '2026-03-06', { billable: 0 }),
    planned(8, 3, '2026-04-01', '2026-04-02'),
    planned(9, 4, '2026-03-01', '2026-03-02'),
    planned(10, 4, '2026-04-01', '2026-04-02', { people_id: 2 }),
    // Nobody has worked on it, and nothing is left.
    planned(11, 5, '2026-03-01', '2026-03-02'),
  ],
  logged_time: [
    ...logged(1, '2026-03', 18),
    ...logged(2, '2026-02', 17, { phase_id: 21 }),
    ...logged(2, '2026-03', 1, { phase_id: 22, hours: 5 }),
    ...logged(3, '2026-03', 6),
    ...logged(4, '2026-03', 1),
  ],
  project_expenses: [
    { project_expense_id: 1, project_id: 3, name: 'Crane', date: '2026-03-10', cost: 500, billable: 1 },
    { project_expense_id: 2, project_id: 3, name: 'Crane', date: '2026-04-10', cost: 250, billable: 1 },
    { project_expense_id: 3, project_id: 3, name: 'Lunch', date: '2026-03-10', cost: 80, billable: 0 },
  ],
};

const NAMES = [
  'budget_at_completion',
  'budget_source',
  'percent_complete',
  'planned_value',
  'earned_value',
  'actual_to_date',
  'schedule_variance',
  'cost_variance',
  'spi',
  'cpi',
  'eac_plan',
  'eac_budget',
  'eac_cpi',
  'estimate_to_complete',
  'variance_at_completion',
  'tcpi',
];

let company: Company;
beforeAll(async () => {
  company = await openCompany(RECORDS);
});
afterAll(() => company.close());

const read = (name: string, sent: Record<string, string>) => company.report(name, { ...WINDOW, ...sent });
const projects = (more: Record<string, string> = {}) =>
  read('projects', { fields: ['project_id', ...NAMES].join(','), ...more });
const valuesOf = (row: Row | undefined) => NAMES.map((name) => row?.[name] ?? null);

describe('W6: earned value', () => {
  it('in hours, by the work that remains', async () => {
    const { rows, totals } = await projects({ project_id: '1' });
    const expected = [
      ...['400', 'budget', '40.91', '200', '163.6364', '180', '-36.3636', '-16.3636', '0.8182', '0.9091'],
      ...['440', '416.3636', '439.9999', '260', '-40', '1.0744'],
    ];
    expect(valuesOf(rows[0])).toEqual(expected);
    expect(valuesOf(totals)).toEqual(expected);
    expect(rows[0]).toMatchObject({ technique: 'remaining' });
  });
});

describe('earned value', () => {
  it('counts completed allocations and phases of the schedule, in cost', async () => {
    const { rows } = await projects({ project_id: '2', earned_in: 'cost', technique: 'completed' });
    expect(valuesOf(rows[0])).toEqual([
      ...['24000', 'schedule', '40', '12000', '9600', '10500', '-2400', '-900', '0.8', '0.9143'],
      ...['22500', '24900', '26250', '12000', '1500', '1.0667'],
    ]);
    expect(rows[0]).toMatchObject({ technique: 'completed' });
  });

  it('counts billable expenses by their day, in fees', async () => {
    const { rows } = await projects({ project_id: '3', earned_in: 'fees' });
    // 60 h of 80 are billed and done: 75 %. Plan to date 4000 + 500, actual 6000 + 500, left 2000 + 250.
    expect(valuesOf(rows[0])).toEqual([
      ...['9000', 'budget', '75', '4500', '6750', '6500', '2250', '250', '1.5', '1.0385'],
      ...['8750', '8750', '8666.67', '2250', '250', '0.9'],
    ]);
    const cost = await projects({ project_id: '3', earned_in: 'cost' });
    // A fee budget is none of cost, and non-billable hours cost, too.
    expect(valuesOf(cost.rows[0]).slice(0, 6)).toEqual(['4800', 'schedule', '75', '3600', '3600', '3600']);
  });

  it('is unknown while a line of the life lacks the rate', { tags: ['slow'] }, async () => {
    for (const earned_in of ['cost', 'fees']) {
      const { rows, totals } = await projects({ project_id: '4', earned_in });
      const [bac, source, percent, plan, ...rest] = valuesOf(rows[0]);
      expect([source, percent]).toEqual(['schedule', '33.33']);
      expect([bac, plan]).toEqual(earned_in === 'cost' ? ['1200', '1200'] : ['2000', '2000']);
      expect([...new Set(rest)]).toEqual([null]);
      expect([...new Set(valuesOf(totals).slice(4))]).toEqual([null]);
      const all = await projects({ earned_in });
      expect([...new Set(valuesOf(all.totals).slice(4))]).toEqual([null]);
    }
    const { rows } = await projects({ project_id: '4' });
    expect(valuesOf(rows[0]).slice(0, 6)).toEqual(['40', 'schedule', '33.33', '20', '13.3333', '10']);
  });

  it('is nothing of work that neither began nor is left', async () => {
    const { rows, totals } = await projects({ project_id: '5' });
    const expected = [
      ...['100', 'budget', null, '20', null, '0', null, null, null, null],
      ...['0', null, null, '0', '100', null],
    ];
    expect(valuesOf(rows[0])).toEqual(expected);
    expect(valuesOf(totals)).toEqual(expected);
  });

  it('adds up budgets, plan, earned and actual, and makes the rest of the sums', async () => {
    const { totals } = await projects({ project_id: '1,2,5' });
    // Pier: 175 of 375 h done, of 400 h scheduled: 186.6667. Dock, with 100 h and 20 h of plan, has no earned value: it is in the sums alone.
    expect(valuesOf(totals)).toEqual([
      ...['900', 'mixed', '43.79', '420', '350.3031', '355', '-49.6969', '-4.6969', '0.8758', '0.9868'],
      ...['815', '804.6969', '810.7265', '460', '85', '1.0106'],
    ]);
    const { rows } = await read('pivot', { group_by: 'client', client_id: '1', measures: NAMES.join(',') });
    expect(valuesOf(rows[0]).slice(0, 6)).toEqual(['800', 'mixed', '43.79', '400', '350.3031', '355']);
  });

  it('is the same in every period, window and filter, and of phases by themselves', { tags: ['slow'] }, async () => {
    const [whole] = (await projects({ project_id: '2' })).rows;
    const { rows } = await read('projects', {
      start_date: '2026-01-01',
      end_date: '2026-06-30',
      project_id: '2',
      people_id: '1',
      interval: 'month',
      fields: ['project_id', 'period_start', ...NAMES].join(','),
    });
    expect(rows).toHaveLength(3);
    for (const row of rows) expect(valuesOf(row)).toEqual(valuesOf(whole));
    const phases = await read('phases', {
      project_id: '2',
      start_date: '2026-01-01',
      fields: `name,${NAMES.join(',')}`,
    });
    expect(phases.rows.map((row) => [row['name'], ...valuesOf(row).slice(0, 6)])).toEqual([
      ['Deck', '240', 'schedule', '2.44', '40', '5.8537', '5'],
      ['Piles', '160', 'schedule', '100', '160', '160', '170'],
    ]);
  });

  it('stands beside its technique and the source of its budget', async () => {
    const shown = async (name: string, sent: Record<string, string>) =>
      Object.keys((await read(name, { project_id: '1', ...sent })).rows[0] ?? {});
    expect(await shown('projects', { fields: 'name,spi' })).toEqual(['name', 'technique', 'budget_source', 'spi']);
    expect(await shown('pivot', { group_by: 'client', measures: 'actual_hours,technique,cpi' })).toEqual([
      ...['client_id', 'client', 'actual_hours', 'technique', 'budget_source', 'cpi'],
    ]);
    expect(await shown('projects', {})).not.toContain('technique');
  });

  it('is told among the parameters where it is shown', async () => {
    const parameters = async (sent: Record<string, string>) => (await read('projects', sent)).table.meta.parameters;
    expect(await parameters({ fields: 'spi' })).toMatchObject({ earned_in: 'hours', technique: 'remaining' });
    expect(await parameters({})).not.toHaveProperty('technique');
  });

  it('has no periods in columns', async () => {
    const { table } = await read('pivot', {
      group_by: 'project,month',
      columns: 'month',
      measures: 'spi,actual_hours',
    });
    expect(table.columns.map(({ name }) => name).filter((name) => name.startsWith('spi'))).toEqual(['spi']);
  });

  it.each([
    ['earned_in', 'euros', 'earned_in: "euros" is not allowed; give one of hours, cost, fees'],
    ['technique', 'weighted', 'technique: "weighted" is not allowed; give one of remaining, completed'],
  ])('refuses %s=%s', async (name, value, message) => {
    await expect(projects({ [name]: value })).rejects.toThrow(message);
  });

  it('refuses choices that nothing depends on', async () => {
    const idle = read('projects', { technique: 'completed', earned_in: 'fees' });
    await expect(idle).rejects.toThrow('earned_in is about earned value, of which no measure is shown');
    await expect(idle).rejects.toThrow('technique is about earned value, of which no measure is shown');
    await expect(read('people', { technique: 'completed' })).rejects.toThrow('technique is not a parameter of people');
    await expect(read('people', { fields: 'spi' })).rejects.toThrow('fields names "spi"');
  });

  it('in cost needs the scope rates', { tags: ['slow'] }, async () => {
    const sent = { ...WINDOW, fields: 'spi', earned_in: 'cost' };
    const hidden = company.report('projects', sent, { seesRates: false });
    await expect(hidden).rejects.toThrow('earned_in: earned value in cost needs the scope rates');
    const { rows } = await company.report('projects', { ...sent, earned_in: 'hours' }, { seesRates: false });
    expect(rows).toHaveLength(5);
    expect(hideRates(catalogue).parameters.get('earned_in')?.values).toEqual(['hours', 'fees']);
    const { columns } = (await company.report('projects', sent)).table;
    expect(columns.find(({ name }) => name === 'spi')?.needsRates).toBe(true);
  });
});

const SUMS = [
  'budget_at_completion',
  'planned_value',
  'actual_to_date',
  'estimate_to_complete',
  'progress_part',
  'progress_whole',
];

describe('the lines of earned value', () => {
  it.each([
    { project_id: '1,2,5', earned_in: 'hours', technique: 'remaining' },
    { project_id: '2,4', earned_in: 'cost', technique: 'completed' },
    { project_id: '3', earned_in: 'fees', technique: 'completed' },
  ])('add up to its sums: %o', { tags: ['slow'] }, async (sent) => {
    const { totals } = await read('projects', { ...sent, fields: SUMS.join(',') });
    for (const measure of SUMS) {
      const lines = await read('lines', { ...sent, report: 'projects', measure });
      expect(lines.totals['contribution'], measure).toBe(totals[measure]);
    }
  });

  it('are budgets and lines of the whole life', async () => {
    const lines = await read('lines', { report: 'projects', project_id: '1,5', measure: 'budget_at_completion' });
    expect(lines.rows.map(({ line_id, contribution }) => [line_id, contribution])).toEqual([
      ['b:project:1', '400'],
      ['b:project:5', '100'],
    ]);
    const later = await read('lines', { report: 'projects', project_id: '2', measure: 'estimate_to_complete' });
    expect(later.rows).toHaveLength(20);
  });

  it('are not those of a number made of others, nor of a text', async () => {
    const lines = (measure: string) => read('lines', { report: 'projects', project_id: '1', measure });
    await expect(lines('earned_value')).rejects.toThrow(
      'earned_value is made of other measures and no sum of lines: percent_complete, budget_at_completion',
    );
    await expect(lines('tcpi')).rejects.toThrow('tcpi is a ratio and no sum of lines');
    await expect(lines('technique')).rejects.toThrow('measure: "technique" is not one of');
  });
});

describe('E4: an index never divides halves of two projects', () => {
  const HALVES = {
    settings: RECORDS.settings,
    people: RECORDS.people,
    clients: RECORDS.clients,
    projects: [11, 12].map((project_id) => ({
      project_id,
      name: `P${project_id}`,
      client_id: 1,
      budget_type: 1,
      budget_total: 100,
    })),
    tasks: [planned(1, 12, '2026-03-01', '2026-03-04', { status: 3 })],
    logged_time: logged(11, '2026-03', 1),
  };
  let halves: Company;
  beforeAll(async () => {
    halves = await openCompany(HALVES);
  });
  afterAll(() => halves.close());

  const INDEXES = ['earned_value', 'indexed_planned_value', 'indexed_actual_to_date', 'spi', 'cpi', 'tcpi'];
  const readHalves = (name: string, sent: Record<string, string>) =>
    halves.report(name, { ...WINDOW, ...sent, [name === 'pivot' ? 'measures' : 'fields']: INDEXES.join(',') });
  const indexesOf = (row: Row | undefined) => INDEXES.map((name) => row?.[name] ?? null);

  it.each([
    {
      technique: 'completed',
      rows: [
        [null, null, null, null, null, null],
        ['100', '40', '0', '2.5', null, '0'],
      ],
      note: '1 project has no earned value, because nothing is scheduled, and is left out of both sides: AC 10.00 h, PV 0.00 h, BAC 100.00 h.',
    },
    {
      technique: 'remaining',
      rows: [
        ['100', '0', '10', null, '10', '0'],
        [null, null, null, null, null, null],
      ],
      note: '1 project has no earned value, because no work is done or left to do, and is left out of both sides: AC 0.00 h, PV 40.00 h, BAC 100.00 h.',
    },
  ])('in rows and totals: $technique', async ({ technique, rows: expected, note }) => {
    const known = expected.find(([value]) => value !== null);
    const { rows, totals, table } = await readHalves('projects', { technique, interval: 'month' });
    expect(rows.map(indexesOf)).toEqual(expected);
    expect(indexesOf(totals)).toEqual(known);
    expect(table.meta.notes).toEqual([expect.stringMatching(/^Earned value \(EV\), .*TCPI\): /)]);
    expect(table.meta.notes[0]).toContain(note);
    const pivot = await readHalves('pivot', { technique, group_by: 'client,project', subtotals: '1' });
    expect(pivot.rows.map(indexesOf)).toEqual(expected);
    const { columns, subtotals = [] } = pivot.table;
    const places = INDEXES.map((name) => columns.findIndex((column) => column.name === name));
    const numberOf = (value: unknown) => (value === null || value === undefined ? null : Number(value));
    expect(subtotals.map(({ values }) => places.map((place) => numberOf(values[place])))).toEqual([
      known?.map(numberOf),
    ]);
    const { rows: clients } = await readHalves('pivot', { technique, group_by: 'client' });
    expect(clients.map(indexesOf)).toEqual([known]);
  });

  it('says nothing where all have an earned value, nor of other measures', async () => {
    const { table } = await halves.report('projects', { ...WINDOW, project_id: '11', fields: 'spi' });
    expect(table.meta.notes).toEqual([]);
    const sums = await halves.report('projects', { ...WINDOW, fields: 'planned_value,eac_plan' });
    expect(sums.table.meta.notes).toEqual([]);
  });
});

it('3.3.1: a tentative project is not done because its plan is tentative', { tags: ['slow'] }, async () => {
  const own = await openCompany({
    settings: RECORDS.settings,
    people: RECORDS.people,
    projects: [
      { project_id: 1, name: 'Buoy', status: 1 },
      { project_id: 2, name: 'Quay' },
    ],
    tasks: [
      planned(1, 1, '2026-03-01', '2026-03-04', { status: 1 }),
      // Less firm than its project, as the next is.
      planned(2, 1, '2026-04-01', '2026-04-03', { status: 0 }),
      planned(3, 2, '2026-04-01', '2026-04-02', { status: 1 }),
    ],
    logged_time: [1, 2].map((project_id) => ({
      logged_time_id: `${project_id}`,
      project_id,
      people_id: 1,
      date: '2026-02-27',
      hours: 10,
    })),
  });
  onTestFinished(() => own.close());
  const fields = 'percent_complete,budget_at_completion,planned_value,eac_plan';
  const { rows } = await own.report('projects', {
    ...WINDOW,
    start_date: '2026-02-01',
    cutoff_date: '2026-03-02',
    fields,
  });
  expect(rows.map((row) => fields.split(',').map((name) => row[name]))).toEqual([
    ['33.33', '40', '20', '30'],
    ['100', '0', '0', '10'],
  ]);
});
