import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AppError } from '../../src/base/error.ts';
import { type Company, column, openCompany } from '../sql/company.ts';

const WINDOW = { start_date: '2026-01-01', end_date: '2026-01-31', cutoff_date: '2026-01-31' };

let company: Company;
beforeAll(async () => {
  company = await openCompany({
    clients: [
      { client_id: 1, name: 'Acme' },
      { client_id: 2, name: 'Bolt' },
    ],
    people: [
      { people_id: 1, name: 'Ana', default_hourly_rate: 100 },
      { people_id: 2, name: 'Ben' },
    ],
    projects: [
      { project_id: 1, name: 'One', client_id: 2 },
      { project_id: 2, name: 'Two', client_id: 1 },
      { project_id: 3, name: 'Three', client_id: 2 },
      { project_id: 4, name: 'Four' },
    ],
    tasks: [
      { task_id: 1, project_id: 1, people_ids: [1, 2], start_date: '2026-01-05', end_date: '2026-01-16', hours: 1 },
      {
        task_id: 2,
        project_id: 2,
        people_id: 1,
        start_date: '2026-01-05',
        end_date: '2026-01-05',
        hours: 3,
        status: 1,
      },
      { task_id: 3, project_id: 4, people_id: 1, start_date: '2026-01-30', end_date: '2026-02-03', hours: 2 },
    ],
    logged_time: [
      // Ids that sort differently as texts and as numbers, and one with a quote.
      ...Array.from({ length: 12 }, (_, index) => ({ logged_time_id: String(index + 1), project_id: 3, hours: '0.5' })),
      { logged_time_id: "o'clock", project_id: 2, hours: 2 },
    ].map((entry) => ({ ...entry, people_id: 1, date: '2026-01-07' })),
    project_expenses: [{ project_expense_id: 1, project_id: 1, name: 'Ink', date: '2026-01-07', cost: 5 }],
  });
});
afterAll(() => company.close());

async function refusal(name: string, sent: Record<string, string>): Promise<AppError> {
  const thrown = await company.report(name, sent).catch((error: unknown) => error);
  if (thrown instanceof AppError) return thrown;
  throw new Error('The parameters were accepted', { cause: thrown });
}

