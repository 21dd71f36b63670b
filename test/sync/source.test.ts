import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AppError } from '../../src/base/error.ts';
import { parseAddress } from '../../src/pull/requests/address.ts';
import { systemClock } from '../../src/pull/requests/clock.ts';
import { MAX_PACE_MS, openPace, type Pace } from '../../src/pull/requests/pacing.ts';
import { openSource, type SourceOptions } from '../../src/pull/requests/source.ts';
import { Prng } from '../oracle/prng.ts';
import { selfSigned } from './certificate.ts';
import { type Fault, type FaultySource, given, openFaultySource, passing, times } from './faulty-source.ts';
import { fastClock, NEVER, openFastSource, TOKEN } from './pulling.ts';

const opened: FaultySource[] = [];
afterEach(() => Promise.all(opened.splice(0).map((source) => source.close())));

const list: Fault = async () => given(200, [{ people_id: 1 }]);

async function open(...faults: readonly Fault[]): Promise<FaultySource> {
  const source = await openFaultySource(undefined, ...faults);
  opened.push(source);
  return source;
}

/** Asks for people, with waits that take no time. */
async function ask(url: string, options: Partial<SourceOptions> = {}) {
  const clock = fastClock();
  const source = openFastSource(url, { clock, random: () => 1, ...options });
  const answer = await source.get('people', {}, NEVER);
  return { answer, source, waits: clock.waits };
}

/** Asks once with success, so that the address is known, and then again. */
async function askAgain(fault: Fault, options: Partial<SourceOptions> = {}): Promise<string> {
  const source = await open(list);
  const { source: reader } = await ask(source.url, options);
  source.faults = [fault];
  return messageOf(reader.get('people', {}, NEVER));
}

async function messageOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof AppError)) throw error ?? new Error('There was no error');
  return `${error.code}: ${error.message}. ${error.hint}`.replaceAll(/127\.0\.0\.1:\d+/g, 'HOST');
}

describe('an address', () => {
  it.each([
    ['https://api.example.com', 'https://api.example.com/v3'],
    ['https://api.example.com/', 'https://api.example.com/v3'],
    ['https://api.example.com/v3/', 'https://api.example.com/v3'],
    ['https://example.com/scheduling', 'https://example.com/scheduling/v3'],
    ['http://localhost:8080', 'http://localhost:8080/v3'],
    ['http://[::1]:8080/v3', 'http://[::1]:8080/v3'],
  ])('%s is %s', (text, base) => {
    expect(parseAddress(text).href).toBe(base);
  });

  it.each([
    [
      'api.example.com',
      'usage: "api.example.com" is not the address of a service. Write it whole, as in https://api.example.com/v3.',
    ],
    [
      'ftp://example.com',
      'usage: "ftp://example.com" is not the address of a service. Write it whole, as in https://api.example.com/v3.',
    ],
    [
      'http://example.com/v3',
      'usage: http://example.com is not encrypted, and would show the token to everyone on the way. Give https://example.com. Plain HTTP is possible to this machine only.',
    ],
    [
      'http://localhost.example.com',
      'usage: http://localhost.example.com is not encrypted, and would show the token to everyone on the way. Give https://localhost.example.com. Plain HTTP is possible to this machine only.',
    ],
    [
      'https://ada:secret@example.com',
      'usage: The address of example.com holds a user name or a password. Leave them out: the token is read from an environment variable, and never from the address.',
    ],
    [
      'https://example.com/v3?page=1',
      'usage: The address of example.com ends with a query or a fragment. Give the root of the API alone: https://example.com/v3.',
    ],
  ])('%s is refused', async (text, message) => {
    expect(await messageOf(Promise.resolve().then(() => parseAddress(text)))).toBe(message);
  });
});

