import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { LakeLock, LakeStore } from '../../src/cluster/lake/lake-store.ts';
import { limitBytes, MAX_ANSWER_BYTES, MAX_ERROR_BYTES } from '../../src/cluster/lake/s3-answers.ts';
import { openBucket } from '../../src/cluster/lake/s3-bucket.ts';
import { LEASE_MS, takeLease } from '../../src/cluster/lake/s3-lease.ts';
import { openS3Store } from '../../src/cluster/lake/s3-store.ts';
import { type FakeBucket, type Fault, fail, putObject, startFakeBucket } from './fake-bucket.ts';

let folder: string;
let bucket: FakeBucket;
let store: LakeStore;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'plumbline-lake-'));
  bucket = await startFakeBucket();
  for (const [name, value] of Object.entries(bucket.environment)) vi.stubEnv(name, value);
  store = openS3Store('s3://lake/acme', join(folder, 'scratch-'));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  expect(readdirSync(folder)).toEqual([]);
  await bucket.close();
  rmSync(folder, { recursive: true });
});

const CONFLICT = { message: 'Another load is under way', hint: 'Wait.' };

const write = (place: string) => store.write(place, async (path) => writeFileSync(path, 'Parquet'));

const read = (place = 'v1/a', bytes = 7) =>
  store.read([{ place, bytes, relation: 'core.people' }], async ([path = '']) => readFileSync(path, 'utf8'));

/** Answers requests of a method by a fault. */
const on =
  (method: string, fault: Fault): Fault =>
  (request, response) =>
    request.method === method && fault(request, response);

describe('the files of a lake in a bucket', () => {
  it('are written, read, listed and removed, by pages', async () => {
    const places = ['v1/a', 'v1/b', 'v1/c', 'v1/d', 'v10/a'];
    for (const place of places) await write(place);
    putObject(bucket, 'acmes/other', '');
    bucket.uploads.set('1', 'acme/v1/x').set('2', 'acme/v1/y').set('3', 'acme/v2/x').set('4', 'acmes/v1/x');
    expect([...bucket.objects.keys()]).toEqual([...places.map((place) => `acme/${place}`), 'acmes/other']);
    expect(await read()).toBe('Parquet');
    expect(await store.list()).toEqual(['v1', 'v10', 'v2']);
    await store.remove('v1');
    expect([...bucket.objects.keys()]).toEqual(['acme/v10/a', 'acmes/other']);
    expect([...bucket.uploads.keys()]).toEqual(['3', '4']);
  });

  it('are fetched again if an answer breaks off', async () => {
    await write('v1/a');
    let cut = 0;
    bucket.fault = on('GET', (_, response) => {
      cut += 1;
      if (cut > 1) return false;
      response.writeHead(200, { 'content-length': 7 }).write('Par', () => response.destroy());
      return true;
    });
    expect(await read()).toBe('Parquet');
    expect(cut).toBe(2);
  });

  it('are asked for again if the server fails', async () => {
    vi.stubEnv('AWS_MAX_ATTEMPTS', '2');
    let failures = 0;
    bucket.fault = (_, response) => {
      failures += 1;
      return failures === 1 && fail(response, 500, 'InternalError');
    };
    await openS3Store('s3://lake', join(folder, 'scratch-')).write('v1/a', async (path) => writeFileSync(path, 'x'));
    expect([...bucket.objects.keys()]).toEqual(['v1/a']);
  });
});

