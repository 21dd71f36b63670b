import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { LIMITS } from '../../src/http/protocol/limits.ts';
import { sendAnswer } from '../../src/http/protocol/stream-answer.ts';
import { QUARTER, type Served, serve } from '../http/served.ts';

const LINES = '/v3/reports/lines.ndjson?start_date=2020-01-01&end_date=2030-12-31';
const REPORT = `/v3/reports/lines?${QUARTER}&limit=1&fields=date,line_id`;

/** Clients that ask and read nothing, all at once. */
const STALLED = 16;

/** In this time a server that doesn't wait for its clients has sent everything. Unit: ms. */
const SETTLE_MS = 5_000;

const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

async function open(served: Served): Promise<Socket> {
  const socket = connect(Number(new URL(served.url).port), '127.0.0.1');
  sockets.push(socket.on('error', () => undefined));
  await once(socket, 'connect');
  return socket;
}

/** Asks without reading the answer. */
async function ask(served: Served, path: string): Promise<Socket> {
  const socket = await open(served);
  socket.pause();
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  return socket;
}

/** What the program holds outside the database, whose memory has a limit of its own. Unit: bytes. */
function countHeld(): number {
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** Asks in SQL for more than the system itself buffers, without reading the answer. */
async function askSql(served: Served): Promise<void> {
  const body = JSON.stringify({ sql: "SELECT repeat('x', 15000) AS text FROM range(1000)" });
  const socket = await open(served);
  socket.pause();
  socket.write(`POST /v3/sql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n`);
  socket.write(`Content-Length: ${body.length}\r\n\r\n${body}`);
}

async function readGauge(served: Served, name: string): Promise<number> {
  const { text } = await served.get('/metrics');
  return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1] ?? Number.NaN);
}

describe('clients that stop reading', () => {
  it('are sent no more than fits on the way, and are closed when the time for it is over', async () => {
    const piece = 'x'.repeat(65_536);
    let sent = 0;
    let isClosed = false;
    async function* write() {
      try {
        for (;;) {
          sent += 1;
          yield piece;
        }
      } finally {
        isClosed = true;
      }
    }
    const server = createServer(async (_request, response) => {
      const pieces = write();
      const first = await pieces.next();
      await sendAnswer(response, { pieces, first }, { ...LIMITS, stallTimeoutMs: 300 });
      await pieces.return();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.pause().write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await expect.poll(() => isClosed, { timeout: 20_000 }).toBe(true);
    // What the system itself buffers for a connection: some megabytes, however long the answer is.
    expect((sent * piece.length) / 2 ** 20).toBeLessThan(64);
    socket.destroy();
    server.close();
  });
});

describe('clients that read nothing of large answers', () => {
  it('are cut off when they asked in SQL, too, and their place is free again', async () => {
    const served = await serve({ limits: { stallTimeoutMs: 300 } });
    await askSql(served);
    await expect.poll(() => served.log(), { timeout: 20_000 }).toMatch(/"route":"\/v3\/sql","status":499/);
    expect(await readGauge(served, 'plumbline_http_requests_in_flight')).toBe(1);
    await served.close();
  });

  it('cost next to no memory: the server waits with what they are not sent', async () => {
    const served = await serve({ limits: { stallTimeoutMs: 60_000 } });
    // Read whole once, so that what is grown for any answer is there.
    const { text } = await served.get(LINES);
    const before = countHeld();
    await Promise.all(Array.from({ length: STALLED }, () => ask(served, LINES)));
    await expect.poll(() => readGauge(served, 'plumbline_answers_open'), { timeout: 60_000 }).toBe(STALLED);
    await expect.poll(() => readGauge(served, 'plumbline_reports_running'), { timeout: 60_000 }).toBe(0);
    await sleep(SETTLE_MS);
    // None of them is sent to its end: one that the server had taken into memory would be.
    expect(await readGauge(served, 'plumbline_answers_open')).toBe(STALLED);
    expect(countHeld() - before).toBeLessThan((STALLED * text.length) / 4);
    for (const socket of sockets.splice(0)) socket.destroy();
    await served.close();
  });
});

describe('clients that go away', () => {
  let served: Served;
  beforeAll(async () => {
    served = await serve();
  });
  afterAll(() => served.close());

  it('free their place', async () => {
    const gone = await Promise.all(Array.from({ length: 10 }, () => ask(served, LINES)));
    for (const socket of gone) socket.destroy();
    await expect.poll(() => readGauge(served, 'plumbline_http_requests_in_flight'), { timeout: 20_000 }).toBe(1);
    await expect.poll(() => readGauge(served, 'plumbline_answers_open'), { timeout: 20_000 }).toBe(0);
  });
});

describe('clients that go away while their report is computed', () => {
  it.each(['people.json', 'people.xlsx'])('end it: %s', async (name) => {
    // 130 years of 40 people by day take the database far longer than this test may.
    const served = await serve({ limits: { maxRows: 1_000_000_000 } });
    const socket = await ask(served, `/v3/reports/${name}?start_date=1970-01-01&end_date=2099-12-31&interval=day`);
    await expect.poll(() => readGauge(served, 'plumbline_reports_running'), { timeout: 20_000 }).toBe(1);
    socket.destroy();
    await expect.poll(() => readGauge(served, 'plumbline_reports_running'), { timeout: 4_000 }).toBe(0);
    await expect.poll(() => readGauge(served, 'plumbline_answers_open'), { timeout: 4_000 }).toBe(0);
    // The files can be closed only when nothing runs on them any more.
    const startedAt = performance.now();
    expect(await served.close()).toBe(true);
    expect(performance.now() - startedAt).toBeLessThan(4_000);
    expect(served.log()).not.toContain('broke off');
  });
});

describe('many clients', () => {
  it('1,000 idle connections and 200 busy ones: everybody is answered, and the event loop stays free', async () => {
    const served = await serve();
    await Promise.all(Array.from({ length: 1000 }, () => open(served)));
    const busy = Array.from({ length: 200 }, () => served.get(REPORT));
    const startedAt = performance.now();
    expect((await served.get('/healthz')).status).toBe(200);
    const healthMs = performance.now() - startedAt;
    const statuses = new Set((await Promise.all(busy)).map(({ status }) => status));
    expect([...statuses]).toEqual([200]);
    expect(healthMs).toBeLessThan(5_000);
    await served.close();
  });

  it('more than may wait are told to come again', async () => {
    const served = await serve({
      limits: { openAnswers: 2, runningReports: 1, waitingRequests: 2, retryAfterSeconds: 7 },
    });
    const replies = await Promise.all(Array.from({ length: 12 }, () => served.get(REPORT)));
    const refused = replies.filter(({ status }) => status === 503);
    expect(replies.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(4);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]?.headers.get('retry-after')).toBe('7');
    expect(refused[0]?.json()).toMatchObject({ name: 'unavailable', code: 'busy' });
    await served.close();
  });

  it('more connections than there may be are closed as they come', async () => {
    const served = await serve({ data: 'nothing', limits: { maxConnections: 3 } });
    const closed = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const socket = await open(served);
        return Promise.race([
          once(socket, 'close').then(() => 1),
          new Promise<number>((resolve) => setTimeout(resolve, 1000, 0)),
        ]);
      }),
    );
    expect(closed.reduce((sum, each) => sum + each, 0)).toBe(2);
    for (const socket of sockets) socket.destroy();
    await served.close();
  });
});

