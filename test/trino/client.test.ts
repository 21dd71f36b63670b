// @module-tag slow
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { openTrino, type TrinoSession } from '../../src/cluster/trino/trino-client.ts';
import { StatementFailure } from '../../src/cluster/trino/trino-errors.ts';
import { MAX_TRIES } from '../../src/cluster/trino/trino-requests.ts';
import { SILENCES, startSilentServer } from '../silent-server.ts';

interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

let server: Server | undefined;
afterEach(async () => {
  server?.closeAllConnections();
  await new Promise((resolve) => server?.close(resolve) ?? resolve(undefined));
  server = undefined;
});

/** Starts a coordinator that gives these replies in turn, the last one again and again. NEXT is an address of its own. */
async function start(replies: readonly Reply[]): Promise<{ url: URL; received: Received[] }> {
  const received: Received[] = [];
  let url = new URL('http://127.0.0.1');
  let given = 0;
  server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    received.push({ method: request.method ?? '', path: request.url ?? '', headers: request.headers, body });
    const reply = replies[Math.min(given, replies.length - 1)];
    if (request.method === 'DELETE') return response.writeHead(reply?.headers ? 307 : 204, reply?.headers).end();
    given += 1;
    const text = typeof reply?.body === 'string' ? reply.body : JSON.stringify(reply?.body);
    return response
      .writeHead(reply?.status ?? 200, reply?.headers)
      .end(text.replaceAll('NEXT', `${url.origin}/v1/statement/next`));
  });
  await new Promise((resolve) => server?.listen(0, '127.0.0.1', () => resolve(undefined)));
  url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  return { url, received };
}

const page = (rest: object = {}): Reply => ({ body: { id: 'q1', stats: { state: 'RUNNING' }, ...rest } });
const more = (rest: object = {}): Reply => page({ nextUri: 'NEXT', ...rest });
const columns = [{ name: 'hours', type: 'decimal(18,4)' }];

/** Runs a statement at a coordinator with these replies. */
async function run(replies: readonly Reply[], session: TrinoSession = {}) {
  const { url, received } = await start(replies);
  const result = await openTrino({ url, user: 'ada' }, session).run('SELECT 1');
  return { result, received };
}

