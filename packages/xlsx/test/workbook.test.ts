import { readFileSync } from 'node:fs';
import exceljs from 'exceljs';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Archive, openArchive, TooLargeError } from '../archive.ts';
import { formatCell } from '../cell.ts';
import { formatChart, formatDrawing } from '../chart.ts';
import { sumFormula } from '../formula.ts';
import * as xlsx from '../index.ts';
import { formatTable, tableName } from '../native-table.ts';
import { amountFormat } from '../number-formats.ts';
import { formatPivotCache, formatPivotTable, type PivotFields } from '../pivot-part.ts';
import { formatHead, formatTail } from '../sheet.ts';
import { formatSlicerCache, formatSlicerDrawing, formatSlicers, slicerCacheName } from '../slicer-part.ts';
import { CONDITIONS, HEADER, LINK } from '../styles.ts';
import { openPackage, type Package } from '../workbook-package.ts';
import { unzip } from './unzip.ts';

const TIME = '2026-01-31T12:00:00Z';

const FOOTER = { left: 'Fruit & tea', right: '2026' };

const HEADERS = ['Month', 'Sort', 'Amount'];

const ROWS = [
  ['46023', 'Tea', '2.5'],
  ['46054', '<Fruit>', '-1234567890123456.78'],
] as const;

/** Writes a table of three columns with totals, a link, conditions and a chart. */
async function writeTable(book: Package): Promise<void> {
  const sheet = book.openSheet('Sales', 1, { titleColumns: 1 });
  const [header, date, money, link] = [
    HEADER,
    { named: 'Day', format: 'mmm yyyy' },
    { named: 'Money', format: amountFormat(2) },
    LINK,
  ].map(book.styles.id) as [number, number, number, number];
  const write = (row: number, cells: readonly string[]) => sheet.entry.write(`<row r="${row}">${cells.join('')}</row>`);
  await sheet.entry.write(formatHead({ widths: [12, 20, 24], frozen: { columns: 1, rows: 1 } }));
  await write(
    1,
    HEADERS.map((text, i) => formatCell(`${'ABC'[i]}1`, header, { text })),
  );
  for (const [i, [month, sort, amount]] of ROWS.entries()) {
    const row = i + 2;
    sheet.link({ cell: `B${row}`, to: "'First'!A1", tip: 'To "First"' });
    const cells = [
      formatCell(`A${row}`, date, { number: month }),
      formatCell(`B${row}`, link, { text: sort }),
      formatCell(`C${row}`, money, { number: amount }),
    ];
    await write(row, cells);
  }
  const total = { formula: sumFormula([tableName('Sales')], 'Amount'), cached: { number: '-1234567890123454.28' } };
  await write(4, [formatCell('C4', money, total)]);
  sheet.define('Total', 'C4');
  const conditions = [
    { range: 'C2:C3', when: { operator: 'lessThan' as const }, style: CONDITIONS.bad },
    { range: 'C2:C3', bar: 'CBD6E4' },
  ];
  const tail = { links: sheet.links, conditions, pages: { across: 1 }, footer: FOOTER };
  await sheet.entry.write(formatTail({ ...tail, drawing: 'rId2', table: 'rId1' }));
  const series = [{ header: 'Amount', column: 2, values: ROWS.map(([, , amount]) => amount) }];
  const chart = {
    title: 'Sales',
    sheet: 'Sales',
    firstRow: 2,
    lastRow: 3,
    months: ROWS.map(([month]) => month),
    series,
  };
  const place = { from: { column: 4, row: 0 }, to: { column: 9, row: 12 }, altText: 'The amounts of two months' };
  const columns = HEADERS.map((each) => ({ header: each, total: { label: '' } }));
  await sheet.end({
    table: (id) => formatTable({ name: tableName('Sales'), columns, lastRow: 4, hasTotals: true }, id),
    drawing: { drawing: formatDrawing([place]), charts: [formatChart({ ...chart, format: '#,##0' })] },
  });
}

/** Writes a pivot table of the table, with a slicer. */
async function writePivot(book: Package): Promise<void> {
  const fieldOf = (place: number, items: readonly string[]) => ({ place, items, hasBlank: false });
  const pivot: PivotFields = {
    row: fieldOf(1, ['<Fruit>', 'Tea']),
    across: fieldOf(0, ['46023', '46054']),
    sliced: [fieldOf(1, ['<Fruit>', 'Tea'])],
    amount: 2,
  };
  const sheet = book.openSheet('Pivot', 2);
  await sheet.entry.write(formatHead({ widths: [20] }));
  await sheet.entry.write(formatTail({ pages: { across: 1 }, footer: FOOTER, drawing: 'rId1', slicers: 'rId2' }));
  book.define(slicerCacheName('Sort'), '#N/A');
  await sheet.end({
    drawing: { drawing: formatSlicerDrawing(['Sort'], 3), charts: [] },
    pivot: {
      slicers: formatSlicers(['Sort']),
      slicerCaches: pivot.sliced.map((field) => formatSlicerCache('Sort', field, sheet.id)),
      table: formatPivotTable(HEADERS, pivot, 4),
      cache: formatPivotCache(tableName('Sales'), HEADERS, pivot, 'Shop & Sons'),
    },
  });
}

