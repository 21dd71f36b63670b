import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chooseCoding } from '../../../src/doors/http/protocol/content-coding.ts';
import { eventually } from '../../eventually.ts';
import { QUARTER, type Served, serve } from '../../http/served.ts';

const LINES = `/v3/reports/lines.csv?${QUARTER}`;

interface RawReply {
  readonly status: number;
  readonly headers: Record<string, unknown>;
  readonly body: Buffer;
}

let served: Served;
beforeAll(async () => {
  served = await serve({ scopes: ['reports', 'sql'] });
});
afterAll(() => served.close());

let authorization: string;
beforeAll(async () => {
  authorization = (await served.token(['reports', 'sql'])).header;
  await eventually(async () => expect((await served.get('/v3/reports', { authorization })).status).toBe(200));
});

/** Requests without the decompression of fetch. */
function read(path: string, headers: Record<string, string>, method = 'GET'): Promise<RawReply> {
  return new Promise((resolve, reject) => {
    get(new URL(path, served.url), { headers: { authorization, ...headers }, method }, async (response) => {
      const pieces: Buffer[] = [];
      for await (const piece of response) pieces.push(piece);
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(pieces) });
    }).on('error', reject);
  });
}

describe('the coding', () => {
  it.each([
    [undefined, 'identity'],
    ['', 'identity'],
    ['gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['br;q=0.5, gzip', 'gzip'],
    ['br;q=0, gzip;q=0', 'identity'],
    ['identity, gzip;q=0.5', 'identity'],
    ['*', 'br'],
    ['zstd', 'identity'],
  ])('of Accept-Encoding %s is %s', (accepted, coding) => {
    expect(chooseCoding(accepted, 'text/csv; charset=utf-8')).toBe(coding);
  });

  it('of a workbook or Parquet, which are compressed already, is identity', () => {
    expect(chooseCoding('br', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet')).toBe('identity');
    expect(chooseCoding('br', 'application/vnd.apache.parquet')).toBe('identity');
  });
});

describe.each([
  ['gzip', gunzipSync],
  ['br', brotliDecompressSync],
] as const)('an answer in %s', (coding, decompress) => {
  it.each(['lines.csv', 'lines', 'lines.ndjson', 'lines.arrow'])('has the bytes of the plain one: %s', async (name) => {
    const path = `/v3/reports/${name}?${QUARTER}`;
    const [plain, compressed] = [await read(path, {}), await read(path, { 'accept-encoding': coding })];
    expect([plain.headers['content-encoding'], compressed.headers['content-encoding']]).toEqual([undefined, coding]);
    const without = (body: Buffer) => body.toString('latin1').replace(/"generated_at":"[^"]*"/, '');
    expect(without(decompress(compressed.body)) === without(plain.body)).toBe(true);
    if (!name.endsWith('arrow')) expect(compressed.body.length).toBeLessThan(plain.body.length / 4);
  });

  it('has an ETag of its own, with which it is unchanged', async () => {
    const plain = await read(LINES, {});
    const { headers } = await read(LINES, { 'accept-encoding': coding });
    expect(headers['etag']).not.toBe(plain.headers['etag']);
    expect(String(headers['vary'])).toContain('Accept-Encoding');
    const held = { 'accept-encoding': coding, 'if-none-match': String(headers['etag']) };
    for (const turn of ['first', 'from the cache']) {
      const { status, headers: same } = await read(LINES, held);
      expect([turn, status, same['etag']]).toEqual([turn, 304, headers['etag']]);
    }
    expect((await read(LINES, { 'if-none-match': String(headers['etag']) })).status).toBe(200);
  });

  it('of HEAD has the same headers and no body', async () => {
    const { headers, body } = await read(LINES, { 'accept-encoding': coding }, 'HEAD');
    expect([headers['content-encoding'], body.length]).toEqual([coding, 0]);
  });

  it('that its client breaks off leaves the server free for others', async () => {
    for (let turn = 0; turn < 30; turn += 1) {
      await new Promise<void>((resolve, reject) => {
        const headers = { authorization, 'accept-encoding': coding };
        get(new URL(LINES, served.url), { headers }, (response) => {
          response.destroy();
          resolve();
        }).on('error', reject);
      });
    }
    await sleep(50);
    expect((await read(LINES, { 'accept-encoding': coding })).status).toBe(200);
  });
});

it('an answer to SQL is compressed, too', async () => {
  const reply = await served.post(
    '/v3/sql',
    { sql: 'FROM marts.people' },
    { authorization, 'accept-encoding': 'gzip' },
  );
  expect(reply.headers.get('content-encoding')).toBe('gzip');
  expect(reply.json().rows.length).toBeGreaterThan(10);
});
