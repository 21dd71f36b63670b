import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { DOORS } from '../../src/doors/doors.ts';
import { openServer, type Server } from '../../src/doors/http/server.ts';
import { copyKeptCompany, type KeptCompany } from '../history/kept-company.ts';
import { connect } from '../mcp/session.ts';
import { serverConfig } from './server-config.ts';

const [CLOSED, NOW] = ['2026-04-03T16:20:05Z', '2026-06-20T08:00:00Z'];
const MARCH = 'start_date=2026-03-01&end_date=2026-03-31&cutoff_date=2026-03-31';
/** Requests for states that are refused: query, status, a part of the sentence. */
const REFUSED = [
  [`${MARCH}&as_of=2026-30`, 404, 'as_of: There is no kept state \\"2026-30\\"'],
  [`${MARCH}&as_of=`, 404, 'There is no kept state'],
  [`${MARCH}&as_of=2026-01-01`, 404, 'The first is of 2026-04-03'],
  [`${MARCH}&as_of=a&as_of=b`, 400, 'as_of is given twice'],
  ['as_of=a', 400, 'start_date'],
] as const;
const MOMENT = /"generated_at":"[^"]+"/;

async function openCompany(company: KeptCompany): Promise<{ server: Server; get: typeof fetch }> {
  const config = serverConfig({ database: company.database, tokens: join(company.folder, 'tokens.json') });
  const server = await openServer(config, { doors: DOORS, log: () => {}, now: () => new Date(NOW) });
  return { server, get: (path, options) => fetch(`${server.url}${path}`, options) };
}

