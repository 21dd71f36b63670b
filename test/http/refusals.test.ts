import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ERROR_STATUSES } from '../../src/doors/http/protocol/errors.ts';
import { LIMITS } from '../../src/doors/http/protocol/limits.ts';
import { QUARTER, type Served, serve } from './served.ts';

let served: Served;
beforeAll(async () => {
  served = await serve();
});
afterAll(() => served.close());

async function expectError(path: string, status: number, text: string | RegExp, headers = {}, method = 'GET') {
  const reply = await served.get(path, headers, method);
  const { errors, ...body } = reply.json();
  expect({ status: reply.status, type: reply.headers.get('content-type') }).toEqual({
    status,
    type: 'application/json; charset=utf-8',
  });
  expect(body).toEqual({
    name: ERROR_STATUSES[status]?.name,
    message: expect.stringMatching(text),
    code: expect.any(String),
    status,
  });
  expect(Array.isArray(errors)).toBe(status === 400 || status === 422);
  expect(reply.headers.get('cache-control')).toBe('no-store');
  return { errors, code: body.code, headers: reply.headers };
}

describe('an invalid request', () => {
  const projects = `/v3/reports/projects?${QUARTER}`;

  it.each([
    ['an unknown path', '/v4/reports', 404, 'nothing at /v4/reports'],
    ['an unknown report', `/v3/reports/profits?${QUARTER}`, 404, /"profits".* projects/],
    ['an unknown format', `/v3/reports/projects.docx?${QUARTER}`, 404, /".docx".*\.csv/],
    ['a format of the terminal', `/v3/reports/projects.table?${QUARTER}`, 404, /".table"/],
    ['two suffixes', `/v3/reports/projects.csv.gz?${QUARTER}`, 404, /".csv.gz"/],
    ['too long a name', `/v3/reports/${'x'.repeat(101)}`, 414, /max param length/],
    ['a path to a parent folder', '/v3/reports/..%2f..%2fetc%2fpasswd', 404, /There is no report ""/],
  ])('%s', async (_what, path, status, text) => {
    await expectError(path, status, text);
  });

  it.each([
    ['an unknown parameter', 'colour=red', 'colour', /not a parameter of projects; it takes start_date/],
    ['a parameter of another report', 'group_by=client', 'group_by', /not a parameter of projects/],
    ['a property of every object', '__proto__=1', '__proto__', /not a parameter/],
    ['an unknown value', 'status=done', 'status', /"done".*draft, tentative/],
    ['an unknown interval', 'interval=fortnight', 'interval', /"fortnight".*week/],
    ['invalid ids', 'project_id=1,two', 'project_id', /"two"/],
    ['an impossible date', 'cutoff_date=2026-02-31', 'cutoff_date', /"2026-02-31" is not a date/],
    ['an unknown column', 'fields=name,colour', 'fields', /"colour"; the columns are/],
    ['an unknown sort column', 'sort=-colour', 'sort', /"colour"; the columns are/],
    ['an invalid page', 'page=0', 'page', /"0" is not a count/],
    ['the same parameter twice', 'client_id=1&client_id=2', 'client_id', /given twice.*commas/],
    ['unknown decimals', 'decimals=float', 'decimals', /"float".*number, string/],
  ])('%s is named, with the valid ones', async (_what, query, field, text) => {
    const { errors, code } = await expectError(`${projects}&${query}`, 400, text);
    expect(errors).toEqual([{ field, message: expect.stringMatching(text) }]);
    expect(code).toBe('usage');
  });

  it("names a path that can't be decoded", async () => {
    const { errors } = await expectError('/v3/reports/%ff', 400, /not a valid url/);
    expect(errors).toEqual([{ field: 'path', message: expect.stringMatching(/not a valid url/) }]);
  });

  it('names all faults at once', async () => {
    const { errors } = await expectError('/v3/reports/people?start_date=soon&interval=x', 400, /soon/);
    expect(errors.map(({ field }: { field: string }) => field)).toEqual(['start_date', 'end_date', 'interval']);
  });

  it('shows no hints about the command line and no internals', async () => {
    const { text } = await served.get('/v3/reports/people');
    expect(text).not.toMatch(/--|node_modules|\.ts/);
  });

  it('CSV refuses nested rows and decimals as strings', async () => {
    const nested = await expectError(
      `/v3/reports/projects.csv?${QUARTER}&expand=phases`,
      400,
      /CSV has no rows inside rows/,
    );
    expect(nested.errors).toEqual([{ field: 'expand', message: expect.any(String) }]);
    await expectError(`/v3/reports/projects.csv?${QUARTER}&decimals=string`, 400, /decimals/);
  });

  it('an Accept that no format matches gets a list of formats', async () => {
    await expectError(projects, 406, /application\/json.*text\/csv/, { accept: 'image/png' });
  });

  it('SQL sent as text/plain is refused: the type is not supported', async () => {
    await expectError('/v3/sql', 415, /Unsupported Media Type/, { 'content-type': 'text/plain' }, 'POST');
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('%s is answered with the allowed methods', async (method) => {
    for (const path of [projects, '/v3/reports', '/healthz', '/docs']) {
      for (const sent of [{}, { 'content-type': 'application/x-unknown' }]) {
        const { headers } = await expectError(path, 405, method, sent, method);
        expect(headers.get('allow')).toBe('GET, HEAD');
      }
    }
  });

  it('refuses a URL that is too long at once, by its length or as too large a head', async () => {
    await expectError(
      `${projects}&project_id=${'1,'.repeat(LIMITS.maxUrlCharacters / 2)}1`,
      414,
      /at most 16384 are allowed/,
    );
    const text = await sendRaw(
      `GET ${projects}&project_id=${'1,'.repeat(524_288)}1 HTTP/1.1\r\nHost: localhost\r\n\r\n`,
    );
    expect(text).toMatch(/^HTTP\/1\.1 431 /);
    expect(JSON.parse(text.split('\r\n\r\n')[1] ?? '')).toMatchObject({ name: 'headers_too_large', status: 431 });
  });

  it('answers bytes that are not HTTP with 400', async () => {
    const text = await sendRaw('hello\r\n\r\n');
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
    expect(JSON.parse(text.split('\r\n\r\n')[1] ?? '')).toMatchObject({ name: 'bad_request', status: 400 });
  });

  it('gives unreadable requests the usual headers, a line in the log, and a count', async () => {
    const count = async () =>
      Number(
        /^plumbline_http_requests_total\{route="none",method="",status="400"\} (\d+)$/m.exec(
          (await served.get('/metrics')).text,
        )?.[1] ?? 0,
      );
    const before = await count();
    const text = await sendRaw('hello\r\n\r\n');
    expect(text).toMatch(/^x-content-type-options: nosniff\r$/m);
    expect(text).toMatch(/^cache-control: no-store\r$/m);
    const [, id] = /^x-request-id: ([0-9a-f-]{36})\r$/m.exec(text) ?? [];
    await expect
      .poll(() => served.log())
      .toMatch(new RegExp(`"request":"${id}","method":"","path":"","route":"none","status":400`));
    expect(await count()).toBe(before + 1);
  });
});

function sendRaw(bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(served.url).port), '127.0.0.1');
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
    });
    socket.on('close', () => resolve(text)).on('error', reject);
    socket.write(bytes);
  });
}

