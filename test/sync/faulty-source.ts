import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

/** A request as it came from the client. */
export interface Asked {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly token: string | undefined;
  /** Its number, from 1. */
  readonly number: number;
}

/** An answer, and how it is delivered. */
export interface Given {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** cut: half of the body, then a reset. gzip: half of the compressed body, then a normal end. slow: byte by byte. */
  readonly delivery?: 'cut' | 'gzip' | 'slow';
}

/** A fault between client and source: changes requests, answers, or what happens around them. */
export type Fault = (asked: Asked, forward: () => Promise<Given>) => Promise<Given>;

/** A proxy before a source. Its faults can be changed at any time. */
export interface FaultySource {
  readonly url: string;
  readonly asked: Asked[];
  faults: readonly Fault[];
  close(): Promise<void>;
}

/** Headers that a proxy sets itself. */
const OWN = new Set(['content-length', 'transfer-encoding', 'connection', 'keep-alive', 'content-encoding']);

/** Opens a proxy. @param target The source's origin; undefined if faults answer everything. */
export async function openFaultySource(target: string | undefined, ...faults: readonly Fault[]): Promise<FaultySource> {
  const asked: Asked[] = [];
  const source = { faults };
  const server = createServer((request, response) => {
    const one = parseAsked(request, asked.length + 1);
    asked.push(one);
    const forward = source.faults.reduceRight<() => Promise<Given>>(
      (next, fault) => () => fault(one, next),
      () => forwardTo(target, one),
    );
    forward().then(
      (given) => deliver(given, response),
      () => response.destroy(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    get faults() {
      return source.faults;
    },
    set faults(changed) {
      source.faults = changed;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function parseAsked(request: IncomingMessage, number: number): Asked {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://source');
  const token = request.headers.authorization?.replace('Bearer ', '');
  return { path: pathname, query: searchParams, token, number };
}

async function forwardTo(target: string | undefined, { path, query, token }: Asked): Promise<Given> {
  if (target === undefined) return given(404, { message: `There is nothing at ${path}` });
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const response = await fetch(`${target}${path}?${query}`, { headers });
  const body = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: Object.fromEntries(response.headers), body };
}

function deliver({ status, headers, body, delivery }: Given, response: ServerResponse): void {
  for (const [name, value] of Object.entries(headers)) if (!OWN.has(name)) response.setHeader(name, value);
  if (delivery === 'gzip') {
    const whole = gzipSync(body);
    response.writeHead(status, { 'content-encoding': 'gzip' }).end(whole.subarray(0, whole.length / 2));
  } else if (delivery === 'cut') {
    response.writeHead(status, { 'content-length': body.length }).write(body.subarray(0, body.length / 2));
    setTimeout(() => response.destroy(), 5);
  } else if (delivery === 'slow') {
    response.writeHead(status);
    const timer = setInterval(() => response.write(' '), 5);
    response.on('close', () => clearInterval(timer));
  } else response.writeHead(status).end(body);
}

/** Makes an answer of JSON. */
export function given(status: number, json: unknown, headers: Readonly<Record<string, string>> = {}): Given {
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: Buffer.from(JSON.stringify(json)),
  };
}

const PAGE: Given = {
  status: 200,
  headers: { 'content-type': 'text/html' },
  body: Buffer.from('<!doctype html><title>Be right back</title>'),
};

/** Faults that pass. A run that meets them tries again. */
export const passing: Readonly<Record<string, Fault>> = {
  cut: async (_asked, forward) => ({ ...(await forward()), delivery: 'cut' }),
  'broken gzip': async (_asked, forward) => ({ ...(await forward()), delivery: 'gzip' }),
  'a web page': async () => PAGE,
  'a server error': async () => given(500, { message: 'Something broke' }),
  'a gateway error': async () => ({ ...PAGE, status: 502 }),
  'a refusal': async () => given(429, { message: 'Too many requests' }, { 'retry-after': '0' }),
  'no answer': async () => Promise.reject(new Error('reset')),
};

/** Meets each request with a passing fault, by chance. @param random Returns a number from 0 to 1. */
export function byChance(random: () => number, share: number): Fault {
  const faults = Object.values(passing);
  return (asked, forward) => {
    const fault = random() < share ? faults[Math.floor(random() * faults.length)] : undefined;
    return fault ? fault(asked, forward) : forward();
  };
}

/** Limits a fault to some requests. */
export function when(isMeant: (asked: Asked) => boolean, fault: Fault): Fault {
  return (asked, forward) => (isMeant(asked) ? fault(asked, forward) : forward());
}

/** Limits a fault to the first requests of a kind. */
export function times(count: number, fault: Fault): Fault {
  let left = count;
  return (asked, forward) => {
    left -= 1;
    return left >= 0 ? fault(asked, forward) : forward();
  };
}

/** Does something before each request, such as a write to the source. */
export function before(work: (asked: Asked) => Promise<unknown>): Fault {
  return async (asked, forward) => {
    await work(asked);
    return forward();
  };
}

/** Changes the headers of each answer; an empty value removes a header. */
export function withHeaders(change: (headers: Readonly<Record<string, string>>) => Record<string, string>): Fault {
  return async (_asked, forward) => {
    const answer = await forward();
    const headers = Object.entries({ ...answer.headers, ...change(answer.headers) });
    return { ...answer, headers: Object.fromEntries(headers.filter(([, value]) => value !== '')) };
  };
}

/** Moves the clock of the source. */
export function clockOff(ms: number): Fault {
  return withHeaders(() => ({ date: new Date(Date.now() + ms).toUTCString() }));
}

/** Changes the JSON of each answer of status 200. */
export function withJson(change: (json: unknown) => unknown): Fault {
  return async (_asked, forward) => {
    const answer = await forward();
    if (answer.status !== 200) return answer;
    return { ...answer, body: Buffer.from(JSON.stringify(change(JSON.parse(answer.body.toString())))) };
  };
}
