import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readServerConfig } from '../../src/base/config/config.ts';
import { eventually } from '../eventually.ts';
import { QUARTER, type Served, serve } from './served.ts';

const ORIGIN = 'https://dashboards.example.com';
const REPORT = `/v3/reports/projects?${QUARTER}`;

const PREFLIGHT = {
  origin: ORIGIN,
  'access-control-request-method': 'GET',
  'access-control-request-headers': 'authorization',
};

describe('a server that names an origin', () => {
  let served: Served;
  let authorization: string;
  beforeAll(async () => {
    served = await serve({ corsOrigins: [ORIGIN], scopes: ['reports'] });
    authorization = (await served.token(['reports'])).header;
    await eventually(async () => expect((await served.get('/v3/reports', { authorization })).status).toBe(200));
  });
  afterAll(() => served.close());

  it('answers the preflight of a page from there without a token', async () => {
    const { status, headers } = await served.get(REPORT, PREFLIGHT, 'OPTIONS');
    expect(status).toBe(204);
    expect(headers.get('access-control-allow-origin')).toBe(ORIGIN);
    expect(headers.get('access-control-allow-headers')).toContain('Authorization');
    expect(headers.get('access-control-allow-credentials')).toBeNull();
  });

  it('lets the page read answers, unchanged ones and errors, and the headers that it needs', async () => {
    const { headers } = await served.get(REPORT, { authorization, origin: ORIGIN });
    const unchanged = { authorization, origin: ORIGIN, 'if-none-match': headers.get('etag') ?? '' };
    const replies = [
      [200, await served.get(REPORT, { authorization, origin: ORIGIN })],
      [304, await served.get(REPORT, unchanged)],
      [304, await served.get(REPORT, unchanged)],
      [400, await served.get('/v3/reports/projects?status=bogus', { authorization, origin: ORIGIN })],
      [401, await served.get(REPORT, { origin: ORIGIN })],
    ] as const;
    for (const [status, reply] of replies) {
      expect([reply.status, reply.headers.get('access-control-allow-origin')]).toEqual([status, ORIGIN]);
      expect(reply.headers.get('access-control-expose-headers')).toContain('X-Pagination-Total-Count');
      expect(reply.headers.get('vary')).toContain('Origin');
    }
  });

  it('gives no other page leave', async () => {
    for (const origin of ['https://evil.example.com', 'https://dashboards.example.com.evil.example', 'null']) {
      const { headers } = await served.get(REPORT, { authorization, origin });
      expect(headers.get('access-control-allow-origin')).not.toBe(origin);
      const preflight = await served.get(REPORT, { ...PREFLIGHT, origin }, 'OPTIONS');
      expect(preflight.headers.get('access-control-allow-origin')).not.toBe(origin);
    }
  });
});

it('a server that names none gives no page leave', async () => {
  const served = await serve({ scopes: ['reports'] });
  const replies = [await served.get(REPORT, PREFLIGHT, 'OPTIONS'), await served.get(REPORT, { origin: ORIGIN })];
  expect(replies.map(({ status }) => status)).toEqual([405, 401]);
  expect(replies.map(({ headers }) => headers.get('access-control-allow-origin'))).toEqual([null, null]);
  await served.close();
});

describe('--cors-origin', () => {
  it.each([
    ['', []],
    ['http://localhost:3000', ['http://localhost:3000']],
    ['https://a.example, https://b.example:8443', ['https://a.example', 'https://b.example:8443']],
  ])('%j names %j', (text, origins) => {
    expect(readServerConfig({ 'cors-origin': text }, {}).corsOrigins).toEqual(origins);
  });

  it.each([
    '*',
    'dashboards.example.com',
    'https://a.example/',
    'https://a.example/path',
    'ftp://a.example',
    'null',
    'https://a.example,',
  ])('%j is refused', (text) => {
    expect(() => readServerConfig({ 'cors-origin': text }, {})).toThrow(/--cors-origin: ".*" is not an origin/);
  });
});