/** Report, parameters in addition to a valid window, wrong parameter, message. */
const WRONG: readonly (readonly [string, Record<string, string>, string, RegExp])[] = [
  [
    'projects',
    { colour: 'red' },
    'colour',
    /colour is not a parameter of projects; it takes start_date, end_date, period, /,
  ],
  ['projects', { group_by: 'client' }, 'group_by', /group_by is not a parameter of projects/],
  ['people', { expand: 'phases' }, 'expand', /expand is not a parameter of people/],
  ['data-quality', { cutoff_date: '2026-01-01' }, 'cutoff_date', /cutoff_date is not a parameter of data-quality/],
  ['data-quality', { interval: 'day' }, 'interval', /interval is not a parameter of data-quality/],
  ['projects', { constructor: 'x' }, 'constructor', /constructor is not a parameter/],

  ['projects', { start_date: '2026-02-30' }, 'start_date', /"2026-02-30" is not a date; .*YYYY-MM-DD/],
  ['projects', { start_date: '2026-1-5' }, 'start_date', /"2026-1-5" is not a date; .*YYYY-MM-DD/],
  ['projects', { end_date: '31.01.2026' }, 'end_date', /"31\.01\.2026" is not a date; .*YYYY-MM-DD/],
  ['projects', { end_date: '2026-13-01' }, 'end_date', /"2026-13-01" is not a date/],
  ['projects', { end_date: '2026-01-31T00:00:00Z' }, 'end_date', /is not a date/],
  ['projects', { end_date: '' }, 'end_date', /"" is not a date/],
  ['projects', { start_date: '1969-12-31' }, 'start_date', /"1969-12-31" is out of range; .*1970-01-01 to 2099-12-31/],
  ['projects', { end_date: '2100-01-01' }, 'end_date', /"2100-01-01" is out of range; .*1970-01-01 to 2099-12-31/],
  ['projects', { cutoff_date: 'tomorrow' }, 'cutoff_date', /"tomorrow" is not a date; .*YYYY-MM-DD, or one of today, /],
  ['projects', { start_date: 'today' }, 'start_date', /"today" is not a date; give a real day as YYYY-MM-DD$/],
  [
    'projects',
    { period: 'last_month' },
    'period',
    /period stands for both days, so it takes no start_date, end_date; /,
  ],
  ['projects', { end_date: '2025-12-31' }, 'end_date', /2025-12-31 is before start_date 2026-01-01/],

  ['projects', { status: 'canceled' }, 'status', /"canceled" is not allowed; .*draft, tentative, confirmed, completed/],
  ['projects', { status: 'confirmed,done' }, 'status', /"confirmed,done" holds "done"; .*draft, tentative/],
  ['projects', { status: '' }, 'status', /"" is not allowed; .*draft/],
  ['projects', { status: 'none' }, 'status', /"none" is not allowed/],
  ['projects', { project_id: 'abc' }, 'project_id', /"abc" is not allowed; give ids .*none/],
  ['projects', { project_id: '1,,2' }, 'project_id', /"1,,2" holds ""; give ids/],
  ['projects', { project_id: '-1' }, 'project_id', /"-1" is not allowed/],
  ['projects', { people_id: '1.5' }, 'people_id', /"1\.5" is not allowed/],
  ['projects', { phase_id: '1 OR 1=1' }, 'phase_id', /"1 OR 1=1" is not allowed/],
  ['projects', { role_id: '99999999999999999999' }, 'role_id', /"99999999999999999999" is not allowed/],
  ['projects', { project_status: 'open' }, 'project_status', /"open" is not allowed; .*draft, .*canceled.*none/],
  ['projects', { billable: '2' }, 'billable', /"2" is not allowed; give 1 or 0/],
  ['projects', { active: 'yes' }, 'active', /"yes" is not allowed; give 1 or 0/],
  ['projects', { tag: '' }, 'tag', /"" is not allowed; give one or more/],

  ['projects', { interval: 'hour' }, 'interval', /"hour" is not allowed; .*none, day, week, month, quarter, year/],
  ['projects', { expand: 'tasks' }, 'expand', /"tasks" is not allowed; .*phases/],
  ['projects', { include_empty: 'yes' }, 'include_empty', /"yes" is not a flag; give 0 or 1/],

  ['pivot', {}, 'group_by', /group_by is missing; .*project, client, .*year/],
  ['pivot', { group_by: '' }, 'group_by', /"" is not one of project, client/],
  ['pivot', { group_by: 'project,galaxy' }, 'group_by', /"galaxy" is not one of project, client/],
  ['pivot', { group_by: 'project', measures: 'joy' }, 'measures', /"joy" is not one of (\w+, ){7}\w+ and \d+ others$/],

  ['projects', { fields: 'name,joy' }, 'fields', /fields names "joy"; the columns are (\w+, ){7}\w+ and \d+ others$/],
  [
    'projects',
    { fields: 'actaul_hours' },
    'fields',
    /the columns are actual_hours, (\w+, ){6}\w+ and \d+ others \(did you mean actual_hours\?\)$/,
  ],
  ['projects', { sort: '-joy' }, 'sort', /sort names "joy"; the columns are (\w+, ){7}\w+ and \d+ others$/],
  ['lines', { fields: 'joy' }, 'fields', /fields names "joy"; the columns are kind, line_id, /],
  ['lines', { sort: 'hours,joy' }, 'sort', /sort names "joy"/],

  ['projects', { page: '0' }, 'page', /"0" is not a count; .*1 to /],
  ['projects', { 'per-page': '0' }, 'per-page', /"0" is not a count; give a whole number from 1 to 1000000/],
  ['projects', { 'per-page': '-1' }, 'per-page', /"-1" is not a count/],
  ['projects', { 'per-page': '1e9' }, 'per-page', /"1e9" is not a count/],
  ['projects', { 'per-page': '1000001' }, 'per-page', /"1000001" is not a count; .*1000000/],
  ['projects', { 'per-page': 'all' }, 'per-page', /"all" is not a count/],
  ['lines', { limit: '0' }, 'limit', /"0" is not a count/],
  ['lines', { limit: '2.5' }, 'limit', /"2\.5" is not a count/],
  ['lines', { limit: '2', sort: 'hours' }, 'limit', /limit needs the lines in their own order/],
  ['lines', { limit: '2', fields: 'hours' }, 'limit', /limit needs .*date and line_id/],
  ['lines', { cursor: 'xyz', limit: '2' }, 'cursor', /"xyz" is not a cursor/],
  // A cursor with a day that does not exist.
  ['lines', { cursor: cursorOf('2026-02-30', 'a:1'), limit: '2' }, 'cursor', /is not a cursor/],
];

