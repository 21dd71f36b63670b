import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { LIMITS } from '../../../src/doors/http/protocol/limits.ts';
import { sendAnswer } from '../../../src/doors/http/protocol/stream-answer.ts';
import { QUARTER, type Served, serve } from '../../http/served.ts';

const LINES = '/v3/reports/lines.ndjson?start_date=2020-01-01&end_date=2030-12-31';
const REPORT = `/v3/reports/lines?${QUARTER}&limit=1&fields=date,line_id`;

const STALLED = 16;

/** Time in which a server that ignores slow clients has sent everything. Unit: ms. */
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

async function sendRequest(served: Served, path: string): Promise<Socket> {
  const socket = await open(served);
  socket.pause();
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  return socket;
}

/** Returns the memory of the program outside the database, which has its own limit. Unit: bytes. */
function countHeld(): number {
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** Requests more by SQL than the system buffers, without reading the answer. */
async function sendSql(served: Served): Promise<void> {
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
  it('get only as much as fits the buffers, and are disconnected after the time limit', async () => {
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
    await expect.poll(() => isClosed).toBe(true);
    // The system buffers some megabytes per connection, however long the answer is.
    expect((sent * piece.length) / 2 ** 20).toBeLessThan(64);
    socket.destroy();
    server.close();
  });
});

describe('clients that read nothing of large answers', () => {
  it('are disconnected for SQL, too, and free their place', async () => {
    const served = await serve({ limits: { stallTimeoutMs: 300 } });
    await sendSql(served);
    await expect.poll(() => served.log()).toMatch(/"route":"\/v3\/sql","status":499/);
    expect(await readGauge(served, 'plumbline_http_requests_in_flight')).toBe(1);
    await served.close();
  });

  it('cost almost no memory, because the server waits with the rest of their answers', async () => {
    const served = await serve({ limits: { stallTimeoutMs: 60_000 } });
    // Grows all caches first with a complete answer.
    const { text } = await served.get(LINES);
    const before = countHeld();
    await Promise.all(Array.from({ length: STALLED }, () => sendRequest(served, LINES)));
    await expect.poll(() => readGauge(served, 'plumbline_answers_open')).toBe(STALLED);
    await expect.poll(() => readGauge(served, 'plumbline_reports_running')).toBe(0);
    await sleep(SETTLE_MS);
    // A server that buffered answers in memory would complete them.
    expect(await readGauge(served, 'plumbline_answers_open')).toBe(STALLED);
    expect(countHeld() - before).toBeLessThan((STALLED * text.length) / 4);
    for (const socket of sockets.splice(0)) socket.destroy();
    await served.close();
  });
});

describe('clients that disconnect', () => {
  let served: Served;
  beforeAll(async () => {
    served = await serve();
  });
  afterAll(() => served.close());

  it('free their place', async () => {
    const gone = await Promise.all(Array.from({ length: 10 }, () => sendRequest(served, LINES)));
    for (const socket of gone) socket.destroy();
    await expect.poll(() => readGauge(served, 'plumbline_http_requests_in_flight')).toBe(1);
    await expect.poll(() => readGauge(served, 'plumbline_answers_open')).toBe(0);
  });
});

describe('clients that disconnect during the computation of a report', () => {
  it.each(['people.json', 'people.xlsx'])('end the computation: %s', async (name) => {
    // 130 years of 40 people by day take the database far longer than this test.
    const served = await serve({ limits: { maxRows: 1_000_000_000 } });
    const socket = await sendRequest(
      served,
      `/v3/reports/${name}?start_date=1970-01-01&end_date=2099-12-31&interval=day`,
    );
    await expect.poll(() => readGauge(served, 'plumbline_reports_running')).toBe(1);
    socket.destroy();
    await expect.poll(() => readGauge(served, 'plumbline_reports_running'), { timeout: 4_000 }).toBe(0);
    await expect.poll(() => readGauge(served, 'plumbline_answers_open'), { timeout: 4_000 }).toBe(0);
    // The files can be closed only after their last query.
    const startedAt = performance.now();
    expect(await served.close()).toBe(true);
    expect(performance.now() - startedAt).toBeLessThan(4_000);
    expect(served.log()).not.toContain('broke off');
  });
});

describe('many clients', () => {
  it('1,000 idle and 200 busy connections: all are answered, and the event loop stays free', async () => {
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

  it('are asked to retry later when the queue is full', async () => {
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

  it('are disconnected at once beyond the limit of connections', async () => {
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

it('an incomplete request is answered 408 after requestTimeoutMs', async () => {
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

describe('idle connections', () => {
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

describe('slow answers', () => {
  it("are refused if they don't begin in time", async () => {
    const served = await serve({ limits: { handlerTimeoutMs: 1 } });
    const { status, json } = await served.get(REPORT);
    expect([status, json().message]).toEqual([
      503,
      'The answer took longer than 0.001 s to begin. Ask for less at once',
    ]);
    await expect.poll(() => readGauge(served, 'plumbline_answers_open')).toBe(0);
    await served.close();
  });

  it('a report above the limit of rows is refused: 50 years by day', async () => {
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
    // Fiscal years from April, the first with a work day of the employment from 2019-05-06.
    expect(years.json().people).toHaveLength(21);
    await served.close();
  });
});

describe('stopping', () => {
  it('finishes current answers, accepts no more, and closes the files', async () => {
    const served = await serve();
    await open(served);
    const responses = await Promise.all(Array.from({ length: 3 }, () => fetch(new URL(LINES, served.url))));
    const closing = served.close();
    // A request that reaches the server before it closes its port is answered.
    const knock = () =>
      fetch(new URL('/healthz', served.url)).then(
        () => 'answered',
        () => 'refused',
      );
    await expect.poll(knock).toBe('refused');
    const texts = await Promise.all(responses.map((response) => response.text()));
    expect(new Set(texts).size).toBe(1);
    expect(texts[0]?.endsWith('}\n')).toBe(true);
    expect(await closing).toBe(true);
  });

  it('disconnects unfinished answers after the time limit', async () => {
    const served = await serve({ limits: { stopTimeoutMs: 300 } });
    const socket = await sendRequest(served, LINES);
    await expect.poll(() => readGauge(served, 'plumbline_answers_open')).toBe(1);
    const startedAt = performance.now();
    const isWhole = await served.close();
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    // An answer that fits the buffers of the system is complete although nobody has read it.
    expect(isWhole).toBeTypeOf('boolean');
    socket.destroy();
  });
});
