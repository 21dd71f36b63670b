import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { priced } from '../published/dataset.ts';
import { REPORT_NAMES } from '../sql/company.ts';
import { QUARTER, type Served, serve } from './served.ts';

let served: Served;
beforeAll(async () => {
  served = await serve({ scopes: ['reports'] });
});
afterAll(() => served.close());

const read = async (path: string) => (await served.get(`/v3/reports/${path}`)).json();

describe('the parameter csv', () => {
  it('belongs to CSV, and is a version of its own', async () => {
    const refused = await served.get(`/v3/reports/projects.xlsx?${QUARTER}&csv=comma`);
    expect([refused.status, refused.json().message]).toEqual([
      400,
      "csv: an answer in xlsx can't be csv=comma; leave it out",
    ]);
    const wrong = await served.get(`/v3/reports/projects.csv?${QUARTER}&csv=excel`);
    expect(wrong.json().message).toBe('csv: "excel" is not allowed; give one of plain, comma');
    const [plain, comma] = await Promise.all(
      ['', '&csv=comma'].map((csv) => served.get(`/v3/reports/projects.csv?${QUARTER}&fields=name,actual_hours${csv}`)),
    );
    expect(comma?.headers.get('etag')).not.toBe(plain?.headers.get('etag'));
    expect(comma?.text.split('\r\n')[0]).toMatch(/^\ufeff?name;actual_hours$/);
    expect(comma?.text).toMatch(/;[0-9]+,[0-9]{2}\r\n/);
  });
});

describe('the parameter meta', () => {
  it('gives all metadata by default', async () => {
    const path = `projects?${QUARTER}`;
    const { meta } = await read(path);
    expect((await read(`${path}&meta=full`)).meta).toEqual(meta);
    expect(meta.checks.length).toBeGreaterThan(3);
  });

  it('gives what a tile needs, in the same form, and says which columns are hidden', async () => {
    const path = `projects?${QUARTER}&fields=name,actual_hours`;
    const [{ meta: full }, { meta: short, ...others }] = [await read(path), await read(`${path}&meta=short`)];
    expect(Object.keys(short)).toEqual([
      'row_count',
      'report',
      'parameters',
      'cutoff',
      'currency',
      'generated_at',
      'data_version',
      'notes',
      'hidden_columns',
      'columns',
    ]);
    expect(full).toMatchObject({ ...short, parameters: short.parameters });
    expect(short.parameters).toEqual({ start_date: '2026-01-01', end_date: '2026-03-31', cutoff_date: '2026-05-31' });
    expect(Object.keys(others)).toEqual(['projects', 'totals']);
  });

  it('leaves all of it out', async () => {
    const path = `projects?${QUARTER}`;
    const { meta: _, ...others } = await read(path);
    expect(await read(`${path}&meta=none`)).toEqual(others);
  });

  it('belongs to JSON, and is a version of its own', async () => {
    const refused = await served.get(`/v3/reports/projects.csv?${QUARTER}&meta=short`);
    expect([refused.status, refused.json().errors[0].field]).toEqual([400, 'meta']);
    const wrong = await served.get(`/v3/reports/projects?${QUARTER}&meta=much`);
    expect(wrong.json().message).toBe('meta: "much" is not allowed; give one of full, short, none');
    const etags = ['full', 'short', 'none'].map(async (style) =>
      (await served.get(`/v3/reports/projects?${QUARTER}&meta=${style}`)).headers.get('etag'),
    );
    expect(new Set(await Promise.all(etags)).size).toBe(3);
  });

  it('shows no number whose check fails, whatever it leaves out', { tags: ['slow'] }, async () => {
    const damaged = await serve({
      data: priced,
      write: true,
      inMemory: true,
      async prepareSource(source) {
        await source.database.run("UPDATE core.ledger SET hours = hours + 1 WHERE kind = 'actual'");
        return source;
      },
    });
    for (const style of ['full', 'short', 'none']) {
      const { status, json } = await damaged.get(`/v3/reports/projects?${QUARTER}&meta=${style}`);
      expect([style, status, json().code]).toEqual([style, 500, 'check']);
    }
    await damaged.close();
  });
});

/** The type that a value in JSON has by its column's type. */
const FITS: Readonly<Record<string, (value: unknown) => boolean>> = {
  integer: Number.isInteger,
  decimal: (value) => typeof value === 'number',
  text: (value) => typeof value === 'string',
  date: (value) => /^\d{4}-\d\d-\d\d$/.test(String(value)),
  boolean: (value) => typeof value === 'boolean',
};

it.each(REPORT_NAMES)('meta names the columns of %s in order, with types that hold', async (name) => {
  const more = name === 'pivot' ? '&group_by=client,month' : '';
  const { [name]: rows, meta } = await read(`${name}?${QUARTER}${more}`);
  expect(meta.columns.map((column: { name: string }) => column.name)).toEqual(Object.keys(rows[0]));
  expect(Object.keys(meta)[0]).toBe('row_count');
  const { reports } = (await served.get('/v3/reports')).json();
  const offered = reports.find((report: { name: string }) => report.name === name).columns;
  for (const { name: column, label, unit, type } of meta.columns) {
    const fits = (row: Record<string, unknown>) => row[column] === null || FITS[type]?.(row[column]);
    expect(rows.filter((row: Record<string, unknown>) => !fits(row))).toEqual([]);
    const listed = offered.find((each: { name: string }) => each.name === column);
    if (listed) expect(listed).toMatchObject({ label, unit, type });
  }
});

it('meta names the columns of rows within rows', async () => {
  const { projects, meta } = await read(`projects?${QUARTER}&expand=phases`);
  const phases = projects.flatMap((row: { phases: object[] }) => row.phases);
  const names = meta.nested_columns.phases.map((column: { name: string }) => column.name);
  expect(names).toEqual(Object.keys(phases[0]));
});

describe('row_count', () => {
  it.each([
    ['a report that sums', `projects?${QUARTER}`],
    ['a list that the database writes', 'lines?start_date=2025-01-01&end_date=2026-12-31'],
    ['a list of few rows', 'lines?start_date=2026-01-01&end_date=2026-01-02'],
    ['findings', `data-quality?${QUARTER}`],
  ])('is the number of rows of %s', { tags: ['slow'] }, async (_what, path) => {
    const { meta, ...answer } = await read(path);
    expect(meta.row_count).toBe(answer[meta.report].length);
    expect(meta.row_count).toBeGreaterThan(0);
  });

  it('is that of all pages, and unknown with a limit', async () => {
    for (const name of ['projects', 'lines']) {
      const { [name]: rows } = await read(`${name}?${QUARTER}`);
      expect((await read(`${name}?${QUARTER}&per-page=3`)).meta.row_count).toBe(rows.length);
    }
    expect((await read(`lines?${QUARTER}&limit=3`)).meta).not.toHaveProperty('row_count');
  });
});
