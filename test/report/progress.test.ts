import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Company, openCompany, type Records, type Row } from '../sql/company.ts';

/** A project that earns a fixed fee by entered progress. */
interface Case {
  readonly project?: object;
  readonly entries: readonly (readonly [day: string, progress: object | number])[];
  /** Logged hours, each of a day. */
  readonly logged?: readonly (readonly [day: string, hours: number])[];
  /** Ten hours that are scheduled on each of these days. */
  readonly planned?: readonly string[];
  readonly expenses?: readonly (readonly [day: string, cost: string])[];
}

const UNTIL_JUNE = { start_date: '2025-03-03', end_date: '2025-06-30' };

const IN_TWO_MONTHS = [
  ['2025-03-10', 10],
  ['2025-03-20', 20],
  ['2025-04-10', 5],
] as const;

const CASES = {
  falls: {
    entries: [
      ['2025-03-31', 40],
      ['2025-04-30', 35],
    ],
    logged: IN_TWO_MONTHS,
  },
  'falls without work': {
    entries: [
      ['2025-03-31', 40],
      ['2025-04-30', 35],
    ],
  },
  'in a month': {
    entries: [
      ['2025-03-10', 10],
      ['2025-03-14', 25],
    ],
    logged: [
      ['2025-03-10', 1],
      ['2025-03-11', 1],
      ['2025-03-12', 2],
      ['2025-03-17', 8],
    ],
  },
  'two of a day': {
    entries: [
      ['2025-03-31', 10],
      ['2025-03-31', 50],
    ],
  },
  'remaining hours': {
    entries: [
      ['2025-03-31', { remaining_hours: 70 }],
      ['2025-04-30', { remaining_hours: '0' }],
    ],
    logged: IN_TWO_MONTHS,
  },
  ended: {
    project: UNTIL_JUNE,
    entries: [
      ['2025-03-31', 40],
      ['2025-05-31', 60],
    ],
    logged: [...IN_TWO_MONTHS, ['2025-06-16', 8]],
  },
  'not ended': {
    project: UNTIL_JUNE,
    entries: [
      ['2025-03-31', 40],
      ['2025-06-30', 60],
    ],
    logged: IN_TWO_MONTHS,
  },
  'completed early': {
    project: { ...UNTIL_JUNE, status: 3, completed_on: '2025-04-15' },
    entries: [
      ['2025-03-31', 40],
      ['2025-05-31', 60],
    ],
    logged: IN_TWO_MONTHS,
  },
  'work left': {
    project: UNTIL_JUNE,
    entries: [['2025-03-31', 40]],
    logged: IN_TWO_MONTHS,
    planned: ['2025-05-05', '2025-05-06', '2025-05-07'],
  },
  'expenses inside': { entries: [['2025-03-31', 40]], logged: IN_TWO_MONTHS, expenses: [['2025-03-12', '300']] },
  evenly: {
    project: { ...UNTIL_JUNE, recognise: 'done' },
    entries: [['2025-03-31', 40]],
  },
  capped: { project: { contract: 'capped' }, entries: [['2025-03-31', 40]], logged: IN_TWO_MONTHS },
  canceled: { project: { status: 4 }, entries: [['2025-03-31', 40]], logged: IN_TWO_MONTHS },
  'halves of a cent': {
    project: { budget_total: '1' },
    entries: [['2025-03-31', 50]],
    logged: [
      ['2025-03-10', 10],
      ['2025-04-10', 10],
    ],
    planned: ['2025-05-05', '2025-05-06', '2025-05-07', '2025-05-08'],
  },
} satisfies Record<string, Case>;

type Name = keyof typeof CASES;

const NAMES = Object.keys(CASES) as Name[];
const idOf = (name: Name): number => NAMES.indexOf(name) + 1;

