import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LIMITS } from '../../../src/doors/http/protocol/limits.ts';
import type { ServerParts } from '../../../src/doors/http/protocol/server-parts.ts';
import type { Scope } from '../../../src/doors/identity/tokens.ts';
import { registerMcp } from '../../../src/doors/mcp/mcp-route.ts';
import { PROCESSES } from '../../../src/doors/sandbox/sandbox-limits.ts';
import { loadCatalogues } from '../../../src/numbers/report/catalogue/load-catalogue.ts';
import type { Lease } from '../../../src/store/generation/generations.ts';
import { eventually } from '../../eventually.ts';
import { QUARTER, type Served, serve } from '../../http/served.ts';
import { connect, ERAS, type Session } from '../../mcp/session.ts';
import { COSTS, priced } from '../../published/dataset.ts';
import { ENDLESS } from '../../sandbox/company.ts';
import { REVEALS_COST } from '../../sql/company.ts';

const WINDOW = { start_date: '2026-01-01', end_date: '2026-03-31' };
const ORIGIN = 'https://dashboards.example.com';

let served: Served;
beforeAll(async () => {
  served = await serve({ data: priced, scopes: ['reports', 'rates', 'sql'], corsOrigins: [ORIGIN] });
});
afterAll(() => served.close());

/** Returns the header of a new token that the server knows. */
async function tokenOf(...scopes: Scope[]): Promise<string> {
  const { header } = await served.token(scopes);
  await eventually(async () =>
    expect((await served.get('/v3/reports', { authorization: header })).status).not.toBe(401),
  );
  return header;
}

async function sessionOf(scopes: Scope[], mode: (typeof ERAS)[number] = 'auto'): Promise<Session> {
  const authorization = await tokenOf(...scopes);
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', served.url), {
    requestInit: { headers: { authorization } },
  });
  return connect(transport, mode);
}

describe.each(ERAS)('in the %s era', (mode) => {
  let session: Session;
  beforeAll(async () => {
    session = await sessionOf(['reports', 'rates', 'sql'], mode);
  });
  afterAll(() => session.client.close());

  it('lists all tools, which only read', async () => {
    expect(await session.tools()).toEqual([
      'list_reports',
      'run_report',
      'lines',
      'changed_lines',
      'describe_measure',
      'explain',
      'data_quality',
      'list_states',
      'sql',
    ]);
    for (const { annotations } of await session.listed()) expect(annotations?.readOnlyHint).toBe(true);
  });

  it('runs a report with the same digits as the report over HTTP', async () => {
    const { content } = await session.call('run_report', { report: 'people', ...WINDOW });
    const report = (await served.get(`/v3/reports/people?${QUARTER}&decimals=string`)).json();
    const columns = Object.keys(content.rows[0]);
    expect(columns).toContain('actual_cost');
    const shown = ({ ...row }: Record<string, unknown>) => Object.fromEntries(columns.map((name) => [name, row[name]]));
    expect(content.rows).toEqual(report.people.map(shown));
    expect(content.totals).toEqual(shown(report.totals));
    expect(content).toMatchObject({ row_count: report.people.length, truncated: false, next: null });
    expect(content.meta).toMatchObject({ currency: 'EUR', data_version: report.meta.data_version });
  });

  it('runs SQL with exact decimals', async () => {
    const { content } = await session.call('sql', {
      sql: 'SELECT SUM(hours) AS hours, 9007199254740993 AS big, $d AS day FROM marts.ledger',
      parameters: { d: { type: 'date', value: '2026-01-05' } },
    });
    const [{ hours }] = (
      await served.post('/v3/sql', { sql: 'SELECT CAST(SUM(hours) AS VARCHAR) AS hours FROM marts.ledger' })
    ).json().rows;
    expect(content.rows).toEqual([{ hours: expect.any(String), big: '9007199254740993', day: '2026-01-05' }]);
    expect(Number(content.rows[0].hours)).toBe(Number(hours));
  });
});

