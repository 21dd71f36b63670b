import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import exceljs from 'exceljs';
import { describe, expect, it } from 'vitest';
import { type Files, reasonsIn, rowsOf, withDataset } from './dataset.ts';
import { sheetBook } from './sheet-book.ts';

const UNCOMPUTED = 'has a formula without a saved value';

/** A workbook of people by another program: 1 with the cost rate =30*2, 2 without formulas, 3 with the name ="". */
const madeBy = (program: string) => readFile(join(import.meta.dirname, 'workbooks', `${program}.xlsx`));

async function exceljsBook(): Promise<Uint8Array> {
  const workbook = new exceljs.Workbook();
  const rows = [
    ['people_id', 'name', 'cost_rate'],
    [1, 'Ada', { formula: '30*2' } as exceljs.CellValue],
    [2, 'Bo', 40],
    [3, { formula: '""', result: '' }, 50],
  ];
  workbook.addWorksheet('People').addRows(rows);
  return new Uint8Array(await workbook.xlsx.writeBuffer());
}

const people = async (files: Files) => {
  const rows = await rowsOf(
    files,
    'SELECT people_id, CAST(cost_rate AS VARCHAR) AS rate FROM source.people ORDER BY ALL',
  );
  return rows.map((row) => `${row['people_id']}: ${row['rate']}`);
};

describe('a formula that no program has computed is set aside', { tags: ['slow'] }, () => {
  it.each([
    // A missing value, and a text ="" that is one.
    ['sheetjs', ['C2'], ['2: 40.0000', '3: 50.0000']],
    ['exceljs', ['C2'], ['2: 40.0000', '3: 50.0000']],
    // An empty value, or 0, in a workbook that is to be computed when it is opened.
    ['openpyxl', ['C2', 'B4'], ['2: 40.0000']],
    ['xlsxwriter', ['C2', 'B4'], ['2: 40.0000']],
    // That of openpyxl, opened and saved.
    ['libreoffice', [], ['1: 60.0000', '2: 40.0000', '3: 50.0000']],
  ])('in a workbook by %s', { tags: ['slow'] }, async (program, cells, loaded) => {
    const bytes = program === 'exceljs' ? await exceljsBook() : await madeBy(program);
    const files = { 'a.xlsx': new Uint8Array(bytes) };
    expect(await reasonsIn(files)).toEqual(cells.map((cell) => `cell ${cell} ${UNCOMPUTED}`));
    expect(await people(files)).toEqual(loaded);
    const strict = withDataset(files, () => Promise.resolve(), { strict: true });
    if (cells.length > 0) await expect(strict).rejects.toThrow('would be set aside');
    else await strict;
  });

  it.each([
    ['<c r="C2"><f>30*2</f></c>', false],
    ['<c r="C2"><f>30*2</f><v/></c>', false],
    ['<c r="C2"><f>30*2</f><v></v></c>', false],
    ['<c r="C2" t="n"><f>30*2</f><v/></c>', false],
    ['<c r="C2" t="b"><f>30*2</f><v/></c>', false],
    ['<c r="C2" t="e"><f>30*2</f><v/></c>', false],
    ['<c r="C2" t="str"><f>30*2</f></c>', false],
    ['<c r="C2"><f t="shared" si="0"/><v/></c>', false],
    ['<c r="C2" t="str"><f>""</f><v/></c>', true],
    ['<c r="C2" t="str"><f>""</f><v></v></c>', true],
    ['<c r="C2"><f>30*0</f><v>0</v></c>', true],
    ['<c r="C2"/>', true],
    ['<c r="C2"><v/></c>', true],
    ['<c r="C2" t="s"/>', true],
    ['<c r="C2" t="inlineStr"><is/></c>', true],
  ])('%s: has a value, %s', async (cell, hasValue) => {
    const bytes = sheetBook([
      ['people_id', 'name', 'cost_rate'],
      ['1', 'Ada', { xml: cell }],
    ]);
    expect(await reasonsIn({ 'a.xlsx': bytes })).toEqual(hasValue ? [] : [`cell C2 ${UNCOMPUTED}`]);
  });

  it.each([
    ['<c r="C2"><f>30*0</f><v>0</v></c>', false],
    ['<c r="C2"><f>30*0</f><v>0.0</v></c>', false],
    ['<c r="C2" t="str"><f>""</f><v></v></c>', false],
    ['<c r="C2"><f>30*2</f><v>60</v></c>', true],
    ['<c r="C2"><v>0</v></c>', true],
  ])('in a workbook to be computed when it is opened, %s: has a value, %s', async (cell, hasValue) => {
    const bytes = sheetBook(
      [
        ['people_id', 'name', 'cost_rate'],
        ['1', 'Ada', { xml: cell }],
      ],
      {
        workbook: '<calcPr fullCalcOnLoad="1"/>',
      },
    );
    expect(await reasonsIn({ 'a.xlsx': bytes })).toEqual(hasValue ? [] : [`cell C2 ${UNCOMPUTED}`]);
  });
});

it('a header without a value is refused, and its cell named', async () => {
  const bytes = sheetBook([
    ['people_id', { xml: '<c t="e"><v>#REF!</v></c>' }],
    ['1', 'Ada'],
  ]);
  await expect(rowsOf({ 'a.xlsx': bytes }, 'SELECT 1')).rejects.toThrow(
    'a.xlsx, sheet People has a header whose cell B1 is #REF!',
  );
});

it.each([
  ['<c t="s"><v>7</v></c>', "refers to a text that the workbook doesn't have"],
  ['<c t="b"><v>2</v></c>', 'is neither TRUE nor FALSE'],
  ['<c t="e"><v>#N/A</v></c>', 'is #N/A'],
  ['<c t="inlineStr"><is><t>a_xD800_b</t></is></c>', 'holds half of a character'],
  [`<c t="inlineStr"><is><t>${'x'.repeat(32_768)}</t></is></c>`, 'has more than 32767 characters'],
  ['<c r="B2"><v>1</v></c><c r="B2"><v>2</v></c>', 'is there twice'],
])('a cell without a value sets its record aside, and no other: %.80s', async (cell, reason) => {
  const rows = [
    ['people_id', 'name'],
    ['1', { xml: cell }],
    ['2', 'Bo_xD83D__xDE00_'],
  ];
  await withDataset({ 'a.xlsx': sheetBook(rows) }, async ({ rows: read }) => {
    expect(await read('SELECT unnest(reasons) AS reason FROM source.rejected')).toEqual([
      { reason: `cell B2 ${reason}` },
    ]);
    expect(await read('SELECT people_id, name FROM source.people')).toEqual([{ people_id: 2, name: 'Bo😀' }]);
  });
});
