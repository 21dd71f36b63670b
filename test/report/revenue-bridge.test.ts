import { Decimal } from 'decimal.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Bridge, measuresOfBridge } from '../../src/numbers/report/catalogue/bridges.ts';
import { type Company, openCompany, type Row } from '../sql/company.ts';

const WINDOW = { start_date: '2026-03-01', end_date: '2026-03-31', cutoff_date: '2026-03-31' };

const plan = (task_id: number, project_id: number, hours: number) => ({
  ...{ task_id, project_id, people_id: 1, hours, start_date: '2026-03-02', end_date: '2026-03-03' },
});
const log = (project_id: number, hours: number, date = '2026-03-02', more: object = {}) => ({
  ...{ logged_time_id: `${project_id} ${date}`, people_id: 1, project_id, date, hours },
  ...more,
});

let company: Company;

beforeAll(async () => {
  company = await openCompany({
    settings: { currency: 'EUR' },
    people: [{ people_id: 1, name: 'Ana', cost_rate: '50', default_hourly_rate: '100' }],
    projects: [
      { project_id: 1, name: 'Fixed', budget_type: 2, budget_total: '1000', end_date: '2026-03-31' },
      { project_id: 2, name: 'Capped', contract: 'capped', budget_total: '900' },
      { project_id: 3, name: 'Time' },
      {
        project_id: 4,
        name: 'Evenly',
        budget_type: 2,
        budget_total: '310',
        recognise: 'evenly',
        start_date: '2026-03-01',
        end_date: '2026-03-31',
      },
    ],
    tasks: [plan(1, 1, 4), plan(2, 2, 4), plan(3, 3, 4)],
    logged_time: [log(1, 14), log(2, 12), log(3, 6, '2026-03-02', { billable: 0 }), log(3, 5, '2026-03-04')],
    project_expenses: [{ project_expense_id: 1, project_id: 3, date: '2026-03-05', cost: '70', billable: 1 }],
  });
});

afterAll(() => company.close());

/** Returns the steps of a bridge without the hours beside it. */
const stepsOf = (bridge: Bridge, row: Row | undefined) =>
  measuresOfBridge(bridge)
    .filter((name) => !name.includes('hours'))
    .map((name) => row?.[name]);

test('K5: the bridge of revenue is that of fees, and what contracts change of it', async () => {
  const { rows, totals } = await company.report('projects', { ...WINDOW, bridge: 'revenue' });
  // Plan to date, volume, project mix, role mix, people, unpriced, billability, rate, contract, actual.
  expect(rows.map((row) => [row['name'], ...stepsOf('revenue', row)])).toEqual([
    ['Capped', '800', '400', '0', '0', '0', '0', '0', '0', '-300', '900'],
    ['Evenly', '310', '0', '0', '0', '0', '0', '0', '0', '0', '310'],
    ['Fixed', '1000', '600', '0', '0', '0', '0', '0', '0', '-600', '1000'],
    ['Time', '870', '300', '0', '0', '0', '0', '-600', '0', '0', '570'],
  ]);
  expect(stepsOf('revenue', totals)).toEqual(['2980', '1300', '0', '0', '0', '0', '-600', '0', '-900', '2780']);
});

test('bridges of revenue and profit telescope in every grouping', { tags: ['slow'] }, async () => {
  for (const bridge of ['revenue', 'profit'] as const) {
    for (const group_by of ['project', 'client,month', 'person', 'day', 'project,role,billable']) {
      const { rows, totals } = await company.report('pivot', { ...WINDOW, bridge, group_by });
      for (const row of [...rows, totals]) {
        const [first, ...steps] = stepsOf(bridge, row).map((value) => new Decimal(String(value ?? 0)));
        const last = steps.pop();
        expect(Decimal.sum(first ?? 0, ...steps).toFixed(), `${bridge} by ${group_by}`).toBe(last?.toFixed());
      }
    }
  }
});

test('each step opens its lines', async () => {
  const sent = { ...WINDOW, report: 'projects', project_id: '2', measure: 'revenue_contract_effect' };
  const { totals } = await company.report('lines', sent);
  expect(totals?.['contribution']).toBe('-300');
});

test('readers without the scope rates have it, and people have none', async () => {
  const { rows } = await company.report('projects', { ...WINDOW, bridge: 'revenue' }, { seesRates: false });
  expect(rows).toHaveLength(4);
  await expect(company.report('people', { ...WINDOW, bridge: 'revenue' })).rejects.toThrow('people have no revenue');
});