describe('rows beyond an answer', () => {
  let session: Session;
  beforeAll(async () => {
    session = await sessionOf(['reports', 'rates', 'sql']);
  });
  afterAll(() => session.client.close());

  it.each([
    ['lines', {}, 'limit'],
    ['lines', { sort: ['hours', 'line_id'] }, 'per-page'],
    ['run_report', { report: 'people', interval: 'week' }, 'per-page'],
    ['data_quality', {}, 'per-page'],
  ])('%s with %j is read to its end by following next', async (tool, sent, size) => {
    const all = await session.call(tool, { ...WINDOW, ...sent, [size]: 1000 });
    const whole = all.content.rows;
    expect(whole.length).toBeGreaterThan(3);
    expect(all.content).toMatchObject({ truncated: false, next: null, more: null });
    const step = Math.ceil(whole.length / 3);
    const rows: unknown[] = [];
    let next: object | null = {};
    while (next) {
      const { content, text } = await session.call(tool, { ...WINDOW, ...sent, [size]: step, ...next });
      rows.push(...content.rows);
      expect(content.truncated).toBe(content.next !== null);
      expect(text.includes('Call again')).toBe(content.truncated);
      next = content.next;
    }
    expect(rows).toEqual(whole);
  });

  it('are left out by default, and the answer says so', async () => {
    const { content } = await session.call('run_report', { report: 'people', interval: 'day', ...WINDOW });
    expect(content.rows).toHaveLength(50);
    expect(content.row_count).toBeGreaterThan(50);
    expect(content).toMatchObject({ truncated: true, next: { page: 2, 'per-page': 50 } });
    const cut = await session.call('sql', { sql: 'FROM range(200)' });
    expect(cut.content.rows).toHaveLength(50);
    expect(cut.content).toMatchObject({ truncated: true, more: expect.stringContaining('LIMIT and OFFSET') });
  });

  it('are cut at the bytes of an answer, which tells how to read all', async () => {
    const { content, raw } = await session.call('sql', { sql: "SELECT repeat('x', 100000) AS x FROM range(9)" });
    expect(content.rows).toHaveLength(2);
    expect(content).toMatchObject({ truncated: true, more: expect.stringContaining('262144 bytes') });
    expect(raw.length).toBeLessThan(600_000);
  });

  it('have no next if a single one is too large, and the answer says so', async () => {
    const { content } = await session.call('sql', { sql: "SELECT repeat('x', 300000) AS x" });
    expect(content).toMatchObject({ rows: [], truncated: true, more: expect.stringContaining('fewer columns') });
  });
});

