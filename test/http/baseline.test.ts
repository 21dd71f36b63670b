import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { DOORS } from '../../src/doors/doors.ts';
import { openServer } from '../../src/doors/http/server.ts';
import { createToken, type Scope } from '../../src/doors/identity/tokens.ts';
import { copyKeptCompany, type KeptCompany } from '../history/kept-company.ts';
import { connect } from '../mcp/session.ts';
import { serverConfig } from './server-config.ts';

const [KEPT, CLOSED, NOW] = ['2026-04-02T08:00:00Z', '2026-04-03T16:20:05Z', '2026-06-20T08:00:00Z'];
const MARCH = 'start_date=2026-03-01&end_date=2026-03-31&cutoff_date=2026-03-31';
const FLAGS = ['--start-date', '2026-03-01', '--end-date', '2026-03-31', '--cutoff-date', '2026-03-31'];

/** The longest duration of some loads on a busy machine. Unit: ms. */
const LOADS_MS = 400_000;

/** A rate that only the baseline has: 6 hours on 5 days. */
const CANARY = { cost_rate: 53.7113, cost: '1611.35' };

/** Makes a company that was planned with 30 hours, and is now with 8. */
async function makePlanned(): Promise<KeptCompany> {
  const company = await copyKeptCompany();
  const data = join(company.folder, 'data');
  const write = (name: string, record: object) => writeFileSync(join(data, `${name}.json`), JSON.stringify([record]));
  write('people', { people_id: 1, name: 'Ada', cost_rate: CANARY.cost_rate });
  await company.run(KEPT, 'load', data);
  await company.run(KEPT, 'keep', 'kickoff-501');
  write('people', { people_id: 1, name: 'Ada', cost_rate: 50 });
  write('tasks', {
    task_id: 1,
    project_id: 1,
    people_id: 1,
    start_date: '2026-03-04',
    end_date: '2026-03-05',
    hours: 4,
  });
  await company.run(CLOSED, 'load', data);
  return company;
}

