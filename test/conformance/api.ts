import { expect, vi } from 'vitest';
import type { Scope } from '../../src/http/protocol/tokens.ts';
import { fetchReply, NOW, type Reply, serve } from '../http/served.ts';
import type { Records } from '../sql/company.ts';

/** How long a server may take to see a new token. Units: ms. */
const TOKEN_WAIT = { timeout: 20_000, interval: 50 };

/** A record as JSON. */
// biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever it asked for.
export type Json = any;

/** How a request is sent. */
export interface Sending {
  readonly headers?: Readonly<Record<string, string>>;
  /** The body as it goes over the wire, in place of JSON. */
  readonly text?: string;
}

/** A client of the API, with a server of its own. */
export interface Api {
  readonly url: string;
  /** Sends a request, its body as JSON if it has one. Paths begin below the version. */
  send(method: string, path: string, body?: unknown, sending?: Sending): Promise<Reply>;
  /** Reads what is there. @returns The JSON of a 200. */
  read(path: string): Promise<Json>;
  /** Creates a record. @returns The JSON of a 201. */
  create(path: string, body: object): Promise<Json>;
  /** Changes a record by PATCH. @returns The JSON of a 200. */
  change(path: string, body: object): Promise<Json>;
  /** Deletes a record, which is answered 204. */
  remove(path: string): Promise<void>;
  /** The values of one field of a list, in its order. */
  column(path: string, field: string): Promise<Json[]>;
  /** The fields that a refusal (422) names, in their order. */
  refused(method: string, path: string, body: object): Promise<string[]>;
  /** Makes a token, perhaps one that decimals are numbers for. @returns The header that carries it. */
  token(scopes: Scope[], numbers?: boolean): Promise<string>;
  /** Moves the clock of the server on. */
  wait(ms: number): void;
  close(): Promise<unknown>;
}

/** What a server of the API holds at first, and how it differs from the standard. */
export interface Start {
  readonly scopes?: Scope[];
  /** Whether it takes writes. Default: true. */
  readonly write?: boolean;
  /** Whether it answers decimals as numbers. */
  readonly numbers?: boolean;
}

/** Records of a dataset by the name of their file. */
export type Dataset = Readonly<Record<string, readonly object[] | object>>;

/** Starts a server over a dataset and returns its client. */
export async function openApi(data: Dataset = {}, { scopes, write = true, numbers = false }: Start = {}): Promise<Api> {
  let now = NOW.getTime();
  const served = await serve({
    write,
    numbers,
    // Without any file there is no dataset, and an API begins with people as little as with anything else.
    data: { people: [], ...data } as Records,
    now: () => new Date(now),
    ...(scopes ? { scopes } : {}),
  });
  const standard = scopes ? { authorization: (await served.token(scopes)).header } : {};
  if (scopes) await knows(standard);
  async function ask(method: string, path: string, body?: unknown, { headers = {}, text }: Sending = {}) {
    const json = body === undefined ? {} : { 'content-type': 'application/json' };
    const sent = body === undefined ? null : JSON.stringify(body);
    return fetchReply(new URL(`/v3/${path}`, served.url), { ...standard, ...json, ...headers }, method, text ?? sent);
  }
  // A running server follows the file of tokens.
  function knows(headers: Readonly<Record<string, string>>): Promise<void> {
    return vi.waitFor(
      async () => expect((await ask('GET', 'people', undefined, { headers })).status).not.toBe(401),
      TOKEN_WAIT,
    );
  }
  const expecting =
    (method: string, expected: number) =>
    async (path: string, body?: object): Promise<Json> => {
      const { status, text } = await ask(method, path, body);
      expect(status, `${method} ${path}: ${text}`).toBe(expected);
      return text === '' ? undefined : JSON.parse(text);
    };
  const read = expecting('GET', 200);
  return {
    url: served.url,
    send: ask,
    read,
    create: expecting('POST', 201),
    change: expecting('PATCH', 200),
    remove: expecting('DELETE', 204),
    column: async (path, field) => (await read(path)).map((record: Json) => record[field]),
    async refused(method, path, body) {
      const { status, text } = await ask(method, path, body);
      expect(status, `${method} ${path}: ${text}`).toBe(422);
      const { errors } = JSON.parse(text);
      for (const { message } of errors) expect(message).toMatch(/\w/);
      return errors.map(({ field }: { field: string }) => field);
    },
    async token(allowed, asNumbers) {
      const { header } = await served.token(allowed, undefined, asNumbers);
      await knows({ authorization: header });
      return header;
    },
    wait(ms) {
      now += ms;
    },
    close: () => served.close(),
  };
}

/** The headers of a list's pages: items in all, pages, this page, items of this page. */
export function readPaging({ headers }: Reply): (number | null)[] {
  return ['Total-Count', 'Page-Count', 'Current-Page', 'Per-Page'].map((name) => {
    const value = headers.get(`X-Pagination-${name}`);
    return value === null ? null : Number(value);
  });
}

/** The names in a header that lists them with commas; none without the header. */
export function readNames({ headers }: Reply, name: string): string[] {
  return (headers.get(name) ?? '').split(',').flatMap((each) => each.trim() || []);
}