describe('a statement', () => {
  it('is answered in pages, which are joined', async () => {
    const { result, received } = await run([
      more({ stats: { state: 'QUEUED' } }),
      more({ columns, data: [['1.5000']] }),
      more(),
      page({ columns, data: [['2.0000'], [null]] }),
    ]);
    expect(result).toEqual({ columns, rows: [['1.5000'], ['2.0000'], [null]] });
    expect(received.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /v1/statement',
      ...Array(3).fill('GET /v1/statement/next'),
    ]);
    expect(received[0]?.body).toBe('SELECT 1');
  });

  it('pauses between answers without rows, whatever form they have', async () => {
    const begun = performance.now();
    await run([...Array(10).fill(more({ data: [] })), page()]);
    expect(performance.now() - begun).toBeGreaterThan(150);
  });

  it('names the user, the program, the functions and the settings', async () => {
    const session = { path: 'memory.default', properties: { retry_policy: 'TASK', note: 'a=b, c' } };
    const { received } = await run([page()], session);
    expect(received[0]?.headers).toMatchObject({
      'x-trino-user': 'ada',
      'x-trino-source': 'plumbline',
      'x-trino-path': 'memory.default',
      'x-trino-session': 'retry_policy=TASK,note=a%3Db%2C%20c',
    });
  });

  it.each([429, 502, 503, 504])('waits for a server that answers %i', async (status) => {
    const { result } = await run([{ status, body: 'busy' }, more(), { status, body: '' }, page({ data: [[1]] })]);
    expect(result.rows).toEqual([[1]]);
  });

  it('fails with the message of an answer of status 200, its place and the way out', async () => {
    const error = {
      message: 'line 3:7: Column x cannot be resolved',
      errorName: 'COLUMN_NOT_FOUND',
      errorType: 'USER_ERROR',
    };
    const failed = run([more(), page({ error: { ...error, failureInfo: { stack: ['at io.trino'] } } })]);
    await expect(failed).rejects.toMatchObject({
      code: 'cluster',
      message: 'The cluster refused a statement: line 3:7: Column x cannot be resolved (COLUMN_NOT_FOUND)',
      cause: expect.any(StatementFailure),
    });
    await expect(failed).rejects.toMatchObject({ cause: { info: error } });
  });

  it.each<[string, unknown, string]>([
    ['an object', { message: { a: 1 } }, '{"a":1}'],
    ['a number', { message: 7, errorName: { b: [] }, errorType: [] }, '7 ({"b":[]})'],
    ['missing', {}, 'without a message'],
    ['null', { message: null, errorName: null }, 'without a message'],
    ['the whole error', 'no sentence', 'no sentence'],
    ['named as a property of every object', { message: 'no', errorName: 'constructor' }, 'no (constructor)'],
    ['a command of terminals', { message: 'red \u001b[31m\nError:' }, 'red \\u001b[31m\\nError:'],
  ])('fails with a sentence if the message is %s', async (_, error, said) => {
    await expect(run([page({ error })])).rejects.toMatchObject({
      code: 'cluster',
      message: `The cluster refused a statement: ${said}`,
      hint: undefined,
    });
  });

  it.each([
    ['a lost worker', 'Expected response code 200, but was 500', 'REMOTE_TASK_ERROR', 'A worker was lost'],
    ['a full disk', 'Error committing write parquet to Hive', 'HIVE_WRITER_CLOSE_ERROR', "the lake's disk more room"],
    ['a commit without room', 'Failed to write json to file', 'ICEBERG_COMMIT_ERROR', "the lake's disk more room"],
  ])('tells what to do about %s', async (_, message, errorName, hint) => {
    const error = { message, errorName, errorType: 'EXTERNAL' };
    await expect(run([page({ error })])).rejects.toMatchObject({ hint: expect.stringContaining(hint) });
  });

  it('never shows the page of a proxy', async () => {
    const { url } = await start([{ status: 500, body: '<html>\n<h1>Internal Server Error</h1>' }]);
    const message = `${url.origin} can't answer (500)`;
    await expect(openTrino({ url, user: 'ada' }).run('SELECT 1')).rejects.toMatchObject({ message });
  });

  it.each([404, 410])('says that a restarted server lost it, which answers %i', async (status) => {
    const message = expect.stringMatching(/^The coordinator at http.* was restarted, and lost the statement$/);
    await expect(run([more(), { status, body: 'Query not found' }])).rejects.toMatchObject({ message });
  });

  it('follows no redirect, whatever it asks for', async () => {
    const elsewhere = await start([]);
    const own = server;
    const redirect = { status: 307, headers: { location: `${elsewhere.url.origin}/away` }, body: '' };
    const { url, received } = await start([more(), redirect]);
    await expect(openTrino({ url, user: 'ada' }).run('SELECT 1')).rejects.toThrow(
      'redirects, which is not followed (307)',
    );
    expect(received.map(({ method }) => method)).toEqual(['POST', 'GET', 'DELETE']);
    expect(elsewhere.received).toEqual([]);
    own?.close();
  });

  it('is canceled at the server when its signal is aborted', async () => {
    const { url, received } = await start([more()]);
    const abort = new AbortController();
    const running = openTrino({ url, user: 'ada' }).run('SELECT 1', { signal: abort.signal });
    await expect.poll(() => received.length).toBeGreaterThan(2);
    abort.abort(new Error('enough'));
    await expect(running).rejects.toThrow('enough');
    expect(received.at(-1)).toMatchObject({ method: 'DELETE', path: '/v1/statement/next' });
  });
});

