import { expect } from 'vitest';
import type { Scope } from '../../src/doors/identity/tokens.ts';
import { eventually } from '../eventually.ts';
import { fetchReply, NOW, type Reply, serve } from '../http/served.ts';
import type { Records } from '../sql/company.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read whatever they requested.
export type Json = any;

export interface RequestOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** The raw body, instead of JSON. */
  readonly text?: string;
}

export interface Api {
  readonly url: string;
  /** Sends a request, with a JSON body if any. Paths start below the version. */
  send(method: string, path: string, body?: unknown, sending?: RequestOptions): Promise<Reply>;
  /** Sends a GET. @returns The JSON of a 200. */
  read(path: string): Promise<Json>;
  create(path: string, body: object): Promise<Json>;
  /** Changes a record by PATCH. @returns The JSON of a 200. */
  change(path: string, body: object): Promise<Json>;
  remove(path: string): Promise<void>;
  /** Returns the values of a list's field in order. */
  column(path: string, field: string): Promise<Json[]>;
  /** Returns the fields named by a refusal (422) in order. */
  refused(method: string, path: string, body: object): Promise<string[]>;
  /** Creates a token, optionally with decimals as numbers. @returns The header that carries it. */
  token(scopes: Scope[], numbers?: boolean): Promise<string>;
  wait(ms: number): void;
  close(): Promise<unknown>;
}

export interface ApiOptions {
  readonly scopes?: Scope[];
  readonly write?: boolean;
  readonly numbers?: boolean;
}

export type Dataset = Readonly<Record<string, readonly object[] | object>>;

/** Starts a server over a dataset and returns its client. */
export async function openApi(
  data: Dataset = {},
  { scopes, write = true, numbers = false }: ApiOptions = {},
): Promise<Api> {
  let now = NOW.getTime();
  const served = await serve({
    write,
    numbers,
    inMemory: write,
    // A dataset needs at least one file.
    data: { people: [], ...data } as Records,
    now: () => new Date(now),
    ...(scopes ? { scopes } : {}),
  });
  const standard = scopes ? { authorization: (await served.token(scopes)).header } : {};
  if (scopes) await waitForToken(standard);
  async function send(method: string, path: string, body?: unknown, { headers = {}, text }: RequestOptions = {}) {
    const json = body === undefined ? {} : { 'content-type': 'application/json' };
    const sent = body === undefined ? null : JSON.stringify(body);
    return fetchReply(new URL(`/v3/${path}`, served.url), { ...standard, ...json, ...headers }, method, text ?? sent);
  }
  // A running server watches the token file.
  function waitForToken(headers: Readonly<Record<string, string>>): Promise<void> {
    return eventually(async () => expect((await send('GET', 'people', undefined, { headers })).status).not.toBe(401));
  }
  const expecting =
    (method: string, expected: number) =>
    async (path: string, body?: object): Promise<Json> => {
      const { status, text } = await send(method, path, body);
      expect(status, `${method} ${path}: ${text}`).toBe(expected);
      return text === '' ? undefined : JSON.parse(text);
    };
  const read = expecting('GET', 200);
  return {
    url: served.url,
    send,
    read,
    create: expecting('POST', 201),
    change: expecting('PATCH', 200),
    remove: expecting('DELETE', 204),
    column: async (path, field) => (await read(path)).map((record: Json) => record[field]),
    async refused(method, path, body) {
      const { status, text } = await send(method, path, body);
      expect(status, `${method} ${path}: ${text}`).toBe(422);
      const { errors } = JSON.parse(text);
      for (const { message } of errors) expect(message).toMatch(/\w/);
      return errors.map(({ field }: { field: string }) => field);
    },
    async token(allowed, asNumbers) {
      const { header } = await served.token(allowed, undefined, asNumbers);
      await waitForToken({ authorization: header });
      return header;
    },
    wait(ms) {
      now += ms;
    },
    close: () => served.close(),
  };
}

/** Reads the pagination headers of a list: total count, page count, current page, page size. */
export function readPaging({ headers }: Reply): (number | null)[] {
  return ['Total-Count', 'Page-Count', 'Current-Page', 'Per-Page'].map((name) => {
    const value = headers.get(`X-Pagination-${name}`);
    return value === null ? null : Number(value);
  });
}

/** Reads the names in a comma-separated header; none without the header. */
export function readNames({ headers }: Reply, name: string): string[] {
  return (headers.get(name) ?? '').split(',').flatMap((each) => each.trim() || []);
}
