import { expect, test } from 'vitest';
import { openCompany, pick } from '../sql/company.ts';

const WINDOW = { start_date: '2026-03-01', end_date: '2026-03-31', cutoff_date: '2026-03-31' };
const [HOTEL, REFUND] = [1, 2];

test('A3: a refund takes a fixed markup back, and one that leaves revenue is a finding', {
  tags: ['slow'],
}, async () => {
  const refund = (project_id: number, markup: string) =>
    ['100', '-100'].map((cost, index) => ({
      project_expense_id: project_id * 10 + index,
      project_id,
      date: '2026-03-10',
      cost,
      billable: 1,
      markup_type: 1,
      markup: index === 0 ? '20' : markup,
    }));
  const company = await openCompany({
    projects: [1, 2].map((project_id) => ({ project_id, name: `P${project_id}` })),
    project_expenses: [...refund(1, '-20'), ...refund(2, '20')],
  });
  try {
    const { rows } = await company.report('projects', WINDOW);
    expect(rows.map((row) => Object.values(pick(row, 'expense_cost', 'expense_fees')))).toEqual([
      ['0', '0'],
      ['0', '40'],
    ]);
    const { start_date, end_date } = WINDOW;
    const { rows: found } = await company.report('data-quality', { start_date, end_date });
    expect(found).toMatchObject([{ check: 'credit', resource: 'project_expenses', id: '21', amount_at_risk: '20' }]);
  } finally {
    await company.close();
  }
});

test('A3, 3.3: a credit note lowers cost, fees and what is used of the budget', { tags: ['slow'] }, async () => {
  const company = await openCompany({
    settings: { currency: 'EUR' },
    people: [{ people_id: 1, name: 'Ana', cost_rate: '50' }],
    projects: [
      { project_id: HOTEL, name: 'Hotel', default_hourly_rate: '100', budget_type: 2, budget_total: '1000' },
      { project_id: REFUND, name: 'Refund', budget_type: 2, budget_total: '1000' },
    ],
    logged_time: [{ logged_time_id: 'a', people_id: 1, project_id: HOTEL, date: '2026-03-10', hours: 1 }],
    project_expenses: [
      { project_expense_id: 1, project_id: HOTEL, date: '2026-03-10', cost: '500.00', billable: 1 },
      { project_expense_id: 2, project_id: HOTEL, date: '2026-03-20', cost: '-100.00', billable: 1 },
      { project_expense_id: 3, project_id: REFUND, date: '2026-03-20', cost: '-80', billable: 1, markup: 10 },
    ],
  });
  try {
    const { rows, totals } = await company.report('projects', WINDOW);
    const columns = ['expense_cost', 'expense_fees', 'actual_profit', 'actual_margin_percent'];
    const budget = ['budget_used', 'budget_remaining', 'budget_used_percent'];
    expect(rows.map((row) => Object.values(pick(row, ...columns, ...budget)))).toEqual([
      ['400', '400', '50', '10', '500', '500', '50'],
      ['-80', '-88', '-8', '9.09', '-88', '1088', '-8.8'],
    ]);
    expect(pick(totals, 'expense_cost', 'expense_fees')).toEqual({ expense_cost: '320', expense_fees: '312' });

    const found = await company.report('data-quality', {
      start_date: WINDOW.start_date,
      end_date: WINDOW.end_date,
    });
    expect(found.rows.filter(({ check }) => check === 'credit')).toMatchObject([
      { severity: 'notice', id: String(REFUND), amount_at_risk: '88' },
    ]);
  } finally {
    await company.close();
  }
});