function cursorOf(...position: string[]): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}

test.each(WRONG)('%s with %o is refused, and the error names %s', async (name, sent, field, message) => {
  const error = await refusal(name, { start_date: WINDOW.start_date, end_date: WINDOW.end_date, ...sent });
  expect(error.code).toBe('usage');
  expect(error.message).toMatch(message);
  expect(error.fields).toEqual([{ field, message: expect.stringMatching(message) }]);
  expect(error.hint).toBeTruthy();
});

test('the window is required', async () => {
  const error = await refusal('projects', {});
  expect(error.code).toBe('usage');
  expect(error.fields.map(({ field }) => field)).toEqual(['start_date', 'end_date']);
  expect(error.message).toContain('start_date is missing; give the first day as YYYY-MM-DD');
});

test('several wrong parameters give several errors, each once', async () => {
  const error = await refusal('pivot', {
    start_date: '2026-02-30',
    end_date: '2026-1-5',
    status: 'done',
    group_by: 'galaxy,nebula',
    measures: 'joy',
    'per-page': '0',
    colour: 'red',
  });
  expect(error.fields.map(({ field }) => field).sort()).toEqual([
    'colour',
    'end_date',
    'group_by',
    'group_by',
    'measures',
    'per-page',
    'start_date',
    'status',
  ]);
  for (const { message } of error.fields) expect(error.message).toContain(message);
});

test('an unknown report gives the names of all reports', async () => {
  const error = await refusal('profits', WINDOW);
  expect(error.code).toBe('unknown');
  expect(error.message).toContain('"profits"');
  expect(error.hint).toMatch(
    /board, changed-lines, changes, clients, contracts, data-quality, lines, people, phases, pipeline, pivot, projects, retainers, tasks/,
  );
});

test('the response shows the parameters in use, including defaults', async () => {
  const { table } = await company.report('projects', { ...WINDOW, sort: '-name' });
  expect(table.meta.parameters).toEqual({
    ...WINDOW,
    sort: ['-name'],
    status: ['confirmed', 'completed'],
    interval: 'none',
    include_empty: false,
  });
});

test('a window of one day is allowed', async () => {
  const { totals } = await company.report('projects', { start_date: '2026-01-05', end_date: '2026-01-05' });
  expect(totals['scheduled_hours']).toBe('2');
});

describe('fields', () => {
  test('selects columns in the requested order, also for the totals', async () => {
    const { rows, totals, table } = await company.report('projects', { ...WINDOW, fields: 'actual_hours,name' });
    expect(table.columns.map(({ name }) => name)).toEqual(['actual_hours', 'name']);
    expect(rows).toContainEqual({ actual_hours: '6', name: 'Three' });
    expect(totals).toEqual({ actual_hours: '8', name: null });
  });

  test("a repeated column appears once, because a file can't have two columns of one name", async () => {
    const named = async (report: string, parameters: Record<string, string>) =>
      (await company.report(report, parameters)).table.columns.map(({ name }) => name);
    expect(await named('projects', { ...WINDOW, fields: 'name,actual_hours,name' })).toEqual(['name', 'actual_hours']);
    expect(await named('lines', { ...window(), fields: 'hours,kind,hours' })).toEqual(['hours', 'kind']);
  });

  test('rows may be sorted by a column that is not shown', async () => {
    const { rows } = await company.report('projects', { ...WINDOW, fields: 'name', sort: '-actual_hours,name' });
    expect(column(rows, 'name')).toEqual(['Three', 'Two', 'Four', 'One']);
  });

  test('works for lines, too', async () => {
    const { rows } = await company.report('lines', { ...window(), fields: 'line_id,hours', people_id: '2' });
    expect(rows).toHaveLength(10);
    expect(rows[0]).toEqual({ line_id: 's:1:2:2026-01-05', hours: '1' });
  });
});

