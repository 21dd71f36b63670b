import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/base/database/database.ts';
import { ingestDirectory, inputResources } from '../../src/records/ingest/ingest.ts';
import { parseMapping } from '../../src/records/ingest/mapping/mapping-file.ts';
import { suggestMapping } from '../../src/records/ingest/proposal/suggest-mapping.ts';
import { type Files, withDirectory } from './dataset.ts';

/** Loads files by their proposed mapping alone, and returns each invoice with its lines; `open` lines are an error. */
const loadInvoices = (files: Files) =>
  withDirectory(files, async (directory) => {
    const mapping = parseMapping(await suggestMapping(directory, inputResources), 'mapping.yaml', inputResources);
    const database = await openDatabase(':memory:');
    try {
      await ingestDirectory(database, directory, { mapping });
      const found = await database.rows(`
        SELECT number, status, due_date IS NOT NULL AS due, CAST(paid_date AS VARCHAR) AS paid,
          string_agg(CAST(amount AS VARCHAR), ' ' ORDER BY amount DESC) AS amounts
        FROM source.invoices LEFT JOIN source.invoice_lines USING (invoice_id)
        GROUP BY ALL ORDER BY number`);
      return found.map(({ number, status, due, paid, amounts }) =>
        [number, status ?? '-', due ? 'due' : '', paid ?? '', amounts].join(' ').replaceAll(/ +/g, ' '),
      );
    } finally {
      await database.close();
    }
  });

const csv = (...lines: readonly string[]) => ({ 'sales.csv': [...lines, ''].join('\n') });

describe('a file of invoice lines that repeat their invoice', () => {
  it('has the net amounts where gross ones stand beside them, and no tax line', async () => {
    const files = csv(
      'Invoice No,Invoice Date,Due Date,Payment Date,Customer,Description,Net Amount,VAT,Total,Status',
      'A1,2026-03-31,2026-04-30,2026-04-20,Acme,Work,900.00,180.00,1080.00,PAID',
      'A1,2026-03-31,2026-04-30,2026-04-20,Acme,Licence,100.00,0.00,100.00,PAID',
      'A2,2026-04-01,2026-05-01,,Bolt,Work,50.00,10.00,60.00,AUTHORISED',
      'A3,2026-04-01,2026-05-01,,Bolt,Work,30.00,6.00,36.00,SUBMITTED',
      'A4,2026-04-01,2026-05-01,,Bolt,Work,20.00,4.00,24.00,VOIDED',
    );
    expect(await loadInvoices(files)).toEqual([
      'A1 issued due 2026-04-20 900.0000 100.0000',
      'A2 issued due 50.0000',
      'A3 draft due 30.0000',
      'A4 void due 20.0000',
    ]);
  });

  it('is never due if it is paid on a day that nobody knows', async () => {
    const files = csv(
      'Invoice No,Invoice Date,Due Date,Customer,Net,VAT,Gross,Balance',
      'A1,2026-03-31,2026-04-30,Acme,900.00,180.00,1080.00,0.00',
      'A2,2026-04-01,2026-05-01,Bolt,50.00,10.00,60.00,60.00',
    );
    expect(await loadInvoices(files)).toEqual(['A1 - 900.0000', 'A2 - due 50.0000']);
  });

  it('has credits in brackets, with CR, and as credit notes above 0', async () => {
    const files = csv(
      'Invoice No,Invoice Date,Customer,Type,Net,VAT,Gross',
      'A1,2026-03-31,Acme,Invoice,900.00,180.00,"1,080.00"',
      'A1,2026-03-31,Acme,Invoice,(50.00),(10.00),(60.00)',
      'A2,2026-03-31,Acme,Invoice,20.00 CR,4.00 CR,24.00 CR',
      'C1,2026-04-02,Acme,Credit Note,25.00,5.00,30.00',
    );
    expect(await loadInvoices(files)).toEqual(['A1 - 900.0000 -50.0000', 'A2 - -20.0000', 'C1 - -25.0000']);
  });

  it('is told from time and expenses', async () => {
    const files = {
      'time.csv': 'Date,Employee,Project,Hours,Amount,Invoice Number\n2026-03-02,Ada King,Site,2,200,A1\n',
      'expenses.csv': 'Date,Invoice No,Category,Project,Amount,Tax\n2026-03-02,X9,Travel,Site,10,2\n',
    };
    const text = await withDirectory(files, (directory) => suggestMapping(directory, inputResources));
    expect(text).toContain('resource: logged_time');
    expect(text).toContain('resource: project_expenses');
    expect(text).not.toContain('resource: invoice');
  });
});

