import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BUNDLED, buildDataset, type Company, companyOf, LOADED, openCompany, pick } from './company.ts';

const WINDOW = { start_date: '2025-01-01', end_date: '2025-12-31' };
const IN_WINDOW = `date BETWEEN DATE '${WINDOW.start_date}' AND DATE '${WINDOW.end_date}'`;

/** Measures of the report of people that the mart has as columns. */
const HOURS = [
  'capacity_hours',
  'time_off_hours',
  'scheduled_hours',
  'tentative_hours',
  'actual_hours',
  'actual_billable_hours',
];

describe('the bundled company', () => {
  let company: Company;

  beforeAll(async () => {
    company = companyOf(await buildDataset(BUNDLED, LOADED));
  });

  afterAll(() => company.close());

  it('marts.capacity adds up to the report of people, by person and month', async () => {
    const { rows } = await company.report('people', {
      ...WINDOW,
      cutoff_date: WINDOW.end_date,
      interval: 'month',
      active: '1',
    });
    const sums = await company.rows(`
      SELECT people_id, CAST(month AS VARCHAR) AS period_start, ${HOURS.map((name) => `SUM(${name}) AS ${name}`).join(', ')}
      FROM marts.capacity WHERE ${IN_WINDOW} AND active GROUP BY ALL`);
    const shown = rows
      .map((row) => pick(row, 'people_id', 'period_start', ...HOURS))
      // The report also lists periods without a day of work.
      .filter((row) => HOURS.some((name) => row[name] !== '0'));
    expect(sums.length).toBeGreaterThan(100);
    expect(sums.sort(byKey)).toEqual(shown.sort(byKey));
  });

  it('marts.rates has one row for each line of work, with the role and the rates of the line', async () => {
    const [{ lines, matches } = {}] = await company.rows(`
      SELECT COUNT(DISTINCT line_id) AS lines, COUNT(rates.people_id) AS matches
      FROM marts.ledger
      LEFT JOIN marts.rates
        ON rates.people_id = ledger.people_id AND rates.project_id = ledger.project_id AND rates.phase_id = ledger.phase_id
        AND ledger.date BETWEEN rates.first_date AND rates.last_date
        AND rates.role_id IS NOT DISTINCT FROM ledger.role_id
        AND rates.cost_rate IS NOT DISTINCT FROM ledger.cost_rate AND rates.cost_rate_source = ledger.cost_rate_source
        AND rates.bill_rate IS NOT DISTINCT FROM ledger.bill_rate AND rates.bill_rate_source = ledger.bill_rate_source
        AND NOT (rates.is_non_billable AND ledger.billable)
      WHERE kind <> 'expense'`);
    expect(Number(lines)).toBeGreaterThan(1000);
    expect(matches).toBe(lines);
  });

  it('marts.time_off explains all capacity that time off takes, and names the reason', async () => {
    const [sums] = await company.rows(`
      SELECT
        (SELECT CAST(SUM(time_off_hours) AS VARCHAR) FROM marts.time_off WHERE ${IN_WINDOW} AND has_capacity) AS time_off,
        (SELECT CAST(SUM(work_hours - capacity_hours) AS VARCHAR) FROM marts.capacity WHERE ${IN_WINDOW}) AS capacity,
        (SELECT COUNT(*) FROM marts.time_off WHERE time_off_type IS NULL AND holiday IS NULL) AS unnamed`);
    expect(Number(sums?.['time_off'])).toBeGreaterThan(0);
    expect(sums).toMatchObject({ capacity: sums?.['time_off'], unnamed: 0 });
  });

  it('marts.lines has each line once, with the client, the department, the manager and the month of what it names', async () => {
    const [counts] = await company.rows(`
      SELECT
        (SELECT COUNT(*) FROM marts.lines)
          - (SELECT COUNT(*) FROM marts.ledger WHERE status <> 'canceled') - (SELECT COUNT(*) FROM core.revenue_lines)
          - (SELECT COUNT(*) FROM core.billing_lines) AS surplus,
        COUNT(*) FILTER (lines.client IS DISTINCT FROM projects.client) AS clients,
        COUNT(*) FILTER (lines.project_manager_name IS DISTINCT FROM projects.project_manager_name) AS managers,
        COUNT(*) FILTER (lines.department IS DISTINCT FROM people.department) AS departments,
        COUNT(*) FILTER (lines.month <> date_trunc('month', lines.date)) AS months
      FROM marts.lines
      LEFT JOIN marts.projects ON projects.project_id = lines.project_id
      LEFT JOIN marts.people ON people.people_id = lines.people_id`);
    expect(counts).toEqual({ surplus: 0, clients: 0, managers: 0, departments: 0, months: 0 });
  });
});