function makeCompany(): Records {
  const each = <Part>(list: (part: Case) => readonly Part[], make: (item: Part, id: number) => object) =>
    NAMES.flatMap((name) =>
      list(CASES[name]).map((item, index) => ({ project_id: idOf(name), ...make(item, idOf(name) * 100 + index) })),
    );
  return {
    settings: { currency: 'EUR' },
    people: [{ people_id: 1, name: 'Ana', cost_rate: '50' }],
    projects: NAMES.map((name) => ({
      ...{ project_id: idOf(name), name, contract: 'fixed', budget_total: '10000', default_hourly_rate: '100' },
      ...(CASES[name] as Case).project,
    })),
    progress: each(
      ({ entries }) => entries,
      ([date, progress], progress_id) => ({
        ...{ progress_id, date },
        ...(typeof progress === 'number' ? { percent: progress } : progress),
      }),
    ),
    logged_time: each(
      ({ logged = [] }) => logged,
      ([date, hours], id) => ({ logged_time_id: String(id), people_id: 1, date, hours }),
    ),
    tasks: each(
      ({ planned = [] }) => planned,
      (day, task_id) => ({ task_id, people_id: 1, start_date: day, end_date: day, hours: 10 }),
    ),
    project_expenses: each(
      ({ expenses = [] }) => expenses,
      ([date, cost], id) => ({ project_expense_id: id, name: 'Train', date, cost, billable: 1 }),
    ),
  };
}

let company: Company;

beforeAll(async () => {
  company = await openCompany(makeCompany());
});

afterAll(() => company.close());

interface Asked {
  readonly measure?: string;
  readonly cutoff?: string;
  readonly by?: string;
}

/** Returns the values of a measure of a project by `by`, e.g. `2025-03-01: 4000`. */
async function earn(name: Name, { measure = 'actual_revenue', cutoff = '2025-07-31', by = 'month' }: Asked = {}) {
  const { rows } = await company.report('pivot', {
    ...{ start_date: '2025-01-01', end_date: '2025-12-31', cutoff_date: cutoff },
    ...{ group_by: by, measures: measure, project_id: String(idOf(name)) },
  });
  return rows.filter((row) => row[measure] !== '0').map((row: Row) => `${row[by]}: ${row[measure]}`);
}

test('G2: the lines up to an entry share what it earns, by hours; progress may fall', async () => {
  expect(await earn('falls')).toEqual(['2025-03-01: 4000', '2025-04-01: -500']);
  const days = ['2025-03-10: 1333.33', '2025-03-20: 2666.67', '2025-04-10: -500'];
  expect(await earn('falls', { by: 'day' })).toEqual(days);
});

test('G2: without hours an entry earns on its day', async () => {
  expect(await earn('falls without work', { by: 'day' })).toEqual(['2025-03-31: 4000', '2025-04-30: -500']);
});

test('G2: entries within a month divide it, after the latest one nothing is earned', async () => {
  const days = ['2025-03-10: 1000', '2025-03-11: 500', '2025-03-12: 1000'];
  expect(await earn('in a month', { by: 'day' })).toEqual(days);
  expect(await earn('in a month')).toEqual(['2025-03-01: 2500']);
  // An entry after the cutoff does not count.
  expect(await earn('in a month', { by: 'day', cutoff: '2025-03-13' })).toEqual(['2025-03-10: 1000']);
});

test('12.4: of two entries of one day the later id holds', async () => {
  expect(await earn('two of a day', { by: 'day' })).toEqual(['2025-03-31: 5000']);
});

test('G2: what remains says the progress together with the hours up to the day', async () => {
  expect(await earn('remaining hours')).toEqual(['2025-03-01: 3000', '2025-04-01: 7000']);
});

test('K3: the end is an entry of 100 % on its day', async () => {
  expect(await earn('ended', { by: 'day' })).toEqual([
    ...['2025-03-10: 1333.33', '2025-03-20: 2666.67', '2025-04-10: 2000', '2025-06-16: 4000'],
  ]);
  expect(await earn('completed early', { by: 'day' })).toEqual([
    ...['2025-03-10: 1333.33', '2025-03-20: 2666.67', '2025-04-10: 6000'],
  ]);
});

