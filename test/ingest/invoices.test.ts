import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { inputResources } from '../../src/records/ingest/ingest.ts';
import { parseMapping } from '../../src/records/ingest/mapping/mapping-file.ts';
import { buildDataset, companyOf, openCompany } from '../sql/company.ts';
import { withDataset } from './dataset.ts';

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

/** A mapping of one file of lines, in which each repeats its invoice, as programs for accounting export them. */
const LINES = `
files:
  - file: sales.csv
    resource: clients
    fields: {client_id: {name: Contact}, name: Contact}
  - file: sales.csv
    resource: projects
    fields: {project_id: {name: Job}, name: Job}
  - file: sales.csv
    resource: invoices
    fields:
      invoice_id: {name: Invoice No}
      number: Invoice No
      client_id: {name: Contact}
      issue_date: {column: Issued, dates: DD.MM.YYYY}
      due_date: {column: Due, dates: DD.MM.YYYY}
      status: {column: State, words: {Authorised: issued, Draft: draft, Voided: void}}
  - file: sales.csv
    resource: invoice_lines
    fields:
      invoice_line_id: {row: true}
      invoice_id: {name: Invoice No}
      project_id: {name: Job}
      name: Description
      amount: {column: Net, decimal: comma}
`;

it('reads a file of lines that repeat their invoice, by a mapping', async () => {
  const files = {
    'sales.csv': [
      'Contact;Invoice No;Issued;Due;State;Job;Description;Net;Tax;Gross',
      'Acme;INV-1;31.03.2026;30.04.2026;Authorised;Website;Work in March;1.350,00;256,50;1.606,50',
      'Acme;INV-1;31.03.2026;30.04.2026;Authorised;Shop;Licence;50,00;9,50;59,50',
      'Acme;INV-2;05.04.2026;05.05.2026;Voided;Website;Mistake;10,00;1,90;11,90',
      'Acme;INV-3;06.04.2026;06.05.2026;Draft;Website;Credit;-20,00;-3,80;-23,80',
      '',
    ].join('\n'),
  };
  const mapping = parseMapping(LINES, 'mapping.yaml', inputResources, {});
  await withDataset(
    files,
    async ({ rows }) => {
      const found = await rows(`
        SELECT number, CAST(issue_date AS VARCHAR) AS day, invoices.status AS status, projects.name AS job, CAST(amount AS VARCHAR) AS net
        FROM source.invoice_lines AS lines
        JOIN source.invoices AS invoices ON invoices.invoice_id = lines.invoice_id
        JOIN source.projects AS projects ON projects.project_id = lines.project_id
        ORDER BY number, net DESC`);
      expect(found.map((row) => Object.values(row).join(' '))).toEqual([
        'INV-1 2026-03-31 issued Shop 50.0000',
        'INV-1 2026-03-31 issued Website 1350.0000',
        'INV-2 2026-04-05 void Website 10.0000',
        'INV-3 2026-04-06 draft Website -20.0000',
      ]);
    },
    { mapping },
  );
});
