import { type IncomingMessage, request as send } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ERROR_STATUSES } from '../../src/doors/http/protocol/errors.ts';
import { eventually } from '../eventually.ts';
import { withoutPublishing } from '../live/memory-source.ts';
import { priced } from '../published/dataset.ts';
import { fetchReply, type Reply, type Served, serve } from './served.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const ODATA = ['/odata/v4', '/odata/v4/clients', '/odata/v4/$metadata', '/odata/v4/report_people'];
const PAGES = ['/', '/docs', '/docs/', '/docs/static/swagger-ui.css'];

/** A documented operation, or one of a page. */
interface Operation {
  readonly responses?: Readonly<Record<string, unknown>>;
}

let served: Served;
let authorization: string;
/** By path, the operations of each method in upper case. */
let paths: Map<string, Map<string, Operation>>;
beforeAll(async () => {
  served = await serve({ data: priced, write: true, prepareSource: withoutPublishing });
  ({ header: authorization } = await served.token(['reports', 'rates', 'sql', 'write', 'close', 'load', 'deliver']));
  await eventually(async () => expect((await served.get('/v3/reports', { authorization })).status).toBe(200));
  const documented = (await served.get('/openapi.json')).json().paths as Record<string, Record<string, Operation>>;
  const pages = PAGES.map((path) => [path, { get: {} }] as const);
  paths = new Map(
    [...Object.entries(documented), ...pages].map(([path, operations]) => {
      const named = Object.entries(operations).map(([method, operation]) => [method.toUpperCase(), operation] as const);
      return [path, new Map(named.filter(([method]) => METHODS.includes(method)))];
    }),
  );
  expect(paths.size).toBeGreaterThan(50);
});
afterAll(() => served.close());

/** Sends a request to a path, with its parameters filled in. */
function ask(
  path: string,
  method: string,
  headers: Record<string, string>,
  body: string | null = null,
): Promise<Reply> {
  const address = path.replace('{format}', 'json').replace(/\{\w+\}/g, '1');
  return fetchReply(new URL(address, served.url), { authorization, ...headers }, method, body);
}

/** Expects the form that errors have on the path: that of OData, or that of all others. */
function expectError(what: string, reply: Reply, status: number, isOData = false): void {
  expect([what, reply.status]).toEqual([what, status]);
  const name = ERROR_STATUSES[status]?.name;
  const message = expect.stringMatching(/^.{10,}/);
  const body = isOData ? { error: { code: name, message } } : { name, message, code: 'usage', status };
  expect([what, reply.headers.get('cache-control')]).toEqual([what, 'no-store']);
  if (reply.text !== '') expect([what, reply.json()]).toEqual([what, body]);
  else expect(what).toMatch(/^HEAD /);
}

it('every path refuses other methods in one form, with the methods that it has', { tags: ['slow'] }, async () => {
  for (const [path, operations] of paths) {
    if (path.startsWith('/odata')) continue;
    const known = new Set([...operations.keys(), ...(operations.has('GET') ? ['HEAD'] : [])]);
    for (const method of METHODS.filter((each) => !known.has(each))) {
      const reply = await ask(path, method, { 'content-type': 'image/png' });
      expectError(`${method} ${path}`, reply, 405);
      expect([path, reply.headers.get('allow')]).toEqual([path, [...known].sort().join(', ')]);
    }
  }
});

it('every path of OData refuses other methods in the form of OData', async () => {
  for (const path of ODATA) {
    const reply = await ask(path, 'OPTIONS', {});
    expectError(`OPTIONS ${path}`, reply, 405, true);
    expect(reply.headers.get('allow')).toBe('GET, HEAD');
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
      expectError(`${method} ${path}`, await ask(path, method, { 'content-type': 'image/png' }), 501, true);
  }
});

/** Sends a request with a method that fetch doesn't send. @returns its status and Allow. */
function askBare(path: string, method: string): Promise<[status: number | undefined, allow: string | undefined]> {
  return new Promise((resolve, reject) => {
    const sent = send(new URL(path, served.url), { method, headers: { authorization } }, (response) => {
      response.resume();
      resolve([response.statusCode, response.headers.allow]);
    });
    sent.on('error', reject).end();
  });
}

