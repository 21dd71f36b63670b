import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { dirname } from 'node:path';
import fastify from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Auth, AuthenticatedReader } from '../../../src/doors/http/protocol/auth.ts';
import { LIMITS as STANDARD } from '../../../src/doors/http/protocol/limits.ts';
import { registerEvents } from '../../../src/doors/http/reports/event-routes.ts';
import { revokeToken } from '../../../src/doors/identity/tokens.ts';
import type { Generations } from '../../../src/store/generation/generations.ts';
import { eventually } from '../../eventually.ts';
import { type Served, serve } from '../../http/served.ts';
import { serverConfig } from '../../http/server-config.ts';
import { COSTS, priced } from '../../published/dataset.ts';
import { loadRecords } from '../../sql/company.ts';

const LIMITS = { heartbeatMs: 100, eventStreams: 4, eventStreamsEach: 3, refreshDelayMs: 50 };

let served: Served;
let header: string;
let version: string;
beforeAll(async () => {
  served = await serve({ data: priced, write: true, inMemory: true, scopes: ['reports', 'write'], limits: LIMITS });
  ({ header } = await served.token(['reports']));
  await eventually(async () => expect((await served.get('/v3/reports', { authorization: header })).status).toBe(200));
  version = await readVersion();
});
afterAll(() => served.close());

const WINDOW = 'start_date=2026-01-01&end_date=2026-01-31';
const readVersion = async (server = served) => {
  const { status, headers } = await server.get(`/v3/reports/projects?${WINDOW}`);
  expect(status).toBe(200);
  return headers.get('x-data-version') ?? '';
};

/** Opens a stream of events. */
async function open(more: Record<string, string> = {}, server = served) {
  const controller = new AbortController();
  const headers = { authorization: header, ...more };
  const {
    status,
    headers: answered,
    body,
  } = await fetch(new URL('/v3/events', server.url), {
    headers,
    signal: controller.signal,
  });
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  return {
    status,
    headers: answered,
    /** Reads until the text matches. */
    async until(pattern: RegExp): Promise<string> {
      while (!pattern.test(text)) {
        const { done, value } = (await reader?.read()) ?? { done: true };
        if (done) throw new Error(`The stream ended after ${JSON.stringify(text)}`);
        text += value;
      }
      return text;
    },
    ended: async () => {
      while (!(await reader?.read())?.done);
    },
    close: () => controller.abort(),
  };
}

it('tells the present version at once, uncompressed, and keeps the connection open with comments', async () => {
  const stream = await open({ 'accept-encoding': 'br, gzip', accept: 'text/event-stream' });
  expect(stream.headers.get('content-type')).toBe('text/event-stream');
  expect(stream.headers.get('content-encoding')).toBeNull();
  const [event = '', ...comments] = (await stream.until(/:\n\n:\n\n/)).split('\n\n');
  const [name, id, data = ''] = event.split('\n');
  expect([name, id]).toEqual(['event: data_version', `id: ${version}`]);
  expect(JSON.parse(data.replace('data: ', ''))).toEqual({
    data_version: version,
    loaded_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
  });
  expect(comments).toEqual([':', ':', '']);
  stream.close();
});

it('tells a client that knows the version of the next one only', async () => {
  const [knowing, returning] = [await open({ 'last-event-id': version }), await open({ 'last-event-id': 'older' })];
  await returning.until(new RegExp(`id: ${version}`));
  expect(await knowing.until(/:\n\n/)).toBe(':\n\n');
  expect((await served.post('/v3/clients', { name: 'New client' })).status).toBe(201);
  const next = await readVersion();
  const told = await knowing.until(/data: .*\n\n/);
  expect(told).toContain(`id: ${next}\n`);
  expect(told).not.toContain(`id: ${version}\n`);
  knowing.close();
  returning.close();
});

it('tells a reader without rates of a changed cost as of any other change: its version, and nothing of the cost', async () => {
  const { header: authorization } = await served.token(['reports', 'rates', 'write']);
  await eventually(async () => expect((await served.get('/v3/reports', { authorization })).status).toBe(200));
  const [stream, readsRates] = [await open(), await open({ authorization })];
  for (const each of [stream, readsRates]) await each.until(/data: .*\n\n/);
  const cost = '5219.37';
  const expense = '/v3/project-expenses/1';
  const body = JSON.stringify({ cost });
  const sent = { authorization, 'content-type': 'application/json' };
  expect((await fetch(new URL(expense, served.url), { method: 'PATCH', headers: sent, body })).status).toBe(200);
  const next = await readVersion();
  const texts = [];
  for (const each of [stream, readsRates]) texts.push(await each.until(new RegExp(`id: ${next}\n.*\n\n`)));
  const [text = '', other = ''] = texts.map((each) => each.slice(each.indexOf(`id: ${next}`)).split('\n\n')[0]);
  expect(text).toBe(other);
  expect(Object.keys(JSON.parse(text.split('data: ')[1] ?? ''))).toEqual(['data_version', 'loaded_at']);
  for (const each of [...Object.values(COSTS), cost]) expect(texts.join()).not.toContain(each);
  stream.close();
  readsRates.close();
});

