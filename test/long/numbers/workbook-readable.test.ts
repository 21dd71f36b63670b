import type { Workbook as ExcelWorkbook, Worksheet } from 'exceljs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAX_SHEET_LINKS } from '../../../packages/xlsx/index.ts';
import { unzip } from '../../../packages/xlsx/test/unzip.ts';
import { loadCatalogue } from '../../../src/numbers/report/catalogue/load-catalogue.ts';
import { readWorkbook } from '../../reports.ts';
import { openCompany, readExcel } from '../../write/xlsx/company.ts';
import { savedValue } from '../../write/xlsx/formula.ts';
import { column, readBytes, stubWorkbook } from '../../write/xlsx/stub.ts';

const catalogue = loadCatalogue('reports');
const window = { start_date: '2026-04-27', end_date: '2026-05-22', cutoff_date: '2026-05-15' };
const now = new Date('2026-06-15T12:00:00Z');
const company = await openCompany();
afterAll(() => company.close());

const write = async (name: string, sent: Record<string, string> = window): Promise<Buffer> =>
  readBytes(await readWorkbook(company.database, catalogue, name, sent, { now }));

const sheetOf = (workbook: ExcelWorkbook, name: string): Worksheet => workbook.getWorksheet(name) as Worksheet;

/** Returns the values of a column below its header, without the totals. */
function columnOf(sheet: Worksheet, header: string, count = sheet.rowCount - 2): unknown[] {
  const place = (sheet.getRow(1).values as string[]).indexOf(header);
  return Array.from({ length: count }, (_, i) => savedValue(sheet.getCell(i + 2, place).value));
}

interface Link {
  readonly from: string;
  readonly cell: string;
  readonly sheet: string;
  readonly range: string;
}

/** Returns the links within a workbook. */
function linksOf(bytes: Buffer): Link[] {
  const files = unzip(bytes);
  const targets = new Map(
    [...(files.get('xl/_rels/workbook.xml.rels') ?? '').matchAll(/Id="(\w+)"[^>]*Target="([^"]+)"/g)].map(
      ([, id = '', target = '']) => [id, target],
    ),
  );
  const sheets = [...(files.get('xl/workbook.xml') ?? '').matchAll(/<sheet name="([^"]+)"[^>]*r:id="(\w+)"/g)];
  return sheets.flatMap(([, from = '', id = '']) =>
    [
      ...(files.get(`xl/${targets.get(id)}`) ?? '').matchAll(/<hyperlink ref="(\w+)" location="'([^']+)'!([\w:]+)"/g),
    ].map(([, cell = '', sheet = '', range = '']) => ({ from, cell, sheet, range })),
  );
}