it.each(['/v3/sql', '/v3/people'])('POST %s refuses a body above the limit', { tags: ['slow'] }, async (path) => {
  const writing = await serve({ data: { people: [{ people_id: 1, name: 'Ann' }] }, write: true, inMemory: true });
  const { status, headers, json } = await writing.post(path, { sql: 'SELECT 1', name: 'x'.repeat(1_100_000) });
  expect([status, headers.get('cache-control')]).toEqual([413, 'no-store']);
  expect(json()).toEqual({
    name: 'body_too_large',
    message: expect.stringMatching(/too large/),
    code: 'limit',
    status,
  });
  expect((await writing.post('/v3/people', { name: 'Bob' })).status).toBe(201);
  await writing.close();
});

it('too many requests get 429 with a time to retry', async () => {
  const limited = await serve({ data: 'nothing', rateLimit: 3 });
  const statuses: number[] = [];
  for (let request = 0; request < 4; request += 1) statuses.push((await limited.get('/v3/reports')).status);
  expect(statuses).toEqual([200, 200, 200, 429]);
  const reply = await limited.get('/nowhere');
  expect(reply.json()).toMatchObject({ name: 'too_many_requests', code: 'limit', status: 429 });
  expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
  // Health checks are not counted.
  expect((await limited.get('/healthz')).status).toBe(200);
  await limited.close();
});