describe('a company whose fiscal years start in July and whose weeks start on Sunday', () => {
  let company: Company;

  beforeAll(async () => {
    company = await openCompany({
      settings: { fiscal_year_starts_in: 7, week_starts_on: 0 },
      departments: [
        { department_id: 1, name: 'Studio' },
        { department_id: 2, name: 'Design', parent_id: 1 },
        { department_id: 3, name: 'Motion', parent_id: 2 },
        { department_id: 4, name: 'Round', parent_id: 5 },
        { department_id: 5, name: 'About', parent_id: 4 },
      ],
      people: [{ people_id: 1, name: 'Ana', department_id: 3, start_date: '2025-02-03', end_date: '2025-02-07' }],
      projects: [{ project_id: 10, name: 'Site' }],
      holidays: [
        { holiday_id: 1, name: 'Founders', date: '2025-02-05' },
        { holiday_id: 2, name: 'Elsewhere', date: '2025-02-06', region_id: 9 },
      ],
      timeoff_types: [{ timeoff_type_id: 1, timeoff_type_name: 'Vacation' }],
      timeoffs: [
        {
          timeoff_id: 1,
          timeoff_type_id: 1,
          people_ids: [1],
          start_date: '2025-02-07',
          end_date: '2025-02-07',
          hours: 3,
        },
      ],
      tasks: [
        { task_id: 1, project_id: 10, people_ids: [1], start_date: '2025-02-03', end_date: '2025-02-03', hours: 2 },
      ],
      logged_time: [{ logged_time_id: '1', people_id: 1, project_id: 10, date: '2025-02-08', hours: 1 }],
    });
  });

  afterAll(() => company.close());

  it('marts.calendar has each day of the fiscal years with lines and of the next once', async () => {
    const [range] = await company.rows(`
      SELECT CAST(MIN(date) AS VARCHAR) AS first, CAST(MAX(date) AS VARCHAR) AS last, COUNT(DISTINCT date) AS days, COUNT(*) AS rows
      FROM marts.calendar`);
    expect(range).toEqual({ first: '2024-07-01', last: '2026-06-30', days: 730, rows: 730 });
  });

  it('marts.calendar has the weeks of ISO 8601', async () => {
    const days = await company.rows(`
      SELECT CAST(date AS VARCHAR) AS date, iso_year || '-W' || lpad(CAST(iso_week AS VARCHAR), 2, '0') AS week
      FROM marts.calendar
      WHERE date IN (DATE '2024-12-29', DATE '2024-12-30', DATE '2025-01-05', DATE '2025-12-31') ORDER BY date`);
    expect(days.map(({ week }) => week)).toEqual(['2024-W52', '2025-W01', '2025-W01', '2026-W01']);
    const differing = await company.rows(
      'FROM marts.calendar WHERE iso_week <> week(date) OR iso_year <> isoyear(date)',
    );
    expect(differing).toEqual([]);
  });

  it('marts.calendar has the periods, the fiscal numbers and the holidays of a day', async () => {
    const days = await company.rows(`
      SELECT CAST(COLUMNS(['date', 'week', 'month', 'quarter', 'year']) AS VARCHAR), weekday_name, fiscal_year, fiscal_quarter, fiscal_month, is_work_day, holiday
      FROM marts.calendar
      WHERE date IN (DATE '2025-02-01', DATE '2025-02-05', DATE '2025-02-06', DATE '2025-07-01') ORDER BY date`);
    const february = {
      month: '2025-02-01',
      quarter: '2025-01-01',
      year: '2024-07-01',
      fiscal_year: 2025,
      fiscal_quarter: 3,
      fiscal_month: 8,
    };
    expect(days).toEqual([
      {
        ...february,
        date: '2025-02-01',
        week: '2025-01-26',
        weekday_name: 'Saturday',
        is_work_day: false,
        holiday: null,
      },
      {
        ...february,
        date: '2025-02-05',
        week: '2025-02-02',
        weekday_name: 'Wednesday',
        is_work_day: false,
        holiday: 'Founders',
      },
      {
        ...february,
        date: '2025-02-06',
        week: '2025-02-02',
        weekday_name: 'Thursday',
        is_work_day: true,
        holiday: null,
      },
      {
        date: '2025-07-01',
        week: '2025-06-29',
        month: '2025-07-01',
        quarter: '2025-07-01',
        year: '2025-07-01',
        weekday_name: 'Tuesday',
        fiscal_year: 2026,
        fiscal_quarter: 1,
        fiscal_month: 1,
        is_work_day: true,
        holiday: null,
      },
    ]);
  });

  it('marts.capacity has the days of the employment, and a day outside it with hours', async () => {
    const days = await company.rows(`
      SELECT day(date) AS day, capacity_hours, scheduled_hours + actual_hours AS hours
      FROM marts.capacity ORDER BY date`);
    expect(days.map(({ day, capacity_hours, hours }) => `${day}: ${capacity_hours} ${hours}`)).toEqual([
      '3: 8 2',
      '4: 8 0',
      '5: 0 0',
      '6: 8 0',
      '7: 5 0',
      '8: 0 1',
    ]);
  });

  it('marts.time_off names the holiday or the type', async () => {
    expect(
      await company.rows(
        'SELECT day(date) AS day, is_day_off, time_off_type, holiday FROM marts.time_off ORDER BY date',
      ),
    ).toEqual([
      { day: 5, is_day_off: true, time_off_type: null, holiday: 'Founders' },
      { day: 7, is_day_off: false, time_off_type: 'Vacation', holiday: null },
    ]);
  });

  it('marts.department_ancestors goes up to the top, and around a circle once', async () => {
    const rows = await company.rows(
      'SELECT department, ancestor, distance FROM marts.department_ancestors WHERE distance > 0 ORDER BY ALL',
    );
    expect(rows.map(({ department, ancestor, distance }) => `${department} < ${ancestor} ${distance}`)).toEqual([
      'About < Round 1',
      'Design < Studio 1',
      'Motion < Design 1',
      'Motion < Studio 2',
      'Round < About 1',
    ]);
  });

  it('a company without lines has an empty calendar and no capacity', { tags: ['slow'] }, async () => {
    const empty = await openCompany({ people: [{ people_id: 1, name: 'Ana' }] });
    expect(
      await empty.rows('SELECT (SELECT COUNT(*) FROM marts.calendar) + (SELECT COUNT(*) FROM marts.capacity) AS rows'),
    ).toEqual([{ rows: 0 }]);
    await empty.close();
  });
});

function byKey(left: Record<string, unknown>, right: Record<string, unknown>): number {
  const [first, second] = [left, right].map((row) => `${row['people_id']} ${row['period_start']}`);
  return String(first).localeCompare(String(second));
}