describe('scopes', () => {
  it('decide about the tools', async () => {
    const [reports, sql] = [await sessionOf(['reports']), await sessionOf(['sql'])];
    expect(await reports.tools()).not.toContain('sql');
    expect(await sql.tools()).toEqual(['sql']);
    await expect(reports.call('sql', { sql: 'SELECT 1' })).rejects.toThrow('The tool sql needs the scope sql');
    await expect(sql.call('lines', WINDOW)).rejects.toThrow('The tool lines needs the scope reports');
    await expect(reports.call('drop_all')).rejects.toThrow(/There is no tool "drop_all". The tools are list_reports/);
  });

  it('are those of a token: without one, or without a scope for any tool, nothing is answered', async () => {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    expect((await served.post('/mcp', message, {})).status).toBe(401);
    const authorization = await tokenOf('write');
    const refused = await served.post('/mcp', message, { authorization });
    expect([refused.status, refused.json().message]).toEqual([403, expect.stringContaining('no scope "reports"')]);
  });

  /** Calls every tool with everything that could show a cost. @returns All that the server sent. */
  async function readAll(session: Session): Promise<string> {
    const calls: [string, object][] = [
      ['list_reports', {}],
      ...['people', 'projects', 'phases', 'tasks'].map(
        (report) => ['run_report', { report, interval: 'month', ...WINDOW }] as [string, object],
      ),
      ['run_report', { report: 'projects', expand: 'phases', links: true, ...WINDOW }],
      ['run_report', { report: 'pivot', group_by: ['person', 'role'], ...WINDOW }],
      ['run_report', { report: 'people', fields: ['actual_cost'], ...WINDOW }],
      ['lines', { ...WINDOW, limit: 1000 }],
      ['lines', { measure: 'actual_cost', ...WINDOW }],
      ['lines', { measure: 'capacity_hours', ...WINDOW }],
      ['data_quality', WINDOW],
      ['describe_measure', { measure: 'actual_profit' }],
      ['explain', { measure: 'actual_cost', ...WINDOW }],
      ['explain', { measure: 'actual_fees', ...WINDOW }],
      ...['a:1-2026-01-05', 'a:2-2026-01-05', 'a:3-2026-01-05', 'e:1'].map(
        (line_id) => ['explain', { line_id }] as [string, object],
      ),
      ['sql', { sql: 'SHOW TABLES' }],
      ...['ledger', 'lines', 'rates', 'people', 'projects', 'data_quality', 'catalog'].map(
        (mart) => ['sql', { sql: `SELECT * FROM marts.${mart}`, limit: 1000 }] as [string, object],
      ),
      ['sql', { sql: 'SELECT cost_rate FROM source.people' }],
      ['sql', { sql: "FROM reports.people('2026-01-01', '2026-03-31')" }],
    ];
    const sent = [JSON.stringify(await session.listed())];
    for (const [name, args] of calls) sent.push((await session.call(name, { ...args })).raw);
    return sent.join('\n');
  }

  it('show no cost without rates, in any tool, schema or error', async () => {
    const canaries = [COSTS.personRate, COSTS.contractRate, COSTS.roleRate, COSTS.expenseCost];
    const hidden = await readAll(await sessionOf(['reports', 'sql']));
    for (const cost of Object.values(COSTS)) expect(hidden).not.toContain(cost);
    // With the scope they are there.
    const shown = await readAll(await sessionOf(['reports', 'rates', 'sql']));
    for (const cost of canaries) expect(shown).toContain(cost);
    const session = await sessionOf(['reports']);
    const measures = (await session.listed()).flatMap(
      ({ inputSchema }) => JSON.stringify(inputSchema).match(/"\w+"/g) ?? [],
    );
    expect(measures.filter((name) => REVEALS_COST.test(name))).toEqual([]);
    expect(await session.call('describe_measure', { measure: 'actual_profit' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('actual_profit, which need the scope rates'),
    });
  });
});

describe('wrong calls are refused with the sentence of the fault', () => {
  let session: Session;
  beforeAll(async () => {
    session = await sessionOf(['reports', 'sql']);
  });
  afterAll(() => session.client.close());

  it.each([
    ['run_report', { ...WINDOW }, 'report is missing; give the name of one, as list_reports tells'],
    ['run_report', { report: 'profits', ...WINDOW }, 'report: "profits" is not one of board'],
    ['run_report', { report: 'lines', ...WINDOW }, 'lines, changed_lines and data_quality are tools of their own'],
    ['run_report', { report: ['people'], ...WINDOW }, 'report: ["people"] is not a text'],
    ['run_report', { report: 'people' }, 'start_date is missing'],
    ['run_report', { report: 'people', ...WINDOW, start_date: 20260101 }, 'start_date: "20260101" is not a date'],
    ['run_report', { report: 'people', ...WINDOW, start_date: { $gt: '' } }, 'start_date: {"$gt":""} is not a text'],
    ['run_report', { report: 'people', ...WINDOW, people_id: [1, 2.5] }, 'people_id: [1,2.5] is not a text'],
    ['run_report', { report: 'people', ...WINDOW, people_id: "1') OR 1=1 --" }, 'people_id: '],
    ['run_report', { report: 'people', ...WINDOW, colour: 'red' }, 'colour is not a parameter of people'],
    ['run_report', { report: 'people', ...WINDOW, constructor: 'x' }, 'constructor is not a parameter of people'],
    ['run_report', { report: 'people', ...WINDOW, 'per-page': 1001 }, 'per-page: 1001 is more than the 1000 rows'],
    ['run_report', { report: 'people', ...WINDOW, 'per-page': 1e15 }, 'is more than the 1000 rows of an answer'],
    ['run_report', { report: 'people', ...WINDOW, 'per-page': -1 }, 'per-page: "-1" is not a count'],
    ['run_report', { report: 'people', ...WINDOW, fields: ['x'.repeat(20_000)] }, 'fields names'],
    ['lines', { ...WINDOW, limit: 5000 }, 'limit: 5000 is more than the 1000 rows'],
    ['lines', { ...WINDOW, cursor: 'no' }, 'is not a cursor'],
    ['list_reports', { name: 'people' }, 'name: there is no such field; the fields are report'],
    ['list_reports', { report: 'nothing' }, 'There is no report "nothing". The reports are'],
    ['describe_measure', { measure: 'fun' }, 'There is no measure "fun". The measures are'],
    ['explain', { ...WINDOW }, 'measure is missing'],
    ['explain', { line_id: 'a:none' }, 'a:none'],
    ['sql', { sql: 'DELETE FROM marts.ledger' }, 'SELECT'],
    ['sql', { sql: 'SELECT 1; SELECT 2' }, 'one'],
    ['sql', { sql: "SELECT * FROM read_text('/etc/passwd')" }, 'read_text'],
    ['sql', { sql: "COPY marts.ledger TO '/tmp/x.csv'" }, 'SELECT'],
    ['sql', { sql: 7 }, 'sql: 7 is not a text; give one SELECT'],
    ['sql', {}, 'sql is missing'],
    [
      'sql',
      { sql: 'SELECT 1', limit: 100_000 },
      'limit: 100000 is not a whole number of rows from 1 to 1000; aggregate, or',
    ],
    ['sql', { sql: 'SELECT 1', limit: '1' }, 'limit: "1" is not a whole number'],
    ['sql', { sql: 'SELECT 1', unlimited: true }, 'unlimited: there is no such field'],
  ])('%s %j', async (tool, sent, sentence) => {
    const { text, isError, content } = await session.call(tool, sent as Record<string, unknown>);
    expect([isError, content]).toEqual([true, undefined]);
    expect(text).toContain(sentence);
    expect(text).not.toMatch(/The program failed| --\w/);
  });

  it('and nothing is logged as a failure', () => {
    expect(served.log()).not.toContain('"msg":"failed"');
  });
});

describe('requests', () => {
  const message = { jsonrpc: '2.0', id: 1, method: 'ping' };
  const accept = 'application/json, text/event-stream';
  let headers: Record<string, string>;
  beforeAll(async () => {
    headers = { authorization: await tokenOf('reports'), accept };
  });

  it('of pages of other sites are refused, and those of listed sites and of the server itself answered', async () => {
    const statusOf = async (origin: string) => (await served.post('/mcp', message, { ...headers, origin })).status;
    for (const origin of ['https://evil.example.com', `${ORIGIN}.evil.example`, 'null', 'file://'])
      expect([origin, await statusOf(origin)]).toEqual([origin, 403]);
    expect([await statusOf(ORIGIN), await statusOf(served.url)]).toEqual([200, 200]);
  });

  it('with several messages are refused, which would count as one', async () => {
    const { status, json } = await served.post('/mcp', [message, message], headers);
    expect([status, json().message]).toEqual([400, 'The body is a list of 2 messages; send one message in a request']);
  });

  it('have no session, and no stream of notifications', async () => {
    for (const method of ['GET', 'DELETE']) expect((await served.get('/mcp', headers, method)).status).toBe(405);
    const { headers: answered } = await served.post('/mcp', message, headers);
    expect(answered.get('mcp-session-id')).toBeNull();
  });

  it('that are no message are refused', async () => {
    for (const body of [{}, { jsonrpc: '1.0' }, 'text', 7, null])
      expect([body, (await served.post('/mcp', body, headers)).status]).toEqual([body, 400]);
    expect((await served.post('/mcp', message, { ...headers, 'content-type': 'text/plain' })).status).toBe(415);
  });

  it('whose clients disconnect leave no statement running', async () => {
    const authorization = await tokenOf('sql');
    const call = async (sql: string, signal: AbortSignal | null = null) => {
      const params = { name: 'sql', arguments: { sql, timeout_ms: 90_000 } };
      const sent = { ...headers, authorization, 'content-type': 'application/json' };
      const body = JSON.stringify({ ...message, method: 'tools/call', params });
      return (await fetch(new URL('/mcp', served.url), { method: 'POST', headers: sent, body, signal })).text();
    };
    expect(await call('SELECT 42')).toContain('42');
    const gone = Array.from({ length: PROCESSES }, () => call(ENDLESS, AbortSignal.timeout(500)));
    for (const each of await Promise.allSettled(gone)) expect(each.status).toBe('rejected');
    const startedAt = performance.now();
    expect(await call('SELECT 43')).toContain('43');
    expect(performance.now() - startedAt).toBeLessThan(30_000);
    expect(served.log()).not.toContain('"msg":"failed"');
  });
});

it.each([
  ['MCP', 'of backslashes', `${'\\\\'.repeat(250_000)},`],
  ['MCP', 'of one backslash more', `${'\\\\'.repeat(250_000)}\\,`],
  ['MCP', 'of empty items', ','.repeat(500_000)],
  ['a URL', 'of backslashes', `${'\\'.repeat(15_000)},`],
])('a list over %s %s is refused in linear time', { timeout: 60_000 }, async (way, _, list) => {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call' };
  const params = { name: 'run_report', arguments: { report: 'people', ...WINDOW, fields: [list] } };
  const accept = { accept: 'application/json, text/event-stream', authorization: await tokenOf('reports') };
  const startedAt = performance.now();
  const reply =
    way === 'MCP'
      ? await served.post('/mcp', { ...message, params }, accept)
      : await served.get(`/v3/reports/people?${QUARTER}&fields=${list}`, accept);
  expect([reply.status, reply.text.slice(0, 2_000)]).toEqual([
    way === 'MCP' ? 200 : 400,
    expect.stringContaining('fields'),
  ]);
  expect(performance.now() - startedAt).toBeLessThan(10_000);
});

it('a report is no longer computed when its client disconnects, and nothing is held for it', async () => {
  const reader = { id: 'a', label: 'a', scopes: new Set<Scope>(['reports']) };
  const events: string[] = [];
  const lease: Lease = {
    open: (signal) => {
      events.push('open');
      return new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          events.push('abort');
          reject(signal.reason);
        });
      });
    },
    release: () => events.push('release'),
  };
  const permits = () => async () => () => events.push('permit');
  const app = fastify().decorateRequest('reader', undefined);
  app.addHook('onRequest', async (request) => {
    request.reader = reader;
  });
  registerMcp(app, {
    catalogues: loadCatalogues('reports'),
    states: { present: async () => ({ generation: {}, lease: () => lease, window: undefined }) },
    semaphores: { running: { acquire: permits() }, open: { acquire: permits() } },
    limits: LIMITS,
    tools: [],
    now: () => new Date(),
  } as unknown as ServerParts);
  const url = `${await app.listen({ port: 0, host: '127.0.0.1' })}/mcp`;
  const params = { name: 'run_report', arguments: { report: 'people', ...WINDOW } };
  const gone = new AbortController();
  const sent = fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    signal: gone.signal,
  });
  await eventually(() => expect(events).toEqual(['open']));
  gone.abort();
  await expect(sent).rejects.toThrow();
  await eventually(() => expect(events).toEqual(['open', 'abort', 'permit', 'permit', 'release']));
  await app.close();
});
