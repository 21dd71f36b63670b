import { Decimal } from 'decimal.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OCTOBER_LOADED } from '../sql/company.ts';
import { readExcel } from '../write/xlsx/company.ts';
import { savedValue } from '../write/xlsx/formula.ts';
import { parseCsv, type Served, serve } from './served.ts';

const WINDOW = 'start_date=2026-10-01&end_date=2026-10-31';
const MEASURES = ['actual_hours', 'missing_hours'];

let server: Served;
beforeAll(async () => {
  server = await serve({ data: 'october', now: () => OCTOBER_LOADED });
});
afterAll(() => server.close());

/** Adds up columns of rows exactly. */
const sumsOf = (rows: readonly (readonly unknown[])[]) =>
  MEASURES.map((_, place) => rows.reduce((sum, row) => sum.plus(String(row[place])), new Decimal(0)).toFixed());

// Summed in a spreadsheet: 8,955.46661 h from June on, 1,973.88332 h of them in October.
const EXPECTED = ['1973.88332', '59'];

describe('the timesheets of a month are the same in every door', () => {
  const read = async (sent: string) => {
    const reply = await server.get(`/v3/reports/timesheets?${WINDOW}&${sent}`);
    expect(reply.status, reply.text).toBe(200);
    return reply.json();
  };
  const plain = (values: Record<string, string>) => MEASURES.map((name) => new Decimal(values[name] ?? '').toFixed());

  it.each(['none', 'week', 'month'])('JSON by %s', async (interval) => {
    const { timesheets, totals } = await read(`decimals=string&interval=${interval}`);
    expect(plain(totals)).toEqual(EXPECTED);
    expect(sumsOf(timesheets.map((row: Record<string, string>) => MEASURES.map((name) => row[name])))).toEqual(
      EXPECTED,
    );
  });

  it('the page, which asks for columns', async () => {
    const fields = ['people_id', 'name', ...MEASURES, 'missing_fees', 'days_without_time'].join(',');
    expect(plain((await read(`decimals=string&interval=none&fields=${fields}`)).totals)).toEqual(EXPECTED);
  });

  it('CSV', async () => {
    const [header = [], ...rows] = parseCsv((await server.get(`/v3/reports/timesheets.csv?${WINDOW}`)).text);
    expect(sumsOf(rows.map((row) => MEASURES.map((name) => row[header.indexOf(name)])))).toEqual(EXPECTED);
  });

  it('the workbook', { tags: ['slow'] }, async () => {
    const workbook = await readExcel(await server.bytes(`/v3/reports/timesheets.xlsx?${WINDOW}`));
    const sheet = workbook.getWorksheet('Timesheets');
    const places = ['Actual hours', 'Missing hours'].map(
      (label) => (sheet?.getRow(1).values as string[] | undefined)?.indexOf(label) ?? 0,
    );
    const rows: unknown[][] = [];
    sheet?.eachRow((row, number) => {
      if (number > 1) rows.push(places.map((place) => savedValue(row.getCell(place).value)));
    });
    const totals = rows.pop() ?? [];
    expect(totals.map((total) => new Decimal(String(total)).toFixed())).toEqual(EXPECTED);
    expect(sumsOf(rows)).toEqual(EXPECTED);
  });

  it('SQL', { tags: ['slow'] }, async () => {
    const sql = "SELECT actual_hours, missing_hours FROM reports.timesheets('2026-10-01', '2026-10-31')";
    const { rows } = (await server.post('/v3/sql?decimals=string', { sql })).json();
    expect(sumsOf(rows.map((row: unknown) => (Array.isArray(row) ? row : Object.values(row as object))))).toEqual(
      EXPECTED,
    );
  });
});

describe('hours of people without capacity', () => {
  const notesOf = async (path: string) => (await server.get(path)).json().meta.notes as string[];
  const OF_PAULA = 'Utilization % of capacity to date: 50.00 of actual billable hours are of 1 person without capacity';

  it('are told beside a utilization, which counts them in its hours alone', async () => {
    const path = `/v3/reports/pivot?${WINDOW}&group_by=department&measures=utilization_percent`;
    const { totals, meta } = (await server.get(path)).json();
    expect(totals.utilization_percent).toBe(69.83);
    expect(meta.notes).toContainEqual(expect.stringContaining(OF_PAULA));
    expect(await notesOf(`/v3/reports/people?${WINDOW}`)).toContainEqual(expect.stringContaining(OF_PAULA));
  });

  it("aren't told without one, or where there are none", async () => {
    const hours = await notesOf(`/v3/reports/pivot?${WINDOW}&group_by=department&measures=actual_billable_hours`);
    const others = await notesOf(`/v3/reports/people?${WINDOW}&people_type_id=1`);
    expect([...hours, ...others].join()).not.toContain('without capacity');
    expect(
      (await server.get(`/v3/reports/people?${WINDOW}&people_id=1,17`)).json().totals.actual_billable_hours,
    ).toBeGreaterThan(50);
    expect(await notesOf('/v3/reports/people?start_date=2026-09-01&end_date=2026-09-30')).toEqual([]);
  });
});