describe('a baseline', { timeout: LOADS_MS, tags: ['slow'] }, () => {
  it('is compared by the commands', async () => {
    const company = await makePlanned();
    const asked = [...FLAGS, '--baseline', 'kickoff-501'];
    const json = async (...args: string[]) => {
      const { code, stdout, stderr } = await company.run(NOW, ...args, '--format', 'json');
      expect(code, stderr).toBe(0);
      return JSON.parse(stdout);
    };
    const { projects, meta } = await json('report', 'projects', ...asked);
    expect(projects).toMatchObject([
      { scheduled_hours: 30, scheduled_cost: 1611.35, actual_hours: 9, variance_hours: -21, forecast_hours: 9 },
    ]);
    expect(meta.baseline).toMatchObject({ state: 'kickoff-501', number: 1, kept_at: KEPT, missing_projects: 0 });
    expect(meta.parameters.baseline).toBe('kickoff-501@1');
    expect((await json('report', 'projects', ...FLAGS)).meta.baseline).toBeNull();
    const table = await company.run(NOW, 'report', 'projects', ...asked, '--format', 'table');
    expect(table.stdout).toContain('Scheduled (kickoff-501)');
    expect(table.stdout).toContain('Baseline kickoff-501@1, kept at');
    const number = ['explain', 'projects', '--measure', 'variance_cost', ...asked];
    expect((await json(...number)).explain).toMatchObject({ value: '-1161.35', terms: [{}, { value: '1611.35' }] });
    const line = ['explain', '--line', 'b:1:1:2026-03-02', '--baseline', 'kickoff-501'];
    expect((await json(...line)).explain.line).toMatchObject({
      kind: 'baseline',
      line_id: 'b:1:1:2026-03-02',
      hours: '6.00',
    });
    expect((await company.run(NOW, ...line.slice(0, 3))).stderr).toContain('is a line of a baseline');
    const changes = await company.run(NOW, 'report', 'changes', '--from', 'kickoff-501', '--baseline', 'kickoff-501');
    expect([changes.code, changes.stderr]).toEqual([2, expect.stringContaining('Give from=kickoff-501')]);
  });

  it('is compared over HTTP, in functions of OData and by tools, never with its rates to those without', async () => {
    const company = await makePlanned();
    await company.run(CLOSED, 'close', '2026-03');
    await company.run(NOW, 'keep', 'later');
    const tokens = join(company.folder, 'tokens.json');
    const createOne = async (scopes: Scope[]) =>
      (await createToken(tokens, { label: 'test', scopes, expires: null, numbers: false }, new Date(NOW))).token;
    const [blind, seeing] = [await createOne(['reports']), await createOne(['reports', 'rates'])];
    const config = serverConfig({ database: company.database, tokens });
    const server = await openServer(config, { doors: DOORS, log: () => {}, now: () => new Date(NOW) });
    onTestFinished(async () => void (await server.close()));
    const get = (path: string, token = seeing, headers = {}) =>
      fetch(`${server.url}${path}`, { headers: { authorization: `Bearer ${token}`, ...headers } });
    const asked = `${MARCH}&baseline=kickoff-501`;

    const answer = await get(`/v3/reports/projects?${asked}&links=1`);
    const { projects, meta } = (await answer.json()) as { projects: Record<string, unknown>[]; meta: object };
    expect(projects).toMatchObject([{ scheduled_hours: 30, scheduled_cost: 1611.35 }]);
    expect(meta).toMatchObject({ baseline: { state: 'kickoff-501', number: 1 } });
    const [{ _lines } = {}] = projects;
    expect(_lines).toContain('baseline=kickoff-501%401');
    for (const measure of ['variance_cost', 'scheduled_hours']) {
      const lines = await (await get(`${_lines}&measure=${measure}`)).json();
      expect(lines).toMatchObject({ totals: { contribution: projects[0]?.[measure] } });
    }
    const etag = answer.headers.get('etag') ?? '';
    expect((await get(`/v3/reports/projects?${asked}&links=1`, seeing, { 'if-none-match': etag })).status).toBe(304);
    expect((await get(`/v3/reports/projects?${MARCH}&links=1`, seeing, { 'if-none-match': etag })).status).toBe(200);
    const explained = await (await get(`/v3/explain?report=projects&measure=scheduled_cost&${asked}`)).json();
    expect(explained).toMatchObject({ explain: { value: '1611.35' } });

    const closed = await (await get('/v3/reports/projects?as_of=2026-03&baseline=kickoff-501')).json();
    expect(closed).toMatchObject({ projects: [{ scheduled_hours: 30 }], meta: { as_of: { state: '2026-03' } } });
    const same = await get('/v3/reports/projects?as_of=2026-03&baseline=2026-03');
    expect(await same.json()).toMatchObject({ projects: [{ scheduled_hours: 8 }] });
    for (const [query, status, sentence] of [
      ['baseline=kickof-501', 404, 'The nearest is kickoff-501'],
      ['baseline=2026-01-01', 404, 'The first is of'],
      ['baseline=', 404, 'baseline: There is no kept state'],
      ["baseline=kickoff-501'; DROP TABLE x --", 404, 'There is no kept state'],
      ['as_of=2026-03&baseline=later', 400, 'baseline: later was kept at'],
      ['baseline=a&baseline=kickoff-501', 400, 'baseline is given twice'],
    ] as const) {
      const refused = await get(`/v3/reports/projects?${MARCH}&${query}`);
      expect([query, refused.status, await refused.text()]).toEqual([query, status, expect.stringContaining(sentence)]);
    }
    expect((await get(`/v3/reports/data-quality?period=2026-03&baseline=later`)).status).toBe(400);

    for (const path of [
      `/v3/reports/projects?${asked}&links=1`,
      `/v3/reports/people.csv?${asked}`,
      `/v3/reports/lines?${asked}`,
      `/v3/reports/lines?${asked}&measure=scheduled_fees`,
      `/v3/explain?report=projects&measure=scheduled_hours&${asked}`,
      '/v3/explain?line_id=b:1:1:2026-03-02&baseline=kickoff-501',
      "/odata/v4/report_projects(period='2026-03',baseline='kickoff-501')",
    ]) {
      const text = await (await get(path, blind)).text();
      expect([path, text.includes('kickoff') || text.includes('aseline') || text.includes('30.0')]).toEqual([
        path,
        true,
      ]);
      for (const secret of [String(CANARY.cost_rate), CANARY.cost, '322.27'])
        expect([path, text.includes(secret)]).toEqual([path, false]);
    }
    expect((await get(`/v3/reports/projects?${asked}&fields=baseline_cost`, blind)).status).toBe(403);

    const transport = new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${seeing}` } },
    });
    const session = await connect(transport);
    const run = { report: 'projects', period: '2026-03', fields: ['scheduled_hours'], baseline: 'kickoff-501' };
    expect((await session.call('run_report', run)).content).toMatchObject({
      rows: [{ scheduled_hours: '30.00' }],
      meta: { baseline: { state: 'kickoff-501' } },
    });
    const chosen = { report: 'projects', measure: 'scheduled_cost', period: '2026-03', baseline: 'kickoff-501' };
    expect((await session.call('explain', chosen)).content).toMatchObject({ explain: { value: '1611.35' } });
    const line = { line_id: 'b:1:1:2026-03-02', baseline: 'kickoff-501' };
    expect((await session.call('explain', line)).content).toMatchObject({ explain: { line: { kind: 'baseline' } } });
    await session.client.close();
  });
});
