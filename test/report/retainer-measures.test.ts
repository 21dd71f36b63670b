import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../src/base/database/database.ts';
import { hideRates } from '../../src/numbers/report/catalogue/rates.ts';
import { explainNumber } from '../../src/numbers/report/explain/explain-number.ts';
import { parseNumberQuery } from '../../src/numbers/report/request/number.ts';
import { readCompany } from '../../src/numbers/report/source/read-company.ts';
import { buildCompany, type Company, catalogue, companyOf, type Row } from '../sql/company.ts';

const HOURS = [
  ...['retainer_opened', 'retainer_rolled', 'retainer_used', 'retainer_lapsed', 'retainer_balance', 'retainer_beyond'],
  ...['retainer_used_percent', 'forecast_retainer_used', 'forecast_retainer_balance', 'forecast_retainer_beyond'],
];

/** Retainers of 40 hours from September on: of a project with debts, of another whose surplus lasts a period, and of a phase that keeps nothing. */
const retainer = (retainer_id: number, words: object) => ({
  ...{ retainer_id, project_id: retainer_id, start_date: '2025-09-01', amounts: [{ amount: 40 }], ...words },
});

/** Hours by project, phase and day, each of at most 24. */
const WORK: readonly (readonly [project: number, phase: number, date: string, hours: number])[] = [
  [1, 0, '2025-09-10', 15],
  [1, 0, '2025-09-11', 15],
  [1, 0, '2025-10-08', 20],
  [1, 0, '2025-10-09', 20],
  [1, 0, '2025-10-10', 20],
  [2, 0, '2025-09-10', 15],
  [2, 0, '2025-09-11', 15],
  [2, 0, '2025-10-08', 15],
  [2, 0, '2025-10-09', 10],
  [3, 31, '2025-09-10', 15],
  [3, 31, '2025-09-11', 15],
  [3, 31, '2025-09-12', 15],
  [3, 32, '2025-09-12', 4],
];

let database: Database;
let company: Company;
beforeAll(async () => {
  database = await buildCompany({
    settings: { currency: 'EUR' },
    clients: [{ client_id: 1, name: 'Client' }],
    people: [{ people_id: 1, name: 'Ana', default_hourly_rate: '100' }],
    projects: [1, 2, 3, 4, 5].map((project_id) => ({
      ...{ project_id, name: `Project ${project_id}`, client_id: project_id < 4 ? 1 : null, tags: ['a', 'b'] },
    })),
    phases: [31, 32].map((phase_id) => ({ phase_id, project_id: 3, name: `Phase ${phase_id}` })),
    retainers: [
      retainer(1, { rollover: 'both' }),
      retainer(2, { rollover: 'surplus', expires_after: 1 }),
      retainer(3, { phase_id: 31 }),
      // It holds fees, and no work uses it.
      retainer(4, { unit: 'fee', start_date: '2025-10-01', amounts: [{ amount: 900 }] }),
    ],
    logged_time: WORK.map(([project_id, phase_id, date, hours], index) => ({
      ...{ logged_time_id: `l${index}`, people_id: 1, project_id, phase_id, date, hours },
    })),
    tasks: [{ task_id: 1, project_id: 1, people_id: 1, hours: 8, start_date: '2025-11-05', end_date: '2025-11-06' }],
  });
  company = companyOf(database);
});
afterAll(() => company.close());

const AUTUMN = { start_date: '2025-09-01', end_date: '2025-11-30', cutoff_date: '2025-10-31' };

async function read(group_by: string, sent: Readonly<Record<string, string>> = {}) {
  return company.report('pivot', { ...AUTUMN, measures: HOURS.join(','), group_by, ...sent });
}

/** Returns the values of a row in one text; - where one is blank. */
const told = (row: Row | undefined, names: readonly string[] = HOURS) =>
  names.map((name) => row?.[name] ?? '-').join(' ');

it('opens, uses and rolls by month, as the periods of the report retainers do (T3)', async () => {
  const { rows } = await read('project,month', { project_id: '1,2,3' });
  expect(rows.map((row) => `${row['project_id']} ${row['month']} ${told(row)}`)).toEqual([
    '1 2025-09-01 40 0 30 0 10 0 75 30 10 0',
    '1 2025-10-01 40 10 60 0 -10 0 120 60 -10 0',
    '1 2025-11-01 - - - - - - - 16 14 0',
    '2 2025-09-01 40 0 30 0 10 0 75 30 10 0',
    // 10 hours of September are used before 15 of its own.
    '2 2025-10-01 40 10 25 0 25 0 50 25 25 0',
    '2 2025-11-01 - - - - - - - 0 40 0',
    '3 2025-09-01 40 0 40 0 0 5 100 40 0 5',
    '3 2025-10-01 40 0 0 40 0 0 0 0 0 0',
    '3 2025-11-01 - - - - - - - 0 0 0',
  ]);
  const { rows: periods } = await company.report('retainers', { start_date: '2025-09-01', end_date: '2025-10-31' });
  const ofPeriods = periods.map(
    (row) => `${row['project_id']} ${row['date']} ${row['opened']} ${row['rolled']} ${row['used']}`,
  );
  expect(ofPeriods.slice(0, 2)).toEqual(['4 2025-10-01 900 0 0', '1 2025-09-01 40 0 30']);
});

it('adds up over projects, and has the balances at both ends of the window', async () => {
  const { rows, totals } = await read('client', { project_id: '1,2,3' });
  expect(rows.map((row) => told(row))).toEqual(['240 0 185 40 15 5 77.08 201 54 5']);
  expect(told(totals)).toBe(told(rows[0]));
  const { rows: october } = await read('project', {
    start_date: '2025-10-15',
    end_date: '2025-10-31',
    project_id: '1',
  });
  expect(told(october[0])).toBe('0 -10 0 0 -10 0 - 0 -10 0');
});

