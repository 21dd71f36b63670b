import { Decimal } from 'decimal.js';
import type { Workbook as ExcelWorkbook, Worksheet } from 'exceljs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadCatalogue } from '../../../src/numbers/report/catalogue/load-catalogue.ts';
import { readWorkbook } from '../../reports.ts';
import { openCompany, readExcel } from './company.ts';
import { savedValue } from './formula.ts';
import { readBytes } from './stub.ts';

const catalogue = loadCatalogue('reports');
const query = {
  start_date: '2026-04-27',
  end_date: '2026-05-22',
  cutoff_date: '2026-05-15',
  group_by: 'project,person,billable',
  measures: 'scheduled_hours,actual_hours,actual_fees,actual_margin_percent',
  subtotals: '1',
};
const now = new Date('2026-06-15T12:00:00Z');
const company = await openCompany();
afterAll(() => company.close());

const write = (rowLimit?: number) =>
  readWorkbook(company.database, catalogue, 'pivot', query, { now }).then((book) => readBytes(book, rowLimit));

let workbook: ExcelWorkbook;
let sheet: Worksheet;
beforeAll(async () => {
  workbook = await readExcel(await write());
  sheet = workbook.getWorksheet('Subtotals') as Worksheet;
});

/** The formulas over rows of a group, with their cells. */
function sumsOf() {
  const sums: { address: string; column: string; row: number; first: number; last: number; saved: unknown }[] = [];
  sheet.eachRow((row) =>
    row.eachCell((cell) => {
      const [, column = '', first, last] = /^SUBTOTAL\(9,([A-Z]+)(\d+):\1(\d+)\)$/.exec(cell.formula ?? '') ?? [];
      const saved = savedValue(cell.value);
      if (first)
        sums.push({ address: cell.address, column, row: row.number, first: +first, last: Number(last), saved });
    }),
  );
  return sums;
}

test('each sum covers the rows of its group, which end above it, and counts no sum of another group', () => {
  const sums = sumsOf();
  const outline = (row: number) => sheet.getRow(row).outlineLevel ?? 0;
  expect(sums.length).toBeGreaterThan(9);
  for (const { address, column, row, first, last, saved } of sums) {
    const cells = Array.from({ length: last - first + 1 }, (_, i) => sheet.getCell(`${column}${first + i}`));
    const plain = cells.filter(({ formula }) => !formula).map(({ value }) => new Decimal(Number(value ?? 0)));
    expect(new Decimal(String(saved)).equals(Decimal.sum(0, ...plain)), address).toBe(true);
    expect([last, sheet.getCell(`${column}${first}`).formula], address).toEqual([row - 1, undefined]);
    const isTotal = row === sheet.rowCount;
    const inner = cells.map((_, i) => outline(first + i));
    expect(Math.min(...inner), address).toBeGreaterThanOrEqual(isTotal ? 0 : outline(row) + 1);
    expect(sheet.getCell(address).font.bold).toBe(true);
  }
  expect(new Set(sums.map(({ row }) => outline(row)))).toEqual(new Set([0, 1]));
});

test('a percentage is a formula of the sums beside it', () => {
  const column = (sheet.getRow(1).values as string[]).indexOf('Actual margin % of revenue');
  expect(sheet.getCell(sheet.rowCount, column).value).toBeDefined();
  const labels = (sheet.getColumn(3).values as unknown[]).filter((value) => value === 'Total');
  expect(labels.length).toBeGreaterThan(0);
});

test('the sheet has no native table, and its totals are checked against those of the report', () => {
  expect(Object.keys((sheet as unknown as { tables: object }).tables)).toEqual([]);
  const checks = workbook.getWorksheet('Checks') as Worksheet;
  const formulas: Record<string, string> = {};
  checks.eachRow((row) => {
    formulas[String(row.getCell(1).value)] = String(row.getCell(2).formula);
  });
  expect(formulas['Actual hours: the subtotals of Subtotals against the total of Pivot']).toMatch(
    new RegExp(`^'Subtotals'![A-Z]+${sheet.rowCount}$`),
  );
});

test('more rows than a sheet holds are refused: the groups of a sheet can not continue on another', {
  tags: ['slow'],
}, async () => {
  await expect(write(12)).rejects.toMatchObject({
    code: 'limit',
    message: /^subtotals: Subtotals would have \d+ rows/,
  });
});
