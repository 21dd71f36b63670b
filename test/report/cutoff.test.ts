// @module-tag slow
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../src/base/database/database.ts';
import { todayOf } from '../../src/numbers/report/catalogue/company-settings.ts';
import { chooseCutoff } from '../../src/numbers/report/catalogue/cutoff.ts';
import { hideRates } from '../../src/numbers/report/catalogue/rates.ts';
import { explainNumber } from '../../src/numbers/report/explain/explain-number.ts';
import { parseNumberQuery } from '../../src/numbers/report/request/number.ts';
import { readCompany } from '../../src/numbers/report/source/read-company.ts';
import { writeText } from '../../src/numbers/write/text-writer.ts';
import { readWorkbook, runReport } from '../reports.ts';
import { buildCompany, catalogue, type LoadedCompany, loadCompany, openCompany, pick } from '../sql/company.ts';

// Ana works 8 hours a day, from Monday the 5th to Friday the 16th of January 2026. She has logged two days.
const WINDOW = { start_date: '2026-01-01', end_date: '2026-01-31' };
const NOW = new Date('2026-01-14T12:00:00Z');
const logged = (id: string, date: string, hours = 6) => ({
  logged_time_id: id,
  people_id: 1,
  project_id: 1,
  date,
  hours,
});
const recordsWith = (...logged_time: object[]) => ({
  people: [{ people_id: 1, name: 'Ana', cost_rate: '50', default_hourly_rate: '100' }],
  projects: [{ project_id: 1, name: 'Site' }],
  tasks: [{ task_id: 1, people_id: 1, project_id: 1, start_date: '2026-01-05', end_date: '2026-01-16', hours: 8 }],
  logged_time,
});
const TWO_DAYS = recordsWith(logged('a', '2026-01-05'), logged('b', '2026-01-07'));

const readText = async (table: Parameters<typeof writeText>[0]) => {
  let text = '';
  for await (const part of writeText(table, ['name', 'variance_hours'])) text += part;
  return text;
};

const onDays = (...days: (string | [string, string])[]) =>
  days.map((day) => (typeof day === 'string' ? { date: day, idleUntil: day } : { date: day[0], idleUntil: day[1] }));

describe('3.1: the default cutoff is the last day up to today with logged time, and the days after it without capacity', () => {
  it.each([
    [onDays('2026-01-07', '2026-01-05'), '2026-01-07', 'the last day with logged time'],
    [onDays('2062-01-08', '2026-01-07', '2026-01-05'), '2026-01-07', 'the last day up to today with logged time'],
    [onDays('2026-01-14', '2026-01-13'), '2026-01-14', 'today'],
    [onDays(['2026-01-14', '2026-01-18'], '2026-01-13'), '2026-01-14', 'today'],
    [onDays('2026-01-15', '2026-01-14'), '2026-01-14', 'today'],
    [onDays('2026-01-15'), '2026-01-14', 'today, because no time is logged up to it'],
    [[], '2026-01-14', 'today, because no time is logged'],
    [
      onDays(['2026-01-09', '2026-01-11'], '2026-01-08'),
      '2026-01-11',
      'the last day with logged time, 2026-01-09, and the weekend after it',
    ],
    [
      onDays('2062-01-08', ['2026-01-09', '2026-01-10']),
      '2026-01-10',
      'the last day up to today with logged time, 2026-01-09, and the Saturday after it',
    ],
    [
      onDays(['2026-01-10', '2026-01-11']),
      '2026-01-11',
      'the last day with logged time, 2026-01-10, and the Sunday after it',
    ],
    [
      onDays(['2026-01-12', '2026-01-13']),
      '2026-01-13',
      'the last day with logged time, 2026-01-12, and the day after it, on which nobody has capacity',
    ],
    [
      onDays(['2026-01-09', '2026-02-01']),
      '2026-01-14',
      'the last day with logged time, 2026-01-09, and the 5 days after it, on which nobody has capacity',
    ],
    [
      onDays(['2026-01-08', '2026-01-10']),
      '2026-01-10',
      'the last day with logged time, 2026-01-08, and the 2 days after it, on which nobody has capacity',
    ],
  ])('days with logged time: %j', (loggedDays, date, reason) => {
    const company = { loggedDays, weekStartsOn: 1, fiscalYearStartsIn: 1 };
    expect(chooseCutoff(undefined, '2026-01-31', { today: '2026-01-14', company })).toEqual({ date, reason });
  });

  it('in the time zone of the company, by hours that are logged', { tags: ['slow'] }, async () => {
    const days = [logged('a', '2026-01-05'), logged('b', '2026-01-13'), logged('c', '2026-01-14')];
    const database = await buildCompany({
      ...recordsWith(...days, logged('d', '2026-01-12', 0), logged('typo', '2062-01-08')),
      settings: { time_zone: 'America/Los_Angeles' },
    });
    try {
      const { loggedDays } = await readCompany(database);
      expect(loggedDays.map(({ date }) => date)).toEqual(['2062-01-08', '2026-01-14', '2026-01-13', '2026-01-05']);
      const now = new Date('2026-01-14T05:00:00Z');
      const { meta } = await runReport(database, catalogue, 'projects', WINDOW, { now });
      expect(meta.cutoff).toEqual({ date: '2026-01-13', reason: 'today' });
      expect(meta.parameters['cutoff_date']).toBe('2026-01-13');
    } finally {
      await database.close();
    }
  });
});

