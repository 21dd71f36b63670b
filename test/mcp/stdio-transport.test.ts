import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { MAX_MESSAGE_BYTES, openStdioTransport } from '../../src/doors/mcp/stdio-transport.ts';

const request = (id: number, method = 'ping') => ({ jsonrpc: '2.0' as const, id, method });
const cancel = (requestId: number) => ({
  jsonrpc: '2.0' as const,
  method: 'notifications/cancelled',
  params: { requestId },
});
const lineOf = (message: object) => `${JSON.stringify(message)}\n`;

/** Opens a transport, which notes what comes in and goes out. */
async function open() {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const transport = openStdioTransport(input, output);
  const received: unknown[] = [];
  const errors: string[] = [];
  let isClosed = false;
  transport.onmessage = (message) => received.push(message);
  transport.onerror = (error) => errors.push(error.message);
  transport.closed.then(() => {
    isClosed = true;
  });
  let sent = '';
  output.on('data', (chunk) => {
    sent += chunk;
  });
  await transport.start();
  const answer = (id: number) => transport.send({ jsonrpc: '2.0', id, result: {} });
  return { input, output, transport, received, errors, sent: () => sent, isClosed: () => isClosed, answer };
}

/** Waits until streams have passed on what was written. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 10));

describe('messages', () => {
  it.each([1, 7, 4_096])('are lines, in chunks of %d bytes', async (size) => {
    const { input, received } = await open();
    const bytes = Buffer.from(`${lineOf(request(1, 'é'))}\n  \r\n${lineOf(request(2))}`);
    for (let at = 0; at < bytes.length; at += size) input.write(bytes.subarray(at, at + size));
    await settle();
    expect(received).toEqual([request(1, 'é'), request(2)]);
  });

  it('that are too long or none are answered with an error, and the next one is read', async () => {
    const { input, received, sent } = await open();
    const longest = lineOf(request(1)).trim();
    input.write(`${longest}${' '.repeat(MAX_MESSAGE_BYTES - longest.length)}\n`);
    input.write(`${longest}${' '.repeat(MAX_MESSAGE_BYTES - longest.length + 1)}\n`);
    input.write('oops\n{"jsonrpc":"2.0"}\n');
    input.write(lineOf(request(2)));
    await settle();
    expect(received).toEqual([request(1), request(2)]);
    const answers = sent()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(answers.map(({ id, error }) => [id, error.code])).toEqual([
      [null, -32600],
      [null, -32700],
      [null, -32700],
    ]);
    expect(answers[0].error.message).toBe('The message has more than 1048576 bytes. Send a shorter one.');
  });
});

describe('the end of the input', () => {
  it('closes the connection once all requests are answered, also that of a last line without an end', async () => {
    const { input, received, isClosed, answer } = await open();
    input.end(`${lineOf(request(1))}${lineOf(request(2)).trim()}`);
    await settle();
    expect(received).toHaveLength(2);
    await answer(2);
    expect(isClosed()).toBe(false);
    await answer(1);
    await settle();
    expect(isClosed()).toBe(true);
  });

  it('waits for no request that was canceled', async () => {
    const { input, isClosed } = await open();
    input.end(`${lineOf(request(1))}${lineOf(cancel(1))}`);
    await settle();
    expect(isClosed()).toBe(true);
  });
});

it('an output that nobody reads closes the connection', async () => {
  const { output, isClosed, errors } = await open();
  output.destroy(new Error('EPIPE'));
  await settle();
  expect([isClosed(), errors]).toEqual([true, ['EPIPE']]);
});
