import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { revokeToken } from '../../src/http/protocol/tokens.ts';
import { priced } from '../published/dataset.ts';
import { type Served, serve } from './served.ts';

const LIMITS = { heartbeatMs: 100, eventStreams: 4, eventStreamsEach: 3, refreshDelayMs: 50 };

let served: Served;
let header: string;
let version: string;
beforeAll(async () => {
  served = await serve({ data: priced, write: true, inMemory: true, scopes: ['reports', 'write'], limits: LIMITS });
  ({ header } = await served.token(['reports']));
  await vi.waitFor(async () => expect((await served.get('/v3/reports', { authorization: header })).status).toBe(200));
  version = await readVersion();
});
afterAll(() => served.close());

const WINDOW = 'start_date=2026-01-01&end_date=2026-01-31';
const readVersion = async () =>
  (await served.get(`/v3/reports/projects?${WINDOW}`)).headers.get('x-data-version') ?? '';

/** Opens a stream of events. */
async function open(more: Record<string, string> = {}) {
  const controller = new AbortController();
  const headers = { authorization: header, ...more };
  const {
    status,
    headers: answered,
    body,
  } = await fetch(new URL('/v3/events', served.url), {
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
  const fourth = await vi.waitFor(async () => {
    const stream = await open({ authorization: other.header });
    expect(stream.status).toBe(200);
    return stream;
  });
  const third = await served.get('/v3/events');
  expect(third.json().message).toBe('4 streams of events are open. Try again in a moment');
  for (const stream of [...streams, fourth]) stream.close();
  await vi.waitFor(async () => {
    const stream = await open();
    stream.close();
    expect(stream.status).toBe(200);
  });
});

it('ends the stream of a revoked token', async () => {
  const { header: authorization, id } = await served.token(['reports']);
  const stream = await vi.waitFor(async () => {
    const opened = await open({ authorization });
    expect(opened.status).toBe(200);
    return opened;
  });
  await revokeToken(served.tokens, id);
  await stream.ended();
});

it('ends all streams when the server stops', async () => {
  const own = await serve({ data: priced });
  const { body } = await fetch(new URL('/v3/events', own.url));
  const startedAt = performance.now();
  const read = new Response(body).text();
  expect(await own.close()).toBe(true);
  expect(await read).toContain('event: data_version');
  expect(performance.now() - startedAt).toBeLessThan(10_000);
});
