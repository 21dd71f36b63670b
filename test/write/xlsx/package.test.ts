import { beforeAll, describe, expect, it } from 'vitest';
import { unzip } from '../../../packages/xlsx/test/unzip.ts';
import { column, readBytes, stubWorkbook } from './stub.ts';

/** The element order of a worksheet that Excel accepts; it repairs files with any other. */
const ORDER =
  'sheetPr dimension sheetViews sheetFormatPr cols sheetData autoFilter mergeCells conditionalFormatting hyperlinks printOptions pageMargins pageSetup headerFooter rowBreaks ignoredErrors drawing tableParts'.split(
    ' ',
  );

const variance = { ...column('variance_fees', 'money', 'Variance fees'), better: 'more' as const };
const MONTHS = {
  name: 'Months',
  key: 'months',
  total: 'sum' as const,
  columns: [
    column('month', 'date', 'Month'),
    column('scheduled_hours', 'hours', 'Plan'),
    column('actual_hours', 'hours', 'Actual hours'),
    column('variance_hours', 'hours', 'Variance hours'),
  ],
  // Page 1 has charts from two months on.
  rows: [
    ['2026-01-01', '1.2500', '1.0000', '-0.2500'],
    ['2026-02-01', '0.2500', '1.0000', '0.7500'],
  ],
  totals: [null, '1.5000', '2.0000', '0.5000'],
};

const workbook = () =>
  stubWorkbook([
    {
      name: 'Projects',
      key: 'own',
      total: 'sum',
      columns: [
        column('project_id', 'id', 'Project id'),
        column('name', 'text', 'Status'),
        column('status', 'text', 'status'),
        column('scheduled_hours', 'hours', "Sched'd [h] #"),
        column('actual_hours', 'hours', 'Actual hours'),
        variance,
      ],
      rows: [[1, 'A & B <c>', 'done', '1.5000', '2.0000', '-3.2500']],
      totals: [null, null, null, '1.5000', '2.0000', '-3.2500'],
    },
    MONTHS,
    {
      name: 'Data',
      key: 'data',
      columns: [column('kind', 'text'), column('date', 'date')],
      rows: [['actual', '2026-01-05']],
    },
  ]);

describe('the styles of a workbook', () => {
  it('are in the gallery by name, and cells follow them', async () => {
    const styles = unzip(await readBytes(workbook())).get('xl/styles.xml') ?? '';
    const names = [...styles.matchAll(/<cellStyle name="([^"]+)" xfId="(\d+)"/g)].map(([, name]) => name);
    expect(names.sort().join()).toBe('Date,Explanatory Text,Heading 1,Hours,Hyperlink,Normal,Title,Variance');
    const [base = '', cells = ''] = ['cellStyleXfs', 'cellXfs'].map(
      (list) => new RegExp(`<${list} [^>]*>(.*?)</${list}>`).exec(styles)?.[1] ?? '',
    );
    const formats = [...base.matchAll(/<xf numFmtId="(\d+)"/g)].map(([, format]) => format);
    // A cell of a number style applies no format of its own, so that a change of the style changes it.
    const hours = [...styles.matchAll(/<cellStyle name="Hours" xfId="(\d+)"/g)][0]?.[1] ?? '';
    const own = [...cells.matchAll(/<xf ([^>]*)>/g)].flatMap(([, xf = '']) =>
      xf.includes(`xfId="${hours}"`) ? [xf] : [],
    );
    expect(own.length).toBeGreaterThan(0);
    expect(
      own.some((xf) => xf.includes(`numFmtId="${formats[Number(hours)]}"`) && !xf.includes('applyNumberFormat')),
    ).toBe(true);
  });
});

