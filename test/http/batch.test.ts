import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LIMITS } from '../../src/http/protocol/limits.ts';
import type { Scope } from '../../src/identity/tokens.ts';
import { MAX_BATCH_REQUESTS } from '../../src/odata/batch-request.ts';
import { eventually } from '../eventually.ts';
import { COSTS, priced } from '../published/dataset.ts';
import { fetchReply, type Reply, type Served, serve } from './served.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const PARTS_TYPE = { 'content-type': 'multipart/mixed; boundary=b' };
const WINDOW = 'start_date=2026-01-01,end_date=2026-03-31';

let served: Served;
/** The headers of tokens by their scopes. */
const tokens = new Map<string, { authorization: string }>();
beforeAll(async () => {
  served = await serve({ data: priced, scopes: ['reports', 'rates', 'sql'] });
  const scopes: Scope[][] = [['reports', 'rates', 'sql'], ['sql'], ['reports'], ['write']];
  for (const each of scopes) tokens.set(String(each), { authorization: (await served.token(each)).header });
  const isKnown = async (headers: Record<string, string>) => (await served.get('/v3/reports', headers)).status !== 401;
  await eventually(async () =>
    expect(await Promise.all([...tokens.values()].map(isKnown))).toEqual([true, true, true, true]),
  );
});
afterAll(() => served.close());

interface Sent {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly url?: unknown;
  readonly [member: string]: unknown;
}

/** An answer in either form of a batch. */
interface Answered {
  readonly id?: string;
  readonly status: number;
  readonly headers: Record<string, string>;
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever they requested.
  readonly body?: any;
}

const tokenOf = (scopes = 'reports,rates,sql') => tokens.get(scopes) ?? { authorization: '' };

function post(body: string, headers: Record<string, string>, path = '/odata/v4/$batch'): Promise<Reply> {
  return fetchReply(new URL(path, served.url), { ...tokenOf(), ...headers }, 'POST', body);
}

/** Sends requests, each a GET with its number as id unless it says otherwise, as JSON. */
function sendJson(requests: readonly Sent[], headers: Record<string, string> = {}): Promise<Reply> {
  const numbered = requests.map((request, index) => ({ id: String(index + 1), method: 'GET', ...request }));
  return post(JSON.stringify({ requests: numbered }), { ...JSON_TYPE, ...headers });
}

async function askJson(requests: readonly Sent[], headers?: Record<string, string>): Promise<Answered[]> {
  const { status, json } = await sendJson(requests, headers);
  expect(status).toBe(200);
  return json().responses;
}

/** Writes parts of application/http. @param heads Lines before the request, such as Content-ID. */
function writeParts(requests: readonly string[], heads: readonly string[] = []): string {
  const parts = requests.map((request, index) =>
    ['--b', 'Content-Type: application/http', ...(heads[index] ? [heads[index]] : []), '', request, '', ''].join(
      '\r\n',
    ),
  );
  return `${parts.join('')}--b--\r\n`;
}

/** Reads an answer of multipart/mixed. */
function readParts({ headers, text }: Reply): Answered[] {
  const [, boundary = ''] = /^multipart\/mixed; boundary=(.+)$/.exec(headers.get('content-type') ?? '') ?? [];
  const [preamble, ...parts] = `\r\n${text}`.split(`\r\n--${boundary}`);
  expect([preamble, parts.pop()]).toEqual(['', '--\r\n']);
  return parts.map((part) => {
    const [head = '', answer = '', ...rest] = part.split('\r\n\r\n');
    expect(head).toContain('\r\nContent-Type: application/http\r\n');
    const [statusLine = '', ...lines] = answer.split('\r\n');
    const fields = Object.fromEntries(lines.map((line) => line.split(': ') as [string, string]));
    const body = rest.join('\r\n\r\n');
    expect(fields['content-length']).toBe(String(Buffer.byteLength(body)));
    const [, id] = /\r\nContent-ID: (.+)/.exec(head) ?? [];
    const isJson = fields['content-type']?.startsWith('application/json');
    return {
      ...(id === undefined ? {} : { id }),
      status: Number(/^HTTP\/1\.1 (\d{3}) [A-Z]/.exec(statusLine)?.[1]),
      headers: fields,
      body: isJson ? JSON.parse(body) : body,
    };
  });
}

