import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Company, openCompany, type Row } from './company.ts';

/** A retainer with logged hours, each of a day; and, if given, hours of another day that aren't billable. */
interface Case {
  readonly retainer: object;
  readonly logged?: readonly (readonly [day: string, hours: number])[];
  readonly free?: readonly (readonly [day: string, hours: number])[];
}

const FORTY = { start_date: '2025-09-01', end_date: '2025-12-31', amounts: [{ amount: 40 }] };

const CASES = {
  both: {
    retainer: { ...FORTY, rollover: 'both' },
    logged: [
      ['2025-09-10', 24],
      ['2025-09-11', 6],
      ['2025-10-06', 24],
      ['2025-10-07', 24],
      ['2025-10-08', 12],
    ],
  },
  surplus: {
    retainer: { ...FORTY, rollover: 'surplus', expires_after: 1 },
    logged: [
      ['2025-09-10', 24],
      ['2025-09-11', 6],
      ['2025-10-06', 24],
      ['2025-10-07', 1],
    ],
  },
  none: {
    retainer: FORTY,
    logged: [
      ['2025-09-10', 24],
      ['2025-09-11', 21],
    ],
  },
  deficit: {
    retainer: { ...FORTY, rollover: 'deficit' },
    logged: [
      ['2025-09-10', 24],
      ['2025-09-11', 24],
      ['2025-12-31', 24],
      ['2025-12-30', 24],
    ],
  },
  'by days': {
    retainer: { start_date: '2025-01-15', first: 'by_days', end_date: '2025-02-28', amounts: [{ amount: 40 }] },
  },
  '31 January': { retainer: { start_date: '2025-01-31', end_date: '2025-04-10', amounts: [{ amount: 40 }] } },
  'another amount': {
    retainer: {
      ...{ start_date: '2025-03-01', end_date: '2025-04-30' },
      amounts: [
        { amount: 40 },
        { amount: 50, effective_date: '2025-03-10' },
        { amount: 9, effective_date: '2025-04-01' },
        { amount: 50, effective_date: '2025-04-01' },
      ],
    },
  },
  billable: { retainer: { ...FORTY, end_date: '2025-09-30' }, logged: [['2025-09-10', 3]], free: [['2025-09-11', 5]] },
  all: {
    retainer: { ...FORTY, end_date: '2025-09-30', counts: 'all' },
    logged: [['2025-09-10', 3]],
    free: [['2025-09-11', 5]],
  },
  fees: {
    retainer: { ...FORTY, end_date: '2025-09-30', unit: 'fee', amounts: [{ amount: '1000' }] },
    logged: [
      ['2025-09-10', 3],
      ['2025-09-11', 8],
    ],
  },
  'fiscal quarters': {
    retainer: {
      start_date: '2025-05-15',
      end_date: '2025-11-30',
      every: 'quarter',
      first: 'by_days',
      amounts: [{ amount: 90 }],
    },
  },
} satisfies Record<string, Case>;

type Name = keyof typeof CASES;

const NAMES = Object.keys(CASES) as Name[];
const idOf = (name: Name) => NAMES.indexOf(name) + 1;

let company: Company;
beforeAll(async () => {
  const lines = (of: 'logged' | 'free') =>
    NAMES.flatMap((name) =>
      ((CASES[name] as Case)[of] ?? []).map(([date, hours], index) => ({
        ...{ logged_time_id: `${of}-${idOf(name)}-${index}`, people_id: 1, project_id: idOf(name), date, hours },
        billable: of === 'logged',
      })),
    );
  company = await openCompany({
    settings: { currency: 'EUR', fiscal_year_starts_in: 4 },
    people: [{ people_id: 1, name: 'Ana', default_hourly_rate: '100' }],
    projects: [
      ...NAMES.map((name) => ({ project_id: idOf(name), name })),
      { project_id: 100, name: 'Phases' },
      { project_id: 101, name: 'Open' },
    ],
    phases: [{ phase_id: 1, project_id: 100, name: 'Run', start_date: '2025-09-01', end_date: '2025-12-31' }],
    retainers: [
      ...NAMES.map((name) => ({ retainer_id: idOf(name), project_id: idOf(name), ...CASES[name].retainer })),
      { retainer_id: 100, project_id: 100, ...FORTY },
      { retainer_id: 101, project_id: 100, phase_id: 1, ...FORTY, end_date: '2025-09-30' },
      {
        retainer_id: 102,
        project_id: 101,
        start_date: '2025-09-01',
        every: 'year',
        rollover: 'both',
        amounts: [{ amount: 1 }],
      },
    ],
    logged_time: [
      ...lines('logged'),
      ...lines('free'),
      ...[
        ['2025-09-10', 1, 5],
        ['2025-09-10', 0, 4],
        // The phase has no period any more, and its work uses no lot of the project.
        ['2025-10-10', 1, 3],
      ].map(([date, phase_id, hours]) => ({
        logged_time_id: `${date}-${phase_id}`,
        people_id: 1,
        project_id: 100,
        phase_id,
        date,
        hours,
      })),
    ],
  });
});
afterAll(() => company.close());

