import { join } from 'node:path';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, it, onTestFinished } from 'vitest';
import { DOORS } from '../../src/doors/doors.ts';
import { openServer } from '../../src/doors/http/server.ts';
import { createToken, type Scope } from '../../src/doors/identity/tokens.ts';
import { copyKeptCompany } from '../history/kept-company.ts';
import { connect } from '../mcp/session.ts';
import { serverConfig } from './server-config.ts';

const [CLOSED, NOW] = ['2026-04-03T16:20:05Z', '2026-06-20T08:00:00Z'];

/** The longest duration of some loads on a busy machine. Unit: ms. */
const LOADS_MS = 400_000;

it('compares states in functions of OData and in tools', { timeout: LOADS_MS, tags: ['slow'] }, async () => {
  const company = await copyKeptCompany();
  await company.run(CLOSED, 'close', '2026-03');
  await company.load(2, NOW);
  const tokens = join(company.folder, 'tokens.json');
  const createOne = async (scopes: Scope[]) =>
    (await createToken(tokens, { label: 'test', scopes, expires: null, numbers: false }, new Date(NOW))).token;
  const [blind, seeing] = [await createOne(['reports']), await createOne(['reports', 'rates'])];
  const config = serverConfig({ database: company.database, tokens });
  const server = await openServer(config, { doors: DOORS, log: () => {}, now: () => new Date(NOW) });
  onTestFinished(async () => void (await server.close()));

  const read = async (path: string, token = seeing) => {
    const answer = await fetch(`${server.url}/odata/v4/${path}`, { headers: { authorization: `Bearer ${token}` } });
    return { status: answer.status, content: (await answer.json()) as { value?: object[] } };
  };
  const changes = "report_changes(from='2026-03',group_by='project',measures='actual_hours,actual_cost')";
  expect((await read(`${changes}?$select=project,measure,difference,hours&$orderby=measure`)).content).toMatchObject({
    value: [
      { project: 'Bridge', measure: 'actual_cost', difference: -300, hours: -300 },
      { project: 'Bridge', measure: 'actual_hours', difference: -6, hours: -6 },
    ],
  });
  const ofClosings = "report_changes(from='closings',group_by='month',measures='actual_hours')";
  expect((await read(`${ofClosings}?$filter=difference lt 0`)).content.value).toMatchObject([{ value_then: 9 }]);
  const lines = "report_changed_lines(from='2026-03',measure='actual_hours')";
  expect((await read(`${lines}?$select=line_id_now,contribution`)).content).toMatchObject({
    value: [{ line_id_now: 'a:a', contribution: -6 }],
  });
  // A function has no as_of beside from and to, and a reader without rates no costs.
  expect((await read("report_changes(from='2026-03',as_of='2026-03')")).status).toBe(400);
  expect((await read("report_changes(from='2026-04')")).status).toBe(404);
  expect((await read(changes, blind)).status).toBe(403);
  const hours = "report_changes(from='2026-03',measures='actual_hours')";
  expect((await read(hours, blind)).content).toMatchObject({ value: [{ difference: -6 }] });

  const headers = { authorization: `Bearer ${seeing}` };
  const transport = new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), { requestInit: { headers } });
  const session = await connect(transport);
  const asked = { report: 'changes', from: '2026-03', group_by: ['project'], measures: ['actual_cost'] };
  expect((await session.call('run_report', asked)).content).toMatchObject({
    rows: [{ project: 'Bridge', difference: '-300.00', hours: '-300.00' }],
    meta: { from: { state: '2026-03' }, to: { state: 'now' } },
  });
  const first = await session.call('changed_lines', { from: '2026-03', measure: 'actual_cost', limit: 1 });
  expect(first.content).toMatchObject({ rows: [{ line_id_now: 'a:a', causes: 'hours' }], next: null });
  expect(await session.call('changed_lines', { from: '2026-03' })).toMatchObject({
    isError: true,
    text: expect.stringContaining('measure is missing'),
  });
  expect(await session.call('run_report', { ...asked, as_of: '2026-03' })).toMatchObject({
    isError: true,
    text: expect.stringContaining('a comparison names its states with from and to'),
  });
  await session.client.close();
});