async function askParts(requests: readonly string[], headers: Record<string, string> = {}): Promise<Answered[]> {
  const reply = await post(writeParts(requests), { ...PARTS_TYPE, ...headers });
  expect(reply.status).toBe(200);
  return readParts(reply);
}

const statusesOf = (answers: readonly Answered[]) => answers.map(({ status }) => status);

/** Requests of every kind of answer: rows, a count, the model, a report, the service, an error. */
const KINDS = [
  'lines?$top=2&$select=line_id,hours',
  'lines/$count',
  '$metadata',
  `report_projects(${WINDOW})?$select=project_id,actual_cost`,
  '',
  'nothing',
];

describe('a batch', () => {
  it('has the answers that its requests have alone, in both forms', { tags: ['slow'] }, async () => {
    const alone = await Promise.all(KINDS.map((url) => served.get(`/odata/v4/${url}`, tokenOf())));
    const json = await askJson(KINDS.map((url) => ({ url })));
    const parts = await askParts(KINDS.map((url) => `GET ${url || '/odata/v4/'} HTTP/1.1`));
    expect(json.map(({ id }) => id)).toEqual(['1', '2', '3', '4', '5', '6']);
    for (const [index, { status, text, headers }] of alone.entries()) {
      const names = ['content-type', 'odata-version', 'x-data-version', 'preference-applied', 'allow'];
      const kept = Object.fromEntries(names.map((name) => [name, headers.get(name)]).filter(([, value]) => value));
      const isJson = headers.get('content-type')?.startsWith('application/json');
      expect(json[index]).toMatchObject({ status, headers: kept });
      expect(parts[index]).toMatchObject({ status, headers: kept, body: isJson ? JSON.parse(text) : text });
      const [, , xml] = json;
      if (isJson) expect(json[index]?.body).toEqual(JSON.parse(text));
      else if (index === 1) expect(json[index]?.body).toBe(text);
      else expect(Buffer.from(xml?.body, 'base64url').toString()).toBe(text);
    }
  });

  it('keeps the digits of decimals', async () => {
    const { text } = await sendJson([{ url: 'lines?$top=1&$select=hours' }]);
    expect(text).toMatch(/"hours":\d+\.\d{4}\}/);
  });

  it.each([
    [JSON_TYPE, {}, 'application/json'],
    [JSON_TYPE, { accept: 'multipart/mixed' }, 'multipart/mixed; boundary='],
    [JSON_TYPE, { accept: '*/*' }, 'application/json'],
    [PARTS_TYPE, {}, 'multipart/mixed; boundary='],
    [PARTS_TYPE, { accept: 'application/json' }, 'multipart/mixed; boundary='],
    [PARTS_TYPE, { accept: 'application/json', 'odata-maxversion': '4.01' }, 'application/json'],
    [PARTS_TYPE, { accept: 'application/json,multipart/mixed', 'odata-version': '4.01' }, 'multipart/mixed; boundary='],
  ])('of %j with %j is answered as %s', async (type, accept, expected) => {
    const body =
      type === JSON_TYPE ? '{"requests":[{"id":"a","method":"get","url":"clients?$filter=is_known"}]}' : undefined;
    const reply = await post(body ?? writeParts(['GET clients?$filter=is_known HTTP/1.1'], ['Content-ID: a']), {
      ...type,
      ...accept,
    });
    expect([reply.status, reply.headers.get('content-type')?.startsWith(expected)]).toEqual([200, true]);
    const answers = expected === 'application/json' ? reply.json().responses : readParts(reply);
    expect(answers).toMatchObject([{ id: 'a', status: 200, body: { value: [{ client: 'Client' }] } }]);
  });

  it('takes relative URLs, absolute paths, and URLs of this host', async () => {
    const { host } = new URL(served.url);
    const urls = [
      'clients',
      '/odata/v4/clients',
      `http://${host}/odata/v4/clients`,
      './lines/../clients',
      "lines?$filter=client eq 'none'",
    ];
    expect(statusesOf(await askJson(urls.map((url) => ({ url }))))).toEqual(urls.map(() => 200));
    expect(statusesOf(await askParts([...urls.map((url) => `GET ${url} HTTP/1.1`), 'GET /odata/v4/clients']))).toEqual([
      ...urls.map(() => 200),
      200,
    ]);
    expect(statusesOf(await askParts([`GET /odata/v4/clients HTTP/1.1\r\nHost: ${host}`]))).toEqual([200]);
    const links = await askJson([{ url: 'https://plumbline.example.com/odata/v4/clients' }], {
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'plumbline.example.com',
    });
    expect(links[0]?.body['@odata.context']).toBe('https://plumbline.example.com/odata/v4/$metadata#clients');
  });

  it('of parts may have line feeds alone, a preamble and an epilogue', async () => {
    const body = `Preamble\r\n${writeParts(['GET clients HTTP/1.1'])}Epilogue --b`;
    for (const each of [body, body.replaceAll('\r\n', '\n')]) {
      expect(statusesOf(readParts(await post(each, PARTS_TYPE)))).toEqual([200]);
      expect(statusesOf(readParts(await post(each, { 'content-type': 'Multipart/Mixed;Boundary="b"' })))).toEqual([
        200,
      ]);
    }
  });

  it('stops at an error in parts, and goes on in JSON, unless Prefer says otherwise', async () => {
    const urls = ['clients', 'nothing', 'people'];
    for (const [prefer, json, parts, applied] of [
      [undefined, 3, 2, null],
      ['odata.continue-on-error', 3, 3, 'odata.continue-on-error=true'],
      ['respond-async, Continue-On-Error=true; a=b', 3, 3, 'odata.continue-on-error=true'],
      ['continue-on-error=false', 2, 2, 'odata.continue-on-error=false'],
      ['continue-on-error=constructor', 3, 2, null],
    ] as const) {
      const headers = prefer === undefined ? {} : { prefer };
      const reply = await sendJson(
        urls.map((url) => ({ url })),
        headers,
      );
      expect([prefer, reply.json().responses.length, reply.headers.get('preference-applied')]).toEqual([
        prefer,
        json,
        applied,
      ]);
      expect([
        prefer,
        (
          await askParts(
            urls.map((url) => `GET ${url} HTTP/1.1`),
            headers,
          )
        ).length,
      ]).toEqual([prefer, parts]);
    }
  });

  it('answers 424 to a request whose dependency failed, or that has a condition', async () => {
    const answers = await askJson([
      { url: 'nothing' },
      { url: 'clients', dependsOn: ['1'] },
      { url: 'clients', dependsOn: ['2'] },
      { url: 'clients' },
      { url: 'people', dependsOn: ['4'] },
      { url: 'people', dependsOn: ['4'], if: '$4/$succeeded' },
      { url: 'people', atomicityGroup: 'g' },
      { url: 'people', dependsOn: ['g'] },
    ]);
    expect(statusesOf(answers)).toEqual([404, 424, 424, 200, 200, 424, 501, 424]);
    expect(answers[2]?.body.error).toEqual({
      code: 'failed_dependency',
      message: 'The request or group 2 failed, on which this one depends',
    });
    expect(answers[6]).toMatchObject({ atomicityGroup: 'g' });
  });
});

