import { join } from 'node:path';
import type { Database } from '../../src/base/database/database.ts';
import { openServer } from '../../src/doors/http/server.ts';
import { openSource } from '../../src/pull/requests/source.ts';
import { makeReader } from '../../src/pull/source-reader.ts';
import type { Live } from '../../src/store/live/live.ts';
import { openLiveSource } from '../../src/store/live/live-source.ts';
import { type SyncOptions, syncOnce } from '../../src/store/sync/sync.ts';
import { serverConfig } from '../http/server-config.ts';
import { withoutPublishing } from '../live/memory-source.ts';
import { fastClock, makeFolder, NEVER, TOKEN } from './pulling.ts';

/** Makes the statements of syncs and their writes fail. */
export interface Failpoint {
  /** The next statement to fail, from 1; the failing one resets it. Default: none. */
  at: number | undefined;
}

/** A server that is synced when a test asks for it. */
export interface SyncedServer {
  readonly url: string;
  /** Its working database. */
  readonly database: Database;
  readonly failpoint: Failpoint;
  /** Syncs as a new process would: only what is on disk remains from earlier runs. */
  sync(options?: SyncOptions, signal?: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** Opens a server without records, as `serve --sync` does. @param url The address of its source. */
export async function openSyncedServer(url: string): Promise<SyncedServer> {
  const { folder, remove } = makeFolder();
  const file = join(folder, 'company.duckdb');
  const source = await openLiveSource({ database: file, memoryLimitMib: 512 }, new Date());
  // Its statements are small, so further threads would only wait for each other.
  await source.database.run('SET threads = 1');
  const failpoint: Failpoint = { at: undefined };
  const database = failing(source.database, failpoint);
  let live: Live | undefined;
  const server = await openServer(
    {
      ...serverConfig({ database: file, tokens: join(folder, 'tokens.json') }),
      publishEverySeconds: 3600,
      logLevel: 'silent',
    },
    {
      // Nothing is published while histories run.
      limits: { pollMs: 1_000_000 },
      live: { ...withoutPublishing(source), database },
      log: () => undefined,
      sync(opened) {
        live = opened;
        return { close: async () => undefined };
      },
    },
  );
  return {
    url: server.url,
    database: source.database,
    failpoint,
    async sync(options = {}, signal = NEVER) {
      if (!live) throw new Error('The server has no live data');
      const from = openSource({ url, token: () => TOKEN, clock: fastClock(), requestsPerMinute: 60_000 });
      await syncOnce(
        { reader: makeReader(from, () => new Date()), live, database, file, memoryLimitMib: 256 },
        options,
        signal,
      );
    },
    async close() {
      await server.close();
      remove();
    },
  };
}

/** Wraps a database whose statements fail where a test wants it; the end of a transaction never does. */
function failing(database: Database, failpoint: Failpoint): Database {
  const pass = (sql: string) => {
    if (failpoint.at === undefined || sql.startsWith('ROLLBACK')) return;
    failpoint.at -= 1;
    if (failpoint.at > 0) return;
    failpoint.at = undefined;
    throw new Error(`Failed on purpose: ${sql.slice(0, 80)}`);
  };
  return {
    ...database,
    async run(sql, ...more) {
      pass(sql);
      await database.run(sql, ...more);
    },
    async rows(sql, ...more) {
      pass(sql);
      return database.rows(sql, ...more);
    },
    session: async () => failing(await database.session(), failpoint),
  };
}
