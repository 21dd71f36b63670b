import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { Decimal } from 'decimal.js';
import type { Workbook as ExcelWorkbook, Worksheet } from 'exceljs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unzip } from '../../../packages/xlsx/test/unzip.ts';
import type { Value } from '../../../src/base/database/database.ts';
import { runProgram } from '../../../src/cli.ts';
import { loadCatalogue } from '../../../src/numbers/report/catalogue/load-catalogue.ts';
import type { Column } from '../../../src/numbers/report/catalogue/table.ts';
import { readWorkbook, runReport } from '../../reports.ts';
import { takePart } from '../../seed.ts';
import { openCompany, readExcel } from './company.ts';
import { evaluate, savedValue } from './formula.ts';
import { readBytes } from './stub.ts';

const catalogue = loadCatalogue('reports');
const window = { start_date: '2026-04-27', end_date: '2026-05-22', cutoff_date: '2026-05-15' };
const now = new Date('2026-06-15T12:00:00Z');
const company = await openCompany();
afterAll(() => company.close());

async function write(name: string, sent: Record<string, string> = window, seesRates = true): Promise<ExcelWorkbook> {
  return readExcel(await readBytes(await readWorkbook(company.database, catalogue, name, sent, { now, seesRates })));
}

function wrongFormulas(workbook: ExcelWorkbook): string[] {
  const wrong: string[] = [];
  let count = 0;
  workbook.eachSheet((sheet) => {
    sheet.eachRow((row) =>
      row.eachCell((cell) => {
        if (!cell.formula) return;
        count += 1;
        const [found, saved] = [evaluate(workbook, sheet, cell.formula), savedValue(cell.value)];
        const isSame = found instanceof Decimal && saved instanceof Decimal ? found.equals(saved) : found === saved;
        if (!isSame && !isState(cell.formula))
          wrong.push(`${sheet.name} ${cell.address} ${cell.formula}: ${saved}, not ${found}`);
      }),
    );
  });
  expect(count).toBeGreaterThan(0);
  return wrong;
}

/** Returns true for the formula of the sentence that sums up the checks. */
function isState(formula: string): boolean {
  return formula.includes('checks hold');
}

const sheetOf = (workbook: ExcelWorkbook, name: string): Worksheet => workbook.getWorksheet(name) as Worksheet;
const headersOf = (sheet: Worksheet): string[] => (sheet.getRow(1).values as string[]).slice(1);
const tablesOf = (sheet: Worksheet) =>
  Object.values((sheet as unknown as { tables: Record<string, { table: Model }> }).tables).map(({ table }) => table);

interface Model {
  readonly name: string;
  readonly tableRef: string;
  readonly autoFilterRef: string;
  readonly totalsRow: boolean;
}

