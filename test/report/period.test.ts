import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Company, column, openCompany } from '../sql/company.ts';

// Ana logs 1 h a day from Friday the 20th of March to Monday the 6th of April 2026, and on the 1st of July 2025.
const DAYS = [
  '2025-07-01',
  ...Array.from({ length: 18 }, (_, index) => new Date(Date.UTC(2026, 2, 20 + index)).toISOString().slice(0, 10)),
];
const MARCH = { start_date: '2026-03-20', end_date: '2026-04-06', cutoff_date: '2026-12-31' };
const YEARS = { start_date: '2025-02-10', end_date: '2026-05-20', cutoff_date: '2026-12-31' };

const companies = new Map<string, Company>();
beforeAll(async () => {
  for (const [name, settings] of Object.entries({
    default: {},
    sunday: { week_starts_on: 0, fiscal_year_starts_in: 4 },
    saturday: { week_starts_on: 6, fiscal_year_starts_in: 12 },
  })) {
    const company = await openCompany({
      settings,
      people: [{ people_id: 1, name: 'Ana' }],
      projects: [{ project_id: 1, name: 'One' }],
      logged_time: DAYS.map((date) => ({ logged_time_id: date, people_id: 1, project_id: 1, date, hours: 1 })),
    });
    companies.set(name, company);
  }
});
afterAll(async () => {
  for (const company of companies.values()) await company.close();
});

/** Formats each row as `period_start..period_end hours`. */
async function periods(company: string, report: string, window: Record<string, string>, interval: string) {
  const read = await companies.get(company)?.report(report, { ...window, interval });
  return read?.rows.map((row) => `${row['period_start']}..${row['period_end']} ${row['actual_hours']}`);
}

test('days', async () => {
  const rows = await periods('default', 'projects', { ...MARCH, end_date: '2026-03-22' }, 'day');
  expect(rows).toEqual(['2026-03-20..2026-03-20 1', '2026-03-21..2026-03-21 1', '2026-03-22..2026-03-22 1']);
});

test('weeks start on Monday, and are clipped to the window', async () => {
  expect(await periods('default', 'projects', MARCH, 'week')).toEqual([
    '2026-03-20..2026-03-22 3',
    '2026-03-23..2026-03-29 7',
    '2026-03-30..2026-04-05 7',
    '2026-04-06..2026-04-06 1',
  ]);
});

test('weeks that start on Sunday', async () => {
  expect(await periods('sunday', 'projects', MARCH, 'week')).toEqual([
    '2026-03-20..2026-03-21 2',
    '2026-03-22..2026-03-28 7',
    '2026-03-29..2026-04-04 7',
    '2026-04-05..2026-04-06 2',
  ]);
});

test('weeks that start on Saturday', async () => {
  expect(await periods('saturday', 'projects', MARCH, 'week')).toEqual([
    '2026-03-20..2026-03-20 1',
    '2026-03-21..2026-03-27 7',
    '2026-03-28..2026-04-03 7',
    '2026-04-04..2026-04-06 3',
  ]);
});

test('months', async () => {
  expect(await periods('default', 'projects', MARCH, 'month')).toEqual([
    '2026-03-20..2026-03-31 12',
    '2026-04-01..2026-04-06 6',
  ]);
});

test('calendar quarters and years', async () => {
  expect(await periods('default', 'people', YEARS, 'quarter')).toEqual([
    '2025-02-10..2025-03-31 0',
    '2025-04-01..2025-06-30 0',
    '2025-07-01..2025-09-30 1',
    '2025-10-01..2025-12-31 0',
    '2026-01-01..2026-03-31 12',
    '2026-04-01..2026-05-20 6',
  ]);
  expect(await periods('default', 'people', YEARS, 'year')).toEqual([
    '2025-02-10..2025-12-31 1',
    '2026-01-01..2026-05-20 18',
  ]);
});

test('fiscal quarters and years from April', async () => {
  expect(await periods('sunday', 'people', YEARS, 'quarter')).toEqual([
    '2025-02-10..2025-03-31 0',
    '2025-04-01..2025-06-30 0',
    '2025-07-01..2025-09-30 1',
    '2025-10-01..2025-12-31 0',
    '2026-01-01..2026-03-31 12',
    '2026-04-01..2026-05-20 6',
  ]);
  expect(await periods('sunday', 'people', YEARS, 'year')).toEqual([
    '2025-02-10..2025-03-31 0',
    '2025-04-01..2026-03-31 13',
    '2026-04-01..2026-05-20 6',
  ]);
});

test('fiscal quarters and years from December', async () => {
  expect(await periods('saturday', 'people', YEARS, 'quarter')).toEqual([
    '2025-02-10..2025-02-28 0',
    '2025-03-01..2025-05-31 0',
    '2025-06-01..2025-08-31 1',
    '2025-09-01..2025-11-30 0',
    '2025-12-01..2026-02-28 0',
    '2026-03-01..2026-05-20 18',
  ]);
  expect(await periods('saturday', 'people', YEARS, 'year')).toEqual([
    '2025-02-10..2025-11-30 1',
    '2025-12-01..2026-05-20 18',
  ]);
});

test('a project has rows only for periods with lines, a person for every period', async () => {
  expect(await periods('default', 'projects', YEARS, 'quarter')).toEqual([
    '2025-07-01..2025-09-30 1',
    '2026-01-01..2026-03-31 12',
    '2026-04-01..2026-05-20 6',
  ]);
});

test('interval none gives one row for the window, without its period', async () => {
  const read = await companies.get('default')?.report('projects', { ...YEARS, interval: 'none' });
  expect(read?.rows).toHaveLength(1);
  expect(read?.table.columns.map(({ name }) => name)).not.toContain('period_start');
});

test('the periods of a pivot are named by their first day, which may be before the window', async () => {
  const by = async (company: string, group_by: string) => {
    const read = await companies.get(company)?.report('pivot', { ...MARCH, group_by, measures: 'actual_hours' });
    return column(read?.rows ?? [], group_by);
  };
  expect(await by('default', 'week')).toEqual(['2026-03-16', '2026-03-23', '2026-03-30', '2026-04-06']);
  expect(await by('sunday', 'week')).toEqual(['2026-03-15', '2026-03-22', '2026-03-29', '2026-04-05']);
  expect(await by('default', 'month')).toEqual(['2026-03-01', '2026-04-01']);
  expect(await by('saturday', 'quarter')).toEqual(['2026-03-01']);
  expect(await by('sunday', 'year')).toEqual(['2025-04-01', '2026-04-01']);
  expect(await by('saturday', 'year')).toEqual(['2025-12-01']);
});