describe('a fault of the store is a sentence:', () => {
  it.each<[string, Fault, string, string]>([
    [
      'a server that is busy',
      (_, response) => fail(response, 503, 'SlowDown'),
      'the server asked to slow down, once',
      'AWS_MAX_ATTEMPTS',
    ],
    ['a server that fails', (_, response) => fail(response, 500, 'InternalError'), 'the server failed', 'Its log'],
    [
      'a right that is missing',
      (_, response) => fail(response, 403, 'AccessDenied'),
      'access is denied (AccessDenied: Told by the server)',
      'the right s3:GetObject',
    ],
    ['a bucket that is missing', (_, response) => fail(response, 404, 'NoSuchBucket'), 'no such bucket', '--lake'],
    [
      'a wrong key',
      (_, response) => fail(response, 403, 'SignatureDoesNotMatch'),
      'the secret access key is wrong',
      'AWS_PROFILE',
    ],
    [
      'expired credentials',
      (_, response) => fail(response, 400, 'ExpiredToken'),
      'the credentials have expired',
      'Sign in again',
    ],
    [
      'another region',
      (_, response) => fail(response, 400, 'AuthorizationHeaderMalformed', '<Region>eu-central-1</Region>'),
      'the bucket is in another region, eu-central-1',
      'Set AWS_REGION to eu-central-1.',
    ],
    [
      'a redirect',
      (_, response) => fail(response, 301, 'PermanentRedirect'),
      'the bucket is in another region',
      'Set AWS_REGION to the region of the bucket.',
    ],
    [
      'a checksum that differs',
      (_, response) => {
        response.writeHead(200, { 'x-amz-checksum-crc32': 'AAAAAA==' }).end('Parquet');
        return true;
      },
      'its checksum shows that it was damaged on the way',
      'Nothing was published',
    ],
  ])('%s', async (_, fault, reason, hint) => {
    bucket.fault = fault;
    const message = expect.stringMatching(/^Can't read s3:\/\/lake\/acme\/v1\/a: /);
    const failed = await read().catch((error: unknown) => error);
    expect(failed).toMatchObject({ code: 'storage', message, hint: expect.stringContaining(hint) });
    expect(String(failed)).toContain(reason);
    expect(JSON.stringify(failed)).not.toContain('private-key');
  });

  it.each<[string, Fault, string, string]>([
    [
      'a redirect elsewhere, which is not followed',
      (_, response) => fail(response, 307, 'TemporaryRedirect'),
      'the server sends its clients to another address',
      'No redirect is followed',
    ],
    [
      'a page of a proxy',
      (_, response) => fail(response, 418, '</Code><br>'),
      'the answer is none of S3 (status 418)',
      'Check --lake',
    ],
    [
      'nothing but a status',
      (_, response) => !!response.writeHead(403).end(),
      'access is denied (an answer without a reason (status 403))',
      'the right s3:GetObject',
    ],
    [
      'an error without an end',
      (_, response) => !!response.writeHead(400).end(`<Error><Code>${'x'.repeat(MAX_ERROR_BYTES)}</Code></Error>`),
      `its answer has more than ${MAX_ERROR_BYTES} bytes`,
      'a proxy or another program',
    ],
    [
      'a file that is larger than it was',
      (_, response) => !!response.writeHead(200).end('Parquet, and more'),
      'its answer has more than 7 bytes',
      'a proxy or another program',
    ],
  ])('%s', async (_, fault, reason, hint) => {
    bucket.fault = fault;
    await expect(read()).rejects.toMatchObject({
      code: 'storage',
      message: `Can't read s3://lake/acme/v1/a: ${reason}`,
      hint: expect.stringContaining(hint),
    });
  });

  it('a page of a list without an end', async () => {
    bucket.fault = (_, response) => {
      response.write('<ListBucketResult>');
      return !!response.end(' '.repeat(MAX_ANSWER_BYTES));
    };
    await expect(store.list()).rejects.toThrow(`its answer has more than ${MAX_ANSWER_BYTES} bytes`);
  });

  it('an answer that drips', async () => {
    let now = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    onTestFinished(() => void vi.restoreAllMocks());
    const drip = async function* () {
      for (;;) {
        now += 10_000;
        yield Buffer.from('.');
      }
    };
    const reading = (async () => {
      for await (const _ of limitBytes(drip(), 100));
    })();
    await expect(reading).rejects.toThrow('its answer comes with fewer than 1024 bytes a second');
    expect(now).toBe(70_000);
  });

  it.each(['list-type', 'uploads'])('a list without an end (%s)', async (list) => {
    bucket.fault = ({ url = '' }, response) => {
      if (!url.includes(list)) return false;
      const next = '<NextContinuationToken>x</NextContinuationToken><NextKeyMarker>x</NextKeyMarker>';
      response.end(`<List><IsTruncated>true</IsTruncated>${next}</List>`);
      return true;
    };
    const message = expect.stringMatching(/s3:\/\/lake\/acme: .*its list doesn't end$/);
    await expect(store.list()).rejects.toMatchObject({ code: 'storage', message });
  });

  it('no server, no credentials, no region', async () => {
    const failing = async (name: string, value: string | undefined) => {
      vi.stubEnv(name, value);
      const other = openS3Store('s3://lake/acme', join(folder, 'scratch-'));
      return expect(other.list()).rejects;
    };
    await (await failing('AWS_ENDPOINT_URL_S3', 'http://127.0.0.1:9')).toThrow(
      'no server answers at http://127.0.0.1:9',
    );
    await (await failing('AWS_REGION', undefined)).toThrow('no region is set');
    vi.stubEnv('AWS_REGION', 'us-east-1');
    await (await failing('AWS_ACCESS_KEY_ID', undefined)).toThrow('no credentials were found');
  });
});

describe('the lock of a lake in a bucket', () => {
  const key = 'acme/a_load.lock';
  const lock = () => store.lock('a_load', CONFLICT);
  const leave = (ageMs: number) =>
    putObject(bucket, key, '{"holder":"barn","since":"2026-11-23T07:00:00Z"}', new Date(Date.now() - ageMs));

  const found = () => JSON.parse(bucket.objects.get(key)?.body.toString() ?? '{}') as Record<string, unknown>;

  const isHeld = (taken: LakeLock) => {
    try {
      taken.assertHeld();
      return true;
    } catch {
      return false;
    }
  };

  it('is held by one load, which is named', async () => {
    const held = await lock();
    await expect(lock()).rejects.toMatchObject({
      code: 'busy',
      message: expect.stringMatching(/^Another load is under way: on .+, since 20\d\d-/),
      hint: `Wait. If it was killed, its lock ends ${LEASE_MS / 1_000} seconds after it.`,
    });
    held.assertHeld();
    await held.close();
    expect(found()).toMatchObject({ generation: 1, released: true });
    const next = await lock();
    expect(found()).toMatchObject({ generation: 2 });
    expect(found()['released']).toBeUndefined();
    await next.close();
  });

  it('is left to the load that took it over while its holder was paused', async () => {
    const paused = await lock();
    leave(LEASE_MS + 5_000);
    const other = await lock();
    const { etag } = bucket.objects.get(key) ?? {};
    // The clock of the paused machine stood still, too.
    paused.assertHeld();
    await paused.close();
    expect(bucket.objects.get(key)?.etag).toBe(etag);
    expect(bucket.requests.filter((request) => request.startsWith('DELETE'))).toEqual([]);
    await other.close();
    expect(found()).toMatchObject({ released: true });
  });

  it('is released also if the answer to the last renewal was given up', async () => {
    const taken = await lock();
    putObject(bucket, key, JSON.stringify({ ...found(), renewals: 1 }));
    await taken.close();
    expect(found()).toMatchObject({ renewals: 1, released: true });
  });

  it('is taken over when it was not renewed in time, by the clock of the server', async () => {
    leave(LEASE_MS - 5_000);
    await expect(lock()).rejects.toThrow('Another load is under way: on barn, since 2026-11-23T07:00:00Z');
    leave(LEASE_MS + 5_000);
    await (await lock()).close();
    expect(found()).toMatchObject({ generation: 1, released: true });
  });

  it('is held if the answer to its request was lost', async () => {
    vi.stubEnv('AWS_MAX_ATTEMPTS', '2');
    let sent = 0;
    bucket.fault = on('PUT', (_, response) => {
      sent += 1;
      // The bucket writes, and the client sees a failure.
      if (sent === 1) response.writeHead = () => Object.getPrototypeOf(response).writeHead.call(response, 500);
      return false;
    });
    const again = openS3Store('s3://lake/acme', join(folder, 'scratch-'));
    await (await again.lock('a_load', CONFLICT)).close();
    // Twice for the lock, twice to see that the server keeps conditions, and once to release it.
    expect(sent).toBe(5);
  });

  it('is renewed while it is held, and left to a load that took it over', async () => {
    const taken = await takeLease(openBucket('s3://lake/acme'), 'a_load.lock', CONFLICT, 5);
    const { etag } = bucket.objects.get(key) ?? {};
    await expect.poll(() => bucket.objects.get(key)?.etag, { interval: 5 }).not.toBe(etag);
    taken.assertHeld();
    leave(0);
    await expect.poll(() => isHeld(taken), { interval: 5 }).toBe(false);
    await taken.close();
    expect(bucket.objects.get(key)?.body.toString()).toContain('barn');
  });

  it.each(['GET', 'none'])('is refused by a server without conditional writes (%s)', async (kind) => {
    bucket.fault = on('PUT', (request, response) => {
      if (kind === 'GET') return fail(response, 501, 'NotImplemented');
      delete request.headers['if-none-match'];
      delete request.headers['if-match'];
      return false;
    });
    await expect(lock()).rejects.toMatchObject({
      code: 'storage',
      message: "The server of s3://lake/acme has no conditional writes, so it can't keep two loads apart",
    });
    expect(bucket.objects.size).toBe(0);
  });
});
