import { join } from 'node:path';
import exceljs from 'exceljs';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/base/database/database.ts';
import { ingestDirectory } from '../../src/records/ingest/ingest.ts';
import { kindOf } from '../../src/records/spreadsheet/number-kinds.ts';
import { formatZeros, parseZeroFormat } from '../../src/records/spreadsheet/zero-format.ts';
import { archive } from '../write/xlsx/archive.ts';
import { type Files, rowsOf, withDataset, withDirectory } from './dataset.ts';

type CellOf = exceljs.CellValue | { readonly value: exceljs.CellValue; readonly format: string };

/** Writes a workbook with another program: a sheet each, with rows of cells. */
async function book(sheets: Readonly<Record<string, readonly (readonly CellOf[])[]>>, date1904 = false) {
  const workbook = new exceljs.Workbook();
  workbook.properties.date1904 = date1904;
  for (const [name, rows] of Object.entries(sheets)) {
    const sheet = workbook.addWorksheet(name);
    for (const [i, row] of rows.entries()) {
      for (const [j, cell] of row.entries()) {
        const place = sheet.getCell(i + 1, j + 1);
        const isFormatted = cell !== null && typeof cell === 'object' && 'format' in cell;
        place.value = isFormatted ? cell.value : cell;
        if (isFormatted) place.numFmt = cell.format;
      }
    }
  }
  return new Uint8Array(await workbook.xlsx.writeBuffer());
}

const day = (text: string, format = 'dd/mm/yyyy') => ({ value: new Date(`${text}T00:00:00Z`), format });

const TASKS = ['Task_ID', 'project_id', 'people_id', 'start_date', 'end_date', 'hours', 'notes'];

const rejected = (files: Files) =>
  rowsOf(files, 'SELECT file, position, unnest(reasons) AS reason FROM source.rejected ORDER BY ALL');

