import { PassThrough } from 'node:stream';
import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runBatch } from '../../src/http/odata/batch-run.ts';
import { JSON_FORM } from '../../src/odata/batch-answer.ts';
import { parseJsonBatch } from '../../src/odata/batch-body.ts';
import { parseMultipartBatch } from '../../src/odata/batch-multipart.ts';

const MIB = 1_048_576;

let app: FastifyInstance;
/** Bytes that the answers have sent, and answers that are closed. */
let sent = 0;
let closed = 0;
let arrived: () => void;
beforeAll(async () => {
  app = fastify();
  app.get('/odata/v4/:mib', (request: FastifyRequest<{ Params: { mib: string } }>, reply) => {
    reply.raw.once('close', () => {
      closed += 1;
    });
    const source = new PassThrough();
    const write = async () => {
      for (let left = Number(request.params.mib); left > 0 && !reply.raw.destroyed; left -= 1) {
        sent += MIB;
        if (!source.write(' '.repeat(MIB))) await new Promise((resolve) => source.once('drain', resolve));
      }
      source.end('{}');
    };
    void write();
    return reply.type('application/json').send(source);
  });
  app.get('/odata/v4/never', (_request, reply) => {
    reply.raw.once('close', () => {
      closed += 1;
    });
    reply.hijack();
    arrived();
  });
  await app.ready();
});
afterAll(() => app.close());

async function run(
  urls: readonly string[],
  timeoutMs = 10_000,
  signal = new AbortController().signal,
): Promise<string> {
  const requests = urls.map((url, index) => ({ id: String(index), method: 'GET', url }));
  const request = {
    server: app,
    headers: { host: 'localhost' },
    ip: '127.0.0.1',
    id: 'x',
  } as unknown as FastifyRequest;
  const batch = { items: parseJsonBatch({ requests }), form: JSON_FORM, continuesOnError: true, timeoutMs, signal };
  let text = '';
  for await (const piece of runBatch(request, batch)) text += Buffer.from(piece as string).toString();
  return text;
}

const statusesOf = (text: string): number[] =>
  JSON.parse(text).responses.map(({ status }: { status: number }) => status);

it('an answer beyond the bytes of a batch is refused alone, and read no further', async () => {
  [sent, closed] = [0, 0];
  const text = await run(['9', '1000', '6', '2']);
  expect(statusesOf(text)).toEqual([200, 422, 200, 422]);
  expect(text).toContain('The answers of the batch have more than 16777216 bytes. Send this request alone, or');
  expect(sent).toBeLessThan(40 * MIB);
  await expect.poll(() => closed).toBe(4);
});

it('requests that would begin after the time of a batch are not run', async () => {
  sent = 0;
  expect(statusesOf(await run(['1', '1'], -1))).toEqual([503, 503]);
  expect(sent).toBe(0);
});

it('a client that leaves ends the request being answered, and the batch', async () => {
  closed = 0;
  const client = new AbortController();
  const started = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  const running = run(['never', '1'], 10_000, client.signal);
  const ended = expect(running).rejects.toThrow();
  await started;
  client.abort();
  await ended;
  await expect.poll(() => closed).toBe(1);
});

it('a hostile body of parts takes time that grows no faster than it', { tags: ['slow'] }, () => {
  const bodies: Readonly<Record<string, (length: number) => string>> = {
    headers: (length) =>
      `--b\r\nContent-Type: application/http\r\n\r\nGET x\r\n${'a:b\r\n'.repeat(length / 5)}\r\n--b--`,
    spaces: (length) => `--b${' '.repeat(length)}\r\n--b${' '.repeat(length)}x\r\n--b--`,
    words: (length) => `--b\r\nContent-Type: application/http\r\n\r\nGET${' '.repeat(length)}\r\n--b--`,
    dashes: (length) => '-'.repeat(length),
    breaks: (length) => '\r\n'.repeat(length / 2),
    returns: (length) => '\r'.repeat(length),
    empty: (length) => `--b\r\nContent-Type: application/http\r\n\r\nGET x\r\n${'\r\n'.repeat(length / 2)}--b--`,
  };
  const measure = (text: string) => {
    const startedAt = performance.now();
    try {
      parseMultipartBatch(text, 'multipart/mixed;boundary=b');
    } catch {
      // A refusal takes its time, too.
    }
    return performance.now() - startedAt;
  };
  for (const [name, make] of Object.entries(bodies)) {
    const leastOf = (length: number) => Math.min(...[1, 2, 3].map(() => measure(make(length))));
    const [once, , fourTimes] = [250_000, 500_000, 1_000_000].map(leastOf) as [number, number, number];
    // Linear time is 4 times as long, quadratic 16 times, seconds at this length; on a busy machine some 100 ms are noise.
    expect(fourTimes, name).toBeLessThan(Math.max(10 * once, 500));
  }
});
