import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Decimal } from 'decimal.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/base/database/database.ts';
import { loadDataset } from '../../src/doors/command/load/load-dataset.ts';
import { openMapping } from '../../src/doors/command/load/load-mapping.ts';
import { OCTOBER_TOTALS, writeCappedOctober } from '../companies/capped-october.ts';
import { type Company, companyOf, OCTOBER_LOADED } from '../sql/company.ts';

/* The consultancy at the end of October 2026, whose projects 105 and 115 are agreed to be capped. */

const WINDOWS: Readonly<Record<string, readonly [first: string, last: string]>> = {
  '2026-08': ['2026-08-01', '2026-08-31'],
  '2026-09': ['2026-09-01', '2026-09-30'],
  '2026-10': ['2026-10-01', '2026-10-31'],
  Q3: ['2026-08-01', '2026-10-31'],
  Q4: ['2026-11-01', '2027-01-31'],
  YTD: ['2026-02-01', '2026-10-31'],
};

const YEAR = { start_date: '2026-02-01', end_date: '2026-10-31', cutoff_date: '2026-10-31' };

let company: Company;
beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-october-'));
  writeCappedOctober(folder);
  const file = join(folder, 'company.duckdb');
  try {
    await loadDataset(folder, file, { now: OCTOBER_LOADED, mapping: await openMapping(folder, {}) });
    company = companyOf(await openDatabase(file, { readOnly: true, settings: { threads: '1' } }));
  } finally {
    rmSync(folder, { recursive: true });
  }
});
afterAll(() => company.close());

const plain = (values: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, new Decimal(String(value)).toFixed()]));

/** Returns the totals of measures. */
async function totalsOf(measures: readonly string[], sent: Readonly<Record<string, string>>) {
  const asked = { group_by: 'project', measures: measures.join(','), ...sent };
  const { totals } = await company.report('pivot', asked);
  return plain(Object.fromEntries(measures.map((name) => [name, totals[name]])));
}

describe('a month end of the consultancy', () => {
  it.each(Object.keys(WINDOWS))('has the hours, costs and values of work of %s', async (window) => {
    const [first = '', last = ''] = WINDOWS[window] ?? [];
    const sent = { start_date: first, end_date: last, cutoff_date: '2026-10-31' };
    const expected = OCTOBER_TOTALS[window] ?? {};
    expect(await totalsOf(Object.keys(expected), sent)).toEqual(plain(expected));
  });

  it('earns what its contracts give', async () => {
    const measures = ['actual_revenue', 'fees_beyond_budget'];
    const of = (project: string, sent = {}) => totalsOf(measures, { ...YEAR, project_id: project, ...sent });
    const august = { start_date: '2026-08-01', end_date: '2026-08-31' };
    expect([
      (await of('102'))['actual_revenue'],
      (await of('102', august))['actual_revenue'],
      await of('105'),
      (await of('115'))['actual_revenue'],
      (await totalsOf(measures, YEAR))['actual_revenue'],
    ]).toEqual([
      '77500',
      // A phase with an agreed fee and without a line, which ended on the last day of the month.
      '15500',
      { actual_revenue: '40000', fees_beyond_budget: '2939.19' },
      '42856.66',
      '807029.61',
    ]);
  });

  it('loses on the client of its worst project', async () => {
    const { rows } = await company.report('clients', {
      ...{ start_date: '2026-08-01', end_date: '2026-10-31', cutoff_date: '2026-10-31' },
      fields: 'name,actual_profit',
    });
    expect(rows.find(({ name }) => name === 'Dunmore Health')?.['actual_profit']).toBe('-34369.94');
  });

  it.each([
    ['2026-10-01', '15.25', '2330'],
    ['2026-08-01', '68', '10180.88'],
  ])('shows SQL the time since %s that is not billed on billable projects', async (first, hours, value) => {
    const [found] = await company.rows(`
      SELECT SUM(hours) AS hours, SUM(pl_amount(hours, bill_rate, 2)) AS value
      FROM marts.lines
      JOIN marts.projects USING (project_id)
      WHERE kind = 'actual' AND NOT lines.billable AND NOT projects.non_billable AND date BETWEEN DATE '${first}' AND DATE '2026-10-31'`);
    expect(found).toEqual({ hours, value });
  });
});