describe('as_of over HTTP', () => {
  it('answers as the data were, also after a load, and holds for ever', { tags: ['slow'] }, async () => {
    const company = await copyKeptCompany();
    await company.run(CLOSED, 'close', '2026-03', '--label', 'March');
    const { server, get } = await openCompany(company);
    onTestFinished(async () => void (await server.close()));
    const before = await get('/v3/reports/projects?as_of=2026-03');
    const etag = before.headers.get('etag') ?? '';
    const text = await before.text();
    expect(JSON.parse(text)).toMatchObject({
      projects: [{ name: 'Bridge', actual_hours: 9 }],
      meta: {
        parameters: { start_date: '2026-03-01', cutoff_date: '2026-03-31' },
        as_of: { state: '2026-03', number: 1 },
      },
    });

    await company.load(2, NOW);
    await expect
      .poll(async () => (await get(`/v3/reports/projects?${MARCH}`)).text())
      .not.toContain('"actual_hours":9.00');
    const later = await get('/v3/reports/projects?as_of=2026-03');
    expect((await later.text()).replace(MOMENT, '')).toBe(text.replace(MOMENT, ''));
    expect(later.headers.get('x-data-version')).toBe(JSON.parse(text).meta.data_version);
    const same = await get('/v3/reports/projects?as_of=2026-03', { headers: { 'if-none-match': etag } });
    expect(same.status).toBe(304);

    const linked = await (await get('/v3/reports/projects?as_of=2026-03&links=1')).text();
    const [row] = JSON.parse(linked).projects;
    expect(row._lines).toContain('as_of=2026-03%401');
    const lines = await (await get(`${row._lines}&measure=actual_hours`)).json();
    expect(lines).toMatchObject({ totals: { contribution: 9 }, meta: { as_of: { state: '2026-03', number: 1 } } });

    const day = await (await get(`/v3/reports/projects.csv?${MARCH}&as_of=2026-05-01`)).text();
    expect(day).toBe(await company.report(join(company.folder, 'company.closings/2026-03@1/company.duckdb')));
    const explained = await (
      await get('/v3/explain?report=projects&measure=actual_hours&project_id=1&as_of=2026-03')
    ).json();
    expect(explained).toMatchObject({ explain: { value: '9.00' }, meta: { as_of: { state: '2026-03' } } });
    const workbook = await get('/v3/reports/projects.xlsx?as_of=2026-03');
    expect([workbook.status, (await workbook.arrayBuffer()).byteLength > 10_000]).toEqual([200, true]);
  });

  it('answers statements, OData functions and tools as the data were', { tags: ['slow'] }, async () => {
    const company = await copyKeptCompany();
    await company.run(CLOSED, 'close', '2026-03', '--label', 'March');
    await company.load(2, NOW);
    const { server, get } = await openCompany(company);
    onTestFinished(async () => void (await server.close()));

    const statement =
      "SELECT SUM(hours)::INTEGER AS hours, (SELECT actual_hours::INTEGER FROM reports.projects('2026-03-01', '2026-03-31')) AS reported FROM marts.lines WHERE kind = 'actual'";
    const ask = async (body: object) => {
      const headers = { 'content-type': 'application/json' };
      const answer = await get('/v3/sql', { method: 'POST', headers, body: JSON.stringify(body) });
      return { status: answer.status, answer: await answer.json() };
    };
    const [now, then] = [await ask({ sql: statement }), await ask({ sql: statement, as_of: '2026-03' })];
    expect(now.answer).toMatchObject({ rows: [{ hours: 3, reported: 3 }] });
    expect(then.answer).toMatchObject({ rows: [{ hours: 9, reported: 9 }] });
    expect(then.answer).not.toMatchObject({ data_version: (now.answer as { data_version: string }).data_version });
    expect(await ask({ sql: statement, as_of: '2026-04' })).toMatchObject({ status: 404 });
    expect(await ask({ sql: statement, as_of: 4 })).toMatchObject({ status: 400 });

    const hoursBy = async (call: string) => {
      const rows = await (await get(`/odata/v4/${call}?$select=actual_hours`)).json();
      return (rows as { value: object[] }).value;
    };
    expect(await hoursBy("report_projects(period='2026-03')")).toMatchObject([{ actual_hours: 3 }]);
    expect(await hoursBy("report_projects(as_of='2026-03')")).toMatchObject([{ actual_hours: 9 }]);

    const session = await connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`)));
    expect((await session.call('list_states')).content).toMatchObject({
      closings: [{ name: '2026-03', number: 1 }],
      kept: [],
    });
    const run = await session.call('run_report', { report: 'projects', fields: ['actual_hours'], as_of: '2026-03' });
    expect(run.content).toMatchObject({
      rows: [{ actual_hours: '9.00' }],
      meta: { as_of: { state: '2026-03' }, parameters: { end_date: '2026-03-31' } },
    });
    const chosen = { report: 'projects', measure: 'actual_hours', project_id: '1', as_of: '2026-03' };
    expect((await session.call('explain', chosen)).content).toMatchObject({ explain: { value: '9.00' } });
    expect((await session.call('sql', { sql: statement, as_of: '2026-03@1' })).content).toMatchObject({
      rows: [{ hours: 9 }],
    });
    expect(await session.call('lines', { as_of: 'march' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('There is no kept state "march"'),
    });
    await session.client.close();
  });

  it('reads more states than it holds open, lists them, and refuses what is none or was changed', {
    tags: ['slow'],
  }, async () => {
    const company = await copyKeptCompany();
    for (const name of ['a', 'b', 'c', 'd']) await company.run(CLOSED, 'keep', name);
    await company.run(CLOSED, 'close', '2026-03');
    const { server, get } = await openCompany(company);
    onTestFinished(async () => void (await server.close()));

    const names = ['a', 'b', 'c', 'd', '2026-03', 'a', 'b', 'c', 'd', '2026-03'];
    const answers = await Promise.all(names.map((name) => get(`/v3/reports/projects?${MARCH}&as_of=${name}`)));
    const texts = await Promise.all(answers.map((answer) => answer.text()));
    expect(texts).toEqual(names.map((name) => expect.stringContaining(`"as_of":{"state":"${name}","number":1,`)));

    for (const [query, status, sentence] of REFUSED) {
      const answer = await get(`/v3/reports/projects?${query}`);
      expect([query, answer.status, await answer.text()]).toEqual([query, status, expect.stringContaining(sentence)]);
    }

    expect(await (await get('/v3/closings')).json()).toMatchObject({
      closings: [{ name: '2026-03', number: 1, start_date: '2026-03-01', status: 'closed', kind: 'soft' }],
      kept: ['a', 'b', 'c', 'd'].map((name) => ({ name, number: 1, kind: 'kept' })),
      damaged: [],
    });
    const { closing } = (await (await get('/v3/closings/2026-03')).json()) as { closing: object };
    expect(closing).toMatchObject({ name: '2026-03', end_date: '2026-03-31' });
    expect((await get('/v3/closings/2026-04')).status).toBe(404);

    appendFileSync(join(company.folder, 'company.closings/d@1/company.no-rates.duckdb'), 'x');
    const changed = await get(`/v3/reports/projects?${MARCH}&as_of=d`);
    const sentence = expect.stringContaining('The kept state d@1 is not as it was kept');
    expect([changed.status, await changed.text()]).toEqual([503, sentence]);
  });
});