it('tells phases apart, to which the retainer of a project is none', async () => {
  const { rows } = await company.report('phases', {
    ...AUTUMN,
    fields: 'project_id,phase_id,retainer_unit,retainer_used',
  });
  expect(rows.flatMap((row) => (row['retainer_used'] === null ? [] : Object.values(row).join(' ')))).toEqual([
    '3 31 hours 40',
  ]);
});

it('adds no hours to fees, and says so', async () => {
  const { rows, totals, table } = await read('project');
  expect(
    rows.map((row) => `${row['project_id']} ${row['retainer_unit'] ?? '-'} ${row['retainer_balance'] ?? '-'}`),
  ).toEqual([
    '1 hours -10',
    '2 hours 25',
    '3 hours 0',
    // A row of its own, though no line is in the window.
    '4 EUR 0',
  ]);
  expect([totals['retainer_unit'], totals['retainer_balance']]).toEqual([null, null]);
  expect(table.meta.notes.join(' ')).toContain("no total, as retainers of hours and of fees don't add up");
});

it('counts a retainer in each row that its project is in, and once in the total', async () => {
  const { rows, totals } = await read('tag', { project_id: '1' });
  expect(rows.map((row) => `${row['tag']} ${row['retainer_used']}`)).toEqual(['a 90', 'b 90']);
  expect(totals['retainer_used']).toBe('90');
});

it.each(['person', 'role', 'task'])('is blank by %s, with the reason', async (group) => {
  const { rows, totals, table } = await read(group);
  expect([...rows, totals].map((row) => told(row).replaceAll(/[- ]/g, ''))).toEqual([...rows, totals].map(() => ''));
  expect(table.meta.notes.join(' ')).toContain(`blank by ${group}, as retainers are of projects and phases`);
});

it('has subtotals, and periods across', async () => {
  const { table } = await company.report('pivot', {
    ...{ ...AUTUMN, group_by: 'client,project', columns: 'month', subtotals: '1', project_id: '1,2,3' },
    measures: 'retainer_balance,forecast_retainer_balance',
  });
  const names = table.columns.map(({ name }) => name);
  const of = (values: readonly unknown[]) =>
    names.flatMap((name, at) => (/retainer_balance/.test(name) ? [values[at] ?? '-'] : []));
  const [client] = table.subtotals ?? [];
  const balances = [of(client?.values ?? []), of(table.totals ?? [])].map((values) => values.map(String).join(' '));
  expect(balances[0]).toBe(balances[1]);
  expect(balances[0]).toContain('15');
});

describe('a number opens into its allowances (6.1)', () => {
  const listed = async (measure: string, sent: Readonly<Record<string, string>>) => {
    const { rows, totals } = await company.report('lines', { ...AUTUMN, report: 'projects', measure, ...sent });
    return [...rows.map((row) => `${row['line_id']} ${row['contribution']}`), String(totals['contribution'])];
  };

  it('those of the window, and those of all days before the end of a balance', async () => {
    expect(
      await listed('retainer_used', { project_id: '2', period_start: '2025-10-01', period_end: '2025-10-31' }),
    ).toEqual([
      'r:2:2025-09-01:2025-10-08:use 10',
      'r:2:2025-10-01:2025-10-08:use 5',
      'r:2:2025-10-01:2025-10-09:use 10',
      '25',
    ]);
    expect(await listed('retainer_rolled', { project_id: '1', period_start: '2025-10-01' })).toEqual([
      'r:1:2025-09-01:2025-09-01:open 40',
      'r:1:2025-09-01:2025-09-10:use -15',
      'r:1:2025-09-01:2025-09-11:use -15',
      '10',
    ]);
    expect(await listed('retainer_beyond', { project_id: '3' })).toEqual(['r:3:2025-09-01:2025-09-12:beyond 5', '5']);
    expect(await listed('retainer_balance', { project_id: '3', part: 'kind:lapse' })).toEqual([
      'r:3:2025-10-01:2025-10-31:lapse -40',
      '-40',
    ]);
  });

  it('and is explained as what was opened, less what was used and lapsed', async () => {
    const settings = await readCompany(database);
    const explain = (measure: string) =>
      explainNumber(
        { database, company: settings, now: new Date('2025-12-01T12:00:00Z') },
        parseNumberQuery(
          { full: catalogue, withoutRates: hideRates(catalogue) },
          { ...AUTUMN, report: 'projects', project_id: '2', measure },
          { today: '2025-12-01', company: settings },
        ),
      );
    const { value, terms, lines } = await explain('retainer_balance');
    const told = (number: unknown) => String(Number(number));
    expect([told(value), terms.map((term) => `${term.sign} ${term.label} ${told(term.value)}`)]).toEqual([
      '25',
      ['+ Opened 80', '- Used 55', '- Lapsed 0'],
    ]);
    expect(lines).toContain('measure=retainer_balance');
    const percent = await explain('retainer_used_percent');
    expect(percent.ratio.map(({ measure, value: each }) => `${measure.name} ${told(each)}`)).toEqual([
      'retainer_used 55',
      'retainer_opened 80',
      'retainer_rolled 0',
    ]);
  });

  it('nothing where there is no retainer, and 0 where one has no move', async () => {
    expect(await listed('retainer_used', { project_id: '5' })).toEqual(['null']);
    expect(await listed('retainer_used', { project_id: '4' })).toEqual(['0']);
    expect(await listed('retainer_used', { people_id: '1' })).toEqual(['null']);
  });
});