describe('the workbook of projects', () => {
  let workbook: ExcelWorkbook;
  let bytes: Buffer;
  beforeAll(async () => {
    bytes = await readBytes(
      await readWorkbook(company.database, catalogue, 'projects', window, { now, seesRates: true }),
    );
    workbook = await readExcel(bytes);
  });

  it('prints each block of Summary on one page', () => {
    const summary = [...unzip(bytes).values()].find((part) => part.includes('tabSelected="1"')) ?? '';
    const breaks = [...summary.matchAll(/<brk id="(\d+)"/g)].map(([, row]) => Number(row));
    // The first page ends by itself: the box for a commentary fills it.
    const [, filled] = /<mergeCell ref="B\d+:N(\d+)"/.exec(summary) ?? [];
    const ends = [Number(filled) + 1, ...breaks];
    expect(breaks).not.toContain(ends[0]);
    const sheet = sheetOf(workbook, 'Summary');
    const titles = [
      'Clients',
      'People',
      'Further figures',
      'Profit bridge',
      'Largest overruns',
      'Work without',
      'Budgets',
      'Findings in the data',
    ];
    const charts = [...unzip(bytes).values()].flatMap((part) => [
      ...part.matchAll(/<xdr:from>.*?<xdr:row>(\d+)<\/xdr:row>/g),
    ]);
    const isChart = (end: number) => charts.some(([, row]) => Number(row) === end);
    for (const end of ends.filter((each) => !isChart(each)))
      expect(sheet.getCell(end + 1, 2).text).toMatch(new RegExp(`^(${titles.join('|')})`));
    for (const [i, first] of [0, ...ends].entries()) {
      const last = ends[i] ?? sheet.rowCount;
      const heights = Array.from({ length: last - first }, (_, row) => sheet.getRow(first + row + 1).height ?? 15);
      // A page of A4, at the size that fits the width of Summary.
      expect(heights.reduce((sum, height) => sum + height, 0)).toBeLessThanOrEqual(950);
    }
  });

  it('has its sheets in order, each with a stable table name, a filter on all rows and frozen keys', () => {
    const found = workbook.worksheets.map((sheet) => [sheet.name, ...tablesOf(sheet).map(({ name }) => name)]);
    expect(found).toEqual([
      ['Summary'],
      ['Contents', 'tblContents'],
      ['Projects', 'tblProjects'],
      ['Phases', 'tblPhases'],
      ['Months', 'tblMonths'],
      ['Profit bridge', 'tblProfitBridge'],
      ['Pivot table'],
      ['Data', 'tblData'],
      ['Checks', 'tblChecks'],
      ['Causes', 'tblCauses'],
      ['Data quality', 'tblDataQuality'],
      ['Parameters', 'tblParameters'],
      ['Definitions', 'tblDefinitions'],
    ]);
    for (const sheet of workbook.worksheets.filter(({ name }) => !['Summary', 'Pivot table'].includes(name))) {
      const [table] = tablesOf(sheet);
      const lastRow = Number(/\d+$/.exec(table?.tableRef ?? '')?.[0]);
      expect(table?.autoFilterRef, sheet.name).toMatch(
        new RegExp(`^A1:[A-Z]+${lastRow - (table?.totalsRow ? 1 : 0)}$`),
      );
      expect(sheet.views[0], sheet.name).toMatchObject({ state: 'frozen', ySplit: 1 });
      expect(sheet.getRow(1).getCell(1).font.bold, sheet.name).toBe(true);
      expect(sheet.pageSetup, sheet.name).toMatchObject({
        orientation: 'landscape',
        printTitlesRow: '1:1',
      });
      expect(sheet.headerFooter.oddFooter, sheet.name).toContain('Page &P of &N');
    }
    expect(sheetOf(workbook, 'Projects').views[0]).toMatchObject({ xSplit: 3 });
  });

  it('prints readable columns: wide sheets take several pages side by side, each with the keys', {
    tags: ['slow'],
  }, async () => {
    const pages = ['Projects', 'Months', 'Checks'].map((name) => sheetOf(workbook, name).pageSetup);
    expect(pages.map(({ fitToWidth, printTitlesColumn }) => [fitToWidth, printTitlesColumn])).toEqual([
      [2, 'A:C'],
      [1, 'A:A'],
      [1, 'A:A'],
    ]);
    const whole = await write('projects', { ...window, fields: everyColumn(catalogue) });
    expect(sheetOf(whole, 'Projects').pageSetup.fitToWidth).toBe(5);
  });

  it.each([
    ['Projects', 'projects'],
    ['Phases', 'phases'],
    ['Data', 'lines'],
    ['Data quality', 'data-quality'],
  ])('%s has the numbers, dates and texts of the report %s, typed and formatted', async (name, report) => {
    const { cutoff_date: _, ...dates } = window;
    const sent = { lines: { ...dates, sort: 'project_id' }, 'data-quality': dates }[report] ?? window;
    const table = await runReport(company.database, catalogue, report, sent, { now });
    const sheet = sheetOf(workbook, name);
    const added =
      report === 'projects' ? ['Manager', 'Standing', 'Reason', 'At stake', 'Phases', 'Lines', 'Comment'] : [];
    expect(headersOf(sheet)).toEqual([...table.columns.map(({ label }) => label), ...added]);
    const rows: (readonly Value[])[] = [];
    for await (const chunk of table.rows) rows.push(...chunk);
    expect(rows.length).toBeGreaterThan(5);
    expect(sheet.rowCount).toBe(1 + rows.length + (table.totals ? 1 : 0));
    // Sheets that sum have their rows by size: found by their ids.
    const ids = table.totals ? { projects: [0], phases: [0, 2] }[report] : undefined;
    const placeOf = new Map<string, number>();
    sheet.eachRow((row, number) => placeOf.set((ids ?? []).map((id) => row.getCell(id + 1).text).join(' '), number));
    const rowAt = (row: readonly Value[], i: number) =>
      ids && i < rows.length ? (placeOf.get(ids.map((id) => String(row[id])).join(' ')) ?? 0) : i + 2;
    const wrong = [...rows, ...(table.totals ? [table.totals] : [])].flatMap((row, i) =>
      row.flatMap((value, j) => {
        const [column, cell] = [table.columns[j] as Column, sheet.getCell(rowAt(row, i), j + 1)];
        if (value === null && /^Unknown (project|phase) \d+$/.test(cell.text)) return [];
        const isLabel = i === rows.length && j === 0;
        const expected = isLabel ? 'Total' : expectedValue(column, value);
        const found = savedValue(cell.value);
        const isSame = found instanceof Decimal ? found.equals(expected as Decimal) : found === expected;
        const isFormatted = found === null || isLabel || (cell.numFmt ?? 'General') === FORMATS[formatOf(column)];
        return isSame && isFormatted ? [] : [`${cell.address} ${column.name} ${found} ${expected} ${cell.numFmt}`];
      }),
    );
    expect(wrong).toEqual([]);
  });

  it('has formulas that compute their saved values, and passing checks', () => {
    expect(wrongFormulas(workbook)).toEqual([]);
    const checks = sheetOf(workbook, 'Checks');
    const count = Number(/\d+$/.exec(tablesOf(checks)[0]?.tableRef ?? '')?.[0]) - 1;
    const held = Array.from({ length: count }, (_, i) => savedValue(checks.getCell(i + 2, 5).value));
    expect(held.filter((value) => value !== true)).toEqual([]);
    expect(savedValue(sheetOf(workbook, 'Summary').getCell('B4').value)).toBe(
      `The arithmetic is right: all ${count} checks hold`,
    );
    const formulas = Array.from({ length: count }, (_, i) => checks.getCell(i + 2, 2).formula).filter(Boolean);
    for (const part of ['SUM(tblProjects[', 'SUM(tblPhases[', 'SUM(tblMonths[', 'SUMIFS(tblData[', 'ROWS(tblData['])
      expect(formulas.filter((formula) => formula.startsWith(part)).length, part).toBeGreaterThan(0);
  });

  it('adds up the visible rows, and computes percentages of totals from totals', () => {
    const sheet = sheetOf(workbook, 'Projects');
    const total = (label: string) => sheet.getCell(sheet.rowCount, headersOf(sheet).indexOf(label) + 1);
    expect(total('Actual hours').formula).toBe('SUBTOTAL(109,tblProjects[Actual hours])');
    expect(total('Actual margin % of revenue').formula).toContain('tblProjects[[#Totals],[Actual profit]]');
    expect(total('Whole-life budget').value, 'budgets of two units').toBeNull();
  });

  it('names the cells of key figures and parameters, so that formulas can use them', () => {
    const place = (name: string) => {
      const [, sheet = '', cell = ''] =
        /^'?([^'!]+)'?!(.+)$/.exec(workbook.definedNames.getRanges(name).ranges[0] ?? '') ?? [];
      return sheetOf(workbook, sheet).getCell(cell);
    };
    expect(place('Cutoff').value).toEqual(new Date('2026-05-15T00:00:00Z'));
    expect(place('Start').value).toEqual(new Date('2026-04-27T00:00:00Z'));
    expect(place('ActualFees').formula).toBe('SUM(tblProjects[Actual value of work])');
    expect(place('VarianceFeesPercent').formula).toContain('tblProjects[Variance value of work]');
  });

  it('shows every parameter, the origin of the numbers, and the meaning of every column', async () => {
    const parameters = sheetOf(workbook, 'Parameters');
    const shown = new Map<string, unknown>();
    parameters.eachRow((row) => shown.set(String(row.getCell(3).value), row.getCell(2).value));
    expect(shown.get('cutoff_date')).toEqual(new Date('2026-05-15T00:00:00Z'));
    expect(shown.get('status')).toBe('confirmed,completed');
    expect(shown.get('department_id'), 'not requested').toBeNull();
    for (const name of ['page', 'group_by']) expect([...shown.keys()], 'not a parameter of it').not.toContain(name);
    expect(shown.get('currency')).toBe('EUR');
    expect(shown.get('definition_hash')).toMatch(/^[0-9a-f]{64}$/);
    expect([...shown.keys()]).toEqual(
      expect.arrayContaining(['data_version', 'loaded_at', 'generated_at', 'rounding']),
    );
    const defined = new Set<string>();
    sheetOf(workbook, 'Definitions').eachRow((row) => {
      for (const sheet of String(row.getCell(8).value).split(', ')) defined.add(`${sheet}: ${row.getCell(1).value}`);
    });
    for (const name of ['Projects', 'Phases', 'Months', 'Data', 'Data quality'])
      for (const header of headersOf(sheetOf(workbook, name))) expect([...defined]).toContain(`${name}: ${header}`);
  });
});