describe('a request of a batch', () => {
  it('has the rights of the token, and no other', { tags: ['slow'] }, async () => {
    const urls = [
      'lines?$top=1',
      `report_people(${WINDOW})`,
      'lines?$select=cost',
      `report_projects(${WINDOW})?$select=actual_cost`,
    ];
    for (const [scopes, expected] of [
      ['reports,rates,sql', [200, 200, 200, 200]],
      ['sql', [200, 403, 400, 403]],
      ['reports', [403, 200, 403, 400]],
    ] as const) {
      const alone = await Promise.all(urls.map((url) => served.get(`/odata/v4/${url}`, tokenOf(scopes))));
      const reply = await sendJson(
        urls.map((url) => ({ url })),
        tokenOf(scopes),
      );
      expect(statusesOf(reply.json().responses)).toEqual(expected);
      expect(alone.map(({ status }) => status)).toEqual(expected);
      if (scopes !== 'reports,rates,sql')
        for (const cost of Object.values(COSTS)) expect(reply.text).not.toContain(cost);
    }
    expect((await sendJson([], tokenOf('write'))).status).toBe(403);
    expect((await post('{"requests":[]}', { ...JSON_TYPE, authorization: 'Bearer nobody' })).status).toBe(401);
  });

  it('brings no headers of its own about who asks and where', async () => {
    const foreign = {
      authorization: tokenOf().authorization,
      Authorization: 'Bearer nobody',
      cookie: 'a=b',
      origin: 'https://evil.example',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
      'accept-encoding': 'gzip',
      'x-request-id': 'mine',
    };
    const [rows, costs] = await askJson(
      ['clients', 'lines?$select=cost'].map((url) => ({ url, headers: foreign })),
      tokenOf('sql'),
    );
    expect([rows?.status, costs?.status]).toEqual([200, 400]);
    expect(rows?.body['@odata.context']).toBe(`${served.url}/odata/v4/$metadata#clients`);
    const lines = Object.entries(foreign).map(([name, value]) => `${name}: ${value}`);
    const [part] = await askParts([['GET lines?$select=cost HTTP/1.1', ...lines].join('\r\n')], tokenOf('sql'));
    expect(part?.status).toBe(400);
    expect(served.log()).not.toContain('mine');
  });

  it('brings those that it reads', async () => {
    const [small, text, old] = await askJson([
      { url: 'people', headers: { Prefer: 'odata.maxpagesize=1' } },
      { url: 'people?$top=1', headers: { accept: 'application/json;odata.metadata=none' } },
      { url: 'people', headers: { 'odata-maxversion': '3.0' } },
    ]);
    expect(small?.body.value).toHaveLength(1);
    expect(small?.headers['preference-applied']).toBe('odata.maxpagesize=1');
    expect(text?.body).not.toHaveProperty(['@odata.context']);
    expect(old?.status).toBe(400);
  });

  it.each([
    ['of another host', { url: 'https://evil.example/odata/v4/clients' }, 400, 'is not of this server'],
    ['of another port', { url: 'http://127.0.0.1:1/odata/v4/clients' }, 400, 'is not of this server'],
    ['of another host without a scheme', { url: '//evil.example/odata/v4/clients' }, 400, 'is not of this server'],
    ['of another host with backslashes', { url: '\\\\evil.example\\odata\\v4\\clients' }, 400, 'is not of this server'],
    ['of another scheme', { url: 'file:///odata/v4/clients' }, 400, 'is not of this server'],
    ['of another Host', { url: '/odata/v4/clients', headers: { host: 'evil.example' } }, 400, 'is not of this server'],
    ['outside OData', { url: '/v3/reports' }, 400, 'is not below /odata/v4/'],
    ['outside OData by dots', { url: '../../v3/reports' }, 400, 'is not below /odata/v4/'],
    ['outside OData by encoded dots', { url: '%2e%2e/%2E%2E/metrics' }, 400, 'is not below /odata/v4/'],
    ['beside OData', { url: '/odata/v4x/clients' }, 400, 'is not below /odata/v4/'],
    ['with a line break', { url: 'clients\r\nX: y' }, 400, 'is not a URL'],
    ['that is none', { url: 'http://[' }, 400, 'is not a URL'],
    ['with half a character code', { url: 'clients/%' }, 400, 'is not a URL'],
    ['too long', { url: `clients?${'a'.repeat(LIMITS.maxUrlCharacters)}` }, 414, 'characters'],
    ['of the batch itself', { url: '$batch' }, 405, 'GET is not allowed here, but POST'],
    ['of a batch in it', { method: 'POST', url: '$batch', body: { requests: [] } }, 501, 'POST is not implemented'],
    ['of an earlier request', { url: '$1/name' }, 501, 'not implemented'],
    ['to write', { method: 'patch', url: 'clients(1)', body: { client: 'x' } }, 501, 'patch is not implemented'],
    ['by HEAD', { method: 'HEAD', url: 'clients' }, 501, 'HEAD is not implemented'],
    ['with a body', { url: 'clients', body: {} }, 400, 'A GET has no body'],
  ])('%s is refused alone', async (_what, request, status, message) => {
    const answers = await askJson([{ url: 'clients?$top=1' }, request, { url: 'clients?$top=1' }]);
    expect(statusesOf(answers)).toEqual([200, status, 200]);
    expect(answers[1]?.body.error.message).toContain(message);
  });

  it('is refused alone as a change set', async () => {
    const changes = [
      '--c',
      'Content-Type: application/http',
      'Content-ID: 1',
      '',
      'DELETE clients(1) HTTP/1.1',
      '',
      '--c--',
    ];
    const set = ['--b', 'Content-Type: multipart/mixed; boundary=c', '', ...changes, ''].join('\r\n');
    const body = `${set}${writeParts(['GET clients HTTP/1.1'])}`;
    const reply = await post(body, { ...PARTS_TYPE, prefer: 'odata.continue-on-error' });
    const answers = readParts(reply);
    expect(statusesOf(answers)).toEqual([501, 200]);
    expect(answers[0]?.body.error.message).toBe('Change sets are not implemented: nothing can be changed here');
  });
});