it('needs the scope reports, and accepts no other type', async () => {
  expect((await served.get('/v3/events', {})).status).toBe(401);
  expect((await served.get('/v3/events', { authorization: header, accept: 'application/json' })).status).toBe(406);
  const { status, headers } = await served.get('/v3/events', { authorization: header }, 'HEAD');
  expect([status, headers.get('content-type')]).toEqual([200, 'text/event-stream']);
});

it('refuses more streams than one reader may open, and than there may be', async () => {
  const streams = [await open(), await open(), await open()];
  const refused = await served.get('/v3/events', { authorization: header });
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2']);
  expect(refused.json().message).toBe('The reader has 3 open streams of events. Try again in a moment');
  const other = await served.token(['reports']);
  const fourth = await eventually(async () => {
    const stream = await open({ authorization: other.header });
    expect(stream.status).toBe(200);
    return stream;
  });
  const third = await served.get('/v3/events');
  expect(third.json().message).toBe('4 streams of events are open. Try again in a moment');
  for (const stream of [...streams, fourth]) stream.close();
  await eventually(async () => {
    const stream = await open();
    stream.close();
    expect(stream.status).toBe(200);
  });
});

it('ends the stream of a revoked token', async () => {
  const { header: authorization, id } = await served.token(['reports']);
  const stream = await eventually(async () => {
    const opened = await open({ authorization });
    expect(opened.status).toBe(200);
    return opened;
  });
  await revokeToken(served.tokens, id);
  await stream.ended();
});

it('ends a stream after its time, and a client that opens another hears what it missed', async () => {
  // The token is there from the start: without one, a request needs none until the server has noticed the first.
  const own = await serve({ data: priced, scopes: ['reports'], limits: { ...LIMITS, eventStreamMs: 1000 } });
  const { header: authorization } = await own.token(['reports']);
  const old = await eventually(async () => {
    const stream = await open({ authorization }, own);
    expect(stream.status).toBe(200);
    return stream;
  });
  const before = await readVersion(own);
  await old.until(/:\n\n/);
  await old.ended();
  await loadRecords(dirname(own.database), priced);
  await eventually(async () => expect(await readVersion(own)).not.toBe(before));
  const next = await open({ authorization, 'last-event-id': before }, own);
  await next.until(new RegExp(`id: ${await readVersion(own)}`));
  next.close();
  await own.close();
});

it('tells an open stream of a new load, and ends all streams when the server stops', async () => {
  const own = await serve({ data: priced });
  const stream = await open({}, own);
  const before = await readVersion(own);
  await stream.until(new RegExp(`id: ${before}\n.*\n\n`));
  await loadRecords(dirname(own.database), priced);
  const ids = (await stream.until(/event: .*event: .*\n\n/s)).match(/(?<=id: ).+/g);
  expect(ids).toEqual([before, await readVersion(own)]);
  const startedAt = performance.now();
  const ended = stream.ended();
  expect(await own.close()).toBe(true);
  await ended;
  expect(performance.now() - startedAt).toBeLessThan(10_000);
});

it('ends the stream of a client that stops reading, and holds one event for it at most', async () => {
  const reader: AuthenticatedReader = { id: 'a', label: 'a', scopes: new Set(['reports']) };
  const event = { loadedAt: '2026-01-01T00:00:00Z', syncedAt: '2026-01-01T00:00:00Z', sourceUrl: 'x'.repeat(65_536) };
  let response: ServerResponse | undefined;
  let [versions, held] = [0, 0];
  const latest = () => {
    held = Math.max(held, response?.writableLength ?? 0);
    versions += 1;
    return { company: { ...event, dataVersion: `${versions}` } };
  };
  const app = fastify().decorateRequest('reader', undefined);
  app.addHook('onRequest', async (request, reply) => {
    request.reader = reader;
    response = reply.raw;
  });
  registerEvents(app, {
    auth: { settle: async () => reader } as unknown as Auth,
    config: serverConfig({ database: '/nonexistent/company.duckdb', tokens: '/nonexistent/company.tokens.json' }),
    generations: { latest, current: latest } as unknown as Generations,
    limits: { ...STANDARD, pollMs: 1 },
  });
  const url = new URL(await app.listen({ port: 0, host: '127.0.0.1' }));
  const client = connect(Number(url.port), url.hostname).pause();
  client.write('GET /v3/events HTTP/1.1\r\nhost: localhost\r\n\r\n');
  await expect.poll(() => response?.destroyed).toBe(true);
  expect(held).toBeGreaterThan(0);
  expect(held).toBeLessThan(2 * 65_536);
  client.destroy();
  await app.close();
});