test('K3: a place with an entry below 100 % on its last day has not ended', async () => {
  expect(await earn('not ended')).toEqual(['2025-03-01: 4000', '2025-04-01: 2000']);
});

test('K5: in the forecast the rest is shared by the work that is left to do', async () => {
  const forecast = { measure: 'forecast_revenue', cutoff: '2025-04-30' };
  expect(await earn('work left', { cutoff: '2025-04-30' })).toEqual(['2025-03-01: 4000']);
  expect(await earn('work left', forecast)).toEqual(['2025-03-01: 4000', '2025-05-01: 6000']);
  expect(await earn('work left', { ...forecast, by: 'day' })).toContain('2025-05-06: 2000');
  // Without work to do it stands on an end that is to come, else nowhere.
  expect(await earn('ended', forecast)).toEqual(['2025-03-01: 4000', '2025-06-01: 6000']);
  expect(await earn('falls', forecast)).toEqual(['2025-03-01: 4000', '2025-04-01: -500']);
});

test('G2: work after the latest entry has no share in the rest', async () => {
  const forecast = await earn('halves of a cent', { measure: 'forecast_revenue', cutoff: '2025-04-30', by: 'day' });
  expect(forecast).toEqual([
    '2025-03-10: 0.5',
    ...['2025-05-05: 0.13', '2025-05-06: 0.12', '2025-05-07: 0.13', '2025-05-08: 0.12'],
  ]);
});

test('K5: what only done work earns is 0 in the plan, and not unknown', async () => {
  const { rows } = await company.report('pivot', {
    ...{ start_date: '2025-06-01', end_date: '2025-06-30', cutoff_date: '2025-07-31', status: 'draft' },
    ...{ group_by: 'project', measures: 'scheduled_revenue,actual_revenue', project_id: String(idOf('evenly')) },
  });
  expect(rows.map((row) => [row['scheduled_revenue'], row['actual_revenue']])).toEqual([['0', '10000']]);
});

test('K5: the plan ignores entries', async () => {
  expect(await earn('work left', { measure: 'scheduled_revenue' })).toEqual(['2025-05-01: 10000']);
});

test('K2: with known progress, expenses inside the fee earn nothing', async () => {
  expect(await earn('expenses inside', { by: 'day' })).toEqual(['2025-03-10: 1333.33', '2025-03-20: 2666.67']);
});

test('entries count for fixed fees that are earned by progress alone', async () => {
  expect(await earn('evenly', { by: 'day' })).toEqual(['2025-06-30: 10000']);
  expect(await earn('capped')).toEqual(['2025-03-01: 3000', '2025-04-01: 500']);
  expect(await earn('canceled')).toEqual(['2025-03-01: 3000', '2025-04-01: 500']);
});

test('the mart of agreed fees has what entries earn', async () => {
  const rows = await company.rows(`
    SELECT line_id, earned_fee FROM marts.agreed_fees WHERE project_id IN (1, 2) ORDER BY date, line_id`);
  expect(rows.map(({ line_id, earned_fee }) => `${line_id}: ${earned_fee}`)).toEqual([
    ...['a:100: 1333.33', 'a:101: 2666.67', 'f:2:0:0:2025-03-31: 4000', 'a:102: -500', 'f:2:0:0:2025-04-30: -500'],
  ]);
});

test('an entry of something that earns no fixed fee by progress is a finding', async () => {
  const { rows } = await company.report('data-quality', { start_date: '2025-01-01', end_date: '2025-12-31' });
  const found = rows.filter(({ check }) => check === 'progress_without_place');
  expect(found.map(({ resource, id, date }) => [resource, id, date])).toEqual([
    ['progress', String(idOf('evenly') * 100), '2025-03-31'],
    ['progress', String(idOf('capped') * 100), '2025-03-31'],
  ]);
});
