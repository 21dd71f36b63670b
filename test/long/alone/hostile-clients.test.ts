import { request as send } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { loadDataset } from '../../../src/doors/command/load/load-dataset.ts';
import { startServer } from '../../errors/program.ts';
import { copyLoaded } from '../../loaded.ts';
import { makeFolder } from '../../sync/pulling.ts';
import { attackBeside, hostileSeconds } from './beside.ts';

const SECONDS = hostileSeconds(10);

/** Clients that attack at once, and the time that each waits between two requests. Unit: ms. */
const AT_ONCE = 2;
const PAUSE_MS = 20;

interface Attack {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** The statuses with which it is refused, or answered. */
  readonly statuses: readonly number[];
}

const EVIL = { origin: 'https://evil.example' };
const JSON_TYPE = { 'content-type': 'application/json' };
const WINDOW = 'start_date=2026-01-01&end_date=2026-03-31';

/** Returns a message to a tool. @param extra Parameters beside the window. */
const call = (extra: object): Attack => ({
  method: 'POST',
  path: '/mcp',
  headers: { ...JSON_TYPE, accept: 'application/json, text/event-stream' },
  body: JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: {
      name: 'run_report',
      arguments: { report: 'projects', start_date: '2026-01-01', end_date: '2026-03-31', ...extra },
    },
  }),
  statuses: [200, 400],
});

const write = (headers: Readonly<Record<string, string>>, body: string | Buffer, status: number): Attack => ({
  method: 'POST',
  path: '/v3/clients',
  headers,
  body,
  statuses: [status],
});

const FORM = 'application/x-www-form-urlencoded';

const ATTACKS: readonly Attack[] = [
  write({ ...EVIL, 'content-type': FORM }, 'name=csrf', 403),
  write({ ...EVIL, 'content-type': 'text/plain' }, '{"name":"csrf"}', 403),
  write({ 'sec-fetch-site': 'cross-site', 'content-type': FORM }, 'name=csrf', 403),
  write({ ...JSON_TYPE, 'content-encoding': 'gzip' }, gzipSync(' '.repeat(50_000_000)), 415),
  write({ ...JSON_TYPE, 'content-encoding': 'br' }, gzipSync('{}'), 415),
  write(JSON_TYPE, `${'['.repeat(500_000)}${']'.repeat(500_000)}`, 400),
  write(JSON_TYPE, ' '.repeat(2_000_000), 413),
  { path: `/v3/reports/pivot?${WINDOW}&group-by=${'\\'.repeat(4_000)},`, statuses: [400] },
  { path: `/v3/reports/projects?${WINDOW}&project_id=${'1,'.repeat(7_000)}`, statuses: [400, 200] },
  { path: `/v3/reports/projects?${'a=1&'.repeat(3_900)}`, statuses: [400] },
  { path: `/v3/reports/projects?${'a'.repeat(20_000)}`, statuses: [414] },
  { path: `/v3/reports/lines.parquet?${WINDOW}`, headers: { range: `bytes=${'0-,'.repeat(5_000)}` }, statuses: [200] },
  ...['a b', '%', 'xn--', '1.2.3.4.5', 'evil.example'].map((host) => ({
    ...call({}),
    headers: { ...call({}).headers, host },
    statuses: [400, 421],
  })),
  call({ fields: [`${'\\'.repeat(200_000)},`] }),
  call({ project_id: ['\\,'.repeat(100_000)] }),
  { ...call({}), body: '['.repeat(900_000), statuses: [400] },
];

it(`a server answers beside hostile pages and clients for ${SECONDS} s`, {
  timeout: (SECONDS + 180) * 1000,
}, async () => {
  const { folder, remove } = makeFolder();
  try {
    await copyLoaded('hostile', folder, (made) => loadDataset('fixtures/company', join(made, 'company.duckdb')));
    const flags = ['--write', '--rate-limit', '1000000'];
    const served = await startServer(join(folder, 'company.duckdb'), { flags });
    const outcomes = new Map<string, number>();
    const attackOnce = async (attack: Attack) => {
      const status = await ask(served.url, attack);
      const text = `${attack.method ?? 'GET'} ${attack.path.slice(0, 40)} ${JSON.stringify(attack.headers ?? {}).slice(0, 80)}: ${status}`;
      if (!attack.statuses.includes(status)) outcomes.set(text, (outcomes.get(text) ?? 0) + 1);
    };
    await attackBeside(served, SECONDS, async (signal) => {
      const attackers = Array.from({ length: AT_ONCE }, async (_, first) => {
        for (let turn = first; !signal.aborted; turn += 1) {
          await attackOnce(ATTACKS[turn % ATTACKS.length] as Attack);
          await sleep(PAUSE_MS);
        }
      });
      await Promise.all(attackers);
    });
    expect([...outcomes]).toEqual([]);
  } finally {
    remove();
  }
});

/** Sends a request. @returns the status, or 0 for a connection that ends without one. */
function ask(url: string, { method = 'GET', path, headers = {}, body = '' }: Attack): Promise<number> {
  return new Promise((resolve) => {
    const sent = send(`${url}${encodeURI(path)}`, { method, headers, agent: false });
    sent.on('response', (response) => {
      response.resume().on('close', () => resolve(response.statusCode ?? 0));
    });
    sent.on('error', () => resolve(0));
    sent.end(body);
  });
}
