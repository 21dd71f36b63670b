import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, it, onTestFinished } from 'vitest';
import { DOORS } from '../../src/doors/doors.ts';
import { openServer } from '../../src/doors/http/server.ts';
import { openSandbox } from '../../src/doors/sandbox/sandbox.ts';
import { copyKeptCompany } from '../history/kept-company.ts';
import { connect } from '../mcp/session.ts';
import { serverConfig } from './server-config.ts';

const NOW = '2026-04-03T16:20:05Z';

const LISTED = 'SELECT name, number, kind, status, start_date, label FROM states ORDER BY name';

const MARCH = { name: '2026-03', number: 1, kind: 'hard', status: 'closed', start_date: '2026-03-01', label: null };
const PLAN = { name: 'plan', number: 1, kind: 'kept', status: 'kept', start_date: null, label: 'Größe "1"' };
const DAMAGED = { ...PLAN, number: 2, kind: null, status: 'damaged', label: null };

it('SQL lists the kept states, through every door and as they are now', { tags: ['slow'] }, async () => {
  const company = await copyKeptCompany();
  await company.run(NOW, 'close', '2026-03', '--kind', 'hard', '--confirm');
  await company.run(NOW, 'keep', 'plan', '--label', PLAN.label);

  const printed = await company.run(NOW, 'sql', LISTED, '--as-of', '2026-03');
  expect([JSON.parse(printed.stdout).rows, printed.stderr]).toEqual([[MARCH, PLAN], '']);

  const config = serverConfig({ database: company.database, tokens: join(company.folder, 'tokens.json') });
  const server = await openServer(config, { doors: DOORS, log: () => {}, now: () => new Date(NOW) });
  onTestFinished(async () => void (await server.close()));
  const ask = async (sql: string) => {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ sql });
    const answer = await fetch(`${server.url}/v3/sql`, { method: 'POST', headers, body });
    return (await answer.json()) as { rows: unknown[]; message?: string };
  };
  expect((await ask(LISTED)).rows).toEqual([MARCH, PLAN]);
  const times = await ask('SELECT kept_at, day, data_version, kept_by FROM "STATES" WHERE number = 1 LIMIT 1');
  expect(times.rows).toEqual([
    { kept_at: NOW, day: '2026-04-03', data_version: expect.stringMatching(/^\d{8}T/), kept_by: expect.any(String) },
  ]);
  expect((await ask('SELECT states.label, x FROM states')).message).toContain('line 1, column 22');

  await company.run(NOW, 'keep', 'plan');
  appendFileSync(join(company.folder, 'company.closings', 'plan@2', 'closing.json'), 'x');
  expect((await ask(`FROM (${LISTED}) ORDER BY name, number`)).rows).toEqual([MARCH, PLAN, DAMAGED]);
  const session = await connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`)));
  onTestFinished(() => session.client.close());
  expect((await session.call('sql', { sql: `${LISTED}, number` })).content.rows).toEqual([MARCH, PLAN, DAMAGED]);

  appendFileSync(join(company.folder, 'company.closings', 'events.ndjson'), 'x\n');
  expect((await ask(LISTED)).message).toContain('events.ndjson, line 4');
  expect((await ask('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
});

it('a company without kept states has the relation, without rows', async () => {
  const { database } = await copyKeptCompany();
  const sandbox = openSandbox(database, { size: 1 });
  onTestFinished(sandbox.close);
  const read = async (sql: string) => (await sandbox.query({ sql })).rows;
  expect(await read('FROM states')).toEqual([]);
  expect((await read('DESCRIBE states')).map(([name, type]) => `${name} ${type}`)).toContain('kept_at TIMESTAMP');
  expect(await read('WITH states AS (SELECT 5 AS own) FROM states')).toEqual([[5]]);
  expect((await read('SHOW TABLES')).map(([name]) => name)).toContain('states');
});
