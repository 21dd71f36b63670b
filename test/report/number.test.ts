import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readWorkbook } from '../reports.ts';
import { buildCompany, type Company, catalogue, column, openCompany, pick, type Row } from '../sql/company.ts';

// January 2026: the 5th is a Monday. Ana is scheduled for 10 of her 8 hours, and logs 6 on the first day.
const WINDOW = { start_date: '2026-01-05', end_date: '2026-01-09', cutoff_date: '2026-01-06' };
const RECORDS = {
  people: [
    { people_id: 1, name: 'Ana', cost_rate: 50 },
    { people_id: 2, name: 'Idle' },
    { people_id: 3, name: 'Left', active: 0 },
  ],
  projects: [
    {
      project_id: 1,
      name: 'Tagged',
      tags: ['a,b', 'none', 'c'],
      default_hourly_rate: 100,
      budget_type: 1,
      budget_total: 40,
    },
    { project_id: 2, name: 'Plain' },
  ],
  tasks: [
    { task_id: 1, people_id: 1, project_id: 1, start_date: '2026-01-05', end_date: '2026-01-09', hours: 10 },
    { task_id: 2, people_id: 1, project_id: 2, start_date: '2026-01-05', end_date: '2026-01-05', hours: 1 },
  ],
  logged_time: [
    { logged_time_id: 'x', people_id: 1, project_id: 1, date: '2026-01-05', hours: 6 },
    { logged_time_id: 'y', people_id: 2, project_id: 1, date: '2026-01-06', hours: 3 },
    { logged_time_id: 'z', people_id: 3, project_id: 2, date: '2026-01-05', hours: 1 },
  ],
};

let company: Company;
beforeAll(async () => {
  company = await openCompany(RECORDS);
});
afterAll(() => company.close());

const read = (name: string, sent: Record<string, string> = {}, options = {}) =>
  company.report(name, { ...WINDOW, ...sent }, options);

/** Follows the link of a row to the lines of a measure. */
const follow = (row: Row | undefined, measure: string, more: Record<string, string> = {}) => {
  const [path, query] = String(row?.['_lines']).split('?');
  expect(path).toBe('/v3/reports/lines');
  return company.report('lines', { ...Object.fromEntries(new URLSearchParams(query)), measure, ...more });
};

