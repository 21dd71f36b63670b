import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withoutPublishing } from '../live/memory-source.ts';
import { connect } from '../mcp/session.ts';
import { parseCsv, type Served, serve } from './served.ts';

// Ana works 8 hours a day, from Monday the 5th to Friday the 9th of January 2026, and has logged two days,
// and by mistake a day of another year.
const logged = (id: string, date: string) => ({ logged_time_id: id, people_id: 1, project_id: 1, date, hours: 6 });
const DATA = {
  people: [{ people_id: 1, name: 'Ana' }],
  projects: [{ project_id: 1, name: 'Site' }],
  tasks: [{ task_id: 1, people_id: 1, project_id: 1, start_date: '2026-01-05', end_date: '2026-01-09', hours: 8 }],
  logged_time: [logged('a', '2026-01-05'), logged('b', '2026-01-06'), logged('typo', '2062-01-07')],
};
const WINDOW = 'start_date=2026-01-01&end_date=2026-01-31';

let served: Served;
beforeAll(async () => {
  served = await serve({
    data: DATA,
    write: true,
    prepareSource: withoutPublishing,
    now: () => new Date('2026-01-08T12:00:00Z'),
  });
});
afterAll(() => served.close());

/** Reads the variance of hours without a cutoff, over each door. */
const DOORS: Readonly<Record<string, () => Promise<unknown>>> = {
  JSON: async () => (await served.get(`/v3/reports/projects?${WINDOW}`)).json().totals.variance_hours,
  CSV: async () => {
    const [names = [], values = []] = parseCsv(
      (await served.get(`/v3/reports/projects.csv?${WINDOW}&fields=variance_hours`)).text,
    );
    return values[names.indexOf('variance_hours')];
  },
  explain: async () =>
    (await served.get(`/v3/explain?report=projects&measure=variance_hours&${WINDOW}`)).json().explain.value,
  OData: async () =>
    (
      await served.get(`/odata/v4/report_projects(start_date=2026-01-01,end_date=2026-01-31)?$select=variance_hours`)
    ).json().value[0].variance_hours,
  tools: async () => {
    const transport = new StreamableHTTPClientTransport(new URL('/mcp', served.url));
    const session = await connect(transport);
    const { content } = await session.call('run_report', {
      report: 'projects',
      start_date: '2026-01-01',
      end_date: '2026-01-31',
    });
    await session.client.close();
    return content.totals.variance_hours;
  },
  SQL: async () => {
    const sql = "SELECT variance_hours FROM reports.projects(start_date := '2026-01-01', end_date := '2026-01-31')";
    return (await served.post('/v3/sql', { sql })).json().rows[0].variance_hours;
  },
};

describe.each(Object.entries(DOORS))('the default cutoff, over %s', (_, read) => {
  it('is the last day up to today with logged time', { tags: ['slow'] }, async () => {
    // 12 of the 16 hours up to the 6th are logged.
    await expect.poll(async () => Number(await read())).toBe(-4);
  });
});

it('the default cutoff follows time that is written, up to today', async () => {
  const cutoff = async () => (await served.get(`/v3/reports/projects?${WINDOW}`)).json().meta.cutoff;
  expect(await cutoff()).toEqual({ date: '2026-01-06', reason: 'the last day up to today with logged time' });
  const write = async (date: string) => {
    const { status } = await served.post('/v3/logged-time', { people_id: 1, project_id: 1, date, hours: 1 });
    expect(status).toBe(201);
  };
  await write('2026-01-07');
  expect(await cutoff()).toEqual({ date: '2026-01-07', reason: 'the last day up to today with logged time' });
  await write('2026-01-20');
  expect(await cutoff()).toEqual({ date: '2026-01-07', reason: 'the last day up to today with logged time' });
});
