import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { syncStatusFile } from '../../src/store/generation/generation-files.ts';
import { startServer } from '../errors/program.ts';
import { eventually } from '../eventually.ts';

const SECRET = 'Serve-Secret-4711';
const HOSTILE = `a\u001b[2J\u0007\u009b\u202e\u2028\r\nError: forged ${SECRET} ${SECRET.toLowerCase()}`;

/** Matches what must not reach a terminal or a client as text. */
const RAW = /[^\P{Cc}\n]|[\u2028\u202e]/u;

/** Matches a line of the program's own. */
const OWN_LINE = /^(?:\{.*\}|(?:Plumbline answers|It owns|There are no tokens|SIGTERM: stopping).*)$/;

const folder = mkdtempSync(join(tmpdir(), 'plumbline-serve-log-'));
/** A source whose every answer is an error of many meanings. */
const source = createServer((_request, response) =>
  response.writeHead(418, { 'content-type': 'application/json' }).end(JSON.stringify({ message: HOSTILE })),
);

beforeAll(async () => {
  vi.stubEnv('PLUMBLINE_SOURCE_TOKEN', SECRET);
  await new Promise((resolve) => source.listen(0, '127.0.0.1', () => resolve(undefined)));
});
afterAll(() => {
  vi.unstubAllEnvs();
  source.close();
  rmSync(folder, { recursive: true });
});

/** Sends bytes to a server. @returns the whole answer. */
async function send(url: string, request: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).setEncoding('utf8');
  socket.write(request);
  let answer = '';
  for await (const part of socket) answer += part;
  return answer;
}

const headers = (...more: readonly string[]) => ['Host: 127.0.0.1', 'Connection: close', ...more, '', ''].join('\r\n');

it('the log and the answers of a server hold no hidden character, no secret and no line of another', {
  tags: ['slow'],
}, async () => {
  const file = join(folder, 'company.duckdb');
  const tokens = join(folder, 'tokens.json');
  const { port } = source.address() as AddressInfo;
  const flags = ['--sync', `http://127.0.0.1:${port}`, '--tokens', tokens, '--log-level', 'info'];
  const { program, url } = await startServer(file, { flags });
  let log = '';
  program.onStderr((text) => {
    log += text;
  });
  await eventually(() => expect(log).toContain("can't be synced"));
  const path = encodeURIComponent(HOSTILE);
  const odd = `${HOSTILE.replaceAll(/\p{Cc}/gu, '')}`;
  const answers = [
    await send(url, `GET /v3/${path} HTTP/1.1\r\n${headers(`User-Agent: ${odd}`, `X-Request-Id: ${odd}`)}`),
    await send(
      url,
      `GET /v3/people?${path}=${path} HTTP/1.1\r\n${headers('Accept: application/xml', 'Prefer: handling=strict')}`,
    ),
    await send(url, `GET /odata/v4/${path}?$filter=${path} HTTP/1.1\r\n${headers()}`),
    await send(url, `GET /v3/${HOSTILE} HTTP/1.1\r\n${headers()}`),
    await send(url, `GET /v3/people HTTP/1.1\r\n${headers(`X: ${HOSTILE}`)}`),
    await send(url, `PROPFIND /${path} HTTP/1.1\r\n${headers()}`),
    await send(url, `GET /readyz HTTP/1.1\r\n${headers()}`),
  ];
  writeFileSync(tokens, HOSTILE);
  await eventually(() => expect(log).toContain("Can't use the tokens"));
  program.signal('SIGTERM');
  const { stderr } = await program.outcome;

  expect(answers.map((answer) => answer.slice('HTTP/1.1 '.length, 'HTTP/1.1 404'.length))).toEqual([
    '404',
    '400',
    '400',
    '400',
    '400',
    '501',
    '503',
  ]);
  const secret = new RegExp(SECRET, 'i');
  expect(stderr.split('\n').filter((line) => line !== '' && !OWN_LINE.test(line))).toEqual([]);
  for (const shown of [
    stderr,
    readFileSync(syncStatusFile(file), 'utf8'),
    ...answers.map((answer) => answer.replaceAll('\r\n', '\n')),
  ]) {
    expect(shown).not.toMatch(RAW);
    expect(shown).not.toMatch(secret);
  }
  expect(stderr).toContain('a\\\\u001b[2J');
  expect(stderr).toContain('***');
});