describe('a server that is no coordinator, or not ready', () => {
  it.each<[string, Reply, string]>([
    ['a web page', { body: '<html>' }, "doesn't answer as a Trino server"],
    ['other JSON', { body: { hello: 1 } }, "doesn't answer as a Trino server"],
    ['an id that is no text', page({ id: 7 }), "doesn't answer as a Trino server"],
    ['no progress', page({ stats: null }), "doesn't answer as a Trino server"],
    ['an address that is no text', page({ nextUri: 7 }), "doesn't answer as a Trino server"],
    ['columns that are no list', page({ columns: 'hours' }), "doesn't answer as a Trino server"],
    ['a column without a name', page({ columns: [{ type: 'date' }] }), "doesn't answer as a Trino server"],
    ['rows that are no lists', page({ data: [1] }), "doesn't answer as a Trino server"],
    ['no address', page({ nextUri: 'next' }), 'continues at next'],
    ['an address with a user', page({ nextUri: 'http://ada:x@127.0.0.1/v1' }), 'continues at http://***@127.0.0.1/v1'],
    ['nothing there', { status: 404, body: '' }, 'There is no Trino server at'],
    ['wrong credentials', { status: 401, body: '' }, "doesn't accept the credentials"],
    ['a user without rights', { status: 403, body: '' }, 'refuses the user'],
    ['a fault of its own', { status: 500, body: 'out of luck' }, "can't answer: out of luck"],
    [
      'another server',
      page({ nextUri: 'http://elsewhere.example.com/v1' }),
      'continues at http://elsewhere.example.com/v1',
    ],
  ])('%s', async (_, reply, message) => {
    await expect(run([reply])).rejects.toMatchObject({
      code: 'cluster',
      message: expect.stringContaining(message),
      hint: expect.stringMatching(/\.$/),
    });
  });

  it('an answer without an end', async () => {
    const { url } = await start([]);
    server?.removeAllListeners('request').on('request', (_, response) => {
      const piece = Buffer.alloc(1_048_576, ' ');
      const write = () => {
        while (!response.destroyed && response.write(piece));
      };
      response.on('drain', write);
      write();
    });
    await expect(openTrino({ url, user: 'ada' }).run('SELECT 1')).rejects.toMatchObject({
      code: 'cluster',
      message: `The answer of ${url.origin} has more than 64 MiB`,
    });
  });

  it('pages without an end, whose statement is canceled', async () => {
    const { url, received } = await start([more({ data: Array(400_000).fill([1]) })]);
    await expect(openTrino({ url, user: 'ada' }).run('SELECT 1')).rejects.toThrow('has more than 1000000 rows');
    expect(received.map(({ method }) => method)).toEqual(['POST', 'GET', 'GET', 'DELETE']);
  });

  it('a server that is busy for too long', async () => {
    const { url, received } = await start([{ status: 503, body: 'starting' }]);
    await expect(openTrino({ url, user: 'ada', firstDelayMs: 1 }).run('SELECT 1')).rejects.toThrow(
      "can't answer: starting (503)",
    );
    expect(received).toHaveLength(MAX_TRIES);
  });

  it('nothing listens', async () => {
    const { url } = await start([]);
    await new Promise((resolve) => server?.close(resolve));
    await expect(openTrino({ url, user: 'ada' }).run('SELECT 1')).rejects.toThrow('the connection is refused');
  });
});

describe('credentials', () => {
  it.each(['Łukasz', 'a\r\nx: y', ''])('have a user that can be sent, not "%s"', (user) => {
    expect(() => openTrino({ url: new URL('http://127.0.0.1'), user })).toThrow("can't be sent to http://127.0.0.1");
  });

  it.each([{ password: 'horse-battery' }, { token: 'horse-battery' }])('%o are not sent unencrypted', (credentials) => {
    const url = new URL('http://trino.example.com:8080');
    expect(() => openTrino({ url, user: 'ada', ...credentials })).toThrow(
      'http://trino.example.com:8080 is not encrypted',
    );
  });
});

describe.each(SILENCES)('a coordinator that sends %s', (silence) => {
  const limits = { user: 'ada', answerTimeoutMs: 80, firstDelayMs: 1 };

  it('fails the statement within the time for one answer', async () => {
    const { url } = await startSilentServer(silence);
    await expect(openTrino({ url, ...limits }).run('SELECT 1')).rejects.toMatchObject({
      code: 'cluster',
      message: `The coordinator at ${url.origin} sent no whole answer within 0.08 s`,
    });
  });

  it('fails a statement that was begun, after as many tries as a restart may take', async () => {
    const { url } = await startSilentServer(silence, [
      ({ origin }) => ({ id: 'q1', stats: { state: 'RUNNING' }, nextUri: `${origin}/v1/statement/next` }),
    ]);
    await expect(openTrino({ url, ...limits, cancelTimeoutMs: 80 }).run('SELECT 1')).rejects.toThrow(
      `The coordinator at ${url.origin} sent no whole answer within 0.08 s`,
    );
  });
});
