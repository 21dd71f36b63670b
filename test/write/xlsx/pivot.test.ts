import { Decimal } from 'decimal.js';
import { afterAll, describe, expect, it } from 'vitest';
import { unzip } from '../../../packages/xlsx/test/unzip.ts';
import type { Value } from '../../../src/base/database/database.ts';
import { loadCatalogue } from '../../../src/numbers/report/catalogue/load-catalogue.ts';
import { readWorkbook } from '../../reports.ts';
import { openCompany, readExcel } from './company.ts';
import { savedValue } from './formula.ts';
import { column, readBytes, stubWorkbook } from './stub.ts';

const catalogue = loadCatalogue('reports');
const window = { start_date: '2026-04-27', end_date: '2026-05-22', cutoff_date: '2026-05-15' };
const now = new Date('2026-06-15T12:00:00Z');
const company = await openCompany();
afterAll(() => company.close());

const write = async (sent: Record<string, string> = window, seesRates = true): Promise<Buffer> =>
  readBytes(await readWorkbook(company.database, catalogue, 'projects', sent, { now, seesRates }));

const all = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, found = '']) => found);

const columns = [
  column('kind', 'text', 'Kind'),
  column('project', 'text', 'Project'),
  column('person', 'text', 'Person'),
  column('role', 'text', 'Role'),
  column('status', 'text', 'Status'),
  column('hours', 'hours', 'Hours'),
];

async function stub(rows: readonly (readonly Value[])[], rowLimit?: number): Promise<Map<string, string>> {
  return unzip(await readBytes(stubWorkbook([{ name: 'Data', key: 'data', columns, rows }]), rowLimit));
}

const CACHE = 'xl/pivotCache/pivotCacheDefinition1.xml';

