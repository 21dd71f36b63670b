import { expect, test } from 'vitest';
import { parseCsvStyle } from '../../src/doors/command/csv-flag.ts';
import { writeTable } from '../../src/numbers/write/formats.ts';
import { runReport } from '../reports.ts';
import { buildCompany, catalogue } from '../sql/company.ts';
import { readBytes } from './tables.ts';

test('3.5: csv=comma opens in the Excel of countries with a decimal comma', { tags: ['slow'] }, async () => {
  const logged = (id: string, date: string, hours: string) => ({
    logged_time_id: id,
    people_id: 1,
    project_id: 1,
    date,
    hours,
  });
  const database = await buildCompany({
    settings: { currency: 'EUR' },
    people: [{ people_id: 1, name: 'Jörg "JM" Müller', cost_rate: '1.1' }],
    projects: [{ project_id: 1, name: '=Größe; A, B', default_hourly_rate: '2.5' }],
    logged_time: [logged('1', '2026-03-10', '1.5'), logged('2', '2026-03-11', '1.0')],
    project_expenses: [{ project_expense_id: 1, project_id: 1, date: '2026-03-12', cost: '-1234.5', billable: 1 }],
  });
  try {
    const fields = 'date,project,person,hours,cost_rate,cost,fee';
    const asked = { start_date: '2026-03-01', end_date: '2026-03-31', fields };
    const written = async (csv: 'plain' | 'comma') =>
      readBytes(writeTable('csv', await runReport(database, catalogue, 'lines', asked), { csv }));
    const bytes = await written('comma');
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    expect(bytes.toString().slice(1).split('\r\n')).toEqual([
      'date;project;person;hours;cost_rate;cost;fee',
      `2026-03-10;"'=Größe; A, B";"Jörg ""JM"" Müller";1,50;1,10;1,65;3,75`,
      `2026-03-11;"'=Größe; A, B";"Jörg ""JM"" Müller";1,00;1,10;1,10;2,50`,
      `2026-03-12;"'=Größe; A, B";;;;-1234,50;-1234,50`,
      '',
    ]);
    expect((await written('plain')).toString().split('\r\n')[1]).toBe(
      `2026-03-10,"'=Größe; A, B","Jörg ""JM"" Müller",1.50,1.10,1.65,3.75`,
    );
  } finally {
    await database.close();
  }
});

test('3.7: --csv takes a style of CSV alone', () => {
  expect(parseCsvStyle({ csv: 'comma' }, 'csv')).toBe('comma');
  expect(parseCsvStyle({}, 'xlsx')).toBe('plain');
  expect(() => parseCsvStyle({ csv: 'excel' }, 'csv')).toThrow('--csv: "excel" is not a style of CSV');
  expect(() => parseCsvStyle({ csv: 'comma' }, 'xlsx')).toThrow('--csv: only CSV has styles, and the format is xlsx');
});
