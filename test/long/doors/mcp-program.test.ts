import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtFile } from '../../../src/base/config/package.ts';
import { loadDataset } from '../../../src/doors/command/load/load-dataset.ts';
import { MAX_MESSAGE_BYTES } from '../../../src/doors/mcp/stdio-transport.ts';
import { runProcess } from '../../errors/program.ts';
import { eventually } from '../../eventually.ts';
import { connect, ERAS, type Session } from '../../mcp/session.ts';
import { COSTS, priced } from '../../published/dataset.ts';
import { type LoadedCompany, loadCompany } from '../../sql/company.ts';

const MAIN = builtFile('main.js');
const WINDOW = { start_date: '2026-01-01', end_date: '2026-03-31' };

let company: LoadedCompany;
beforeAll(async () => {
  company = await loadCompany(priced);
});
afterAll(() => company.remove());

/** Starts the program, and connects a client to it. */
async function open(mode: (typeof ERAS)[number] = 'auto', ...flags: string[]): Promise<Session & { pid: number }> {
  const args = [MAIN, 'mcp', '--database', company.file, ...flags];
  const transport = new StdioClientTransport({ command: process.execPath, args, stderr: 'pipe' });
  const session = await connect(transport, mode);
  return { ...session, pid: transport.pid ?? 0 };
}

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

it.each(ERAS)('a client on standard input and output reads reports and SQL, in the %s era', async (mode) => {
  const { client, call, tools, pid } = await open(mode);
  expect(await tools()).toHaveLength(9);
  const [people, sql] = await Promise.all([
    call('run_report', { report: 'people', fields: ['name', 'actual_cost'], ...WINDOW }),
    call('sql', {
      sql: 'SELECT SUM(cost) AS cost FROM marts.ledger WHERE kind = $kind',
      parameters: { kind: 'actual' },
    }),
  ]);
  expect(people.content.totals.actual_cost).toMatch(/^\d+\.\d\d$/);
  expect(sql.content.rows[0].cost).toBe(people.content.totals.actual_cost);
  expect(await call('sql', { sql: 'DROP TABLE marts.ledger' })).toMatchObject({ isError: true });
  // The end of its input ends the program.
  await client.close();
  await eventually(() => expect(isAlive(pid)).toBe(false));
});

it('--scopes reports leaves out costs and SQL', async () => {
  const { client, call, tools } = await open('auto', '--scopes', 'reports');
  expect(await tools()).not.toContain('sql');
  const sent = [
    await call('lines', { ...WINDOW, limit: 1000 }),
    await call('explain', { line_id: 'a:1-2026-01-05' }),
    await call('data_quality', WINDOW),
  ];
  for (const { raw, isError } of sent) {
    expect(isError).toBe(false);
    for (const cost of Object.values(COSTS)) expect(raw).not.toContain(cost);
  }
  await client.close();
});

it('follows a new load', async () => {
  const { client, call } = await open();
  const versionOf = async (tool: string, sent: object) => (await call(tool, { ...sent })).content.meta.data_version;
  const ask = () => Promise.all([versionOf('lines', WINDOW), versionOf('sql', { sql: 'SELECT 1' })]);
  const [before] = await ask();
  await loadDataset(join(company.file, '..'), company.file);
  await eventually(async () => {
    const [lines, sql] = await ask();
    expect(lines).not.toBe(before);
    expect(sql).toBe(lines);
  });
  await client.close();
});

describe('it does not start', () => {
  it.each([
    [['--database', 'nowhere.duckdb'], 1, 'nowhere.duckdb'],
    [['--scopes', 'write'], 2, '--scopes: "write" is not a scope of a model'],
    [['company.duckdb'], 2, 'mcp takes no argument, but was given "company.duckdb"'],
  ])('with %j', async (args, code, sentence) => {
    const { exitCode, stdout, stderr } = await runProcess(['mcp', ...args]);
    expect([exitCode, stdout]).toEqual([code, '']);
    expect(stderr).toContain(sentence);
  });
});

it('ends at once without input, and on a signal', async () => {
  const { exitCode } = await runProcess(['mcp', '--database', company.file]);
  expect(exitCode).toBe(0);
  const { client, pid } = await open();
  process.kill(pid, 'SIGTERM');
  await eventually(() => expect(isAlive(pid)).toBe(false));
  await client.close();
});

it('answers all that a file asks, also beside a message that is too long', async () => {
  const info = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
  const messages = [
    { jsonrpc: '2.0', id: 1, method: 'initialize', params: info },
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'sql', arguments: { sql: 'SELECT 1 AS a' } } },
    { jsonrpc: '2.0', id: 3, method: 'x'.repeat(MAX_MESSAGE_BYTES) },
    { jsonrpc: '2.0', id: 4, method: 'tools/list' },
  ];
  const child = spawn(process.execPath, [MAIN, 'mcp', '--database', company.file], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(messages.map((message) => JSON.stringify(message)).join('\n'));
  const answers = (await text(child.stdout))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(answers.map(({ id }) => id).toSorted()).toEqual([1, 2, 4, null]);
  expect(answers.find(({ id }) => id === 2).result.structuredContent.rows).toEqual([{ a: 1 }]);
});
