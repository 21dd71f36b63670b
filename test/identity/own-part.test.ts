// @module-tag slow
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '../../src/base/database/database.ts';
import type { RuleRows } from '../../src/doors/identity/access.ts';
import { readOwnPart } from '../../src/doors/identity/own-part.ts';
import type { ReaderPart } from '../../src/numbers/report/source/part-views.ts';
import { askAs } from '../report/part-reader.ts';
import { buildCompany } from '../sql/company.ts';

const NOW = new Date('2026-03-31T12:00:00Z');

const person = (people_id: number, name: string, department_id: number, email = `${name}@example.com`) => ({
  ...{ people_id, name, department_id, email, people_type_id: 1, cost_rate: '50.00', start_date: '2026-01-01' },
});

/** More people than statements name one by one. */
const CROWD = Array.from({ length: 501 }, (_, index) => person(1000 + index, `crowd${index}`, 4));

const logged = (people_id: number, project_id: number, hours: number, day: number) => ({
  ...{
    logged_time_id: `${people_id}-${project_id}`,
    people_id,
    project_id,
    hours,
    date: `2026-03-0${day}`,
    billable: 1,
  },
});

/** Ada works on Bridge, which she manages, with Bob; and on Tower, on which Cid works, too. Cid works on Road alone. */
const RECORDS = {
  departments: [
    { department_id: 1, name: 'Delivery', parent_id: null },
    { department_id: 2, name: 'Platform', parent_id: 1 },
    { department_id: 3, name: 'Sales', parent_id: null },
    { department_id: 4, name: 'Crowd', parent_id: null },
  ],
  accounts: [
    { account_id: 31, name: 'Ada', email: 'Ada@Example.com ' },
    { account_id: 32, name: 'Bob', email: 'bob@example.com', department_filter: [1] },
    { account_id: 33, name: 'Nobody', email: 'none@example.com', department_filter: [9] },
    { account_id: 34, name: 'Twin', email: 'twin@example.com', department_filter: [1] },
    { account_id: 35, name: 'Twin', email: 'twin@example.com', department_filter: [3] },
  ],
  people: [
    person(11, 'ada', 1),
    person(12, 'bob', 2),
    person(13, 'cid', 3),
    person(14, 'same', 3, 'cid@example.com'),
    ...CROWD,
  ],
  projects: [
    {
      project_id: 51,
      name: 'Bridge',
      default_hourly_rate: 100,
      project_manager: 31,
      budget_type: 1,
      budget_total: 100,
    },
    // An agreed fee, whose revenue is of all work on the project.
    { project_id: 52, name: 'Tower', project_manager: 32, budget_type: 2, budget_total: 100 },
    { project_id: 53, name: 'Road', project_manager: null, budget_type: 1, budget_total: 100 },
  ],
  logged_time: [
    logged(11, 51, 8, 2),
    logged(12, 51, 4, 3),
    logged(11, 52, 6, 4),
    logged(13, 52, 5, 5),
    logged(13, 53, 3, 6),
    logged(1500, 53, 2, 6),
  ],
};

let database: Database;
beforeAll(async () => {
  database = await buildCompany(RECORDS, NOW);
});
afterAll(() => database.close());

const MARCH = { start_date: '2026-03-01', end_date: '2026-03-31', cutoff_date: '2026-03-31' };

async function ask(report: string, part: ReaderPart | undefined, more: Readonly<Record<string, string>> = {}) {
  return askAs(database, { report, ...MARCH, ...more }, part, NOW);
}

/** Reads the part of somebody, who needs no account. */
async function partOf(email: string | undefined, only: RuleRows | 'all' = 'mine') {
  const rule = { only: only === 'all' ? undefined : only, otherwise: 'all' } as const;
  return (await readOwnPart(database, { ...rule, email })).part;
}

/** Returns the lines of a part, as person and project. */
async function linesOf(part: ReaderPart | undefined): Promise<string[]> {
  const { rows } = await ask('lines', part);
  return rows.map((row) => `${row['person']} ${row['project']}`).sort();
}

it('mine are the lines of the own person, and of the projects that somebody manages (L1)', async () => {
  const part = await partOf('ada@example.com');
  expect(part).toEqual({ mine: { people_id: [11], project_manager: [31] } });
  expect(await linesOf(part)).toEqual(['ada Bridge', 'ada Tower', 'bob Bridge']);
});

it.each([
  ['nobody has', 'eve@example.com'],
  ['two people have', 'cid@example.com'],
  ['two accounts have', 'twin@example.com'],
  ['does not count', undefined],
])('an email that %s has no rows', async (_, email) => {
  const part = await partOf(email);
  expect(await linesOf(part)).toEqual([]);
  for (const report of ['people', 'projects', 'timesheets'])
    expect([report, (await ask(report, part, { include_empty: '1' })).rows]).toEqual([report, []]);
});