const XERO = 'ContactName,InvoiceNumber,InvoiceDate,DueDate,Total,TaxTotal,LineAmount,TaxAmount,Type,Status';

describe('amounts of invoices whose own amounts say that they', () => {
  it('have tax in them, are read less the tax', async () => {
    const files = csv(
      XERO,
      'Acme,A1,2026-03-31,2026-04-30,1080,180,900,150,Sales invoice,Awaiting Payment',
      'Acme,A1,2026-03-31,2026-04-30,1080,180,180,30,Sales invoice,Awaiting Payment',
      'Bolt,A2,2026-03-31,2026-04-30,50,0,50,0,Sales invoice,Awaiting Payment',
    );
    expect(await loadInvoices(files)).toEqual(['A1 issued due 750.0000 150.0000', 'A2 issued due 50.0000']);
  });
});

const QUESTIONS: readonly (readonly [string, string, ...string[]])[] = [
  ['Total has tax in it, and no column', 'Invoice No,Invoice Date,Customer,Total', 'A1,2026-03-31,Acme,119'],
  [
    "Amount doesn't say whether it is with or without tax",
    'Invoice No,Invoice Date,Customer,Amount',
    'A1,2026-03-31,Acme,119',
  ],
  [
    'write amount: {column: \\"Amount\\", less: \\"VAT\\"} if it has VAT in it',
    'Invoice No,Invoice Date,Customer,Amount,VAT',
    'A1,2026-03-31,Acme,119,19',
  ],
  [
    'Total = Net + VAT in all rows but 1, first in invoice A2',
    'Invoice No,Invoice Date,Customer,Net,VAT,Total',
    'A1,2026-03-31,Acme,100,20,120',
    'A2,2026-03-31,Acme,200,20,240',
  ],
  [
    'the lines of invoice A2 are 120.0000 by LineAmount, and Total without tax is 100.0000 (with TaxAmount, it seems)',
    XERO,
    'Acme,A1,2026-03-31,2026-04-30,120,20,100,20,Sales invoice,Paid',
    'Acme,A2,2026-03-31,2026-04-30,120,20,120,20,Sales invoice,Paid',
  ],
  [
    'add words: {\\"Dunned\\": issued} to those of status',
    'Invoice No,Invoice Date,Customer,Net,Status',
    'A1,2026-03-31,Acme,119,Dunned',
  ],
  [
    'USD and CHF are different currencies',
    'Invoice No,Invoice Date,Customer,Net,Currency',
    'A1,2026-03-31,Acme,119,USD',
    'A2,2026-03-31,Acme,119,CHF',
  ],
  [
    'Invoice No is blank in 1 row with amounts',
    'Invoice No,Invoice Date,Customer,Net',
    'A1,2026-03-31,Acme,119',
    ',,,20',
  ],
  [
    'Type has Bill: export invoices to clients alone',
    XERO,
    'Acme,A1,2026-03-31,2026-04-30,120,20,100,20,Sales invoice,Paid',
    'Shop,B1,2026-03-31,2026-04-30,120,20,100,20,Bill,Paid',
  ],
  [
    'Type has Credit Note with amounts above 0: export credit notes in a file of their own',
    'Invoice No,Invoice Date,Customer,Type,Net',
    'C1,2026-03-31,Acme,Credit Note,20',
    'C2,2026-03-31,Acme,Credit Note,-20',
  ],
  ['02/03/2026 is 2026-03-02 as DD/MM/YYYY', 'Invoice No,Invoice Date,Customer,Net', 'A1,02/03/2026,Acme,119'],
];

describe('a file of invoices is asked about', () => {
  it.each(QUESTIONS)('%s', async (question, ...lines) => {
    const text = await withDirectory(csv(...lines), (directory) => suggestMapping(directory, inputResources));
    expect(text).toContain('open: ');
    expect(text).toContain(question);
    expect(() => parseMapping(text, 'mapping.yaml', inputResources)).toThrow('open');
  });

  it('another currency than the company has', async () => {
    const files = {
      ...csv(
        'Invoice No,Invoice Date,Customer,Net,Currency',
        'A1,2026-03-31,Acme,119,CHF',
        'A2,2026-03-31,Acme,20,CHF',
      ),
      'settings.json': '{"currency": "EUR"}',
    };
    await expect(loadInvoices(files)).rejects.toThrow(
      /Invoices are in another currency than the company, whose currency is EUR:/,
    );
    await expect(loadInvoices({ ...files, 'settings.json': '{"currency": "CHF"}' })).resolves.toEqual([
      'A1 - 119.0000',
      'A2 - 20.0000',
    ]);
  });
});