describe('links', () => {
  let bytes: Buffer;
  let workbook: ExcelWorkbook;
  let links: Link[];
  beforeAll(async () => {
    bytes = await write('projects');
    workbook = await readExcel(bytes);
    links = linksOf(bytes);
  });

  it('lead from Contents to every sheet but itself, and from every sheet but Summary back', () => {
    const names = workbook.worksheets.map(({ name }) => name);
    expect(links.filter(({ from }) => from === 'Contents').map(({ sheet }) => sheet)).toEqual([
      'Contents',
      ...names.filter((name) => name !== 'Contents'),
    ]);
    const back = links.filter(({ sheet, cell }) => sheet === 'Contents' && cell === 'A1').map(({ from }) => from);
    expect(back).toEqual(names.filter((name) => name !== 'Summary'));
    const rows = new Map<string, unknown>();
    sheetOf(workbook, 'Contents').eachRow((row) => rows.set(String(row.getCell(1).text), row.getCell(3).value));
    expect(rows.get('Data')).toBe(sheetOf(workbook, 'Data').rowCount - 1);
  });

  it.each([
    ['Phases', 'Phases'],
    ['Lines', 'Data'],
  ])('lead from every project to its rows: %s', (header, target) => {
    const projects = sheetOf(workbook, 'Projects');
    const [ids, counts] = [columnOf(projects, 'Project id'), columnOf(projects, header)];
    const keys = columnOf(sheetOf(workbook, target), 'Project id', sheetOf(workbook, target).rowCount - 1);
    expect(ids.length).toBeGreaterThan(5);
    const linked = new Map(
      links
        .filter(({ from, sheet }) => from === 'Projects' && sheet === target)
        .map(({ cell, range }) => [Number(/\d+/.exec(cell)?.[0]), range]),
    );
    for (const [i, id] of ids.entries()) {
      const rows = keys.flatMap((key, row) => (key === id ? [row + 2] : []));
      expect(Number(counts[i]), `${id}`).toBe(rows.length);
      const [, first, last] = /^A(\d+):[A-Z]+(\d+)$/.exec(linked.get(i + 2) ?? '') ?? [];
      const ends = rows.length > 0 ? [String(rows[0]), String(rows.at(-1))] : [undefined, undefined];
      expect([first, last], `${id}`).toEqual(ends);
      if (rows.length > 0) expect(rows, 'one range').toHaveLength((rows.at(-1) ?? 0) - (rows[0] ?? 0) + 1);
    }
    expect(linked.size).toBe(counts.filter((count) => Number(count) > 0).length);
    expect(linked.size).toBeGreaterThan(5);
  });

  it('are refused for rows that are not together', async () => {
    const stub = stubWorkbook([
      {
        name: 'Data',
        key: 'data',
        columns: [column('project_id', 'id')],
        rows: [['1'], ['2'], ['1']],
        layout: { groupedBy: 'project_id' },
      },
    ]);
    await expect(readBytes(stub)).rejects.toThrow('The rows of project_id 1 are not consecutive on Data');
  });

  it('stay within the number that Excel takes on a sheet, beyond which cells are plain, and Summary says so', async () => {
    const ids = Array.from({ length: MAX_SHEET_LINKS + 2 }, (_, i) => [String(i + 1)]);
    const stub = stubWorkbook([
      {
        name: 'Projects',
        key: 'own',
        columns: [column('project_id', 'id', 'Project id'), column('lines', 'count', 'Lines')],
        rows: ids.map(([id = '']) => [id, null]),
        layout: { linked: [{ column: 'lines', sheet: 'Data' }] },
      },
      {
        name: 'Data',
        key: 'data',
        columns: [column('project_id', 'id')],
        rows: ids,
        layout: { groupedBy: 'project_id' },
      },
    ]);
    const texts = [...unzip(await readBytes(stub)).values()];
    const sheet = texts.find((text) => text.includes('>Lines<') && text.includes('<worksheet')) ?? '';
    // The way back to Contents is the first link.
    expect(sheet.match(/<hyperlink /g)).toHaveLength(MAX_SHEET_LINKS);
    const styleAt = (row: number) => new RegExp(`<c r="B${row}" s="(\\d+)"`).exec(sheet)?.[1];
    expect(styleAt(MAX_SHEET_LINKS)).toBe(styleAt(2));
    expect(styleAt(MAX_SHEET_LINKS + 1)).not.toBe(styleAt(2));
    expect(texts.join()).toContain(
      `3 rows of Projects have counts without links: Excel takes ${MAX_SHEET_LINKS} links on a sheet.`,
    );
  });

  it('lead to the sheet where the rows of a project begin, if they continue on another', async () => {
    const rows = [['1'], ['2'], ['2'], ['2'], ['3']];
    const stub = stubWorkbook([
      {
        name: 'Projects',
        key: 'own',
        columns: [column('project_id', 'id', 'Project id'), column('lines', 'count', 'Lines')],
        rows: [
          ['1', null],
          ['2', null],
          ['3', null],
          ['4', null],
        ],
        layout: { linked: [{ column: 'lines', sheet: 'Data' }] },
      },
      { name: 'Data', key: 'data', columns: [column('project_id', 'id')], rows, layout: { groupedBy: 'project_id' } },
    ]);
    const limited = await readBytes(stub, 2);
    expect(linksOf(limited).filter(({ from, cell }) => from.startsWith('Projects') && cell !== 'A1')).toEqual([
      { from: 'Projects', cell: 'B2', sheet: 'Data', range: 'A2:A2' },
      { from: 'Projects', cell: 'B3', sheet: 'Data', range: 'A3:A3' },
      { from: 'Projects 2', cell: 'B2', sheet: 'Data 3', range: 'A2:A2' },
    ]);
    const book = await readExcel(limited);
    const counts = ['Projects', 'Projects 2'].flatMap((name) => columnOf(sheetOf(book, name), 'Lines', 2));
    expect(counts.map(Number)).toEqual([1, 3, 1, 0]);
  });
});