it('capacity and time off are those of the own person, and no total mixes them with hours of others', async () => {
  const part = await partOf('ada@example.com');
  const columns = { fields: 'name,actual_hours,capacity_hours,days_without_time', include_empty: '1' };
  const { rows, totals, notes } = await ask('people', part, columns);
  const whole = await ask('people', undefined, { ...columns, people_id: '11' });
  expect(rows).toEqual([
    whole.rows[0],
    { ...{ name: 'bob', actual_hours: '4.0000', capacity_hours: null }, days_without_time: null },
  ]);
  expect(whole.rows[0]?.['capacity_hours']).toBe('176.0000');
  expect(totals).toMatchObject({ actual_hours: '18.0000', capacity_hours: null });
  expect(notes.join()).toContain('blank for all people but you');
  const alone = await ask('people', part, { ...columns, project_id: '52' });
  expect(alone.totals).toMatchObject({ actual_hours: '6.0000', capacity_hours: '176.0000' });
});

it('a part of many people has their lines alone', async () => {
  expect(await linesOf({ department_id: [4] })).toEqual(['crowd500 Road']);
  expect(await linesOf({ department_id: [4], project_id: [51] })).toEqual([]);
});

it('what is a whole project is that of the managed ones', async () => {
  const part = await partOf('ada@example.com');
  const { rows } = await ask('projects', part, { fields: 'name,actual_hours,budget_used', include_empty: '1' });
  expect(rows).toEqual([
    { name: 'Bridge', actual_hours: '12.0000', budget_used: '12.0000' },
    { name: 'Tower', actual_hours: '6.0000', budget_used: null },
  ]);
});

it('the days behind a capacity are blank in a row with time of others', async () => {
  const part = await partOf('ada@example.com');
  const days = async (more: Readonly<Record<string, string>>) => {
    const { rows } = await ask('lines', part, { measure: 'capacity_hours', fields: 'person,contribution', ...more });
    return [...new Set(rows.map((row) => `${row['person']} ${row['contribution']}`))];
  };
  expect(await days({ project_id: '52' })).toEqual(['ada 8.0000']);
  expect(await days({ project_id: '51' })).toEqual(['ada null']);
});

it.each([
  ['of another person', 'capacity_hours', { people_id: '12' }, null],
  ['of the own person', 'capacity_hours', { people_id: '11' }, '176.0000'],
  ['of another project', 'budget_used', { project_id: '52' }, null],
  ['of a managed project', 'budget_used', { project_id: '51' }, '12.0000'],
])('the lines behind a number %s add up to it, also where there are none: %s', async (_, measure, row, sum) => {
  const part = await partOf('ada@example.com');
  const { totals } = await ask('lines', part, { measure, ...row });
  expect(totals?.['contribution']).toBe(sum);
});

it.each(['capacity_hours', 'balance_hours', 'missing_hours', 'missing_cost', 'missing_revenue', 'days_without_time'])(
  'no line is behind %s for a reader of a client, and their sum is blank',
  async (measure) => {
    const { totals } = await ask('lines', { project_id: [53] }, { measure });
    expect(totals?.['contribution']).toBeNull();
  },
);

it.each([
  { group_by: 'project', measures: 'earned_revenue,fees_beyond_budget,missing_hours,missing_revenue' },
  { group_by: 'person', measures: 'earned_revenue,missing_hours' },
  { group_by: 'person,project', measures: 'earned_revenue,missing_hours,missing_revenue', subtotals: '1' },
  { group_by: 'person,project', measures: 'earned_revenue,missing_hours', columns: 'month' },
])('rows that are seen whole stand beside blank sums: %j', async (grouping) => {
  const part = await partOf('ada@example.com');
  const { rows, totals } = await ask('pivot', part, grouping);
  expect(rows.some((row) => Number(row['earned_revenue']) > 0)).toBe(true);
  expect(totals).toMatchObject({ earned_revenue: null, missing_hours: null });
});

it('the department_filter of an account limits every rule, with the departments below', {
  tags: ['slow'],
}, async () => {
  const part = await partOf('bob@example.com', 'all');
  expect(part).toEqual({ accounts: [[1]] });
  expect(await linesOf(part)).toEqual(['ada Bridge', 'ada Tower', 'bob Bridge']);
  expect(await linesOf(await partOf('bob@example.com', { department_id: [3] }))).toEqual([]);
  expect(await linesOf(await partOf('bob@example.com', { department_id: [2] }))).toEqual(['bob Bridge']);
  expect(await linesOf(await partOf('bob@example.com'))).toEqual(['ada Tower', 'bob Bridge']);
  expect(await linesOf(await partOf('none@example.com', 'all'))).toEqual([]);
  expect(await linesOf(await partOf('twin@example.com', 'all'))).toEqual([]);
  expect(await partOf('ada@example.com', 'all')).toBeUndefined();
});

it('a reader of the own part is told its names', async () => {
  expect((await ask('projects', await partOf('ada@example.com'))).part).toEqual(['ada', 'Ada']);
  expect((await ask('projects', await partOf('eve@example.com'))).part).toEqual([]);
  expect((await ask('projects', await partOf('bob@example.com', 'all'))).part).toEqual(['Delivery']);
});
