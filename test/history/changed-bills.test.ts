import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BuiltState, buildState, compareStates, told } from './compared-company.ts';

const WINDOW = { start_date: '2026-03-01', end_date: '2026-03-31' };
const DAYS = { day: '2026-04-03', cutoffDate: '2026-03-31', cutoffNow: '2026-03-31' };

interface BilledLine {
  readonly invoice_line_id: number;
  readonly project_id: number;
  readonly amount: number;
}

/** Two projects at 100.00 an hour, with an invoice of some lines, a draft or issued, and a write-off. */
const companyOf = (hours: number, lines: readonly BilledLine[], draft: string, writtenOff: number) => ({
  settings: { currency: 'EUR' },
  people: [{ people_id: 1, name: 'Ana', cost_rate: 60 }],
  clients: [{ client_id: 1, name: 'Acme' }],
  projects: [1, 2].map((project_id) => ({
    ...{ project_id, name: ['Site', 'Shop'][project_id - 1], client_id: 1, default_hourly_rate: 100 },
    contract: 'time',
  })),
  logged_time: [1, 2].map((project_id) => ({
    ...{ logged_time_id: `ana ${project_id}`, people_id: 1, project_id, date: '2026-03-05' },
    hours: project_id === 1 ? hours : 5,
  })),
  invoices: [
    { invoice_id: 1, issue_date: '2026-03-31', lines },
    {
      ...{ invoice_id: 2, issue_date: '2026-03-31', status: draft },
      lines: [{ invoice_line_id: 9, project_id: 2, amount: 40 }],
    },
  ],
  write_offs: [{ write_off_id: 1, project_id: 1, date: '2026-03-31', amount: writtenOff }],
});

let then: BuiltState;
let now: BuiltState;

beforeAll(async () => {
  const site = { invoice_line_id: 1, project_id: 1 };
  then = await buildState(
    companyOf(
      8,
      [
        { ...site, amount: 500 },
        { invoice_line_id: 2, project_id: 1, amount: 70 },
      ],
      'draft',
      30,
    ),
  );
  // Line 1 has another amount, line 2 is of another project, line 3 came, the draft is issued, and more is written off.
  now = await buildState(
    companyOf(
      9,
      [
        { ...site, amount: 450 },
        { invoice_line_id: 2, project_id: 2, amount: 70 },
        { invoice_line_id: 3, project_id: 1, amount: 20 },
      ],
      'issued',
      50,
    ),
  );
});

afterAll(async () => {
  await then?.close();
  await now?.close();
});

describe('N4: bills have the cause invoice', () => {
  it('whatever has become of their lines', async () => {
    const measures = 'invoiced,draft_invoiced,written_off,net_revenue';
    const { rows, totals } = await compareStates(
      then,
      now,
      'changes',
      { ...WINDOW, measures, group_by: 'project' },
      DAYS,
    );
    expect(rows.map(({ project_id: _, ...row }) => told(row))).toEqual([
      { project: 'Site', value_then: '570', value_now: '470', difference: '-100', invoice: '-100' },
      { project: 'Site' },
      { project: 'Site', value_then: '30', value_now: '50', difference: '20', invoice: '20' },
      { project: 'Site', value_then: '770', value_now: '850', difference: '80', hours: '100', invoice: '-20' },
      { project: 'Shop', value_now: '110', difference: '110', invoice: '110' },
      { project: 'Shop', value_then: '40', difference: '-40', invoice: '-40' },
      { project: 'Shop' },
      { project: 'Shop', value_then: '500', value_now: '500' },
    ]);
    expect(totals.map((row) => told(row))).toEqual([
      { value_then: '570', value_now: '580', difference: '10', invoice: '10' },
      { value_then: '40', difference: '-40', invoice: '-40' },
      { value_then: '30', value_now: '50', difference: '20', invoice: '20' },
      { value_then: '1270', value_now: '1350', difference: '80', hours: '100', invoice: '-20' },
    ]);
  });

  it('line by line', async () => {
    const { rows } = await compareStates(then, now, 'changed-lines', { ...WINDOW, measure: 'invoiced' }, DAYS);
    expect(
      rows.map((row) =>
        [
          row['line_id_then'],
          row['line_id_now'],
          row['kind'],
          row['causes'],
          row['project_then'],
          row['contribution'],
        ].join(' '),
      ),
    )
      // Line 2 went from one project to the other: without rows by project that is no difference.
      .toEqual(['i:1 i:1 invoice invoice Site -50', ' i:3 invoice invoice  20', 'i:9 i:9 invoice invoice Shop 40']);
  });
});
