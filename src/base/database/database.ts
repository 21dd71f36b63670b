import { makeAttach } from './attachments.ts';
import { type AcquireLease, openConnectionPool, openSingleConnection } from './connections.ts';
import type { Value } from './driver-value.ts';
import { createInstance, type OpenOptions } from './instance.ts';
import { type Database, makeDatabase, type StatementOptions } from './leased-database.ts';
import type { Parameters } from './parameter.ts';
import { trackStatements } from './running-statements.ts';
import type { StoredChunk, StoredColumn } from './stored.ts';
import { makeViewCatalogs } from './view-catalogs.ts';

export { formatCompactTime, formatTime, formatZonedTime } from './driver-value.ts';
export { dateParameter, decimalParameter } from './parameter.ts';
export { quoteName, quoteText, zoned } from './quote.ts';
export type { ViewCatalog } from './view-catalogs.ts';
export type { Database, OpenOptions, Parameters, StoredChunk, StoredColumn, Value };

/**
 * Opens a database file, or one in memory for ":memory:".
 * @throws AppError busy if another process holds the file, storage if it is missing or not a database.
 */
export async function openDatabase(file: string, options: OpenOptions = {}): Promise<Database> {
  const instance = await createInstance(file, options);
  const writer = await openSingleConnection(instance);
  const pool = openConnectionPool(instance, options);
  const statements = trackStatements();
  const attach = makeAttach(instance);
  const views = makeViewCatalogs(instance, pool.close);
  const sessions = new Set<Database>();
  const close = async () => {
    await Promise.all([...sessions].map((session) => session.close()));
    await statements.endAll();
    pool.close();
    writer.close();
    instance.closeSync();
  };
  /** Opens a database of its own connections, which ends with this one. */
  const openOn = (acquire: AcquireLease, readerOf: (opened: Database) => Database['reader'], release: () => void) => {
    const ownStatements = trackStatements();
    const opened: Database = makeDatabase({
      statements: ownStatements,
      acquireWriter: acquire,
      acquireReader: acquire,
      acquireStream: acquire,
      session: openSession,
      attach,
      views,
      reader: (catalog) => readerOf(opened)(catalog),
      async close() {
        sessions.delete(opened);
        await ownStatements.endAll();
        release();
      },
    });
    sessions.add(opened);
    return opened;
  };
  const openSession = async (): Promise<Database> => {
    const single = await openSingleConnection(instance);
    const readItself = (session: Database) => async (catalog: string) => {
      await session.run(`USE ${catalog}`);
      return session;
    };
    return openOn(single.acquire, readItself, single.close);
  };
  const openReader = async (catalog: string): Promise<Database> => {
    if (!options.readOnly) return (await openSession()).reader(catalog);
    return openOn(
      (sql, ended) => pool.acquire(sql, ended, catalog),
      () => openReader,
      () => undefined,
    );
  };
  return makeDatabase({
    statements,
    acquireWriter: writer.acquire,
    acquireReader: options.readOnly ? pool.acquire : writer.acquire,
    acquireStream: pool.acquire,
    session: openSession,
    attach,
    views,
    reader: openReader,
    close,
  });
}

/** Ends each statement on a database at a signal, except those that begin or end a transaction. */
export function readUntil(signal: AbortSignal, database: Database): Database {
  const until = ({ signal: own }: StatementOptions = {}) => ({ signal: own ? AbortSignal.any([own, signal]) : signal });
  return {
    ...database,
    run: (sql, parameters, options) => database.run(sql, parameters, until(options)),
    rows: (sql, parameters, options) => database.rows(sql, parameters, until(options)),
    stream: (sql, parameters, options) => database.stream(sql, parameters, until(options)),
    columns: (sql, parameters, options) => database.columns(sql, parameters, until(options)),
    read: (sql, parameters, options) => database.read(sql, parameters, until(options)),
    copy: (sql, options) => database.copy(sql, until(options)),
  };
}