describe('a sheet of a workbook', () => {
  it('is the file of the resource that it is named after; other sheets are named as ignored', async () => {
    const bytes = await book({
      People: [['people_id', 'name'], [1, 'Ada'], [], [2, 'Bo']],
      'Project tasks': [
        ['task_meta_id', 'project_id', 'task_name'],
        [7, 1, 'Design'],
      ],
      Notes: [['anything']],
    });
    await withDataset({ 'rates.xlsx': bytes, 'clients.csv': 'client_id,name\n1,Acme\n' }, async ({ summary, rows }) => {
      expect(await rows('SELECT people_id, name FROM source.people ORDER BY people_id')).toEqual(
        [
          { people_id: 1n, name: 'Ada' },
          { people_id: 2n, name: 'Bo' },
        ].map((row) => ({ ...row, people_id: Number(row.people_id) })),
      );
      expect(await rows('SELECT file, records FROM source.files ORDER BY file')).toEqual([
        { file: 'clients.csv', records: 1 },
        { file: 'rates.xlsx, sheet People', records: 2 },
        { file: 'rates.xlsx, sheet Project tasks', records: 1 },
      ]);
      expect(JSON.stringify(summary)).toContain('rates.xlsx, sheet Notes');
    });
  });

  it('is loaded from a workbook alone, too', async () => {
    const bytes = await book({
      people: [
        ['people_id', 'name'],
        [1, 'Ada'],
      ],
      'people.2': [
        ['people_id', 'name'],
        [2, 'Bo'],
      ],
    });
    const database = await openDatabase(':memory:');
    await withDirectory({ 'a.xlsx': bytes, 'clients.csv': 'client_id\n1\n' }, (directory) =>
      ingestDirectory(database, join(directory, 'a.xlsx')),
    );
    const files = await database.rows('SELECT file FROM source.files ORDER BY file').finally(() => database.close());
    expect(files).toEqual([{ file: 'a.xlsx, sheet people' }, { file: 'a.xlsx, sheet people.2' }]);
  });

  it('is none of a resource: the load says so', async () => {
    const bytes = await book({ Rates: [['people_id'], [1]] });
    await expect(rowsOf({ 'a.xlsx': bytes }, 'SELECT 1')).rejects.toThrow('holds no file of any resource');
  });

  it('has the days that its cells show, in both calendars of Excel', async () => {
    for (const is1904 of [false, true]) {
      const bytes = await book(
        { tasks: [TASKS, [1, 2, 3, day('2026-01-31'), day('2026-02-28', '[$-409]d mmm yy;@'), 1]] },
        is1904,
      );
      const dates = await rowsOf(
        { 'a.xlsx': bytes },
        'SELECT CAST(start_date AS VARCHAR) AS first, CAST(end_date AS VARCHAR) AS last FROM source.tasks',
      );
      expect(dates).toEqual([{ first: '2026-01-31', last: '2026-02-28' }]);
    }
  });

  it('has exact decimals, without the noise of binary floats', async () => {
    const hours = [0.1 + 0.2, 7.3, 1.1 * 3, 1.00005, { value: 7.5, format: '0.00 "h"' }, 1e-4, 5e-7];
    const rows = hours.map((value, index) => [index + 1, 2, 3, day('2026-01-05'), day('2026-01-05'), value]);
    const read = await rowsOf(
      { 'a.xlsx': await book({ tasks: [TASKS, ...rows] }) },
      'SELECT CAST(hours AS VARCHAR) AS hours FROM source.tasks ORDER BY task_id',
    );
    expect(read.map((row) => row['hours'])).toEqual([
      '0.300000',
      '7.300000',
      '3.300000',
      '1.000050',
      '7.500000',
      '0.000100',
      '0.000001',
    ]);
  });

  it('has numbers as texts where a text is due, booleans, lists, and saved values of formulas', async () => {
    const bytes = await book({
      people: [
        ['people_id', 'name', 'people_code', 'active', 'tags', 'cost_rate'],
        [{ formula: 'ROW()-1', result: 1 }, { formula: '"A"&"da"', result: 'Ada' }, 17, true, 'a, b', 50.25],
      ],
    });
    const read = await rowsOf(
      { 'a.xlsx': bytes },
      'SELECT people_id, name, people_code, active, CAST(cost_rate AS VARCHAR) AS rate FROM source.people',
    );
    expect(read).toEqual([{ people_id: 1, name: 'Ada', people_code: '17', active: true, rate: '50.2500' }]);
  });

  it('has codes as their cells show them, by a format of zeros, and numbers where numbers are due', async () => {
    const shown = (value: number, format: string) => ({ value, format });
    const bytes = await book({
      people: [
        ['people_id', 'name', 'people_code', 'cost_rate'],
        [shown(1, '000'), shown(42, '"Room "000'), shown(7, '000'), shown(90, '0" €"')],
        [2, 'Ben', shown(1234567, '00-00-000'), shown(90.5, '000')],
        [3, 'Cid', '0012', 90],
        [4, 'Dan', shown(7.5, '000'), 90],
        [5, 'Eva', shown(1234, '#,##0'), 90],
      ],
      logged_time: [
        ['logged_time_id', 'people_id', 'date', 'hours'],
        [shown(815, '00000'), 1, day('2026-01-05'), shown(8, '00')],
      ],
    });
    await withDataset({ 'a.xlsx': bytes }, async ({ rows }) => {
      const people = await rows(
        'SELECT people_id, name, people_code, CAST(cost_rate AS VARCHAR) AS rate FROM source.people ORDER BY people_id',
      );
      expect(people.map((row) => Object.values(row))).toEqual([
        [1, 'Room 042', '007', '90.0000'],
        [2, 'Ben', '12-34-567', '90.5000'],
        [3, 'Cid', '0012', '90.0000'],
        [4, 'Dan', '7.5', '90.0000'],
        [5, 'Eva', '1234', '90.0000'],
      ]);
      const logged = await rows('SELECT logged_time_id, CAST(hours AS VARCHAR) AS hours FROM source.logged_time');
      expect(logged).toEqual([{ logged_time_id: '00815', hours: '8.000000' }]);
    });
  });

  it('sets a record aside whose number looks like another, by its format', async () => {
    const time = [1, 2, 3, day('2026-01-05'), day('2026-01-05'), { value: 7.5 / 24, format: 'h:mm' }];
    const percent = [2, 2, 3, day('2026-01-05'), day('2026-01-05'), { value: 0.08, format: '0%' }];
    const moment = [3, 2, 3, { value: 46027.5, format: 'yyyy-mm-dd' }, day('2026-01-05'), 1];
    const found = await rejected({ 'a.xlsx': await book({ tasks: [TASKS, time, percent, moment] }) });
    expect(found.map(({ file, position, reason }) => `${file} ${position}: ${reason}`)).toEqual([
      'a.xlsx, sheet tasks 1: hours: not a number',
      'a.xlsx, sheet tasks 2: hours: not a number',
      'a.xlsx, sheet tasks 3: start_date: not a day written YYYY-MM-DD',
    ]);
  });

  it('sets a record aside with a cell that has no value, and names the cell', async () => {
    const row = (id: number, hours: exceljs.CellValue) => [id, 2, 3, day('2026-01-05'), day('2026-01-05'), hours];
    const rows = [row(1, { error: '#REF!' }), row(2, { formula: 'F1*2' } as exceljs.CellValue), row(3, 1)];
    const files = { 'a.xlsx': await book({ tasks: [TASKS, ...rows] }) };
    expect((await rejected(files)).map(({ reason }) => reason)).toEqual([
      'cell F2 is #REF!',
      'cell F3 has a formula without a saved value',
    ]);
    expect(await rowsOf(files, 'SELECT task_id FROM source.tasks')).toEqual([{ task_id: 3 }]);
  });

  it('counts on at references that name no cell', async () => {
    const text = (reference: string, value: string) =>
      `<c ${reference && `r="${reference}"`} t="inlineStr"><is><t>${value}</t></is></c>`;
    const rows = [
      `<row r="1">${text('A1', 'people_id')}${text('B1', 'name')}</row>`,
      `<row r="x">${text('', '1')}${text('', 'Ana')}</row>`,
      `<row r="1e9">${text('A'.repeat(5_000), '2')}${text(`${'Z'.repeat(5_000)}3`, 'Bo')}</row>`,
    ];
    const bytes = archive({
      'xl/workbook.xml': '<workbook><sheets><sheet name="people" r:id="a"/></sheets></workbook>',
      'xl/_rels/workbook.xml.rels': '<Relationships><Relationship Id="a" Target="people.xml"/></Relationships>',
      'xl/people.xml': `<worksheet><sheetData>${rows.join('')}</sheetData></worksheet>`,
    });
    expect(await rowsOf({ 'a.xlsx': bytes }, 'SELECT people_id, name FROM source.people ORDER BY ALL')).toEqual([
      { people_id: 1, name: 'Ana' },
      { people_id: 2, name: 'Bo' },
    ]);
  });

  it('is refused without a header, or with one that names a column twice', async () => {
    const twice = await book({ people: [['people_id', 'name', ' NAME']] });
    await expect(rowsOf({ 'a.xlsx': twice }, 'SELECT 1')).rejects.toThrow(
      'a.xlsx, sheet people names the column name twice, in B1 and C1',
    );
    const empty = await book({ people: [] });
    await expect(rowsOf({ 'a.xlsx': empty }, 'SELECT 1')).rejects.toThrow('a.xlsx, sheet people has no header row');
  });
});