describe('a batch is refused', () => {
  const get = { id: '1', method: 'GET', url: 'clients' };

  it.each([
    ['that is a list', [], 'body'],
    ['without requests', {}, 'requests'],
    ['of something else', { requests: [1] }, 'requests[1]'],
    ['with a number as id', { requests: [{ ...get, id: 1 }] }, 'requests[1].id'],
    ['without a method', { requests: [{ id: '1', url: 'clients' }] }, 'requests[1].method'],
    ['without a url', { requests: [{ id: '1', method: 'GET' }] }, 'requests[1].url'],
    ['with one id twice', { requests: [get, get] }, 'requests[2].id'],
    ['with the id of a group', { requests: [get, { ...get, id: '2', atomicityGroup: '1' }] }, 'requests[1].id'],
    ['with a line break in an id', { requests: [{ ...get, id: '1\r\nX: y' }] }, 'requests[1].id'],
    ['with a long id', { requests: [{ ...get, id: 'x'.repeat(129) }] }, 'requests[1].id'],
    [
      'that depends on a later one',
      {
        requests: [
          { ...get, dependsOn: ['2'] },
          { ...get, id: '2' },
        ],
      },
      'requests[1].dependsOn',
    ],
    ['that depends on a text', { requests: [{ ...get, dependsOn: '1' }] }, 'requests[1].dependsOn'],
    ['that depends on numbers', { requests: [{ ...get, dependsOn: [1] }] }, 'requests[1].dependsOn[1]'],
    ['with a header of a list', { requests: [{ ...get, headers: { accept: ['a'] } }] }, 'requests[1].headers.accept'],
    [
      'with a line break in a header',
      { requests: [{ ...get, headers: { accept: '*/*\r\nX: y' } }] },
      'requests[1].headers',
    ],
    ['with a line break in a name', { requests: [{ ...get, headers: { 'a\nb': 'c' } }] }, 'requests[1].headers'],
  ])('as JSON %s', async (_what, body, target) => {
    const { status, json } = await post(JSON.stringify(body), JSON_TYPE);
    expect([status, json().error.target]).toEqual([400, target]);
  });

  const part = 'Content-Type: application/http\r\n\r\nGET clients HTTP/1.1\r\n';
  const http = (...lines: string[]) => `--b\r\nContent-Type: application/http\r\n${lines.join('\r\n')}\r\n--b--`;

  it.each([
    ['without a boundary', 'multipart/mixed', writeParts([]), 'Content-Type'],
    ['with an empty boundary', 'multipart/mixed; boundary=""', writeParts([]), 'Content-Type'],
    ['with a long boundary', `multipart/mixed; boundary=${'b'.repeat(71)}`, writeParts([]), 'Content-Type'],
    ['with another boundary', 'multipart/mixed; boundary=c', writeParts(['GET clients HTTP/1.1']), 'body'],
    ['without an end', PARTS_TYPE['content-type'], `--b\r\n${part}`, 'body'],
    ['that is empty', PARTS_TYPE['content-type'], '', 'body'],
    [
      'with a part of another type',
      PARTS_TYPE['content-type'],
      '--b\r\nContent-Type: text/plain\r\n\r\nx\r\n--b--',
      'parts[1]',
    ],
    ['with an empty part', PARTS_TYPE['content-type'], '--b\r\n--b--', 'parts[1]'],
    ['without a request line', PARTS_TYPE['content-type'], http('', 'clients'), 'parts[1]'],
    ['with a folded header', PARTS_TYPE['content-type'], http('', 'GET clients', 'Accept: a', ' b'), 'parts[1]'],
    ['with a lone CR in a header', PARTS_TYPE['content-type'], http('', 'GET clients', 'Accept: a\rX: y'), 'parts[1]'],
    [
      'with an odd Content-ID',
      PARTS_TYPE['content-type'],
      http('Content-ID: a b', '', 'GET clients'),
      'parts[1].Content-ID',
    ],
  ])('as parts %s', async (_what, type, body, target) => {
    const { status, json } = await post(body, { 'content-type': type });
    expect([status, json().error.target]).toEqual([400, target]);
  });

  it('with too many requests, too many bytes, an option, another type, or an Accept without its forms', async () => {
    const full = Array.from({ length: MAX_BATCH_REQUESTS + 1 }, () => 'POST x HTTP/1.1');
    const refusals = await Promise.all([
      sendJson(full.map(() => ({ method: 'POST', url: 'x' }))),
      post(writeParts(full), PARTS_TYPE),
      post(' '.repeat(LIMITS.maxBodyBytes + 1), JSON_TYPE),
      post('{"requests":[]}', JSON_TYPE, '/odata/v4/$batch?$format=json'),
      post('x', { 'content-type': 'text/plain' }),
      sendJson([], { accept: 'text/html' }),
      sendJson([], { 'odata-maxversion': '3.0' }),
      sendJson([], { origin: 'https://evil.example' }),
    ]);
    expect(refusals.map(({ status }) => status)).toEqual([422, 422, 413, 400, 415, 406, 400, 403]);
    for (const { text, headers } of refusals.slice(0, -1)) {
      expect(JSON.parse(text).error.message).toMatch(/^.{10,}/);
      expect(headers.get('odata-version')).toBe('4.0');
    }
    const most = full.slice(1).map((_, index) => ({ id: String(index), method: 'POST', url: 'x' }));
    expect(statusesOf(await askJson(most))).toEqual(most.map(() => 501));
  });
});

it('the log has a line for each request of a batch, with its status and the id of the batch', async () => {
  await askJson([{ url: 'clients(1)' }, { url: 'report_missing' }], { 'x-request-id': 'batch-1' });
  const lines = () =>
    served
      .log()
      .split('\n')
      .filter((line) => line.includes('"batch-1"'))
      .map((line) => JSON.parse(line))
      .map(({ method, path, status }) => [method, path, status]);
  await expect.poll(lines).toEqual([
    ['GET', '/odata/v4/clients(...)', 200],
    ['GET', '/odata/v4/report_missing', 404],
    ['POST', '/odata/v4/$batch', 200],
  ]);
});

it('requests of a batch count against the rate limit', async () => {
  const limited = await serve({ data: 'nothing', rateLimit: 4 });
  const requests = Array.from({ length: 5 }, (_, index) => ({
    id: String(index),
    method: 'GET',
    url: 'vocabularies/Org.OData.Core.V1.xml',
  }));
  const { json } = await limited.post('/odata/v4/$batch', { requests });
  expect(statusesOf(json().responses)).toEqual([200, 200, 200, 429, 429]);
  expect(json().responses[4].headers['retry-after']).toMatch(/^\d+$/);
  await limited.close();
});