async function writeBook(archive: Archive): Promise<void> {
  const book = openPackage(archive);
  await writeTable(book);
  await writePivot(book);
  const first = book.openSheet('First', 0);
  await first.entry.write(formatHead({ widths: [9], isFirst: true }));
  await first.entry.write(formatTail({ pages: { across: 1 }, footer: FOOTER }));
  await first.end();
  await book.end({
    application: 'Shop & Sons',
    title: 'Sales',
    subject: 'Tea',
    description: 'Two months',
    created: TIME,
  });
}

async function readBytes(archive: Archive): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of archive.bytes) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function write(): Promise<Buffer> {
  const archive = openArchive(new Date(TIME));
  const [bytes] = await Promise.all([readBytes(archive), writeBook(archive)]);
  return bytes;
}

async function readExcel(bytes: Buffer): Promise<exceljs.Workbook> {
  const workbook = new exceljs.Workbook();
  await workbook.xlsx.load(bytes as unknown as ArrayBuffer);
  return workbook;
}

const all = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, found = '']) => found);

describe('a workbook', () => {
  let bytes: Buffer;
  let files: Map<string, string>;
  beforeAll(async () => {
    bytes = await write();
    files = unzip(bytes);
  });
  const read = (name: string): string => files.get(name) ?? '';

  it('is the same, byte by byte, for the same calls', async () => {
    expect((await write()).equals(bytes)).toBe(true);
  });

  it('is read by another library: values, formats, links and the table', async () => {
    const workbook = await readExcel(bytes);
    expect(workbook.worksheets.map(({ name }) => name)).toEqual(['First', 'Sales', 'Pivot']);
    const sheet = workbook.getWorksheet('Sales');
    expect(sheet?.getCell('A2').value).toEqual(new Date('2026-01-01T00:00:00Z'));
    expect(sheet?.getCell('B3').text).toBe('<Fruit>');
    expect(sheet?.getCell('C2').numFmt).toBe('#,##0.00_);(#,##0.00);"-"_)');
    expect(sheet?.getCell('C4').formula).toBe('SUM(tblSales[Amount])');
    expect(workbook.definedNames.getRanges('Total').ranges).toEqual(['Sales!$C$4']);
  });

  it('has decimals with all their digits', () => {
    expect(read('xl/worksheets/sheet1.xml')).toContain('<v>-1234567890123456.78</v>');
  });

  it('has a content type for each part, and a target for each relation', () => {
    const types = all(read('[Content_Types].xml'), /PartName="\/([^"]+)"/g);
    const parts = [...files.keys()].filter((name) => !name.endsWith('.rels') && name !== '[Content_Types].xml');
    expect(types.sort()).toEqual(parts.sort());
    const relations = [...files].filter(([name]) => name.endsWith('.rels'));
    expect(relations.length).toBeGreaterThan(5);
    for (const [name, text] of relations) {
      const folder = name.replace(/_rels\/[^/]+$/, '');
      for (const target of all(text, /Target="([^"]+)"/g)) {
        const path = new URL(target, `file:///${folder}`).pathname.slice(1);
        expect([...files.keys()], `${name} ${target}`).toContain(path);
      }
    }
  });

  it('names its styles in the gallery, those of Excel by their numbers', () => {
    const styles = read('xl/styles.xml');
    expect(styles).toContain('<cellStyle name="Currency" xfId="3" builtinId="4" customBuiltin="1"/>');
    expect(styles).toContain('<cellStyle name="Day" xfId="2"/>');
  });

  it('names the program that writes it', () => {
    expect(read('docProps/app.xml')).toContain('<Application>Shop &amp; Sons</Application>');
    expect(read('docProps/core.xml')).toContain('<dc:creator>Shop &amp; Sons</dc:creator>');
    expect(read('xl/pivotCache/pivotCacheDefinition1.xml')).toContain('refreshedBy="Shop &amp; Sons"');
  });
});

it('a failed workbook throws its error while its bytes are read', async () => {
  const archive = openArchive(new Date(TIME));
  archive.fail(new TooLargeError('too large'));
  await expect(readBytes(archive)).rejects.toThrow(TooLargeError);
});

it('the example of the README writes a workbook', async () => {
  const [, code = ''] = /```ts\n(.*?)```/s.exec(readFileSync(new URL('../README.md', import.meta.url), 'utf8')) ?? [];
  const AsyncFunction = (async () => {}).constructor as FunctionConstructor;
  const archive = await new AsyncFunction(...Object.keys(xlsx), `${code}return archive;`)(...Object.values(xlsx));
  const sheet = (await readExcel(await readBytes(archive))).getWorksheet('Prices');
  expect([sheet?.getCell('A1').value, sheet?.getCell('B1').value]).toEqual(['Tea', 2.5]);
});