function window(): Record<string, string> {
  return { start_date: WINDOW.start_date, end_date: WINDOW.end_date };
}

describe('sort', () => {
  const names = async (sort: string) => column((await company.report('projects', { ...WINDOW, sort })).rows, 'name');

  test('by name, by default', async () => {
    expect(column((await company.report('projects', WINDOW)).rows, 'name')).toEqual(['Four', 'One', 'Three', 'Two']);
  });

  test('ascending, and descending with a -', async () => {
    expect(await names('scheduled_hours,name')).toEqual(['Three', 'Two', 'Four', 'One']);
    expect(await names('-scheduled_hours,name')).toEqual(['One', 'Four', 'Three', 'Two']);
  });

  test('by several columns, missing values last in both directions', async () => {
    expect(await names('client,-name')).toEqual(['Two', 'Three', 'One', 'Four']);
    expect(await names('-client,name')).toEqual(['One', 'Three', 'Two', 'Four']);
  });

  test('works for lines, too', async () => {
    const { rows } = await company.report('lines', { ...window(), sort: '-hours,line_id', project_id: '2,3,4' });
    // 2, 2 and 0.5: one entry of 2 h, and the one day in the window of an allocation of two days.
    expect(column(rows.slice(0, 3), 'line_id')).toEqual(["a:o'clock", 's:3:1:2026-01-30', 'a:1']);
  });
});

describe('page and per-page', () => {
  test('rows in pages, totals over all rows', async () => {
    const pages = [];
    for (const page of ['1', '2', '3']) {
      const { rows, totals, table } = await company.report('projects', { ...WINDOW, page, 'per-page': '3' });
      pages.push(column(rows, 'name'));
      expect(totals['actual_hours']).toBe('8');
      expect(table.meta.row_count).toBe(4);
    }
    expect(pages).toEqual([['Four', 'One', 'Three'], ['Two'], []]);
  });

  test('works for lines, too', async () => {
    const all = (await company.report('lines', window())).rows;
    const page = (await company.report('lines', { ...window(), page: '2', 'per-page': '7' })).rows;
    expect(page).toEqual(all.slice(7, 14));
  });
});

describe('lines with limit and cursor', () => {
  async function walk(limit: number, parameters: Record<string, string>): Promise<unknown[][]> {
    const pages: unknown[][] = [];
    let cursor: string | undefined;
    do {
      const sent = { ...parameters, limit: String(limit), ...(cursor === undefined ? {} : { cursor }) };
      const { rows, table } = await company.report('lines', sent);
      pages.push(column(rows, 'line_id'));
      cursor = table.meta.next_cursor;
    } while (cursor !== undefined && pages.length < 100);
    return pages;
  }

  test.each([1, 3, 7, 17, 35, 36, 1000])(
    'walk through every line exactly once, %i at a time',
    { tags: ['slow'] },
    async (limit) => {
      const all = column((await company.report('lines', window())).rows, 'line_id');
      // 20 days of the first allocation, one of the third, 13 entries, one expense; the tentative one is not requested.
      expect(all).toHaveLength(35);
      const pages = await walk(limit, window());
      expect(pages.flat()).toEqual(all);
      expect(pages).toHaveLength(Math.max(1, Math.ceil(35 / limit)));
    },
  );

  test('with filters, fields and statuses', async () => {
    const parameters = { ...window(), people_id: '1', status: 'tentative', fields: 'date,line_id' };
    const all = column((await company.report('lines', parameters)).rows, 'line_id');
    expect(all).toHaveLength(14);
    expect((await walk(4, parameters)).flat()).toEqual(all);
  });

  test('a walk over no lines is one empty page', async () => {
    expect(await walk(2, { ...window(), project_id: '77' })).toEqual([[]]);
  });
});
