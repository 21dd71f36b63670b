// @module-tag slow
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RowInsights } from '../../src/numbers/report/catalogue/table.ts';
import { type Company, openCompany } from '../sql/company.ts';

const [WAITS, WHOLE, PHASES, LOSES, EXPENSES, HOURS] = [1, 2, 3, 4, 5, 6];

const fixed = { budget_type: 2, budget_total: '10000' };

const PROJECTS = [
  { project_id: WAITS, name: 'Waits', ...fixed },
  { project_id: WHOLE, name: 'Whole', ...fixed },
  { project_id: PHASES, name: 'Phases', budget_type: 2, budget_priority: 1 },
  { project_id: LOSES, name: 'Loses', ...fixed },
  { project_id: EXPENSES, name: 'Expenses', ...fixed },
  { project_id: HOURS, name: 'Hours', ...fixed },
];

const log = (project_id: number, date: string, days: number, more: object = {}) =>
  Array.from({ length: days }, (_, index) => ({
    ...{ project_id, people_id: index + 1, date, hours: 12 },
    ...more,
  }));

const LOGGED = [
  ...log(WAITS, '2026-03-20', 2),
  ...log(WAITS, '2026-04-20', 10),
  ...log(WHOLE, '2026-04-20', 10),
  ...log(PHASES, '2026-03-31', 1, { phase_id: 31 }),
  ...log(PHASES, '2026-04-01', 2, { phase_id: 31 }),
  ...log(PHASES, '2026-05-01', 3, { phase_id: 32 }),
  ...log(PHASES, '2026-05-01', 1, { phase_id: 33 }),
  ...log(LOSES, '2026-03-20', 9),
  ...log(LOSES, '2026-04-20', 1),
  ...log(EXPENSES, '2026-04-20', 1),
  ...log(HOURS, '2026-04-20', 10),
];

const PROGRESS = [
  { project_id: WAITS, date: '2026-02-28', percent: 10 },
  { project_id: WAITS, date: '2026-03-31', percent: 40 },
  { project_id: WHOLE, date: '2026-03-31', percent: 100 },
  { project_id: PHASES, phase_id: 31, date: '2026-03-31', percent: 10 },
  { project_id: PHASES, phase_id: 32, date: '2026-04-30', percent: 10 },
  { project_id: LOSES, date: '2026-03-31', percent: 10 },
  { project_id: EXPENSES, date: '2026-03-31', percent: 10 },
];

let company: Company;

beforeAll(async () => {
  company = await openCompany({
    settings: { currency: 'EUR' },
    people: Array.from({ length: 10 }, (_, index) => ({
      people_id: index + 1,
      cost_rate: '70',
      default_hourly_rate: '100',
    })),
    projects: PROJECTS,
    phases: [31, 32, 33].map((phase_id) => ({
      phase_id,
      project_id: PHASES,
      budget_total: phase_id === 33 ? null : '5000',
    })),
    logged_time: LOGGED.map((line, id) => ({ logged_time_id: String(id), ...line })),
    project_expenses: [{ project_expense_id: 1, project_id: EXPENSES, date: '2026-04-21', cost: '500', billable: 1 }],
    progress: PROGRESS.map((entry, id) => ({ progress_id: id + 1, ...entry })),
  });
});

afterAll(() => company.close());

const WINDOW = { start_date: '2026-03-01', end_date: '2026-06-30', cutoff_date: '2026-05-31' };

async function tell(id: number, sent: Readonly<Record<string, string>> = {}, seesRates = true, report = 'projects') {
  const parameters = { ...WINDOW, project_id: String(id), insights: '1', ...sent };
  const { told } = await company.report(report, parameters, { seesRates });
  return told.flatMap((row) => (row as RowInsights).insights);
}

const textsOf = (told: Awaited<ReturnType<typeof tell>>, ...rules: string[]) =>
  told.filter(({ rule }) => rules.includes(rule)).map(({ text }) => text);

test('K6: work since the latest entry of progress earns nothing yet, and is no loss', async () => {
  const said = await tell(WAITS);
  expect(textsOf(said, 'progress_missing', 'loss')).toEqual([
    'No progress since 31 March 2026: 120.00 h and 8,400.00 EUR of cost earn nothing yet.',
  ]);
  const { numbers = [] } = said.find(({ rule }) => rule === 'progress_missing') ?? {};
  const sums = numbers.slice(1).map(async ({ query }) => {
    const asked = Object.fromEntries(new URLSearchParams(query?.split('?')[1]));
    return (await company.report('lines', asked)).totals?.['contribution'];
  });
  expect(await Promise.all(sums)).toEqual(['120', '8400']);
});

test('readers without the scope rates see the hours', async () => {
  expect(textsOf(await tell(WAITS, {}, false), 'progress_missing')).toEqual([
    'No progress since 31 March 2026: 120.00 h earn nothing yet.',
  ]);
});

test('it is of the window, and of the entries up to the cutoff', { tags: ['slow'] }, async () => {
  expect(textsOf(await tell(WAITS, { end_date: '2026-04-10' }), 'progress_missing')).toEqual([]);
  expect(textsOf(await tell(WAITS, { cutoff_date: '2026-03-30' }), 'progress_missing')).toEqual([
    'No progress since 28 February 2026: 24.00 h and 1,680.00 EUR of cost earn nothing yet.',
  ]);
});

test('after an entry of 100 % nothing waits: what is worked then is lost', async () => {
  expect(textsOf(await tell(WHOLE, { start_date: '2026-04-01' }), 'progress_missing', 'loss')).toEqual([
    'Loses 8,400.00 EUR: 0.00 EUR is earned, 8,400.00 of labour and 0.00 of expenses is spent.',
  ]);
  expect(textsOf(await tell(HOURS), 'progress_missing')).toEqual([]);
});

test('a project tells of all its fees, a phase of its own', { tags: ['slow'] }, async () => {
  expect(textsOf(await tell(PHASES), 'progress_missing')).toEqual([
    'No progress of 2 fixed fees since 31 March 2026 or later: 60.00 h and 4,200.00 EUR of cost earn nothing yet.',
  ]);
  expect(textsOf(await tell(PHASES, {}, true, 'phases'), 'progress_missing')).toEqual([
    'No progress since 31 March 2026: 24.00 h and 1,680.00 EUR of cost earn nothing yet.',
    'No progress since 30 April 2026: 36.00 h and 2,520.00 EUR of cost earn nothing yet.',
  ]);
});

test('a loss is said of what is settled', async () => {
  expect(textsOf(await tell(LOSES), 'loss', 'progress_missing')).toEqual([
    'Loses 6,560.00 EUR without what is spent since the latest progress: 1,000.00 EUR is earned.',
    'No progress since 31 March 2026: 12.00 h and 840.00 EUR of cost earn nothing yet.',
  ]);
});

test('expenses of the fee wait, too', async () => {
  expect(textsOf(await tell(EXPENSES), 'progress_missing', 'loss')).toEqual([
    'No progress since 31 March 2026: 12.00 h and 1,340.00 EUR of cost earn nothing yet.',
  ]);
});