describe('the pivot table', () => {
  it('shows the sums of the lines, before a program computes them', { tags: ['slow'] }, async () => {
    const workbook = await readExcel(await write());
    const [pivot, data] = ['Pivot table', 'Data'].map((name) => workbook.getWorksheet(name));
    const place = (header: string) => ((data?.getRow(1).values ?? []) as string[]).indexOf(header);
    const sums = new Map<string, Decimal>();
    data?.eachRow((row, number) => {
      const [kind, project, hours] = ['Kind', 'Project', 'Hours'].map((header) =>
        savedValue(row.getCell(place(header)).value),
      );
      if (number === 1 || !(hours instanceof Decimal)) return;
      const key = `${project ?? '(blank)'} ${kind}`;
      sums.set(key, (sums.get(key) ?? new Decimal(0)).plus(hours));
    });
    const kinds = ((pivot?.getRow(5).values ?? []) as string[]).slice(2);
    const shown = new Map<string, Decimal>();
    pivot?.eachRow((row, number) => {
      for (const [i, kind] of kinds.entries()) {
        const value = savedValue(row.getCell(i + 2).value);
        if (number > 5 && value instanceof Decimal) shown.set(`${row.getCell(1).text} ${kind}`, value);
      }
    });
    expect(sums.size).toBeGreaterThan(10);
    expect(new Map([...shown].map(([key, value]) => [key, value.toFixed()]))).toEqual(
      new Map([...sums].map(([key, value]) => [key, value.toFixed()])),
    );
  });

  it('has the columns of Data as fields, and is computed again when the file is opened', {
    tags: ['slow'],
  }, async () => {
    const files = unzip(await write());
    const cache = files.get(CACHE) ?? '';
    expect(cache).toContain('refreshOnLoad="1"');
    expect(cache).toContain('<worksheetSource name="tblData"/>');
    const table = [...files].find(([name, text]) => name.startsWith('xl/tables/') && text.includes('name="tblData"'));
    const names = all(cache, /<cacheField name="([^"]*)"/g);
    expect(names).toEqual(all(table?.[1] ?? '', /<tableColumn [^>]*?name="([^"]*)"/g));
    const pivot = files.get('xl/pivotTables/pivotTable1.xml') ?? '';
    expect(all(pivot, /(<pivotField[ >/])/g)).toHaveLength(names.length);
    expect([...files.keys()].some((name) => name.includes('pivotCacheRecords'))).toBe(false);
    const place = (pattern: RegExp) => names[Number(pattern.exec(pivot)?.[1])];
    expect(place(/<rowFields count="1"><field x="(\d+)"/)).toBe('Project');
    expect(place(/<colFields count="1"><field x="(\d+)"/)).toBe('Kind');
    expect(place(/<dataField [^>]*fld="(\d+)"/)).toBe('Hours');
  });

  it('has slicers whose items are those of its fields', { tags: ['slow'] }, async () => {
    const files = unzip(await write());
    const cache = files.get(CACHE) ?? '';
    const caches = [...files].filter(([name]) => name.startsWith('xl/slicerCaches/')).map(([, text]) => text);
    const sources = caches.flatMap((text) => all(text, /sourceName="([^"]*)"/g));
    expect(sources).toEqual(['Person', 'Role', 'Status']);
    const [, tab] = /<sheet name="Pivot table" sheetId="(\d+)"/.exec(files.get('xl/workbook.xml') ?? '') ?? [];
    for (const [i, text] of caches.entries()) {
      const [, count] =
        new RegExp(`name="${sources[i]}" numFmtId="0"><sharedItems[^>]* count="(\\d+)"`).exec(cache) ?? [];
      expect(all(text, /<i x="(\d+)"/g), sources[i]).toHaveLength(Number(count));
      expect(text).toContain(`tabId="${tab}"`);
    }
    const slicers = files.get('xl/slicers/slicer1.xml') ?? '';
    expect(all(slicers, / cache="([^"]*)"/g)).toEqual(caches.flatMap((text) => all(text, / name="(Slicer_[^"]*)"/g)));
    expect(all(files.get('xl/workbook.xml') ?? '', /name="(Slicer_\w+)">#N\/A</g)).toHaveLength(3);
  });

  it('counts texts that differ in case as one item, and blank ones as another', async () => {
    const files = await stub([
      ['actual', 'Design', 'Ann', null, 'confirmed', '1.0000'],
      ['actual', 'DESIGN', 'ann', null, 'confirmed', '2.5000'],
      ['actual', null, 'Bo & <Co>', 'r', 'confirmed', '4.0000'],
    ]);
    const cache = files.get(CACHE) ?? '';
    expect(cache).toContain('<sharedItems containsBlank="1" count="2"><s v="Design"/><m/></sharedItems>');
    expect(cache).toContain('<sharedItems count="2"><s v="Ann"/><s v="Bo &amp; &lt;Co&gt;"/></sharedItems>');
    const sheet = [...files.values()].find((text) => text.includes('Sum of Hours</t>') && text.includes('Row Labels'));
    expect(sheet).toContain('<v>3.5</v>');
    expect(sheet).toContain('<v>4</v>');
  });

  it('keeps tabs and line breaks apart from blanks', async () => {
    const names = ['line1\nline2', 'line1\tline2', 'line1 line2'];
    const files = await stub(names.map((name) => ['actual', name, 'Ann', 'r', 'confirmed', '1.0000']));
    const items = '<s v="line1&#9;line2"/><s v="line1&#10;line2"/><s v="line1 line2"/>';
    expect(files.get(CACHE)).toContain(`<sharedItems count="3">${items}</sharedItems>`);
  });

  it('is left out without lines, and when the lines continue on another sheet', { tags: ['slow'] }, async () => {
    expect((await stub([])).has(CACHE)).toBe(false);
    const rows = Array.from({ length: 5 }, () => ['actual', 'P', 'Ann', 'r', 'confirmed', '1.0000']);
    expect((await stub(rows, 3)).has(CACHE)).toBe(false);
    expect((await stub(rows)).has(CACHE)).toBe(true);
  });

  it('has no cost for a reader without rates, and nothing of other projects in a filtered workbook', {
    tags: ['slow'],
  }, async () => {
    const parts = (files: Map<string, string>) =>
      [...files].filter(([name]) => /pivot|slicer/i.test(name)).map(([, text]) => text);
    const withRates = parts(unzip(await write())).join('\n');
    expect(withRates).toContain('name="Cost"');
    expect(parts(unzip(await write(window, false))).join('\n')).not.toMatch(/"Cost"|Cost rate"/);
    const [other] = all(withRates, /<s v="(Design system)"/g);
    expect(other).toBeDefined();
    expect(parts(unzip(await write({ ...window, project_id: '501' }))).join('\n')).not.toContain(other);
  });
});