/** Workbooks of other reports, with filters. */
const OTHERS: readonly (readonly [name: string, sent: Record<string, string>])[] = [
  ['people', { ...window, department_id: '1', active: '1' }],
  ['phases', { ...window, project_status: 'confirmed', billable: '1' }],
  ['tasks', { ...window, interval: 'month' }],
  ['pivot', { ...window, group_by: 'client,month', measures: 'actual_hours,actual_fees', people_type_id: '1,2' }],
  [
    'pivot',
    {
      ...window,
      group_by: 'client',
      columns: 'month,quarter',
      measures: 'actual_fees,actual_margin_percent,actual_profit,actual_revenue',
    },
  ],
  ['lines', { start_date: '2026-05-04', end_date: '2026-05-08', sort: '-hours' }],
  ['projects', { ...window, status: 'tentative', fields: 'name,actual_hours,scheduled_cost', expand: 'phases' }],
];

describe('other workbooks', () => {
  it.each(takePart(OTHERS))('%s ties out, by any filter', { tags: ['slow'] }, async (name, sent) => {
    const workbook = await write(name, sent);
    expect(wrongFormulas(workbook)).toEqual([]);
    const own = name === 'lines' ? 'Data' : `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
    expect(workbook.worksheets.map((sheet) => sheet.name)).toContain(own);
  });

  it('lines has its sort order and only the Data sheet; data-quality only its findings', {
    tags: ['slow'],
  }, async () => {
    const names = async (name: string) => {
      const { cutoff_date: _, ...dates } = window;
      return (await readWorkbook(company.database, catalogue, name, dates, { now })).sheets.map((sheet) => sheet.name);
    };
    expect(await names('lines')).toEqual(['Months', 'Data', 'Data quality']);
    expect(await names('data-quality')).toEqual(['Data quality']);
  });

  it('rows by tags overlap: their totals are values, and a note explains it', { tags: ['slow'] }, async () => {
    const workbook = await write('pivot', { ...window, group_by: 'tag', measures: 'actual_hours' });
    const sheet = sheetOf(workbook, 'Pivot');
    const total = sheet.getCell(sheet.rowCount, 2);
    expect(total.formula).toBeUndefined();
    const sum = Array.from({ length: sheet.rowCount - 2 }, (_, i) => Number(sheet.getCell(i + 2, 2).value));
    expect(sum.reduce((a, b) => a + b)).toBeGreaterThan(Number(total.value));
    const texts: string[] = [];
    sheetOf(workbook, 'Summary').eachRow((row) => row.eachCell((cell) => texts.push(cell.text)));
    expect(texts.join('\n')).toContain('Rows by tag overlap');
    expect(wrongFormulas(workbook)).toEqual([]);
  });

  it('a window without lines gives valid tables with one blank row, and passing checks', {
    tags: ['slow'],
  }, async () => {
    const workbook = await write('projects', {
      start_date: '1975-01-01',
      end_date: '1975-01-31',
      cutoff_date: '1975-01-31',
    });
    expect(tablesOf(sheetOf(workbook, 'Data'))[0]?.tableRef).toBe('A1:AA2');
    expect(tablesOf(sheetOf(workbook, 'Projects'))[0]?.tableRef).toMatch(/^A1:[A-Z]+3$/);
    expect(wrongFormulas(workbook)).toEqual([]);
  });

  it('board has one summary, its reports as sheets and one page of definitions, and ties out', {
    tags: ['slow'],
  }, async () => {
    const workbook = await write('board');
    expect(workbook.worksheets.map(({ name }) => name)).toEqual([
      'Summary',
      'Contents',
      'Projects',
      'Clients',
      'Contracts',
      'People',
      'Pipeline',
      'Months',
      'Outlook',
      'Prior period',
      'Last year',
      'Year to date',
      'Last year to date',
      'Profit bridge',
      'Pivot table',
      'Data',
      'Checks',
      'Causes',
      'Data quality',
      'Parameters',
      'Definitions',
    ]);
    expect(wrongFormulas(workbook)).toEqual([]);
    // Each figure on page 1 is a formula over a sheet that has its rows; columns from O on are drawn by charts.
    const constants: string[] = [];
    sheetOf(workbook, 'Summary').eachRow((row) =>
      row.eachCell(({ value, address, col }) => {
        if (typeof value === 'number' && Number(col) < 15) constants.push(address);
      }),
    );
    expect(constants).toEqual([]);
    const checks: string[] = [];
    sheetOf(workbook, 'Checks').eachRow((row) => checks.push(row.getCell(1).text));
    for (const name of ['Clients', 'People', 'Pipeline'])
      expect(
        checks.filter((check) => check.includes(`the rows of ${name} against the total of Projects`)),
        name,
      ).not.toEqual([]);
    const pipeline = sheetOf(workbook, 'Pipeline');
    const place = headersOf(pipeline).indexOf('Tentative hours') + 1;
    for (let row = 2; row < pipeline.rowCount; row += 1)
      expect(Number(pipeline.getCell(row, place).value)).toBeGreaterThan(0);
  });

  it('has rows by size, months as months and fiscal quarters by name', { tags: ['slow'] }, async () => {
    const sent = { ...window, start_date: '2026-01-01', end_date: '2026-06-30', measures: 'actual_revenue' };
    const pivot = sheetOf(await write('pivot', { ...sent, group_by: 'client,quarter' }), 'Pivot');
    const clients = Array.from({ length: pivot.rowCount - 2 }, (_, i) => pivot.getCell(i + 2, 2).text);
    expect(clients.filter((name, i) => i > 0 && clients.indexOf(name) < clients.lastIndexOf(name, i - 1) - 1)).toEqual(
      [],
    );
    expect(pivot.getCell('C2').value).toBe('2026-Q4');
    const months = sheetOf(await write('pivot', { ...sent, group_by: 'month' }), 'Pivot');
    expect(months.getCell('A2').numFmt).toBe('mmm yyyy');
    const sizes = sheetOf(await write('pivot', { ...sent, group_by: 'client' }), 'Pivot');
    const numbers = Array.from({ length: sizes.rowCount - 2 }, (_, i) => Number(sizes.getCell(i + 2, 3).value));
    const known = numbers.slice(0, 8);
    expect(known).toEqual([...known].sort((a, b) => b - a));
  });

  it('refuses parameters that cut rows off, and names them', async () => {
    await expect(write('projects', { ...window, page: '2' })).rejects.toMatchObject({
      code: 'usage',
      fields: [{ field: 'page' }],
    });
    const { cutoff_date: _, ...days } = window;
    await expect(write('lines', { ...days, limit: '5' })).rejects.toThrow(/takes no limit/);
  });

  it('for a reader without rates has no cost column in any sheet', { tags: ['slow'] }, async () => {
    const secret = [...catalogue.measures.values()].filter((measure) => measure.needs_rates);
    const listed = [...catalogue.reports.values()].flatMap(({ list }) => Object.values(list ?? {}));
    const labels = [...secret, ...listed.filter((column) => column.needs_rates)].map(({ label }) => label);
    expect(labels.length).toBeGreaterThan(10);
    const workbook = await write('projects', window, false);
    const found: string[] = [];
    workbook.eachSheet((sheet) =>
      sheet.eachRow((row) =>
        row.eachCell((cell) => {
          const shows = (label: string) =>
            cell.text === label || cell.text.startsWith(`${label}: `) || cell.formula?.includes(`[${label}]`);
          if (labels.some(shows)) found.push(`${sheet.name} ${cell.address} ${cell.text}`);
        }),
      ),
    );
    expect(found).toEqual([]);
    expect(sheetOf(workbook, 'Data').rowCount).toBeGreaterThan(100);
    expect(wrongFormulas(workbook)).toEqual([]);
  });
});

describe('plumbline report --format xlsx', () => {
  const file = join(company.folder, 'copy.duckdb');
  beforeAll(() => copyFileSync(company.file, file));

  async function run(isTTY: boolean, ...more: string[]) {
    const streams = [0, 1].map(() => Object.assign(new PassThrough(), { isTTY }));
    const pieces: Buffer[][] = [[], []];
    for (const [i, stream] of streams.entries()) stream.on('data', (chunk) => pieces[i]?.push(Buffer.from(chunk)));
    const [stdout, stderr] = streams as unknown as [NodeJS.WriteStream, NodeJS.WriteStream];
    const args = ['report', 'projects', '--start-date', '2026-05-04', '--end-date', '2026-05-05', '--format', 'xlsx'];
    const code = await runProgram([...args, '--database', file, ...more], { stdout, stderr, now: () => now });
    const [output, words] = pieces.map((chunks) => Buffer.concat(chunks));
    return { code, output, words: String(words) };
  }

  it('writes the same bytes to a file and to a pipe', { tags: ['slow'] }, async () => {
    const path = join(company.folder, 'projects.xlsx');
    const [toFile, toPipe] = [await run(false, '--output', path), await run(false)];
    expect([toFile.code, toPipe.code], toFile.words + toPipe.words).toEqual([0, 0]);
    expect(toPipe.output?.toString('latin1', 0, 2)).toBe('PK');
    expect(toPipe.output?.equals(readFileSync(path))).toBe(true);
  });

  it('writes nothing to a terminal', async () => {
    const { code, output, words } = await run(true);
    expect(code).toBe(2);
    expect(output).toHaveLength(0);
    expect(words).toContain('--output');
  });
});

function expectedValue({ name, unit }: Column, value: Value): Decimal | string | boolean | null {
  if (value === null || typeof value === 'boolean') return value;
  if (unit === 'date') return new Decimal(Date.parse(`${value}T00:00:00Z`) / 86_400_000 + 25_569);
  if (unit === 'id' || unit === 'code' || unit === 'text') return String(value);
  if (name.endsWith('_points')) return new Decimal(String(value));
  return unit === 'percent' ? new Decimal(String(value)).div(100) : new Decimal(String(value));
}

const FORMATS: Readonly<Record<string, string>> = {
  hours: '#,##0.00',
  budget: '#,##0.00',
  money: '#,##0.00_);(#,##0.00);"-"_)',
  rate: '#,##0.00##',
  percent: '0.0%',
  date: 'yyyy-mm-dd',
  boolean: '"TRUE";"TRUE";"FALSE"',
  plain: 'General',
  'hours none': '+#,##0.00_ _U;-#,##0.00_ _U;#,##0.00_ _U',
  'money less': '+#,##0.00" U";-#,##0.00" F";"-"_ _U',
  'percent more': '+0.0" pts"" F";-0.0" pts"" U";0.0" pts"_ _U',
  'money more': '+#,##0.00" F";-#,##0.00" U";"-"_ _U',
};

function formatOf({ name, unit, better }: Column): string {
  if (better !== undefined && name.startsWith('variance')) return `${unit} ${better}`;
  return unit === 'id' || unit === 'code' || unit === 'text' ? 'plain' : unit;
}

/** Returns the columns of the report projects: its keys, and all measures. */
function everyColumn({ measures }: typeof catalogue): string {
  const groups = ['hours', 'cost', 'fees', 'expenses', 'revenue', 'profit'];
  const names = [...measures.values()].filter(({ group }) => groups.includes(group)).map(({ name }) => name);
  return ['project_id', 'project_code', 'name', ...names].join(',');
}
