import { describe, expect, it } from 'vitest';
import type { Value } from '../../../src/base/database/database.ts';
import { AppError } from '../../../src/base/error.ts';
import type { LineSum } from '../../../src/numbers/report/catalogue/line-set.ts';
import { MAX_SHEET_ROWS, writeXlsx } from '../../../src/numbers/write/xlsx/write.ts';
import { readExcel } from './company.ts';
import { evaluate, savedValue } from './formula.ts';
import { column, readBytes, type StubSheet, stubWorkbook } from './stub.ts';

const columns = [column('kind', 'text', 'Kind'), column('date', 'date', 'Date'), column('hours', 'hours', 'Hours')];
const row = (i: number): Value[] => [i % 2 ? 'actual' : 'scheduled', '2026-02-01', `${i}.2500`];
const data = (rows: StubSheet['rows']): StubSheet => ({ name: 'Data', key: 'data', columns, rows });
const sums: LineSum[] = [
  { measure: 'actual_hours', amount: 'hours', criteria: [{ column: 'kind', operator: '=', value: 'actual' }] },
];
const projects = (total: string): StubSheet => ({
  name: 'Projects',
  key: 'own',
  total: 'sum',
  columns: [column('name', 'text', 'Name'), column('actual_hours', 'hours', 'Actual hours')],
  rows: [
    ['one', '1.2500'],
    ['two', '3.2500'],
    ['three', '5.2500'],
  ],
  totals: [null, total],
});

describe('a table too large for one sheet', () => {
  it('continues on Data 2 and Data 3, each a table; sums cover all, and the summary says so', async () => {
    const rows = [0, 1, 2, 3, 4, 5, 6].map(row);
    const totals: StubSheet = {
      ...projects('18.0000'),
      rows: [
        ['one', '1.2500'],
        ['two', '3.2500'],
        ['three', '5.2500'],
        ['four', '8.2500'],
      ],
    };
    const lines = [...rows, ['actual', '2026-03-01', '8.2500']];
    const workbook = await readExcel(await readBytes(stubWorkbook([totals, data(lines)], sums), 3));
    expect(workbook.worksheets.map((sheet) => sheet.name)).toEqual(
      'Summary,Contents,Projects,Projects 2,Data,Data 2,Data 3,Checks,Parameters,Definitions'.split(','),
    );
    expect(['Data', 'Data 2', 'Data 3'].map((name) => workbook.getWorksheet(name)?.rowCount)).toEqual([4, 4, 3]);
    expect(['Data', 'Data 2', 'Data 3'].map((name) => workbook.getWorksheet(name)?.getCell('A1').value)).toEqual([
      'Kind',
      'Kind',
      'Kind',
    ]);
    const second = workbook.getWorksheet('Projects 2');
    const total = second?.getCell(second.rowCount, 2);
    expect(total?.formula).toBe('SUBTOTAL(109,tblProjects[Actual hours])+SUBTOTAL(109,tblProjects2[Actual hours])');
    const checks = workbook.getWorksheet('Checks');
    const formula = checks?.getCell('B3').formula ?? '';
    expect(formula).toContain('+SUMIFS(tblData3[Hours],tblData3[Kind],"actual")');
    expect(checks && String(evaluate(workbook, checks, formula))).toBe('18');
    expect(String(savedValue(checks?.getCell('B3').value ?? null))).toBe('18');
    const notes: string[] = [];
    workbook.getWorksheet('Summary')?.eachRow((each) => notes.push(each.getCell(3).text));
    expect(notes.join('\n')).toContain('Data continues on Data 2, Data 3');
  });

  it('has more rows than Excel allows below a header', () => {
    expect(MAX_SHEET_ROWS).toBe(2 ** 20 - 1);
  });
});

describe('a failing workbook', () => {
  it('stops before its end when the data does not add up to the totals', async () => {
    const lines = [['actual', '2026-02-01', '9.7600']];
    await expect(readBytes(stubWorkbook([projects('9.7500'), data(lines)], sums))).rejects.toMatchObject({
      code: 'check',
      message: expect.stringContaining('9.76 against 9.75'),
    });
  });

  it('throws the error of the row reader', async () => {
    const broken = async function* () {
      yield [row(1)];
      throw new AppError('storage', 'The disk is gone');
    };
    await expect(readBytes(stubWorkbook([data(broken())]))).rejects.toMatchObject({
      code: 'storage',
      message: 'The disk is gone',
    });
  });

  it('throws the error of its thread', async () => {
    const wrong = (async function* () {
      yield [['actual', 'no day', 'no number']];
    })();
    await expect(readBytes(stubWorkbook([projects('9.7500'), data(wrong)], sums))).rejects.toThrow(/no number/);
  });

  it('closes the rows when its reader stops', async () => {
    let isClosed = false;
    let count = 0;
    const endless = async function* () {
      try {
        for (;;) {
          count += 1;
          yield Array.from({ length: 2_000 }, (_, i) => row(i));
        }
      } finally {
        isClosed = true;
      }
    };
    for await (const bytes of writeXlsx(stubWorkbook([data(endless())]))) {
      expect(bytes.length).toBeGreaterThan(0);
      break;
    }
    expect(isClosed).toBe(true);
    expect(count).toBeLessThan(100);
  });

  it('reads at most a few chunks ahead of its reader', { tags: ['slow'] }, async () => {
    let count = 0;
    const many = async function* () {
      for (; count < 4_000; count += 1) yield Array.from({ length: 500 }, (_, i) => row(count * 7919 + i * 104_729));
    };
    const bytes = writeXlsx(stubWorkbook([data(many())]))[Symbol.asyncIterator]();
    await bytes.next();
    // Waits until the reader rests, however busy the machine is.
    for (let before = -1; before !== count; ) {
      before = count;
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    }
    expect(count).toBeLessThan(4_000);
    await bytes.return?.();
  });
});