describe('days on which nobody has logged time yet', () => {
  let database: Database;
  beforeAll(async () => {
    database = await buildCompany(TWO_DAYS);
  });
  afterAll(() => database.close());
  const run = (name: string, sent: object = {}) =>
    runReport(database, catalogue, name, { ...WINDOW, ...sent }, { now: NOW });
  const totalOf = async (name: string, measure: string) => {
    const { columns, totals } = await run(name);
    return totals?.[columns.findIndex((column) => column.name === measure)];
  };

  it('are plan and no savings', async () => {
    expect(await totalOf('projects', 'variance_hours')).toBe('-12.0000');
    expect(await totalOf('projects', 'forecast_hours')).toBe('68.0000');
  });

  it('follow the cutoff that was requested, and a terminal says only of the default why it is that day', async () => {
    const requested = await run('projects', { cutoff_date: '2026-01-12' });
    expect(requested.meta.cutoff).toEqual({ date: '2026-01-12', reason: 'requested' });
    expect(await readText(requested)).toContain('actual to 2026-01-12, EUR'.replace('EUR', requested.meta.currency));
    expect(await readText(await run('projects'))).toContain('actual to 2026-01-07 (the last day with logged time),');
  });

  it('are told where actuals are not known by findings, which have no cutoff', async () => {
    expect((await run('data-quality')).meta.cutoff).toBeUndefined();
  });

  it('are the same days to an explanation and to the link to its lines', async () => {
    const company = await readCompany(database);
    const days = { company, today: todayOf(company, NOW) };
    const catalogues = { full: catalogue, withoutRates: hideRates(catalogue) };
    const number = parseNumberQuery(catalogues, { ...WINDOW, report: 'projects', measure: 'variance_hours' }, days);
    const { value, lines, meta } = await explainNumber({ database, company, now: NOW }, number);
    expect(value).toBe('-12.0000');
    expect(meta.cutoff?.date).toBe('2026-01-07');
    expect(new URL(lines ?? '', 'http://localhost').searchParams.get('cutoff_date')).toBe('2026-01-07');
  });

  it.each([{}, { cutoff_date: '2026-01-06' }])(
    'are the same days in the workbooks of lines and projects, with %j',
    { tags: ['slow'] },
    async (sent) => {
      const books = await Promise.all(
        ['lines', 'projects', 'pivot'].map(async (name) => {
          const more = name === 'pivot' ? { group_by: 'project' } : {};
          const { cover, sheets } = await readWorkbook(
            database,
            catalogue,
            name,
            { ...WINDOW, ...more, ...sent },
            { now: NOW },
          );
          const { table } = (await sheets.find(({ key }) => key === 'months')?.open()) ?? {};
          const totals = ['variance_fees', 'variance_hours', 'forecast_fees', 'forecast_cost'].map(
            (name) => table?.totals?.[table.columns.findIndex((column) => column.name === name)],
          );
          return {
            cutoff: cover.meta.cutoff,
            shown: cover.parameters.find(({ name }) => name === 'cutoff_date')?.value,
            totals,
          };
        }),
      );
      const [first] = books;
      expect(first?.totals).not.toContain(undefined);
      expect(first?.shown).toBe(first?.cutoff?.date);
      expect(books.slice(1)).toEqual([first, first]);
    },
  );

  it('changes no line that is listed', async () => {
    const counts = await Promise.all(
      [{}, { cutoff_date: '2026-01-01' }].map(async (sent) => {
        const ids: unknown[] = [];
        for await (const chunk of (await run('lines', { ...sent, fields: 'line_id' })).rows) ids.push(...chunk.flat());
        return ids;
      }),
    );
    expect(counts[0]).toHaveLength(12);
    expect(counts[1]).toEqual(counts[0]);
  });
});