describe('columns', () => {
  it('of a report that it shows as a table come first to the eye, the others are in collapsed groups', async () => {
    const sheet = sheetOf(await readExcel(await write('projects')), 'Projects');
    const headers = (sheet.getRow(1).values as string[]).slice(1);
    const shown = headers.filter((_, i) => !sheet.getColumn(i + 1).hidden);
    expect(shown).toEqual([
      ...['Project id', 'Project', 'Client', 'Status', 'Scheduled hours', 'Actual hours', 'Variance hours'],
      ...[
        'Actual labour cost',
        'Actual revenue',
        'Actual profit',
        'Actual margin % of revenue',
        'Budget used % of budget',
      ],
      ...['Manager', 'Standing', 'Reason', 'At stake', 'Phases', 'Lines', 'Comment'],
    ]);
    for (const [i] of headers.entries())
      expect(sheet.getColumn(i + 1).outlineLevel, headers[i]).toBe(sheet.getColumn(i + 1).hidden ? 1 : 0);
    const total = sheet.getCell(sheet.rowCount, headers.indexOf('Scheduled labour cost') + 1);
    expect(total.formula, 'a hidden column has its total').toBe('SUBTOTAL(109,tblProjects[Scheduled labour cost])');
  });

  it('that a request names are all shown', async () => {
    const bytes = await write('projects', { ...window, fields: 'name,scheduled_cost,variance_cost' });
    const sheet = sheetOf(await readExcel(bytes), 'Projects');
    expect((sheet.getRow(1).values as string[]).slice(1)).toEqual([
      'Project',
      'Scheduled labour cost',
      'Variance labour cost',
    ]);
    expect([1, 2, 3].map((place) => sheet.getColumn(place).hidden)).toEqual([false, false, false]);
  });

  it('tell the type of a person in words', async () => {
    const people = sheetOf(await readExcel(await write('people')), 'People');
    expect(new Set(columnOf(people, 'Person type'))).toEqual(
      new Set(['employee', 'contractor', 'placeholder', 'role placeholder']),
    );
    const chosen = await readExcel(await write('people', { ...window, fields: 'name,people_type_id' }));
    expect(new Set(columnOf(sheetOf(chosen, 'People'), 'Person type id'))).toEqual(new Set(['1', '2', '3', '4']));
  });
});

describe('rows', () => {
  it.each([
    ['a window that ends in months without lines', {}],
    ['a filter', { project_id: '501' }],
  ])('of Months are all months of %s', async (_, filter) => {
    const sent = { start_date: '2026-06-15', end_date: '2028-02-10', cutoff_date: '2026-06-30', ...filter };
    const months = sheetOf(await readExcel(await write('projects', sent)), 'Months');
    const days = columnOf(months, 'Month').map((value) => Number(value));
    expect(days).toHaveLength(21);
    expect(days[0]).toBe(Date.parse('2026-06-01T00:00:00Z') / 86_400_000 + 25_569);
    expect(days.at(-1)).toBe(Date.parse('2028-02-01T00:00:00Z') / 86_400_000 + 25_569);
    expect(Number(columnOf(months, 'Scheduled hours').at(-1))).toBe(0);
    expect(columnOf(months, 'Scheduled hours').at(-1), 'a zero').not.toBeNull();
  });
});

describe('paper', () => {
  it('gets the sheets that people read; the others have a blank print area', async () => {
    const book = unzip(await write('projects')).get('xl/workbook.xml') ?? '';
    const areas = [...book.matchAll(/name="_xlnm\.Print_Area" localSheetId="\d+">'([^']+)'!\$(\w+)\$1</g)];
    expect(areas.map(([, sheet]) => sheet)).toEqual([
      'Contents',
      'Pivot table',
      'Data',
      'Checks',
      'Data quality',
      'Definitions',
    ]);
    const workbook = await readExcel(await write('projects'));
    for (const [, sheet = '', letters = ''] of areas)
      expect(sheetOf(workbook, sheet).getCell(`${letters}1`).value, sheet).toBeNull();
  });
});
