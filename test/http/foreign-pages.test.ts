import { channel } from 'node:diagnostics_channel';
import { type IncomingHttpHeaders, request as send } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../eventually.ts';
import { withoutPublishing } from '../live/memory-source.ts';
import { priced } from '../published/dataset.ts';
import { type Served, serve } from './served.ts';

const PARTNER = 'https://dashboards.example.com';
const EVIL = 'https://evil.example';
const FORM = 'application/x-www-form-urlencoded';
const SAFE = ['GET', 'HEAD', 'OPTIONS'];

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Every method and path that a server has registered. */
const routes = new Map<string, { method: string; url: string }>();
function watchRoutes(message: unknown): void {
  (message as { fastify: FastifyInstance }).fastify.addHook('onRoute', ({ method, url }) => {
    for (const each of [method].flat()) routes.set(`${each} ${url}`, { method: each, url });
  });
}

let open: Served;
let guarded: Served;
let authorization: string;
beforeAll(async () => {
  // Fastify announces each instance that it makes.
  channel('fastify.initialization').subscribe(watchRoutes);
  open = await serve({ data: priced, write: true, inMemory: true, corsOrigins: [PARTNER] });
  channel('fastify.initialization').unsubscribe(watchRoutes);
  guarded = await serve({
    data: priced,
    write: true,
    prepareSource: withoutPublishing,
    scopes: ['reports', 'rates', 'sql', 'write', 'close'],
  });
  const { token } = await guarded.token(['reports', 'rates', 'sql', 'write', 'close']);
  authorization = `Basic ${Buffer.from(`analyst:${token}`).toString('base64')}`;
  await eventually(async () => expect((await guarded.get('/v3/reports', { authorization })).status).toBe(200));
});
afterAll(() => Promise.all([open.close(), guarded.close()]));

/** Sends a request with any headers; the body is only announced if it is undefined. */
function ask(served: Served, method: string, path: string, headers: object, body?: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const length = { 'content-length': String(body === undefined ? 100 : Buffer.byteLength(body)) };
    const sent = send(new URL(path, served.url), { method, headers: { ...length, ...headers }, agent: false });
    sent.on('error', reject).on('response', (response) => {
      let text = '';
      response.on('data', (chunk) => {
        text += String(chunk);
      });
      response.on('end', () => {
        sent.destroy();
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
      });
    });
    if (body === undefined) sent.flushHeaders();
    else sent.end(body);
  });
}

