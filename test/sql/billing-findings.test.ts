import { expect, it } from 'vitest';
import { buildCompany, companyOf, type Records } from './company.ts';

const logged = (id: string, project_id: number, date: string, more: object = {}) => ({
  ...{ logged_time_id: id, people_id: 1, project_id, date, hours: 8 },
  ...more,
});

const line = (
  invoice_line_id: number,
  project_id: number,
  amount: string,
  covers: readonly string[],
  more: object = {},
) => ({
  ...{ invoice_line_id, project_id, amount },
  covers: covers.map((id) => ({ logged_time_id: id })),
  ...more,
});

/** Bills that cover work twice, in vain, of another project or below its value; that are overdue, or credited or invoiced beyond what they are of. */
const RECORDS: Records = {
  settings: { currency: 'EUR' },
  people: [{ people_id: 1, name: 'Ana', default_hourly_rate: '100', cost_rate: '50' }],
  projects: [
    { project_id: 1, name: 'Time' },
    { project_id: 2, name: 'Fixed', budget_type: 2, budget_total: '1000' },
  ],
  logged_time: [
    logged('a', 1, '2026-01-05'),
    logged('b', 1, '2026-01-06'),
    logged('c', 1, '2026-01-07', { billable: 0 }),
    logged('d', 1, '2026-01-08'),
    logged('e', 2, '2026-05-29'),
  ],
  invoices: [
    {
      ...{ invoice_id: 1, number: 'INV-1', issue_date: '2026-02-01', due_date: '2026-03-01' },
      lines: [
        line(1, 1, '800', ['a']),
        line(2, 1, '700', ['a', 'b']),
        line(3, 1, '80', ['c']),
        line(4, 1, '10', ['gone']),
        line(5, 1, '50', ['e']),
        line(6, 1, '90', [], { covers: [{ logged_time_id: 'b', amount: '60' }] }),
        line(7, 1, '-900', [], { credits: 1 }),
        line(8, 2, '1200', []),
      ],
    },
    {
      ...{ invoice_id: 2, issue_date: '2026-02-01', due_date: '2026-03-01', paid_date: '2026-02-20' },
      lines: [line(9, 1, '1', [])],
    },
    { ...{ invoice_id: 3, issue_date: '2026-02-01', currency: 'USD' }, lines: [line(10, 1, '5', [])] },
  ],
};

it('finds what is wrong with bills, with amounts (N3)', async () => {
  const company = await companyOf(await buildCompany(RECORDS, new Date('2026-06-01T12:00:00Z')));
  try {
    const rows = await company.rows(`
      SELECT "check", resource, id, amount_at_risk FROM marts.data_quality
      WHERE "check" NOT IN ('agreed_fee_without_days', 'unknown_reference') ORDER BY "check", resource, id`);
    expect(
      rows.map((row) => `${row['check']} ${row['resource']} ${row['id']} ${row['amount_at_risk'] ?? '-'}`),
    ).toEqual([
      'billed_non_billable invoice_lines 3 80',
      'billed_twice invoice_lines 6 60',
      'covers_differ invoice_lines 6 30',
      'covers_nothing invoice_lines 4 0',
      'covers_other_project invoice_lines 5 50',
      'credited_beyond invoice_lines 1 100',
      'invoice_in_other_currency invoices 3 -',
      'invoice_overdue invoices 1 2030',
      'invoiced_below_value projects 1 750',
      'invoiced_beyond_fee projects 2 200',
      'unbilled_over_90 projects 1 800',
    ]);
  } finally {
    await company.close();
  }
});