describe('the macros of the published file', () => {
  let loaded: LoadedCompany;
  let database: Database;
  beforeAll(async () => {
    // Macros take today from the clock, which is after the two days.
    loaded = await loadCompany({ ...TWO_DAYS, logged_time: [...TWO_DAYS.logged_time, logged('typo', '2062-01-08')] });
    database = await openDatabase(loaded.file, { readOnly: true });
  });
  afterAll(async () => {
    await database.close();
    loaded.remove();
  });

  it.each(['projects', 'phases', 'people', 'tasks'])('have the default cutoff of the report %s', async (name) => {
    const sql = `SELECT SUM(variance_hours) AS variance, SUM(forecast_fees) AS forecast FROM reports.${name}(start_date := '2026-01-01', end_date := '2026-01-31')`;
    const [row] = await database.rows<Record<string, unknown>>(sql);
    const { columns, totals } = await runReport(database, catalogue, name, WINDOW);
    const total = (measure: string) => totals?.[columns.findIndex((column) => column.name === measure)];
    expect(row).toEqual({ variance: total('variance_hours'), forecast: total('forecast_fees') });
    expect(row?.['variance']).toBe('-12.0000');
  });
});

it('3.2: expenses after the cutoff are neither actual nor scheduled to date, but forecast', {
  tags: ['slow'],
}, async () => {
  const spent = (project_expense_id: number, date: string, cost: string) => ({
    project_expense_id,
    project_id: 1,
    date,
    cost,
    billable: 1,
    markup: '50',
  });
  const company = await openCompany({
    ...TWO_DAYS,
    project_expenses: [spent(1, '2026-01-07', '10'), spent(2, '2026-01-08', '200'), spent(3, '2026-01-30', '4000')],
  });
  try {
    const sent = { ...WINDOW, cutoff_date: '2026-01-07' };
    const { rows, totals } = await company.report('projects', sent);
    for (const row of [rows[0], totals]) {
      expect(pick(row, 'expense_cost', 'expense_fees', 'expense_to_date_cost', 'expense_to_date_fees')).toEqual({
        expense_cost: '4210',
        expense_fees: '6315',
        expense_to_date_cost: '10',
        expense_to_date_fees: '15',
      });
      // Ana costs 50 and earns 100 an hour: 10 days of 8 hours are scheduled, 3 of them to date; 12 hours are logged.
      expect(pick(row, ...revenueAndProfit('scheduled'))).toEqual(amounts('scheduled', '14315', '6105'));
      expect(pick(row, ...revenueAndProfit('scheduled_to_date'))).toEqual(amounts('scheduled_to_date', '2415', '1205'));
      expect(pick(row, ...revenueAndProfit('actual'))).toEqual(amounts('actual', '1215', '605'));
      expect(pick(row, ...revenueAndProfit('forecast'))).toEqual(amounts('forecast', '13115', '5505'));
      expect(pick(row, 'actual_margin_percent', 'variance_profit')).toEqual({
        actual_margin_percent: '49.79',
        variance_profit: '-600',
      });
    }
    const months = await company.report('pivot', { ...sent, group_by: 'day', measures: 'actual_hours,actual_profit' });
    expect(months.rows.filter((row) => String(row['day']) > '2026-01-07').map((row) => row['actual_profit'])).toEqual(
      Array(8).fill('0'),
    );
  } finally {
    await company.close();
  }
});

const revenueAndProfit = (prefix: string) => [`${prefix}_revenue`, `${prefix}_profit`];
const amounts = (prefix: string, revenue: string, profit: string) => ({
  [`${prefix}_revenue`]: revenue,
  [`${prefix}_profit`]: profit,
});