/** Returns headers of pages that may not call a server. */
function foreignHeaders({ url }: Served): Record<string, string>[] {
  const { host } = new URL(url);
  return [
    { origin: EVIL },
    { origin: EVIL, 'content-type': FORM, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' },
    { origin: EVIL, 'content-type': 'text/plain', 'sec-fetch-site': 'same-origin' },
    {
      origin: EVIL,
      'content-type': 'application/json',
      'x-forwarded-host': 'evil.example',
      forwarded: 'host=evil.example',
    },
    { origin: 'null', 'content-type': FORM },
    { origin: '', 'content-type': FORM },
    { origin: `http://${host}.evil.example`, 'content-type': FORM },
    { origin: `http://evil@${host}`, 'content-type': FORM },
    { origin: `http://${host}, ${EVIL}`, 'content-type': FORM },
    { origin: `http://${host}`, 'sec-fetch-site': 'cross-site', 'content-type': FORM },
    { 'sec-fetch-site': 'cross-site', 'content-type': FORM },
    { 'sec-fetch-site': 'same-site', 'content-type': 'multipart/form-data; boundary=x' },
  ];
}

describe.each([
  ['without tokens', () => open, {}],
  ['with the password that a browser has kept', () => guarded, 'authorization'],
] as const)('a server %s', (_, servedOf, credentials) => {
  it('refuses what could change something from a page of another site, before it reads the body', {
    tags: ['slow'],
  }, async () => {
    const served = servedOf();
    const unsafe = [...routes.values()].filter(({ method }) => !SAFE.includes(method));
    expect(unsafe.length).toBeGreaterThan(200);
    const written = await served.get('/v3/clients', { authorization });
    for (const [index, { method, url }] of unsafe.entries()) {
      const path = url.replace(/:\w+/g, '1').replace('*', 'clients');
      const all = foreignHeaders(served);
      // Each path meets one of them, each of them many paths.
      for (const headers of all.filter((_each, place) => place === index % all.length)) {
        const sent = { ...headers, ...(credentials === 'authorization' && { authorization }) };
        const { status, text } = await ask(served, method, path, sent);
        expect([method, path, headers, status]).toEqual([method, path, headers, 403]);
        expect(text).toContain('--cors-origin');
      }
    }
    expect((await served.get('/v3/clients', { authorization })).text).toBe(written.text);
  });

  it('takes changes of its own pages, and of clients without a page', async () => {
    const served = servedOf();
    const { host } = new URL(served.url);
    const own = [
      {},
      { origin: `http://${host}` },
      { origin: `http://${host}`, 'sec-fetch-site': 'same-origin' },
      // Behind a TLS proxy that hands the name on.
      { origin: `https://${host}`, 'sec-fetch-site': 'same-origin' },
      { 'sec-fetch-site': 'none' },
    ];
    for (const [index, headers] of own.entries()) {
      const sent = { 'content-type': FORM, authorization, ...headers };
      const { status, text } = await ask(served, 'POST', '/v3/clients', sent, `name=${host} ${index}`);
      expect([headers, status, text]).toEqual([headers, 201, expect.stringContaining(host)]);
    }
  });
});

it('a page whose site is listed may change records, and no other one', async () => {
  const sent = { 'content-type': 'application/json', 'sec-fetch-site': 'cross-site' };
  const body = JSON.stringify({ name: 'From a partner' });
  expect((await ask(open, 'POST', '/v3/clients', { ...sent, origin: PARTNER }, body)).status).toBe(201);
  for (const origin of [`${PARTNER}.evil.example`, PARTNER.replace('https', 'http'), `${PARTNER}/`])
    expect([origin, (await ask(open, 'POST', '/v3/clients', { ...sent, origin }, body)).status]).toEqual([origin, 403]);
});

it.each(['a b', '%', 'xn--', '1.2.3.4.5', 'a/b', 'a@b', '[::1', 'localhost:99999', 'a%20b', 'ü'])(
  'the host %j is refused as such on every path',
  async (host) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    const headers = { host: Buffer.from(host).toString('latin1'), authorization, 'content-type': 'application/json' };
    for (const [method, path] of [
      ['POST', '/mcp'],
      ['GET', '/v3/reports'],
      ['GET', '/odata/v4'],
      ['GET', '/'],
    ] as const) {
      const { status, text } = await ask(guarded, method, path, headers, method === 'POST' ? body : '');
      expect([path, status, JSON.stringify(JSON.parse(text))]).toEqual([path, 400, expect.stringContaining('Host: ')]);
    }
  },
);

it('a forwarded host that is none is refused where it becomes a link', async () => {
  for (const host of ['a b', '%', 'xn--', '1.2.3.4.5']) {
    const headers = { authorization, 'x-forwarded-host': host };
    expect([host, (await ask(guarded, 'GET', '/odata/v4', headers, '')).status]).toEqual([host, 400]);
  }
});

it.each(['gzip', 'br', 'deflate', 'x', 'identity, gzip', 'GZIP'])(
  'a body in the coding %s is refused',
  async (coding) => {
    const headers = { authorization, 'content-encoding': coding };
    const bodies = [
      ['/v3/clients', 'application/json', '{"name":"coded"}'],
      ['/v3/clients', FORM, 'name=coded'],
      ['/v3/clients', 'application/xml', '<client><name>coded</name></client>'],
      ['/v3/sql', 'application/json', '{"sql":"SELECT 1"}'],
      ['/mcp', 'application/json', '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'],
    ] as const;
    for (const [path, type, body] of bodies) {
      const answer = await ask(guarded, 'POST', path, { ...headers, 'content-type': type }, body);
      expect([path, type, answer.status, answer.headers['accept-encoding']]).toEqual([path, type, 415, 'identity']);
      expect(JSON.parse(answer.text)).toMatchObject({ name: 'unsupported_media_type', code: 'usage', status: 415 });
    }
    const plain = { authorization, 'content-encoding': 'identity', 'content-type': FORM };
    expect((await ask(guarded, 'POST', '/v3/clients', plain, 'name=plain')).status).toBe(201);
  },
);