describe('the parts of a workbook', () => {
  let files: Map<string, string>;
  beforeAll(async () => {
    files = unzip(await readBytes(workbook()));
  });
  const read = (name: string): string => files.get(name) ?? '';
  const readSheet = (name: string): string => {
    const [, id = ''] = new RegExp(`<sheet name="${name}" [^>]*r:id="(\\w+)"`).exec(read('xl/workbook.xml')) ?? [];
    const [, target = ''] =
      new RegExp(`Id="${id}"[^>]*Target="([^"]+)"`).exec(read('xl/_rels/workbook.xml.rels')) ?? [];
    return read(`xl/${target}`);
  };
  const named = (pattern: RegExp) => [...files].filter(([name]) => pattern.test(name));
  const all = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, found = '']) => found);

  it('each part has a content type, and each relation a target', () => {
    const types = all(read('[Content_Types].xml'), /PartName="\/([^"]+)"/g);
    const parts = [...files.keys()].filter((name) => !name.endsWith('.rels') && name !== '[Content_Types].xml');
    expect(types.sort()).toEqual(parts.sort());
    for (const [name, text] of named(/\.rels$/)) {
      const folder = name.replace(/_rels\/[^/]+$/, '');
      for (const target of all(text, /Target="([^"]+)"/g)) {
        const path = new URL(target, `file:///${folder}`).pathname.slice(1);
        expect([...files.keys()], `${name} ${target}`).toContain(path);
      }
      const ids = all(text, /Id="([^"]+)"/g);
      expect(new Set(ids).size).toBe(ids.length);
    }
    expect(named(/_rels\/sheet/).length).toBeGreaterThan(5);
  });

  it('each sheet has its elements in the order that Excel accepts', () => {
    for (const [name, text] of named(/worksheets\/sheet/)) {
      const body = text.replace(/<sheetData>.*<\/sheetData>/s, '<sheetData/>');
      const elements = all(body.slice(body.indexOf('<worksheet')).replace(/^<worksheet[^>]*>/, ''), /<(\w+)/g).filter(
        (element) => ORDER.includes(element),
      );
      const sorted = [...elements].sort((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b));
      expect(elements, name).toEqual(sorted);
      expect(elements, name).toEqual(
        expect.arrayContaining(['sheetViews', 'cols', 'sheetData', 'pageSetup', 'headerFooter']),
      );
    }
  });

  it('each table has a unique id and name, and distinct columns that match its header cells', () => {
    const tables = named(/tables\/table/).map(([, text]) => text);
    const ids = tables.flatMap((text) => all(text, /<table [^>]*? id="(\d+)"/g));
    const names = tables.flatMap((text) => all(text, /displayName="(\w+)"/g));
    expect(new Set(ids).size).toBe(tables.length);
    expect(new Set(names).size).toBe(tables.length);
    expect(names).toEqual(expect.arrayContaining(['tblProjects', 'tblMonths', 'tblData', 'tblChecks']));
    for (const [name, text] of named(/worksheets\/sheet/)) {
      const relations = read(name.replace('worksheets/', 'worksheets/_rels/').concat('.rels'));
      const [target] = all(relations, /Target="\.\.\/(tables[^"]+)"/g);
      if (!target) continue;
      const columns = all(read(`xl/${target}`), /<tableColumn [^>]*?name="([^"]*)"/g);
      const header = all(text, /<row r="1".*?<\/row>/gs)
        .concat(/<row r="1".*?<\/row>/s.exec(text)?.[0] ?? '')
        .join('');
      expect(columns, name).toEqual(all(header, /<t[^>]*>([^<]*)<\/t>/g));
      expect(new Set(columns.map((each) => each.toLowerCase())).size, name).toBe(columns.length);
      const [count] = all(read(`xl/${target}`), /<tableColumns count="(\d+)"/g);
      expect(columns).toHaveLength(Number(count));
    }
  });

  it('column names with special characters are quoted in references', () => {
    const projects = readSheet('Projects');
    expect(projects).toContain("<f>SUBTOTAL(109,tblProjects[Sched''d '[h'] '#])</f><v>1.5</v>");
  });

  it('every style and condition exists, and every formula has a value', () => {
    const styles = read('xl/styles.xml');
    const [count] = all(styles, /<cellXfs count="(\d+)"/g);
    const [conditions] = all(styles, /<dxfs count="(\d+)"/g);
    for (const [name, text] of named(/worksheets\/sheet/)) {
      for (const style of all(text, /<c [^>]*?s="(\d+)"/g)) expect(Number(style), name).toBeLessThan(Number(count));
      for (const id of all(text, /dxfId="(\d+)"/g)) expect(Number(id), name).toBeLessThan(Number(conditions));
      // Excel allows no references to tables in conditions.
      for (const formula of all(text, /<cfRule[^>]*><formula>(.*?)<\/formula>/g)) expect(formula).not.toContain('tbl');
      expect(all(text, /<\/f>(?!<v>)(.{0,9})/g), name).toEqual([]);
    }
    expect(readSheet('Projects')).toContain('<cfRule type="cellIs" operator="greaterThan" dxfId="0"');
  });

  it('the conditions of a range stand in one element, because LibreOffice shows only the first', () => {
    for (const [name, text] of named(/worksheets\/sheet/)) {
      const ranges = all(text, /<conditionalFormatting sqref="([^"]+)"/g);
      expect(new Set(ranges).size, name).toBe(ranges.length);
    }
  });

  it('every chart and slicer has an alternative text', () => {
    const drawings = named(/drawings\/drawing/);
    expect(drawings.length).toBeGreaterThan(0);
    for (const [name, text] of drawings) {
      const frames = all(text, /<xdr:cNvPr ([^>]*)\/>/g);
      expect(
        frames.filter((frame) => !/descr="[^"]{20,}"/.test(frame)),
        name,
      ).toEqual([]);
    }
  });

  it('the properties of the document tell its subject and its source', () => {
    const core = read('docProps/core.xml');
    expect(core).toContain('<dc:title>Projects, 2026-01-01 to 2026-03-31</dc:title>');
    expect(core).toContain('<dc:subject>Projects of Test &amp; Sons</dc:subject>');
    expect(core).toContain('<dc:description>The report projects by Plumbline, Data version 20260401T000000Z-test');
  });

  it('the chart refers to the months, and contains their values', () => {
    const chart = read('xl/charts/chart1.xml');
    expect(chart).toContain("<c:f>'Months'!$A$2:$A$3</c:f>");
    expect(chart).toContain("<c:f>'Months'!$B$2:$B$3</c:f>");
    expect(chart).toContain('<c:v>46023</c:v>');
    expect(chart).toContain('<c:v>46054</c:v>');
    expect(chart).toContain('<c:v>1.25</c:v>');
    expect(read('xl/drawings/drawing1.xml')).toContain('r:id="rId1"');
  });

  it('the header row and key columns of every table repeat in print', () => {
    const book = read('xl/workbook.xml');
    const names = all(book, /<sheet name="([^"]+)"/g);
    const titles = [...book.matchAll(/localSheetId="(\d+)">('[^']+')!\$A:\$[A-C],\2!\$1:\$1/g)].map(([, id, name]) => [
      Number(id),
      name,
    ]);
    expect(titles).toEqual(names.map((name, i) => [i, `'${name}'`]).slice(1));
  });

  it('the print area has the collapsed columns at the end of a table, from which LibreOffice prints ### otherwise', async () => {
    const columns = ['month', 'actual_hours', 'forecast_hours'].map((name) => column(name, 'hours', name));
    const sheet = { key: 'months', columns, rows: [['1', null, '2']] };
    const book = stubWorkbook([
      { ...sheet, name: 'Last collapsed', layout: { wanted: ['month', 'actual_hours'] } },
      { ...sheet, name: 'Last shown', layout: { wanted: ['month', 'forecast_hours'] } },
    ]);
    const text = unzip(await readBytes(book)).get('xl/workbook.xml') ?? '';
    expect(all(text, /Print_Area" localSheetId="\d+">('Last [^<]+)</g)).toEqual(["'Last collapsed'!$A:$C"]);
  });
});

it('a chart begins with the first month that has a number, and ends with the last', async () => {
  const [first, last] = ['2025-12-01', '2026-03-01'].map((month) => [month, '0.0000', null, '0.0000']);
  const rows = [first ?? [], ...MONTHS.rows, last ?? []];
  const files = unzip(await readBytes(stubWorkbook([{ ...MONTHS, rows }])));
  const chart = files.get('xl/charts/chart1.xml') ?? '';
  expect(chart).toContain("<c:f>'Months'!$A$3:$A$4</c:f>");
  expect(chart).toContain("<c:f>'Months'!$B$3:$B$4</c:f>");
  expect(chart).not.toContain('<c:v>46082</c:v>');
});
