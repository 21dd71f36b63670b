import { join } from 'node:path';
import type { ServerConfig } from '../../src/base/config/config.ts';
import type { Database } from '../../src/base/database/database.ts';
import { DOORS } from '../../src/doors/doors.ts';
import type { Limits } from '../../src/doors/http/protocol/limits.ts';
import type { StartSync } from '../../src/doors/http/protocol/server-parts.ts';
import { openServer, type Server } from '../../src/doors/http/server.ts';
import { createToken, type Scope } from '../../src/doors/identity/tokens.ts';
import type { ReaderPart } from '../../src/numbers/report/source/part-views.ts';
import type { LiveSource } from '../../src/store/live/live-source.ts';
import { openLiveSource } from '../../src/store/live/live-source.ts';
import { openMemorySource } from '../live/memory-source.ts';
import {
  BUNDLED,
  BUNDLED_LOADED,
  buildCompany,
  buildDataset,
  LOADED,
  loadBundled,
  loadCompany,
  loadOctober,
  OCTOBER,
  OCTOBER_LOADED,
  placeCompany,
  type Records,
} from '../sql/company.ts';
import { serverConfig } from './server-config.ts';

export const NOW = new Date('2026-06-15T12:00:00Z');

/** A quarter in which the bundled company has data of every kind. */
export const QUARTER = 'start_date=2026-01-01&end_date=2026-03-31';

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever they requested.
  json(): any;
}

/** A server with its own folder. */
export interface Served extends Server {
  readonly database: string;
  readonly tokens: string;
  get(path: string, headers?: Record<string, string>, method?: string): Promise<Reply>;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Reply>;
  bytes(path: string, headers?: Record<string, string>): Promise<Buffer>;
  log(): string;
  /** Creates a token of a part of the data, with the scopes reports and rates. */
  tokenOfPart(only: ReaderPart): Promise<{ header: string; token: string; id: string }>;
  /** Creates a token. @returns The header that carries it. */
  token(scopes: Scope[], expires?: string, numbers?: boolean): Promise<{ header: string; token: string; id: string }>;
}

export interface ServeOptions extends Partial<ServerConfig> {
  readonly limits?: Partial<Limits>;
  readonly now?: () => Date;
  /** Loaded data: these records, the consultancy in October, or nothing. Default: the bundled company. */
  readonly data?: Records | 'october' | 'nothing';
  readonly write?: boolean;
  readonly numbers?: boolean;
  /** True to keep the live data in memory and publish nothing: half the CPU time of a load and its working file. */
  readonly inMemory?: boolean;
  /** Changes the live data before the server opens it. */
  readonly prepareSource?: (source: LiveSource) => LiveSource | Promise<LiveSource>;
  /** Syncs the live data. */
  readonly sync?: StartSync;
  /** Scopes of a token created before the start. */
  readonly scopes?: Scope[];
}

/** Starts a real server on a free port, like plumbline serve. */
export async function serve({
  limits = {},
  now = () => NOW,
  data,
  write = false,
  inMemory = false,
  numbers = false,
  prepareSource = (source) => source,
  sync,
  scopes,
  ...settings
}: ServeOptions = {}): Promise<Served> {
  const { folder, database, remove } = await prepare(inMemory ? 'nothing' : data);
  const lines: string[] = [];
  const tokens = join(folder, 'company.tokens.json');
  const makeToken = async (allowed: Scope[], expires?: string, asNumbers = false, only?: ReaderPart) => {
    const { token, kept } = await createToken(
      tokens,
      { label: 'test', scopes: allowed, expires: expires ?? null, ...(only && { only }), numbers: asNumbers },
      NOW,
    );
    return { header: `Bearer ${token}`, token, id: kept.id };
  };
  const first = scopes && (await makeToken(scopes));
  const config: ServerConfig = {
    ...serverConfig({ database, tokens }),
    memoryLimitMib: 1024,
    ...settings,
  };
  const openSource = async () =>
    inMemory ? openMemorySource(await build(data), database, LOADED) : openLiveSource(config, now());
  const live = write ? await prepareSource(await openSource()) : undefined;
  const server = await openServer(config, {
    limits: { pollMs: 50, ...limits },
    now,
    live,
    sync,
    numbers,
    doors: DOORS,
    log: (text) => lines.push(text),
  }).catch((error: unknown) => {
    remove();
    throw error;
  });
  const standard: Record<string, string> = first ? { authorization: first.header } : {};
  return {
    ...server,
    database,
    tokens,
    get: (path, headers = standard, method = 'GET') => fetchReply(new URL(path, server.url), headers, method),
    post: (path, body, headers = standard) =>
      fetchReply(
        new URL(path, server.url),
        { 'content-type': 'application/json', ...headers },
        'POST',
        JSON.stringify(body),
      ),
    async bytes(path, headers = standard) {
      const response = await fetch(new URL(path, server.url), { headers });
      return Buffer.from(await response.arrayBuffer());
    },
    log: () => lines.join(''),
    token: makeToken,
    tokenOfPart: (only) => makeToken(['reports', 'rates'], undefined, false, only),
    async close() {
      const isWhole = await server.close();
      remove();
      return isWhole;
    },
  };
}

export async function fetchReply(
  url: URL,
  headers: Record<string, string>,
  method = 'GET',
  body: string | null = null,
): Promise<Reply> {
  const response = await fetch(url, { headers, method, body });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: () => JSON.parse(text) };
}

async function prepare(data: ServeOptions['data']): Promise<{ folder: string; database: string; remove(): void }> {
  const places = { nothing: () => placeCompany(async () => undefined), october: loadOctober };
  const place = typeof data === 'string' ? places[data] : loadBundled;
  const { file, remove } = typeof data === 'object' ? await loadCompany(data, { now: LOADED }) : await place();
  return { folder: join(file, '..'), database: file, remove };
}

/** Builds data in memory; a dataset needs at least one file. */
function build(data: ServeOptions['data']): Promise<Database> {
  if (data === undefined) return buildDataset(BUNDLED, BUNDLED_LOADED);
  if (data === 'october') return buildDataset(OCTOBER, OCTOBER_LOADED);
  return buildCompany(data === 'nothing' ? { people: [] } : data, LOADED);
}

/** Parses CSV with quoted cells over several lines. */
export function parseCsv(text: string): string[][] {
  const records: string[][] = [];
  let record: string[] = [];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)) {
    record.push(quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'));
    if (end === ',') continue;
    records.push(record);
    record = [];
  }
  return records.filter((cells) => cells.length > 1 || cells[0] !== '');
}