describe('6.1 the lines behind a number', () => {
  it('has the lines of both sides of a variance, with their signs', async () => {
    const { rows, totals } = await read('projects', { links: '1' });
    const lines = await follow(
      rows.find(({ project_id }) => project_id === 1),
      'variance_cost',
    );
    expect(lines.rows.map((row) => pick(row, 'line_id', 'contribution'))).toEqual([
      { line_id: 'a:x', contribution: '300' },
      { line_id: 's:1:1:2026-01-05', contribution: '-500' },
      { line_id: 'a:y', contribution: null },
      { line_id: 's:1:1:2026-01-06', contribution: '-500' },
    ]);
    expect(lines.totals['contribution']).toBe('-700');
    expect(lines.table.meta.row_count).toBe(4);
    expect((await follow(totals, 'variance_cost')).totals['contribution']).toBe(totals['variance_cost']);
  });

  it('has the period of the row as its window', async () => {
    const { rows } = await read('projects', { links: '1', interval: 'day', project_id: '1' });
    const lines = await follow(rows[2], 'scheduled_hours');
    expect(column(lines.rows, 'date')).toEqual(['2026-01-07']);
  });

  it('has the person-days of a capacity measure, of idle people, too', async () => {
    const { rows, totals } = await read('people', { links: '1', active: '1' });
    const overtime = await follow(rows[0], 'overtime_hours');
    expect(
      overtime.rows.map((row) => pick(row, 'line_id', 'capacity_hours', 'scheduled_hours', 'contribution'))[0],
    ).toEqual({ line_id: 'd:1:2026-01-05', capacity_hours: '8', scheduled_hours: '11', contribution: '3' });
    expect(overtime.totals['contribution']).toBe('11');
    expect((await follow(totals, 'capacity_hours')).totals['contribution']).toBe('80');
    const byProject = await read('pivot', { links: '1', group_by: 'project', measures: 'capacity_hours' });
    // D5: the archived person can work until the last logged day.
    expect((await follow(byProject.rows[1], 'capacity_hours')).totals['contribution']).toBe('48');
  });

  it('counts in a period the people whom it has alone', async () => {
    const filter = { links: '1', people_id: '3' };
    const { rows, totals } = await read('people', { ...filter, interval: 'day' });
    expect(rows.map((row) => pick(row, 'name', 'period_start', 'capacity_hours'))).toEqual([
      { name: 'Left', period_start: '2026-01-05', capacity_hours: '8' },
    ]);
    expect(totals['capacity_hours']).toBe('8');
    expect((await read('people', { ...filter, start_date: '2026-01-06' })).rows).toEqual([]);
    const { rows: days } = await follow(rows[0], 'capacity_hours');
    expect(days.map((day) => pick(day, 'line_id', 'contribution'))).toEqual([
      { line_id: 'd:3:2026-01-05', contribution: '8' },
    ]);
  });

  it('has the budget and its use over the whole life, paged from the lines without a date', async () => {
    const { rows } = await read('projects', { links: '1', start_date: '2026-01-06', project_id: '1' });
    const { rows: all } = await follow(rows[0], 'budget_remaining');
    expect(all.map((row) => pick(row, 'line_id', 'contribution'))).toEqual([
      { line_id: 'b:project:1', contribution: '40' },
      { line_id: 'a:x', contribution: '-6' },
      { line_id: 'a:y', contribution: '-3' },
    ]);
    const ids: (Row['line_id'] | undefined)[] = [];
    let more: Record<string, string> = {};
    do {
      const page = await follow(rows[0], 'budget_remaining', { limit: '1', ...more });
      ids.push(...column(page.rows, 'line_id'));
      const { next_cursor } = page.table.meta;
      more = next_cursor === undefined ? {} : { cursor: next_cursor };
    } while (more['cursor'] !== undefined);
    expect(ids).toEqual(column(all, 'line_id'));
  });

  it('finds tags with a comma, the tag none, no tag, and a tag among filtered ones', async () => {
    const { rows } = await read('pivot', {
      links: '1',
      group_by: 'tag',
      measures: 'actual_hours,scheduled_hours',
      tag: 'c,none',
    });
    for (const row of rows) {
      expect((await follow(row, 'scheduled_hours')).totals['contribution']).toBe(row['scheduled_hours']);
    }
    expect(column(rows, 'tag')).toEqual(['a,b', 'c', 'none', null]);
  });

  it.each([...catalogue.dimensions.values()].filter(({ line }) => line))(
    'links rows by $name that are filtered by it already',
    async ({ name, line }) => {
      const filters = [...catalogue.parameters.values()].filter(({ filter }) => filter === line);
      const filtered = Object.fromEntries(filters.map((filter) => [filter.name, filter.example]));
      const sent = { links: '1', group_by: name, measures: 'actual_hours', ...filtered };
      for (const row of (await read('pivot', sent)).rows)
        expect((await follow(row, 'actual_hours')).totals['contribution']).toBe(row['actual_hours']);
    },
  );

  it.each([
    ['a percentage', 'lines', { measure: 'actual_margin_percent' }, 'usage', 'Give actual_profit or actual_revenue.'],
    ['an unknown measure', 'lines', { measure: 'toString' }, 'usage', '"toString" is not one of scheduled_hours'],
    [
      'a measure that the report has not',
      'lines',
      { measure: 'expense_cost', report: 'people' },
      'usage',
      'is not one of',
    ],
    [
      'a report that lists',
      'lines',
      { measure: 'actual_hours', report: 'lines' },
      'usage',
      'is not one of board, clients, contracts, people, phases',
    ],
    ['the row of a number without its measure', 'lines', { report: 'people' }, 'usage', 'without measure'],
    ['a parameter that the report has not', 'lines', { measure: 'actual_hours', include_empty: '1' }, 'usage', 'pivot'],
    [
      'a column that the number has not',
      'lines',
      { measure: 'capacity_hours', fields: 'cost' },
      'usage',
      'the columns are',
    ],
    [
      'a measure of a report that sums',
      'projects',
      { measure: 'actual_hours' },
      'usage',
      'is not a parameter of projects',
    ],
  ])('refuses %s', async (_, name, sent, code, words) => {
    const error = await read(name, sent as Record<string, string>).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code });
    expect(`${(error as Error).message} ${(error as { hint?: string }).hint}`).toContain(words);
  });

  it('refuses a measure that reveals a cost to readers without the scope rates', async () => {
    const asked = read('lines', { measure: 'actual_cost', report: 'projects' }, { seesRates: false });
    await expect(asked).rejects.toMatchObject({ code: 'forbidden' });
  });

  it('is no workbook', { tags: ['slow'] }, async () => {
    const database = await buildCompany(RECORDS);
    const asked = readWorkbook(database, catalogue, 'lines', { ...WINDOW, measure: 'actual_hours' });
    await expect(asked).rejects.toMatchObject({ code: 'usage' });
    await database.close();
  });
});
