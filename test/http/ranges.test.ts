import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readParquet } from './files.ts';
import { QUARTER, type Served, serve } from './served.ts';

const LINES = `/v3/reports/lines.parquet?${QUARTER}`;

let served: Served;
let size: number;
let etag: string;
let whole: Buffer;
beforeAll(async () => {
  served = await serve();
  const { headers } = await served.get(LINES, {}, 'HEAD');
  [size, etag] = [Number(headers.get('content-length')), headers.get('etag') ?? ''];
  whole = await served.bytes(LINES);
});
afterAll(() => served.close());

async function ask(headers: Record<string, string>, path = LINES) {
  const response = await fetch(new URL(path, served.url), { headers });
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, place: response.headers.get('content-range'), bytes, headers: response.headers };
}

describe('a part of a Parquet answer', () => {
  it('has a known size, and its parts make the whole file', async () => {
    expect(size).toBe(whole.length);
    const middle = Math.floor(size / 2);
    const [start, end] = [await ask({ range: `bytes=0-${middle}` }), await ask({ range: `bytes=${middle + 1}-` })];
    expect([start.status, start.place]).toEqual([206, `bytes 0-${middle}/${size}`]);
    expect([end.status, end.place]).toEqual([206, `bytes ${middle + 1}-${size - 1}/${size}`]);
    expect(Object.fromEntries(end.headers)).toMatchObject({
      etag,
      'accept-ranges': 'bytes',
      'content-length': String(end.bytes.length),
      'content-type': 'application/vnd.apache.parquet',
    });
    const joined = Buffer.concat([start.bytes, end.bytes]);
    expect(joined.equals(whole)).toBe(true);
    expect((await readParquet(joined)).count).toBe(5_598);
  });

  it.each([
    ['bytes=0-0', (length: number) => [0, 0, length]],
    ['bytes=-8', (length: number) => [length - 8, length - 1, length]],
    ['bytes=-999999999', (length: number) => [0, length - 1, length]],
    ['bytes=4-999999999', (length: number) => [4, length - 1, length]],
    ['Bytes=4-7', (length: number) => [4, 7, length]],
  ])('%s', async (range, placeOf) => {
    const [first = 0, last = 0, length] = placeOf(size);
    const { status, place, bytes } = await ask({ range });
    expect([status, place]).toEqual([206, `bytes ${first}-${last}/${length}`]);
    expect(bytes.equals(whole.subarray(first, last + 1))).toBe(true);
  });

  it.each(['bytes=0-1,4-5', 'bytes=7-4', 'bytes=-', 'bytes=a-b', 'lines=0-3', 'bytes=1', '0-3', ''])(
    'is not asked for by %j, which gets the whole',
    async (range) => {
      const { status, bytes } = await ask({ range });
      expect([status, bytes.length]).toEqual([200, size]);
    },
  );

  it.each([
    ['behind the end', () => `bytes=${size}-`],
    ['empty', () => 'bytes=-0'],
  ])('%s is refused', async (_, of) => {
    const { status, place, bytes } = await ask({ range: of() });
    expect([status, place]).toEqual([416, `bytes */${size}`]);
    expect(JSON.parse(String(bytes))).toMatchObject({ name: 'range_not_satisfiable', code: 'usage' });
  });

  it('is sent if If-Range names its version, and else the whole', async () => {
    const statusOf = async (held: string) => (await ask({ range: 'bytes=0-3', 'if-range': held })).status;
    expect(await statusOf(etag)).toBe(206);
    for (const held of ['"other"', `W/${etag}`, new Date().toUTCString()]) expect(await statusOf(held)).toBe(200);
    expect((await ask({ range: 'bytes=0-3', 'if-none-match': etag })).status).toBe(304);
  });

  it('is computed from the same bytes, whoever held them', async () => {
    const other = await serve({ limits: { heldAnswersBytes: 1, heldAnswerBytes: size } });
    try {
      const headers = { range: 'bytes=0-' };
      for (const _ of [1, 2]) expect((await other.bytes(LINES, headers)).equals(whole)).toBe(true);
    } finally {
      await other.close();
    }
  });

  it('other formats have none', { tags: ['slow'] }, async () => {
    for (const format of ['json', 'csv', 'xlsx']) {
      const { status, headers } = await ask({ range: 'bytes=0-3' }, `/v3/reports/projects.${format}?${QUARTER}`);
      expect([status, headers.get('accept-ranges')]).toEqual([200, null]);
    }
  });
});

it('an answer that is too large is sent whole, whatever part is asked for', async () => {
  const small = await serve({ limits: { heldAnswerBytes: size - 1 } });
  try {
    const head = await small.get(LINES, {}, 'HEAD');
    expect([head.status, head.headers.get('content-length')]).toEqual([200, null]);
    const bytes = await small.bytes(LINES, { range: 'bytes=0-3' });
    expect((await readParquet(bytes)).count).toBe(5_598);
  } finally {
    await small.close();
  }
});

it('a part without rates is one of another answer', { tags: ['slow'] }, async () => {
  const guarded = await serve({ scopes: ['reports', 'rates'] });
  try {
    const sizes = new Set<string | null>();
    for (const scopes of [['reports', 'rates'], ['reports']] as const) {
      const { header } = await guarded.token([...scopes]);
      const headers = { authorization: header };
      await expect.poll(async () => (await guarded.get('/v3/reports', headers)).status).toBe(200);
      sizes.add((await guarded.get(LINES, { ...headers, range: 'bytes=0-0' })).headers.get('content-range'));
    }
    expect(sizes.size).toBe(2);
  } finally {
    await guarded.close();
  }
});
