import type { Workbook, Worksheet } from 'exceljs';
import { beforeAll, expect, it } from 'vitest';
import { readWorkbook } from '../../reports.ts';
import { buildCompany, catalogue } from '../../sql/company.ts';
import { readExcel } from './company.ts';
import { savedValue } from './formula.ts';
import { readBytes } from './stub.ts';

const RECORDS = {
  people: [{ people_id: 1, name: 'Ana', cost_rate: '60', default_hourly_rate: '100' }],
  projects: [{ project_id: 1, name: 'Quay', budget_type: 1, budget_total: '500' }],
  tasks: [{ task_id: 1, people_id: 1, project_id: 1, start_date: '2026-01-05', end_date: '2026-03-31', hours: 8 }],
  logged_time: ['2026-01', '2026-02'].flatMap((month) =>
    Array.from({ length: 28 }, (_, i) => `${month}-${String(i + 1).padStart(2, '0')}`)
      .filter((date) => date >= '2026-01-05' && ![0, 6].includes(new Date(date).getUTCDay()))
      .map((date) => ({ logged_time_id: date, people_id: 1, project_id: 1, date, hours: 7.5 })),
  ),
};

let month: Workbook;
let quarter: Workbook;
beforeAll(async () => {
  const database = await buildCompany(RECORDS);
  const read = async (sent: Record<string, string>) => {
    const now = new Date('2026-03-01T12:00:00Z');
    return readExcel(await readBytes(await readWorkbook(database, catalogue, 'board', sent, { now })));
  };
  month = await read({ start_date: '2026-02-01', end_date: '2026-02-28' });
  quarter = await read({ start_date: '2026-01-01', end_date: '2026-03-31' });
  await database.close();
});

const summaryOf = (workbook: Workbook) => workbook.getWorksheet('Summary') as Worksheet;

function textsOf(workbook: Workbook, label: string): string[] {
  const found: string[][] = [];
  summaryOf(workbook).eachRow((row) => {
    if (row.getCell(2).text !== label) return;
    const values = Array.from({ length: 12 }, (_, i) => savedValue(row.getCell(i + 3).value)?.toString() ?? '');
    found.push(values.filter((text) => text !== ''));
  });
  return found[0] ?? [];
}

it('has one plan and no forecast once the month is over, and no column of a window without records', () => {
  const ahead = ['Unit', 'Scheduled', 'To date', 'Actual', 'Variance', 'Variance %', 'Forecast'];
  expect(textsOf(quarter, 'Key figures').slice(0, 7)).toEqual(ahead);
  const over = ['Unit', 'Scheduled', 'Actual', 'Variance', 'Variance %', 'Prior period', 'Change', 'Note'];
  expect(textsOf(month, 'Key figures')).toEqual(over);
  expect(textsOf(month, 'Hours').slice(0, 4)).toEqual(['hours', '160', '150', '-10']);
});

it('names a cell by all that it stands for', () => {
  const ranges = (name: string) => month.definedNames.getRanges(name).ranges;
  expect(ranges('ScheduledHours')).toHaveLength(1);
  expect(ranges('ScheduledToDateHours')).toEqual(ranges('ScheduledHours'));
  expect(ranges('ForecastHours')).toEqual(ranges('ActualHours'));
});

it('says in each heading of lists side by side that there is nothing in them', () => {
  const texts = textsOf(month, 'Budgets: none is known to be passed or at risk');
  expect(texts).toEqual(['Losses: none', 'Missing time: all timesheets are in']);
});

it('prints no sheet without rows, and no month alone', () => {
  const printedOf = (workbook: Workbook) => {
    const printed: string[] = [];
    workbook.getWorksheet('Contents')?.eachRow((row) => {
      if (row.getCell(4).text === 'Yes') printed.push(row.getCell(1).text);
    });
    return printed;
  };
  const always = ['Summary', 'Projects', 'Clients', 'People'];
  expect(printedOf(month)).toEqual([...always, 'Outlook', 'Profit bridge', 'Parameters']);
  expect(printedOf(quarter)).toEqual([...always, 'Months', 'Outlook', 'Profit bridge', 'Parameters']);
});

it('looks ahead to the next quarter and the year, by sums over the months of Outlook', () => {
  // 38 days of 7.5 h are done, and 22 of 8 h are planned after them, at 100.00, with a cost of 60.00.
  expect(textsOf(month, 'Fiscal year 2026 as it looks')).toEqual([
    '46100',
    '27660',
    '0',
    '18440',
    '0.4',
    '0',
    'not in it',
  ]);
  expect(textsOf(month, 'of which done up to 2026-03-01')).toEqual(['28500', '17100', '0', '11400', '0.4']);
  expect(textsOf(month, 'Its plan')).toEqual(['49600', '29760', '0', '19840', '0.4']);
  expect(textsOf(quarter, 'Next quarter, 2026-Q2: what is planned').slice(0, 4)).toEqual(['0', '0', '0', '0']);
  const formulas: string[] = [];
  summaryOf(month).eachRow((row) => {
    if (row.getCell(2).text.startsWith('Fiscal year 2026')) formulas.push(row.getCell(4).formula);
  });
  expect(formulas).toEqual(['SUMIFS(tblOutlook[Forecast revenue],tblOutlook[Year],"2026")']);
});

it('says from which day on a year to date has records', () => {
  const notes: string[] = [];
  summaryOf(month).eachRow((row) => notes.push(row.getCell(9).text));
  expect(notes).toContain('the records begin on 2026-01-05');
});

it('has its parameters at its end', () => {
  expect(month.worksheets.map(({ name }) => name).slice(-2)).toEqual(['Parameters', 'Definitions']);
});