it.each(['xlsx', 'csv'])('a column without a header in %s is none with its number as the header', async (ending) => {
  const rows = [
    ['people_id', '', 'name', 'Column 2'],
    [1, 'left', 'Ada', 'right'],
  ];
  const content = ending === 'xlsx' ? await book({ people: rows }) : `${rows.map((row) => row.join()).join('\n')}\n`;
  await withDataset({ [`people.${ending}`]: content }, async ({ summary, rows: read }) => {
    expect(await read('SELECT name FROM source.people')).toEqual([{ name: 'Ada' }]);
    for (const name of ['column 2', 'column 2 without a header'])
      expect(JSON.stringify(summary)).toContain(`"${name}"`);
  });
});

it.each([
  ['yyyy-mm-dd', 'date'],
  ['mmm', 'date'],
  ['[$-809]dd mmmm yyyy;@', 'date'],
  ['[h]:mm:ss', 'time'],
  ['h:mm AM/PM', 'time'],
  ['0.0%', 'percent'],
  ['#,##0.00_);[Red](#,##0.00)', 'number'],
  ['General', 'number'],
  ['0.00" days"', 'number'],
  ['0.00\\d', 'number'],
  ['_-* #,##0.00 "€"_-', 'number'],
  ['0.00E+00', 'number'],
])('a number with the format %s is a %s', (code, kind) => {
  expect(kindOf(code)).toBe(kind);
});

it.each([
  ['000', '7', '007'],
  ['000', '12345', '12345'],
  ['00-00-000', '123456789', '1234-56-789'],
  ['00000\\-0000', '12345', '00001-2345'],
  ['"P-0"000\\x', '7', 'P-0007x'],
  ['[$-407]00000', '1067', '01067'],
  ['(000) 000', '12345', '(012) 345'],
])('by the format %s, %s is shown as %s', (code, digits, shown) => {
  expect(formatZeros(parseZeroFormat(code) ?? [], digits)).toBe(shown);
});

it.each([
  'General',
  '#,##0',
  '0.00',
  '0%',
  '0/0',
  '0E+00',
  '000;-000',
  '[Red]000',
  '???',
  '@',
  'yyyy',
  '"x"',
  '"0',
  '-',
])('the format %s is none of zeros and fixed characters', (code) => {
  expect(parseZeroFormat(code)).toBeUndefined();
});