describe('a source that fails at once', () => {
  it.each<[string, Fault, string]>([
    [
      'a web page',
      passing['a web page'] as Fault,
      'source: HOST answers /v3/people with a web page. Check that the address is the root of the scheduling API, and not of its web pages.',
    ],
    [
      'a token it does not know',
      async () => given(401, {}),
      "source: HOST doesn't accept the token (401). It may have expired or been revoked: make a new one there.",
    ],
    [
      'a token without rights',
      async () => given(403, {}),
      'source: The token may not read /v3/people (403). Give it the right to read every record, rates included.',
    ],
    [
      'a redirect to another host',
      async () => given(302, {}, { location: 'https://login.example.com/?to=x' }),
      'source: HOST redirects /v3/people to https://login.example.com, where the token is not sent. If the service has moved there, give that address.',
    ],
    [
      'a redirect to itself',
      async () => given(301, {}, { location: '/v3/people' }),
      'source: HOST redirects /v3/people in a circle, where the token is not sent. If the service has moved there, give that address.',
    ],
    [
      'a redirect to nowhere',
      async () => given(301, {}),
      'source: HOST redirects /v3/people in a circle, where the token is not sent. If the service has moved there, give that address.',
    ],
    [
      'another status',
      async () => given(418, { message: `I am a teapot, ${TOKEN}` }),
      "source: HOST can't answer /v3/people: I am a teapot, *** (418). Run it again later. Pages that were read are kept.",
    ],
  ])('%s', async (_title, fault, message) => {
    const source = await open(fault);
    expect(await messageOf(ask(source.url))).toBe(message);
    expect(source.asked.length).toBeLessThan(5);
  });

  it.each(['http://ada:secret@127.0.0.1/', '//ada@HOST/v3/people', '//:secret@HOST/v3/people'])(
    'a redirect to %s, after one request',
    async (location) => {
      const source = await open(async () =>
        given(302, {}, { location: location.replace('HOST', new URL(source.url).host) }),
      );
      expect(await messageOf(ask(source.url))).toBe(
        'source: HOST redirects /v3/people to an address with a user name or a password. Such an address is not followed. If the service has moved, give its new address without them.',
      );
      expect(source.asked).toHaveLength(1);
    },
  );

  it('nothing listens', async () => {
    const source = await open();
    await source.close();
    expect(await messageOf(ask(source.url))).toBe(
      'source: HOST refuses the connection. Check the port, and that the service is running.',
    );
  });

  it('a name nobody has', async () => {
    expect(await messageOf(ask('https://nobody.invalid'))).toBe(
      'source: No machine called nobody.invalid is known. Check the spelling, and the name server of this machine.',
    );
  });

  it('a certificate that no authority has signed', async () => {
    const asked: string[] = [];
    const server = createServer(selfSigned, (request, response) => {
      asked.push(request.url ?? '');
      response.end('[]');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const message = await messageOf(ask(`https://localhost:${port}`));
    const wrongName = await messageOf(ask(`https://127.0.0.1:${port}`));
    await new Promise((resolve) => server.close(resolve));
    expect(message.replace(String(port), 'PORT')).toBe(
      "source: The certificate of localhost:PORT can't be trusted (DEPTH_ZERO_SELF_SIGNED_CERT). Use the name that the certificate has. If your own authority issued it, name its file in NODE_EXTRA_CA_CERTS.",
    );
    expect(wrongName).toMatch(/^source: The certificate of HOST can't be trusted/);
    expect(asked).toEqual([]);
  });

  it('a redirect from HTTP to HTTPS', async () => {
    const source = await open(async () => given(301, {}, { location: 'https://127.0.0.1/v3/people' }));
    expect(await messageOf(ask(source.url))).toBe(
      'source: HOST redirects /v3/people to https://127.0.0.1, where the token is not sent. If the service has moved there, give that address.',
    );
  });

  it('no HTTPS', async () => {
    const source = await open(list);
    expect(await messageOf(ask(source.url.replace('http:', 'https:')))).toMatch(/^source: HOST doesn't speak HTTPS/);
  });
});

describe('a source that fails for good', () => {
  it.each<[string, Fault, string]>([
    ['cut connections', passing['cut'] as Fault, 'source: The connection to HOST broke while /v3/people was read'],
    [
      'connections without an answer',
      passing['no answer'] as Fault,
      'source: The connection to HOST broke while /v3/people was read',
    ],
    [
      'gzip that breaks off',
      async () => ({ ...given(200, Array(9999).fill('x')), delivery: 'gzip' }),
      'source: HOST answers /v3/people with JSON that is cut off or damaged',
    ],
    ['web pages', passing['a web page'] as Fault, 'source: HOST answers /v3/people with a web page.'],
    [
      'errors',
      passing['a server error'] as Fault,
      "source: HOST can't answer /v3/people: Something broke (500). Run it again later. Pages that were read are kept.",
    ],
    [
      'refusals',
      passing['a refusal'] as Fault,
      'source: HOST refused too many requests in a row (429). Lower --requests-per-minute,',
    ],
    ['a token that ends', async () => given(401, {}), "source: HOST doesn't accept the token (401)."],
  ])('%s', async (_title, fault, message) => {
    expect(await askAgain(fault)).toContain(message);
  });

  it('bodies without an end', async () => {
    const slow: Fault = async () => ({ ...given(200, []), delivery: 'slow' });
    const message = await askAgain(slow, { limits: { timeoutMs: 30 } });
    expect(message).toContain('source: HOST took longer than 0.03 s for /v3/people.');
  });

  it('a body that is too large', async () => {
    const large: Fault = async () => given(200, Array(2000).fill('x'));
    expect(await askAgain(large, { limits: { maxAnswerBytes: 1000 } })).toBe(
      'source: The answer of HOST to /v3/people is larger than 1000 bytes. Check that the address is the root of the scheduling API.',
    );
  });

  it('a delay of an hour', async () => {
    expect(await askAgain(async () => given(429, {}, { 'retry-after': '3600' }))).toBe(
      'source: HOST refused too many requests in a row (429), and asks to wait for 60 minutes. Run it again after that time. Pages that were read are kept.',
    );
  });
});

it('a redirect within the source is followed, with the token', async () => {
  const source = await open(
    times(1, async () => given(308, {}, { location: '/v3/persons' })),
    list,
  );
  expect((await ask(source.url)).answer.json).toEqual([{ people_id: 1 }]);
  expect(source.asked.map(({ path, token }) => [path, token])).toEqual([
    ['/v3/people', TOKEN],
    ['/v3/persons', TOKEN],
  ]);
});

it('the token never leaves for another host', async () => {
  const other = await open(list);
  const source = await open(async () => given(307, {}, { location: `${other.url}/v3/people` }));
  await messageOf(ask(source.url));
  expect(other.asked).toEqual([]);
});

describe('waits', () => {
  const refused = (headers: Record<string, string>) => times(1, async () => given(429, {}, headers));
  const date = (seconds: number) => new Date(1_800_000_000_000 + seconds * 1000).toUTCString();

  it.each<[string, Fault, number[]]>([
    ['Retry-After in seconds', refused({ 'retry-after': '7' }), [7500]],
    ['Retry-After as a date, by the clock of the source', refused({ 'retry-after': date(9), date: date(0) }), [9500]],
    ['no Retry-After: up to twice as long each time', times(4, async () => given(503, {})), [500, 1000, 2000, 4000]],
  ])('%s', async (_title, fault, expected) => {
    const source = await open(fault, list);
    expect((await ask(source.url)).waits).toEqual(expected);
  });

  it.each([
    ['RateLimit-Remaining', { 'ratelimit-remaining': '0', 'ratelimit-reset': '4' }],
    ['X-RateLimit-Remaining', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '4' }],
    ['RateLimit with a policy', { ratelimit: '"default";r=0;t=4' }],
    ['RateLimit of an older draft', { ratelimit: 'limit=100, remaining=0, reset=4' }],
  ])('%s: nothing is sent until there are requests again', async (_title, headers) => {
    const source = await open(
      times(1, async () => given(200, [], headers)),
      list,
    );
    const { source: reader, waits } = await ask(source.url);
    await reader.get('people', {}, NEVER);
    expect(waits.map((ms) => Math.round(ms / 1000))).toEqual([4]);
  });

  it('end at once when the run is stopped', async () => {
    const source = await open(passing['a server error'] as Fault);
    const reader = openSource({ url: source.url, token: () => TOKEN, random: () => 1 });
    const stop = new AbortController();
    const answer = reader.get('people', {}, stop.signal);
    answer.catch(() => undefined);
    await expect.poll(() => source.asked).toHaveLength(1);
    setTimeout(() => stop.abort(new Error('Stopped')), 50);
    await expect(answer).rejects.toThrow('Stopped');
    expect(source.asked).toHaveLength(1);
  });

  it('requests left, or a reset in the past, cost no time', async () => {
    const source = await open(async () => given(200, [], { 'x-ratelimit-remaining': '3', 'x-ratelimit-reset': '4' }));
    const { source: reader, waits } = await ask(source.url);
    source.faults = [async () => given(200, [], { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1000000001' })];
    await reader.get('people', {}, NEVER);
    await reader.get('people', {}, NEVER);
    expect(waits).toEqual([]);
  });
});

describe('the pace', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => {
    vi.restoreAllMocks();
    vi.useRealTimers();
  });

  /** Advances the clock until some work is done. */
  async function finish<T>(work: Promise<T>): Promise<T> {
    let isDone = false;
    const done = () => {
      isDone = true;
    };
    work.then(done, done);
    while (!isDone) await vi.advanceTimersByTimeAsync(100);
    return work;
  }

  /**
   * Sends requests as fast as allowed.
   * @param before Called before each request with its index; returns the time to rest first, in ms.
   * @returns the moments, in ms since the first.
   */
  function send(count: number, perMinute: number, before: (index: number, pace: Pace) => number = () => 0) {
    const pace = openPace(systemClock, perMinute);
    const start = performance.now();
    const moments: number[] = [];
    const sendAll = async () => {
      for (let index = 0; index < count; index += 1) {
        const rest = before(index, pace);
        // Timers of node:timers/promises aren't faked.
        if (rest > 0) await new Promise((resolve) => setTimeout(resolve, rest));
        await pace.take(NEVER);
        moments.push(performance.now() - start);
      }
      return moments;
    };
    return finish(sendAll());
  }

  const most = (moments: readonly number[], ms: number) =>
    Math.max(...moments.map((start) => moments.filter((at) => at >= start && at < start + ms).length));

  it('has at most 10 requests in any second and 200 in any minute', async () => {
    const moments = await send(1000, 200);
    expect(most(moments, 1000)).toBe(10);
    expect(most(moments, 60_000)).toBe(200);
    expect(moments.at(-1)).toBeLessThan(5 * 60_000);
  });

  it.each([1, 2, 3, 4])('has no more with rests between requests (seed %i)', async (seed) => {
    const random = new Prng(seed);
    const moments = await send(700, 200, () => (random.int(0, 9) === 0 ? random.int(0, 3000) : random.int(0, 90)));
    expect(most(moments, 1000)).toBeLessThanOrEqual(10);
    expect(most(moments, 60_000)).toBeLessThanOrEqual(200);
  });

  it('has more in a second only if a minute needs them', async () => {
    expect(most(await send(500, 1200), 1000)).toBe(20);
    expect(most(await send(20, 4), 60_000)).toBe(4);
  });

  it('halves after a refusal, and recovers', async () => {
    const slowAtStart = (index: number, pace: Pace) => {
      if (index === 0) pace.slowDown();
      return 0;
    };
    const moments = await send(600, 200, slowAtStart);
    expect(moments.filter((at) => at < 60_000)).toHaveLength(100);
    expect(most(moments, 60_000)).toBe(200);
  });

  it('never falls below 6 requests a minute', async () => {
    const moments = await send(20, 200, (_index, pace) => {
      pace.slowDown();
      return 0;
    });
    expect(most(moments, 60_000)).toBeGreaterThanOrEqual(6);
  });

  it('goes on within 3 minutes when the system clock is set back by an hour', async () => {
    // Timers of AbortSignal.timeout can't be faked.
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
      const controller = new AbortController();
      setTimeout(() => controller.abort(), ms);
      return controller.signal;
    });
    const moments = await send(40, 20, (index) => {
      if (index === 20) vi.setSystemTime(Date.now() - 3_600_000);
      return 0;
    });
    const waits = moments.map((at, index) => at - (moments[index - 1] ?? 0));
    expect(Math.max(...waits)).toBe(MAX_PACE_MS);
  });

  it('stops waiting when the run is stopped', async () => {
    const pace = openPace(systemClock, 1);
    await finish(pace.take(NEVER));
    const stop = new AbortController();
    const waiting = pace.take(stop.signal);
    stop.abort(new Error('Stopped'));
    await expect(waiting).rejects.toThrow('Stopped');
  });
});