/** Returns the allowances of a retainer, as lot, day, kind and amount. */
async function allowances(id: number): Promise<string[]> {
  const rows = await company.rows(
    `SELECT replace(allowance_id, 'r:${id}:', '') AS id, amount FROM marts.allowances WHERE retainer_id = ${id} ORDER BY date, allowance_id`,
  );
  return rows.map((row: Row) => `${row['id']} ${row['amount']}`);
}

/** Returns the balances of a retainer at the ends of days. */
async function balances(name: Name, days: readonly string[]): Promise<unknown[]> {
  const sums = days.map((day) => `SUM(CASE WHEN date <= '${day}' THEN amount END) AS "${day}"`);
  const [row] = await company.rows(`SELECT ${sums.join(', ')} FROM marts.allowances WHERE retainer_id = ${idOf(name)}`);
  return days.map((day) => row?.[day]);
}

it('both: leaves hours over, owes hours that the next lot pays, and lapses at the end', async () => {
  expect(await balances('both', ['2025-09-30', '2025-10-31', '2025-11-01', '2025-12-31'])).toEqual([
    '10',
    '-10',
    '30',
    '0',
  ]);
  expect(await allowances(idOf('both'))).toContain('2025-11-01:2025-10-08:use -10');
});

it('surplus: takes from the oldest lot first, and lets the rest of it lapse', async () => {
  expect(await allowances(idOf('surplus'))).toEqual([
    '2025-09-01:2025-09-01:open 40',
    '2025-09-01:2025-09-10:use -24',
    '2025-09-01:2025-09-11:use -6',
    '2025-10-01:2025-10-01:open 40',
    '2025-09-01:2025-10-06:use -10',
    '2025-10-01:2025-10-06:use -14',
    '2025-10-01:2025-10-07:use -1',
    '2025-11-01:2025-11-01:open 40',
    '2025-10-01:2025-11-30:lapse -25',
    '2025-12-01:2025-12-01:open 40',
    '2025-11-01:2025-12-31:lapse -40',
    '2025-12-01:2025-12-31:lapse -40',
  ]);
});

it('none: uses no more than the period has, and each period lapses', async () => {
  expect((await allowances(idOf('none'))).slice(0, 4)).toEqual([
    '2025-09-01:2025-09-01:open 40',
    '2025-09-01:2025-09-10:use -24',
    '2025-09-01:2025-09-11:use -16',
    '2025-10-01:2025-10-01:open 40',
  ]);
});

it('deficit: owes what the next lot pays, lapses the rest, and has no debt that no lot can pay', async () => {
  expect(await balances('deficit', ['2025-09-30', '2025-10-01', '2025-10-31', '2025-12-30', '2025-12-31'])).toEqual([
    '-8',
    '32',
    '0',
    '16',
    '0',
  ]);
});

it('by_days: a cut period has the part of its days', async () => {
  expect(await allowances(idOf('by days'))).toEqual([
    '2025-01-15:2025-01-15:open 21.935484',
    '2025-01-15:2025-01-31:lapse -21.935484',
    '2025-02-01:2025-02-01:open 40',
    '2025-02-01:2025-02-28:lapse -40',
  ]);
  const opened = (await allowances(idOf('fiscal quarters'))).filter((each) => each.includes('open'));
  expect(opened).toEqual(
    [
      '2025-05-15:2025-05-15:open 46.483516',
      '2025-07-01:2025-07-01:open 90',
      '2025-10-01:2025-10-01:open 59.673913',
    ].map((each) => each),
  );
});

it('whole: begins on the last day of a month that lacks the day', async () => {
  expect((await allowances(idOf('31 January'))).filter((each) => !each.includes('open'))).toEqual([
    '2025-01-31:2025-02-27:lapse -40',
    '2025-02-28:2025-03-30:lapse -40',
    '2025-03-31:2025-04-10:lapse -40',
  ]);
});

it('takes the amount that holds on the first day of the period: of two of one day the later', async () => {
  const opened = (await allowances(idOf('another amount'))).filter((each) => each.includes('open'));
  expect(opened).toEqual(['2025-03-01:2025-03-01:open 40', '2025-04-01:2025-04-01:open 50']);
});

it('counts billable hours, all hours, or fees', async () => {
  const used = async (name: Name) =>
    (await allowances(idOf(name))).filter((each) => each.includes('use')).map((each) => each.split(' ')[1]);
  expect(await used('billable')).toEqual(['-3']);
  expect(await used('all')).toEqual(['-3', '-5']);
  expect(await used('fees')).toEqual(['-300', '-700']);
});

it('lets the work of a phase with a retainer use that one alone', async () => {
  expect((await allowances(100)).filter((each) => each.includes('use'))).toEqual(['2025-09-01:2025-09-10:use -4']);
  expect((await allowances(101)).filter((each) => each.includes('use'))).toEqual(['2025-09-01:2025-09-10:use -5']);
});

it('opens periods up to the end of the year after next where a retainer has no end, and lapses none', async () => {
  const last = new Date().getUTCFullYear() + 2;
  const years = Array.from({ length: last - 2024 }, (_, index) => `${2025 + index}-09-01`);
  expect(await allowances(102)).toEqual(years.map((day) => `${day}:${day}:open 1`));
});
