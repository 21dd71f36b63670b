import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Calendar, periodOf } from '../../src/base/calendar/day.ts';
import { MAX_COUNTED_PERIODS, readPeriod } from '../../src/base/calendar/named-period.ts';
import { type Database, openDatabase } from '../../src/base/database/database.ts';
import { buildMacros } from '../../src/numbers/report/marts/macros.ts';
import { periodDaysSql } from '../../src/numbers/report/marts/period-sql.ts';
import { CALENDARS } from '../calendar/compare-periods.ts';
import { countPeriods, listDays } from '../calendar/naive-calendar.ts';
import { buildCompany, catalogue, loadCompany } from '../sql/company.ts';

/** Days between two that are compared. A prime, so that no weekday is left out. */
const STEP = 97;

const DAYS = listDays('2023-12-28', '2028-03-02').filter((_, index) => index % STEP === 0);

const settings = { time_zone: 'Pacific/Auckland', week_starts_on: 6, fiscal_year_starts_in: 7 };

const records = {
  settings,
  people: [{ people_id: 1, name: 'Ana' }],
  projects: [{ project_id: 1, name: 'Site' }],
  logged_time: [{ logged_time_id: 'a', people_id: 1, project_id: 1, date: '2025-08-04', hours: 6 }],
};

let database: Database;
beforeAll(async () => {
  database = await buildCompany(records);
  await buildMacros(database, catalogue);
});
afterAll(() => database.close());

/** Returns the days of names on days by SQL, as YYYY-MM-DD; the reason for a name that has none. */
async function readDays(calendar: Calendar, names: readonly string[], days: readonly string[]): Promise<string[]> {
  const list = (texts: readonly string[]) => `[${texts.map((text) => `'${text}'`).join(', ')}]`;
  const sql = periodDaysSql('names.name', 'CAST(days.day AS DATE)', calendar);
  const rows = await database.rows<{ found: string }>(`
    SELECT days.day || ' ' || names.name || ' ' || found.first || ' ' || found.last AS found
    FROM (SELECT unnest(${list(days)}) AS day) AS days
    CROSS JOIN (SELECT unnest(${list(names)}) AS name) AS names
    CROSS JOIN LATERAL (SELECT unnest(${sql}))  AS found`);
  return rows.map(({ found }) => found).sort();
}

/** Returns the same by TypeScript. */
function expectDays(calendar: Calendar, names: readonly string[], days: readonly string[]): string[] {
  const found = days.flatMap((day) =>
    names.map((name) => {
      const read = readPeriod(name, day, calendar);
      return `${day} ${name} ${'days' in read ? `${read.days.startDate} ${read.days.endDate}` : read.fault}`;
    }),
  );
  return found.sort();
}

describe('named periods in SQL', () => {
  it.each(CALENDARS)('are those of every other door, by %o', async (calendar) => {
    const names = [...countPeriods(calendar).moving('2026-03-31').keys(), '2026-02', '2025-Q4', '2027-Q1', '2026'];
    const found = await readDays(calendar, names, DAYS);
    expect(found).toEqual(expectDays(calendar, names, DAYS));
    expect(found.length).toBe(names.length * DAYS.length);
  });

  it.each([
    'last_mnth',
    'last_0_days',
    'Last_Month',
    '2026-13',
    '2026-Q5',
    '',
    `last_${MAX_COUNTED_PERIODS + 1}_days`,
    'last_99999999999999999999_days',
    `next_${MAX_COUNTED_PERIODS}_years`,
    '2100',
    '1969-12',
    '0000',
  ])('refuse %j for the same reason', async (name) => {
    const calendar = { weekStartsOn: 1, fiscalYearStartsIn: 4 };
    const read = readPeriod(name, '2026-03-31', calendar);
    // Only TypeScript tells the nearest name.
    const fault = 'fault' in read ? read.fault.replace(/; the nearest is \w+/, '') : 'none';
    const reason = await readDays(calendar, [name], ['2026-03-31']).catch(String);
    expect(reason).toContain(`period: "${name}" ${fault}`);
  });
});

describe('the macros of named periods', () => {
  it("count from today in the company's time zone, by its calendar", async () => {
    const [row] = await database.rows<{ today: string; first: string; last: string }>(`
      SELECT CAST(timezone('${settings.time_zone}', now()) AS DATE) AS today, reports.first_day('last_week') AS first,
        reports.last_day('year_to_date') AS last`);
    const { today = '', first, last } = row ?? {};
    expect(first).toBe(periodOf('week', today, { weekStartsOn: 6, fiscalYearStartsIn: 7 }, -1).startDate);
    expect(last).toBe(today);
  });

  it('are days of a report, and of a condition', async () => {
    const rows = await database.rows(`
      SELECT name, actual_hours FROM reports.projects(start_date := reports.first_day('2026-Q1'), end_date := reports.last_day('2026'))`);
    expect(rows).toEqual([{ name: 'Site', actual_hours: '6.0000' }]);
    const lines = 'SELECT count(*) AS count FROM marts.lines WHERE date BETWEEN';
    const [counted] = await database.rows(`${lines} reports.first_day('2025-08') AND reports.last_day('2025-08')`);
    expect(counted).toEqual({ count: 1 });
  });

  it.each([
    ['today', 'today'],
    ['yesterday', 'yesterday'],
    ['last_week_end', 'last_week'],
    ['last_month_end', 'last_month'],
    ['period_end', 'this_month'],
  ])('a cutoff of %s is the last day of %s', { tags: ['slow'] }, async (cutoff, period) => {
    const measured = (day: string) => `
      SELECT capacity_to_date_hours FROM reports.people(start_date := reports.first_day('last_month'),
        end_date := reports.last_day('this_month'), cutoff_date := ${day})`;
    const named = await database.rows(measured(`'${cutoff}'`));
    expect(named).toEqual(await database.rows(measured(`reports.last_day('${period}')`)));
    expect(named.length).toBe(1);
  });

  it('work in a file that another one attaches, by its calendar', { tags: ['slow'] }, async () => {
    const { file, remove } = await loadCompany({ ...records, settings: { ...settings, fiscal_year_starts_in: 10 } });
    const memory = await openDatabase(':memory:');
    try {
      await memory.run(`ATTACH '${file}' AS copied (READ_ONLY)`);
      await memory.run('USE copied');
      const [row] = await memory.rows("SELECT reports.first_day('2026') AS first, reports.last_day('2026-Q1') AS last");
      expect(row).toEqual({ first: '2025-10-01', last: '2025-12-31' });
    } finally {
      await memory.close();
      remove();
    }
  });
});
