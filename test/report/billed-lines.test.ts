import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Company, openCompany, type Row } from '../sql/company.ts';

const logged = (project_id: number, id: string, date: string, hours: number) => ({
  ...{ logged_time_id: id, people_id: 1, project_id, date, hours },
});

const APRIL = { start_date: '2026-04-01', end_date: '2026-04-30', cutoff_date: '2026-04-30' };

/** Time of A is billed in part; one invoice of it is credited whole in April, and a draft bills the rest. B is a fixed fee. */
const RECORDS = {
  settings: { currency: 'EUR' },
  people: [{ people_id: 1, name: 'Ana', default_hourly_rate: '100', cost_rate: '50' }],
  projects: [
    { project_id: 1, name: 'A' },
    { project_id: 2, name: 'B', budget_type: 2, budget_total: '10000' },
  ],
  logged_time: [
    logged(1, '1', '2026-01-20', 10),
    logged(1, '2', '2026-03-03', 5),
    logged(1, '3', '2026-04-04', 2),
    logged(2, '4', '2026-03-10', 8),
  ],
  progress: [{ progress_id: 1, project_id: 2, date: '2026-03-31', percent: 40 }],
  invoices: [
    {
      ...{ invoice_id: 1, issue_date: '2026-03-31' },
      lines: [
        { invoice_line_id: 11, project_id: 1, amount: '1000', covers: [{ logged_time_id: '1' }] },
        { invoice_line_id: 12, project_id: 1, amount: '500', covers: [{ logged_time_id: '2' }] },
        { invoice_line_id: 13, project_id: 2, amount: '6000' },
      ],
    },
    {
      ...{ invoice_id: 2, issue_date: '2026-04-10' },
      lines: [{ invoice_line_id: 21, project_id: 1, amount: '-1000', credits: 11 }],
    },
    {
      ...{ invoice_id: 3, issue_date: '2026-04-30', status: 'draft' },
      lines: [{ invoice_line_id: 31, project_id: 1, amount: '200', covers: [{ logged_time_id: '3' }] }],
    },
  ],
};

let company: Company;
beforeAll(async () => {
  company = await openCompany(RECORDS);
});
afterAll(() => company.close());

const linesBehind = async (row: Row | undefined, measure: string, more: Readonly<Record<string, string>> = {}) => {
  const query = new URLSearchParams(String(row?.['_lines']).split('?')[1]);
  const { rows, totals } = await company.report('lines', { ...Object.fromEntries(query), measure, ...more });
  return [...rows.map((each) => `${each['line_id']} ${each['contribution']}`), `= ${totals['contribution']}`];
};

describe('the lines behind balances of bills (6.1)', () => {
  it('are those of all days for a position, those before the row for the opening one', async () => {
    const { rows } = await company.report('contracts', { ...APRIL, links: '1' });
    expect(rows.map((row) => [row['name'], row['opening_position'], row['position']])).toEqual([
      ['A', '0', '1200'],
      ['B', '-2000', '-2000'],
    ]);
    expect(await linesBehind(rows[0], 'position')).toEqual([
      'a:1 1000',
      'a:2 500',
      'i:11 -1000',
      'i:12 -500',
      'a:3 200',
      'i:21 1000',
      '= 1200',
    ]);
    expect((await linesBehind(rows[0], 'opening_position')).at(-1)).toBe('= 0');
    expect(await linesBehind(rows[1], 'position', { part: 'kind:invoice' })).toEqual(['i:13 -6000', '= -6000']);
  });

  it('are what no bill covers, by its age: credited whole is open again, and a draft covers nothing', async () => {
    const { rows, totals } = await company.report('contracts', { ...APRIL, links: '1' });
    expect(await linesBehind(rows[0], 'unbilled_fees')).toEqual(['a:1 1000', 'a:3 200', '= 1200']);
    expect(await linesBehind(rows[0], 'unbilled_over_90')).toEqual(['a:1 1000', '= 1000']);
    expect(await linesBehind(totals, 'unbilled_0_30')).toEqual(['a:3 200', '= 200']);
    const march = { ...APRIL, start_date: '2026-03-01', end_date: '2026-03-31', cutoff_date: '2026-03-31' };
    const before = await company.report('contracts', { ...march, links: '1' });
    expect(await linesBehind(before.rows[0], 'unbilled_fees')).toEqual(['= 0']);
  });

  it('are unknown where the balance is: of a person, whom no bill names', async () => {
    const asked = { ...APRIL, group_by: 'person', measures: 'unbilled_fees,position', links: '1' };
    const { rows } = await company.report('pivot', asked);
    expect(rows[0]?.['unbilled_fees']).toBeNull();
    expect((await linesBehind(rows[0], 'unbilled_fees')).at(-1)).toBe('= null');
    expect((await linesBehind(rows[0], 'position')).at(-1)).toBe(`= ${rows[0]?.['position']}`);
  });

  it('has none for what is netted by contract, and says which measure has', async () => {
    await expect(company.report('lines', { ...APRIL, report: 'contracts', measure: 'contract_asset' })).rejects.toThrow(
      'netted by contract',
    );
  });
});
