import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect } from '../mcp/session.ts';
import { type Served, serve } from './served.ts';

// Ana has logged 6 hours on a day of each month. Midnight comes to Auckland twelve hours before UTC.
const MONTHS = ['2026-03', '2026-04', '2026-05', '2026-06', '2026-07'];
const DATA = {
  settings: { time_zone: 'Pacific/Auckland', week_starts_on: 1, fiscal_year_starts_in: 4 },
  people: [{ people_id: 1, name: 'Ana' }],
  projects: [{ project_id: 1, name: 'Site' }],
  logged_time: MONTHS.map((month) => ({
    logged_time_id: month,
    people_id: 1,
    project_id: 1,
    date: `${month}-08`,
    hours: 6,
  })),
};

/** The last moment of June in Auckland. */
const JUNE = new Date('2026-06-30T11:59:00Z');
const JULY = new Date('2026-06-30T12:00:00Z');

let now = JUNE;
let served: Served;
beforeAll(async () => {
  served = await serve({ data: DATA, now: () => now, scopes: ['reports', 'rates', 'sql'] });
});
afterAll(() => served.close());

/** Reads the parameters as understood of a window, over each door that tells them. */
const DOORS: Readonly<Record<string, (period: string) => Promise<Record<string, unknown>>>> = {
  JSON: async (period) => (await served.get(`/v3/reports/projects?period=${period}`)).json().meta.parameters,
  'a tile': async (period) =>
    (await served.get(`/v3/reports/projects?period=${period}&meta=short`)).json().meta.parameters,
  'the list of lines': async (period) =>
    (await served.get(`/v3/reports/lines?period=${period}`)).json().meta.parameters,
  explain: async (period) =>
    (await served.get(`/v3/explain?report=projects&measure=actual_hours&period=${period}`)).json().meta.parameters,
  tools: async (period) => {
    const { header } = await served.token(['reports']);
    await expect.poll(async () => (await served.get('/v3/reports', { authorization: header })).status).toBe(200);
    const transport = new StreamableHTTPClientTransport(new URL('/mcp', served.url), {
      requestInit: { headers: { authorization: header } },
    });
    const session = await connect(transport);
    const { content } = await session.call('run_report', { report: 'projects', period });
    await session.client.close();
    return content.meta.parameters;
  },
};

describe.each(Object.entries(DOORS))('a period, over %s', (_, read) => {
  it("has its name and its days, by the company's today and fiscal year", async () => {
    now = JUNE;
    expect(await read('quarter_to_date')).toMatchObject({
      period: 'quarter_to_date',
      start_date: '2026-04-01',
      end_date: '2026-06-30',
    });
    expect(await read('2026-Q4')).toMatchObject({
      period: '2026-Q4',
      start_date: '2026-01-01',
      end_date: '2026-03-31',
    });
  });
});

describe('a kept address', () => {
  const PATH = '/v3/reports/projects?period=this_month&links=1';

  it('is answered anew when its days are others, and 304 until then', async () => {
    now = JUNE;
    const first = await served.get(PATH);
    const conditional = {
      authorization: `Bearer ${(await served.token(['reports', 'rates'])).token}`,
      'if-none-match': first.headers.get('etag') ?? '',
    };
    await expect.poll(async () => (await served.get(PATH, conditional)).status).toBe(304);
    // The shortcut ahead of the app has the version now.
    expect((await served.get(PATH, conditional)).status).toBe(304);
    now = JULY;
    const next = await served.get(PATH, conditional);
    expect([next.status, next.json().meta.parameters.start_date]).toEqual([200, '2026-07-01']);
    expect(next.headers.get('etag')).not.toBe(first.headers.get('etag'));
  });

  it('has links to lines that stay what they are', async () => {
    now = JUNE;
    const [row] = (await served.get(PATH)).json().projects;
    expect(row._lines).toContain('start_date=2026-06-01&end_date=2026-06-30');
    expect(row._lines).not.toContain('period=');
    now = JULY;
    const { totals } = (await served.get(`${row._lines}&measure=actual_hours`)).json();
    expect(totals.contribution).toBe(row.actual_hours);
  });

  it('names its file by its days', async () => {
    now = JUNE;
    const { headers } = await served.get('/v3/reports/projects.csv?period=last_month');
    expect(headers.get('content-disposition')).toContain('projects_2026-05-01_2026-05-31.csv');
  });
});

describe('a cutoff by name', () => {
  it.each([
    ['today', '2026-06-30', 'requested: today'],
    ['yesterday', '2026-06-29', 'requested: yesterday'],
    ['period_end', '2026-05-31', 'requested: the end of the period'],
    ['last_week_end', '2026-06-28', 'requested: the end of last week'],
    ['last_month_end', '2026-05-31', 'requested: the end of last month'],
    ['2026-05-04', '2026-05-04', 'requested'],
  ])('%s is %s', async (cutoff, date, reason) => {
    now = JUNE;
    const { meta } = (await served.get(`/v3/reports/projects?period=last_month&cutoff_date=${cutoff}`)).json();
    expect(meta.cutoff).toEqual({ date, reason });
    expect(meta.parameters.cutoff_date).toBe(date);
  });
});

describe('OData', () => {
  const read = async (call: string) => (await served.get(`/odata/v4/report_projects(${call})`)).json();

  it('takes a period, and a cutoff as a day or by name', { tags: ['slow'] }, async () => {
    now = JUNE;
    const calls = ["period='last_month'", "period='last_month',cutoff_date='period_end'"];
    for (const call of [
      ...calls,
      "period='2026-05',cutoff_date=2026-05-31",
      'start_date=2026-05-01,end_date=2026-05-31',
    ]) {
      const { value } = await read(`${call}`);
      expect(value, call).toMatchObject([{ name: 'Site', actual_hours: 6 }]);
    }
  });

  it('names what is missing or wrong', async () => {
    expect((await read('start_date=2026-05-01')).error.message).toContain('end_date is missing');
    expect((await read('period=2026-05-01')).error.message).toContain('in quotes');
    expect((await read("period='last_mnth'")).error.message).toContain('the nearest is last_month');
  });
});

it.each([
  ['period=last_mnth', 'period', '"last_mnth" is not a period; the nearest is last_month; give today, yesterday, '],
  ['period=last_month&start_date=2026-05-01', 'period', 'it takes no start_date; give either'],
  ['period=', 'period', '"" is not a period'],
  ['', 'start_date', 'give the first day as YYYY-MM-DD, or a period instead of both days'],
])('%s is refused, naming %s', async (query, field, message) => {
  const { status, json } = await served.get(`/v3/reports/projects?${query}`);
  expect(status).toBe(400);
  expect(json().errors[0]).toEqual({ field, message: expect.stringContaining(message) });
});

it('SQL takes the days of a period from the macros', { tags: ['slow'] }, async () => {
  const sql = `SELECT actual_hours FROM reports.projects(start_date := reports.first_day('2026-05'), end_date := reports.last_day('2026-05'),
    cutoff_date := 'period_end')`;
  const { status, text, json } = await served.post('/v3/sql', { sql });
  expect(status, text).toBe(200);
  expect(json().rows).toEqual([{ actual_hours: 6 }]);
});