it('a method that no path has is refused as such', async () => {
  for (const path of [...paths.keys(), ...ODATA].filter((each) => !each.includes('{')))
    expect([path, await askBare(path, 'PROPFIND')]).toEqual([path, [501, undefined]]);
});

it('TRACE is refused with the methods of the path, and CONNECT without any', async () => {
  for (const path of [...paths.keys(), ...ODATA].filter((each) => !each.includes('{')))
    expect([path, await askBare(path, 'TRACE')]).toEqual([path, [405, expect.stringMatching(/^[A-Z, ]+$/)]]);
  const { hostname, port } = new URL(served.url);
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = send({ hostname, port, method: 'CONNECT', path: 'example.com:443', agent: false });
    sent.on('error', reject).on('connect', (response, socket) => {
      socket.destroy();
      resolve(response);
    });
    sent.end();
  });
  expect([answer.statusCode, answer.headers.allow]).toEqual([405, '']);
});

/** Lists the operations that document a status, and checks that there are some. */
function documenting(status: string): [path: string, method: string][] {
  const found = [...paths].flatMap(([path, operations]) =>
    [...operations].flatMap(([method, { responses = {} }]): [string, string][] =>
      status in responses ? [[path, method]] : [],
    ),
  );
  expect(found.length).toBeGreaterThan(10);
  return found;
}

/** A body that the path would take, if it isn't of records, whose fields are read later. */
function bodyOf(path: string): string {
  return JSON.stringify(path === '/mcp' ? { jsonrpc: '2.0', id: 1, method: 'tools/list' } : { sql: 'SELECT 1' });
}

it('every operation with formats refuses an Accept without any in one form', async () => {
  for (const [path, method] of documenting('406')) {
    // The ending of a path is its format, whatever Accept says.
    if (path.endsWith('.{format}')) continue;
    const query = path.startsWith('/v3/reports/') ? '?start_date=2026-01-01&end_date=2026-01-31&group_by=client' : '';
    const hasBody = !['GET', 'DELETE'].includes(method);
    const headers = { accept: 'image/png', ...(hasBody && { 'content-type': 'application/json' }) };
    const reply = await ask(`${path}${query}`, method, headers, hasBody ? bodyOf(path) : null);
    expectError(`${method} ${path}`, reply, 406);
  }
  for (const path of ['/odata/v4', '/odata/v4/clients'])
    expectError(path, await ask(path, 'GET', { accept: 'image/png' }), 406, true);
});

it('every operation with a body refuses one of an unknown type in one form', async () => {
  for (const [path, method] of documenting('415'))
    expectError(`${method} ${path}`, await ask(path, method, { 'content-type': 'image/png' }, 'x'), 415);
});

/** The operations that answer a reader of a part, all of that part. The others of the server's own tell no record. */
const OF_PART = [
  ...['/healthz', '/readyz', '/metrics', '/openapi.json', ...PAGES, '/odata/v4/$metadata'],
  ...['/v3/reports', '/v3/explain', '/mcp'],
];

it('every operation answers a reader of a part of that part, or refuses with a sentence', {
  tags: ['slow'],
}, async () => {
  const { header } = await served.tokenOfPart({ client_id: [1] });
  await eventually(async () => expect((await served.get('/v3/reports', { authorization: header })).status).toBe(200));
  const answered: string[] = [];
  for (const [path, operations] of paths)
    for (const method of operations.keys()) {
      const hasBody = !['GET', 'DELETE'].includes(method);
      const headers = { authorization: header, ...(hasBody && { 'content-type': 'application/json' }) };
      const { status, text } = await ask(path, method, headers, hasBody ? bodyOf(path) : null);
      if (status !== 403) answered.push(path);
      else
        expect([method, path, text]).toEqual([
          method,
          path,
          expect.stringMatching(/sees a part of the data|has no scope/),
        ]);
    }
  const others = answered.filter((path) => !path.startsWith('/v3/reports/'));
  expect([...new Set(others)].sort()).toEqual([...OF_PART].sort());
});
