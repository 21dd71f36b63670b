import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { buildDataset, companyOf, openCompany } from '../sql/company.ts';

it('sets lines and bills aside that have no amount, or unknown words and days', async () => {
  const company = await openCompany({
    projects: [{ project_id: 1, name: 'Website' }],
    invoices: [
      {
        ...{ invoice_id: 1, issue_date: '2026-03-31' },
        lines: [
          { invoice_line_id: 1, project_id: 1, amount: '100' },
          { invoice_line_id: 2, project_id: 1 },
          { invoice_line_id: 3, project_id: 1, amount: 5, kind: 'tax' },
          { invoice_line_id: 4, project_id: 1, amount: 5, covers: [{}] },
        ],
      },
      { invoice_id: 2, issue_date: '2026-02-30' },
      { invoice_id: 3, issue_date: '2026-03-31', status: 'sent' },
      { invoice_id: 4, issue_date: '2026-03-31', currency: 'chf', lines: [{ invoice_line_id: 5, amount: 9 }] },
    ],
    invoice_lines: [{ invoice_line_id: 6, invoice_id: 99, project_id: 1, amount: 7 }],
    write_offs: [{ write_off_id: 1, project_id: 1, date: '2026-03-31', amount: 'some' }],
  });
  try {
    const rejected = await company.rows('SELECT resource, record_id, item, reasons FROM source.rejected');
    expect(
      rejected
        .map((row) => `${row['resource']} ${row['record_id']} ${row['item'] ?? ''} ${String(row['reasons'])}`)
        .sort(),
    ).toEqual([
      'invoice_lines 2  amount: missing',
      'invoice_lines 3  kind: not one of other, time, expense, fixed, retainer, discount',
      'invoice_lines 4 covers[1] logged_time_id is missing, and so is project_expense_id: one of them is required',
      'invoices 2  issue_date: not a day written YYYY-MM-DD',
      'invoices 3  status: not one of issued, draft, void',
      'write_offs 1  amount: not a number',
    ]);
    expect(await company.rows('SELECT line_id, amount FROM core.billing_lines ORDER BY 1')).toEqual([
      { line_id: 'i:1', amount: '100' },
      { line_id: 'i:4', amount: '5' },
    ]);
    const found = await company.rows(
      `SELECT "check", id FROM marts.data_quality WHERE "check" IN ('unknown_reference', 'invoice_in_other_currency') ORDER BY 1, 2`,
    );
    expect(found).toEqual([
      { check: 'invoice_in_other_currency', id: '4' },
      { check: 'unknown_reference', id: '6' },
    ]);
  } finally {
    await company.close();
  }
});

it('reads lines of a table of their own, with what they cover as JSON in a cell', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-invoices-'));
  try {
    writeFileSync(join(folder, 'projects.csv'), 'project_id,name,contract_id\n1,Website,AGR-1\n');
    writeFileSync(join(folder, 'invoices.csv'), 'invoice_id,number,issue_date,status\n1,INV-1,2026-03-31,issued\n');
    writeFileSync(
      join(folder, 'invoice_lines.csv'),
      'invoice_line_id,invoice_id,project_id,amount,covers\n1,1,1,100.50,"[{""logged_time_id"": ""a"", ""amount"": 100.5}]"\n2,1,1,-20,\n',
    );
    const company = companyOf(await buildDataset(folder, new Date('2026-05-02T12:00:00Z')));
    try {
      expect(await company.rows('SELECT line_id, amount FROM core.billing_lines ORDER BY 1')).toEqual([
        { line_id: 'i:1', amount: '100.5' },
        { line_id: 'i:2', amount: '-20' },
      ]);
      expect(await company.rows('SELECT line_id, is_there, amount FROM core.covers')).toEqual([
        { line_id: 'a:a', is_there: false, amount: '100.5' },
      ]);
    } finally {
      await company.close();
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});
