import { type IncomingMessage, ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packageDirectory } from '../../src/base/config/package.ts';
import { loadDataset } from '../../src/doors/command/load/load-dataset.ts';
import type { Auth, AuthenticatedReader } from '../../src/doors/http/protocol/auth.ts';
import { makeUnchanged } from '../../src/doors/http/reports/unchanged.ts';
import { revokeToken } from '../../src/doors/identity/tokens.ts';
import type { Generation } from '../../src/store/generation/generations.ts';
import { QUARTER, type Served, serve } from './served.ts';

const REPORT = `/v3/reports/projects?${QUARTER}`;

/** Returns the headers of a request that is answered 304. */
async function conditionalHeaders(
  served: Served,
  headers: Record<string, string> = {},
): Promise<Record<string, string>> {
  const etag = (await served.get(REPORT, headers)).headers.get('etag') ?? '';
  const conditional = { ...headers, 'if-none-match': etag };
  expect((await served.get(REPORT, conditional)).status).toBe(304);
  return conditional;
}

describe('a cached 304', () => {
  let now = new Date('2026-06-15T12:00:00Z');
  let served: Served;
  beforeAll(async () => {
    served = await serve({ now: () => now, scopes: ['reports', 'rates'] });
  });
  afterAll(() => served.close());

  const token = async (expires?: string) => {
    const { header, id } = await served.token(['reports'], expires);
    await expect.poll(async () => (await served.get(REPORT, { authorization: header })).status).toBe(200);
    return { headers: { authorization: header }, id };
  };

  it('repeats the headers, and is counted', async () => {
    const { headers } = await token();
    const conditional = await conditionalHeaders(served, headers);
    const counted = async () => {
      const { text } = await served.get('/metrics');
      return Number(
        /^plumbline_http_requests_total\{route="\/v3\/reports\/:name",method="GET",status="304"\} (\d+)$/m.exec(
          text,
        )?.[1],
      );
    };
    const before = await counted();
    const [first, second] = [
      await served.get(REPORT, conditional),
      await served.get(REPORT, { ...conditional, 'x-request-id': 'mine' }),
    ];
    expect([second.status, second.text, second.headers.get('x-request-id')]).toEqual([304, '', 'mine']);
    expect(first.headers.get('x-request-id')).toMatch(/^[\w-]{36}$/);
    const whole = await served.get(REPORT, headers);
    const own = [
      'x-request-id',
      'date',
      'content-type',
      'content-encoding',
      'content-length',
      'transfer-encoding',
      'x-data-version',
    ];
    for (const [name, value] of whole.headers)
      if (!own.includes(name)) expect([name, second.headers.get(name)]).toEqual([name, value]);
    expect(await counted()).toBe(before + 2);
  });

  it('is not sent for another version, another path or no reader', { tags: ['slow'] }, async () => {
    const conditional = await conditionalHeaders(served, (await token()).headers);
    const status = async (path: string, headers: Record<string, string>) => (await served.get(path, headers)).status;
    expect(await status(REPORT, { ...conditional, 'if-none-match': '"other"' })).toBe(200);
    expect(await status(REPORT, { ...conditional, accept: 'text/csv' })).toBe(200);
    expect(await status(`${REPORT}&status=confirmed`, conditional)).toBe(200);
    expect(await status(REPORT, { 'if-none-match': conditional['if-none-match'] ?? '' })).toBe(401);
  });

  it('is not sent for a revoked token', async () => {
    const { headers, id } = await token();
    const conditional = await conditionalHeaders(served, headers);
    await revokeToken(served.tokens, id);
    await expect.poll(async () => (await served.get(REPORT, conditional)).status).toBe(401);
  });

  it('is not sent on another day, nor for an expired token', { tags: ['slow'] }, async () => {
    const [conditional, last] = [
      await conditionalHeaders(served, (await token()).headers),
      await conditionalHeaders(served, (await token('2026-06-15')).headers),
    ];
    now = new Date('2026-06-16T12:00:00Z');
    expect((await served.get(REPORT, conditional)).status).toBe(200);
    expect((await served.get(REPORT, last)).status).toBe(401);
  });

  it('is not sent after other data was loaded', { tags: ['slow'] }, async () => {
    const conditional = await conditionalHeaders(served, (await token()).headers);
    await loadDataset(`${packageDirectory}/fixtures/company`, served.database);
    await expect.poll(async () => (await served.get(REPORT, conditional)).status).toBe(200);
  });
});

describe('the shortcut before the app', () => {
  const reader: AuthenticatedReader = { id: 'a', label: 'a', scopes: new Set(['reports']) };
  const generation = { today: () => '2026-06-15' } as unknown as Generation;
  const request = {
    method: 'GET',
    url: REPORT,
    headers: { 'if-none-match': '"v"', authorization: 'Bearer a' },
  } as IncomingMessage;
  const version = { etag: '"v"', route: '/v3/reports/:name', reader, generation, day: '2026-06-15', closings: '' };
  const make = (
    facts: { isOpen?: boolean; reader?: AuthenticatedReader; generation?: Generation; closings?: string } = {},
    kept = request,
  ) => {
    const auth = { isOpen: () => facts.isOpen ?? false, identify: () => facts.reader ?? reader } as unknown as Auth;
    const latest = () => facts.generation ?? generation;
    const unchanged = makeUnchanged({
      auth,
      latest,
      closings: () => facts.closings ?? '',
      now: () => new Date(),
      note: () => undefined,
      size: 1,
    });
    unchanged.remember(kept, version);
    return (sent: IncomingMessage = request) => unchanged.answer(sent, new ServerResponse(sent));
  };

  it('answers only when nothing has changed', () => {
    expect(make()()).toBe(true);
    expect(make()({ ...request, method: 'HEAD' } as IncomingMessage)).toBe(false);
    expect(make()({ ...request, headers: { ...request.headers, 'if-none-match': undefined } } as IncomingMessage)).toBe(
      false,
    );
    const accepting = (accept: string, coding: string) =>
      ({ ...request, headers: { ...request.headers, accept, 'accept-encoding': coding } }) as IncomingMessage;
    expect(make({}, accepting('a b', 'c'))(accepting('a b', 'c'))).toBe(true);
    expect(make({}, accepting('a b', 'c'))(accepting('a', 'b c'))).toBe(false);
    expect(make({ isOpen: true })()).toBe(false);
    expect(make({ reader: { ...reader } })()).toBe(false);
    expect(make({ closings: 'one more' })()).toBe(false);
    expect(make({ generation: { ...generation } })()).toBe(false);
    expect(make({ generation: { ...generation, today: () => '2026-06-16' } })()).toBe(false);
  });
});