it('a request that does not come whole is answered 408 after requestTimeoutMs', async () => {
  const served = await serve({ data: 'nothing', limits: { requestTimeoutMs: 500 } });
  const socket = await open(served);
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk) => {
    text += chunk;
  });
  const startedAt = performance.now();
  socket.write('GET /healthz HTTP/1.1\r\nHost: local');
  await once(socket, 'close');
  expect(text).toMatch(/^HTTP\/1.1 408 Request Timeout\r\n/);
  expect(text).toContain('"name":"request_timeout"');
  expect(performance.now() - startedAt).toBeLessThan(8_000);
  await served.close();
});

describe('connections on which nothing happens', () => {
  it.each([
    ['after an answer', 'keepAliveTimeoutMs', 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['before the first byte', 'connectionTimeoutMs', ''],
  ])('%s are closed after %s', async (_when, limit, sent) => {
    const served = await serve({ data: 'nothing', limits: { [limit]: 500 } });
    const socket = await open(served);
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
    });
    const startedAt = performance.now();
    if (sent) socket.write(sent);
    await once(socket, 'close');
    expect(text.slice(0, 15)).toBe(sent && 'HTTP/1.1 200 OK');
    expect(performance.now() - startedAt).toBeGreaterThan(450);
    expect(performance.now() - startedAt).toBeLessThan(8_000);
    await served.close();
  });
});

describe('answers that take too long', () => {
  it('are refused when they have not begun in time', async () => {
    const served = await serve({ limits: { handlerTimeoutMs: 1 } });
    const { status, json } = await served.get(REPORT);
    expect([status, json().message]).toEqual([
      503,
      'The answer took longer than 0.001 s to begin. Ask for less at once',
    ]);
    await expect.poll(() => readGauge(served, 'plumbline_answers_open')).toBe(0);
    await served.close();
  });

  it('a report with more rows than there may be is refused: 50 years by day', async () => {
    const served = await serve({ limits: { maxRows: 1000 } });
    const window = 'start_date=1990-01-01&end_date=2039-12-31&interval=day';
    const { status, json } = await served.get(`/v3/reports/people?${window}&people_id=101`);
    expect(status).toBe(422);
    expect(json()).toMatchObject({
      code: 'limit',
      errors: ['start_date', 'end_date', 'interval'].map((field) => ({ field, message: expect.any(String) })),
      message: expect.stringMatching(/more than 1000 rows.*shorter window/),
    });
    const years = await served.get(`/v3/reports/people?${window.replace('day', 'year')}&people_id=101`);
    expect(years.json().people).toHaveLength(51);
    await served.close();
  });
});

describe('stopping', () => {
  it('ends what is being answered, takes no more, and closes the files', async () => {
    const served = await serve();
    await open(served);
    const responses = await Promise.all(Array.from({ length: 3 }, () => fetch(new URL(LINES, served.url))));
    const closing = served.close();
    await expect(fetch(new URL('/healthz', served.url))).rejects.toThrow();
    const texts = await Promise.all(responses.map((response) => response.text()));
    expect(new Set(texts).size).toBe(1);
    expect(texts[0]?.endsWith('}\n')).toBe(true);
    expect(await closing).toBe(true);
  });

  it('cuts off what has not ended when the time for it is over', async () => {
    const served = await serve({ limits: { stopTimeoutMs: 300, rowsAtOnce: 1 } });
    const socket = await ask(served, LINES);
    await expect.poll(() => readGauge(served, 'plumbline_answers_open')).toBe(1);
    const startedAt = performance.now();
    const isWhole = await served.close();
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    // An answer that fits into what the system buffers is whole although nobody has read it.
    expect(isWhole).toBeTypeOf('boolean');
    socket.destroy();
  });
});
