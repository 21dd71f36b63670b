import type { Workbook as ExcelWorkbook } from 'exceljs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '../../src/base/database/database.ts';
import { readWorkbook } from '../reports.ts';
import { buildCompany, type Company, catalogue, companyOf } from '../sql/company.ts';
import { readExcel } from '../write/xlsx/company.ts';
import { evaluate, savedValue } from '../write/xlsx/formula.ts';
import { readBytes } from '../write/xlsx/stub.ts';

/*
 * Margins of which two roundings differ by 0.01 from one: 1/3 less 1/6 is 16.67 points, 33.33 less 16.67 is 16.66.
 */

const NOW = new Date('2026-06-15T12:00:00Z');
const WINDOW = { start_date: '2026-01-05', end_date: '2026-01-09', cutoff_date: '2026-01-09' };
const POINTS = ['16.67', '-16.67'];
const [SURE, UNSURE] = [1, 2];

let database: Database;
let company: Company;
beforeAll(async () => {
  database = await buildCompany({
    people: [
      { people_id: SURE, name: 'Third', cost_rate: '80', default_hourly_rate: '120' },
      { people_id: UNSURE, name: 'Sixth', cost_rate: '100', default_hourly_rate: '120' },
    ],
    projects: [
      { project_id: 1, name: 'Better' },
      { project_id: 2, name: 'Worse' },
    ],
    tasks: [work(UNSURE, 1), work(SURE, 2)],
    logged_time: [logged(SURE, 1), logged(UNSURE, 2)],
  });
  company = companyOf(database);
});
afterAll(() => company.close());

function work(people_id: number, project_id: number): object {
  return { task_id: project_id, people_id, project_id, start_date: '2026-01-05', end_date: '2026-01-05', hours: 8 };
}

function logged(people_id: number, project_id: number): object {
  return { logged_time_id: `${project_id}`, people_id, project_id, date: '2026-01-05', hours: 8 };
}

it('3.2: rows, subtotals and the database round the exact difference of margins once', async () => {
  const measures = 'variance_margin_points';
  const { rows } = await company.report('projects', { ...WINDOW, fields: `name,${measures}` });
  expect(rows.map((row) => row[measures])).toEqual(POINTS);
  const pivot = { ...WINDOW, group_by: 'project,billable', measures, subtotals: '1' };
  const { table } = await company.report('pivot', pivot);
  expect(table.subtotals?.map(({ values }) => Number(values.at(-1)).toFixed(2))).toEqual(POINTS);
});

it.each(['1', '2'])(
  '3.2: the total of project %s is one rounding in the sheet, its subtotals and its Summary',
  { tags: ['slow'] },
  async (id) => {
    const points = POINTS[Number(id) - 1];
    const { totals } = await company.report('projects', { ...WINDOW, project_id: id });
    expect(totals['variance_margin_points']).toBe(points);
    const projects = await write('projects', { project_id: id });
    expect(cellsOf(projects, points)).toEqual(['Months', 'Phases', 'Projects', 'Summary']);
    const measures =
      'scheduled_to_date_revenue,scheduled_to_date_profit,actual_revenue,actual_profit,variance_margin_points';
    const pivot = await write('pivot', { project_id: id, group_by: 'project,billable', measures, subtotals: '1' });
    expect(cellsOf(pivot, points)).toEqual(expect.arrayContaining(['Pivot', 'Subtotals']));
  },
);

async function write(report: string, sent: Record<string, string>): Promise<ExcelWorkbook> {
  return readExcel(
    await readBytes(await readWorkbook(database, catalogue, report, { ...WINDOW, ...sent }, { now: NOW })),
  );
}

/** Returns the sheets that compute a difference of ratios; each of its formulas must give the points. */
function cellsOf(workbook: ExcelWorkbook, points: string | undefined): string[] {
  const sheets = new Set<string>();
  workbook.eachSheet((sheet) =>
    sheet.eachRow((row) =>
      row.eachCell((cell) => {
        if (!/ROUND\(100\*\(\(.*\)\/\(.*\)-\(.*\)\/\(.*\)\),2\)/.test(cell.formula ?? '')) return;
        const computed = [evaluate(workbook, sheet, cell.formula), savedValue(cell.value)];
        expect(
          computed.map((value) => Number(value).toFixed(2)),
          cell.address,
        ).toEqual([points, points]);
        sheets.add(sheet.name);
      }),
    ),
  );
  return [...sheets].sort();
}
