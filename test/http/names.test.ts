import { writeFileSync } from 'node:fs';
import { tableFromIPC } from 'apache-arrow';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDatabase, quoteText } from '../../src/base/database/database.ts';
import { readExcel } from '../write/xlsx/company.ts';
import { readParquet } from './files.ts';
import { parseCsv, type Served, serve } from './served.ts';

/** Difficult names: formulas, line breaks, quotes, emoji, control characters, 40,000 characters. */
const NAMES = [
  '=1+1',
  '+cmd|calc',
  '-2+3',
  '@SUM(A1)',
  'two\nlines',
  'two\r\nlines "quoted", with a comma',
  'family 👩‍👩‍👧 and 日本',
  'tab\there',
  '\u0001control\u001f',
  '</script><b>',
  'x'.repeat(40_000),
];

const WINDOW = 'start_date=2026-01-01&end_date=2026-01-31&fields=name&sort=people_id';

let served: Served;
beforeAll(async () => {
  served = await serve({
    data: { people: NAMES.map((name, index) => ({ people_id: index + 1, name, start_date: '2020-01-01' })) },
  });
});
afterAll(() => served.close());

it('JSON and NDJSON keep names unchanged', async () => {
  const { people } = (await served.get(`/v3/reports/people?${WINDOW}`)).json();
  const names = people.map(({ name }: { name: string }) => name);
  expect(names).toHaveLength(NAMES.length);
  // A load may trim or replace characters; this test only compares formats with the report.
  expect(names).toContain('family 👩‍👩‍👧 and 日本');
  expect(names).toContain('x'.repeat(40_000));
  const lines = (await served.get(`/v3/reports/people.ndjson?${WINDOW}`)).text.trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line).name)).toEqual(names);
});

it('CSV disarms formulas of spreadsheets and keeps all else unchanged', async () => {
  const { people } = (await served.get(`/v3/reports/people?${WINDOW}`)).json();
  const names = people.map(({ name }: { name: string }) => name);
  const [, ...cells] = parseCsv((await served.get(`/v3/reports/people.csv?${WINDOW}`)).text).map(([cell = '']) => cell);
  expect(cells).toEqual(names.map((name: string) => (/^[=+\-@\t\r]/.test(name) ? `'${name}` : name)));
});

it('Parquet and Arrow keep names unchanged', async () => {
  const { people } = (await served.get(`/v3/reports/people?${WINDOW}`)).json();
  const names = people.map(({ name }: { name: string }) => name);
  const fetchBytes = (format: string) => served.bytes(`/v3/reports/people.${format}?${WINDOW}`);
  expect([...(tableFromIPC(await fetchBytes('arrow')).getChild('name') ?? [])]).toEqual(names);
  const file = `${served.database}.parquet`;
  writeFileSync(file, await fetchBytes('parquet'));
  const memory = await openDatabase(':memory:');
  const rows = await memory.rows<{ name: string }>(`SELECT name FROM read_parquet(${quoteText(file)})`);
  await memory.close();
  expect(rows.map(({ name }) => name)).toEqual(names);
});

it('a report without rows is a complete answer in every format', { tags: ['slow'] }, async () => {
  const empty = 'start_date=2026-01-01&end_date=2026-01-31';
  const json = (await served.get(`/v3/reports/projects?${empty}`)).json();
  expect(json.projects).toEqual([]);
  expect(json.totals.actual_hours).toBe(0);
  const csv = (await served.get(`/v3/reports/projects.csv?${empty}`)).text;
  expect(csv).toMatch(/^project_id,[^\r\n]+\r\n$/);
  const ndjson = await served.get(`/v3/reports/projects.ndjson?${empty}`);
  expect([ndjson.status, ndjson.text]).toEqual([200, '']);
  const fetchBytes = (format: string) => served.bytes(`/v3/reports/projects.${format}?${empty}`);
  const columns = csv.trimEnd().split(',');
  const arrow = tableFromIPC(await fetchBytes('arrow'));
  expect([arrow.numRows, arrow.schema.fields.map(({ name }) => name)]).toEqual([0, columns]);
  expect(await readParquet(await fetchBytes('parquet'))).toMatchObject({ count: 0, columns });
  const workbook = await readExcel(await fetchBytes('xlsx'));
  for (const name of ['Projects', 'Data']) {
    const sheet = workbook.getWorksheet(name);
    expect(sheet?.getRow(1).actualCellCount, name).toBeGreaterThan(10);
    expect(sheet?.getCell('A2').text, name).toMatch(/^(Total)?$/);
  }
  const page = await served.get(`/v3/reports/projects?${empty}&page=1`);
  expect(page.headers.get('x-pagination-total-count')).toBe('0');
});
