import type { DuckDBDataChunk } from '@duckdb/node-api';
import { type Attach, makeAttach } from './attachments.ts';
import { type AcquireLease, openConnectionPool, openSingleConnection, type StatementLease } from './connections.ts';
import type { Value } from './driver-value.ts';
import { createInstance, type OpenOptions } from './instance.ts';
import type { Parameters } from './parameter.ts';
import { type RunningStatements, trackStatements } from './running-statements.ts';
import { readStored, type StoredChunk, type StoredColumn } from './stored.ts';
import { openStream, readObjects, readRows, readZonedRows, type Stream } from './stream.ts';
import { type MakeViews, makeViewCatalogs } from './view-catalogs.ts';

export { formatCompactTime, formatTime, formatZonedTime } from './driver-value.ts';
export { dateParameter, decimalParameter } from './parameter.ts';
export { quoteName, quoteText, zoned } from './quote.ts';
export type { ViewCatalog } from './view-catalogs.ts';
export type { OpenOptions, Parameters, StoredChunk, StoredColumn, Stream, Value };

export interface StatementOptions {
  /** Interrupts the statement or ends its stream; the caller gets the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * An open database file.
 * Callers may run statements concurrently: reads run in parallel, while statements that may write share
 * one connection and run in order, so that a transaction sees its own changes.
 */
export interface Database {
  /** Runs statements; one text may hold several if no parameters are given. */
  run(sql: string, parameters?: Parameters, options?: StatementOptions): Promise<void>;
  /** Reads a small result whole, one object per row. */
  rows<Row = Record<string, Value>>(sql: string, parameters?: Parameters, options?: StatementOptions): Promise<Row[]>;
  /** Streams a result of any size from committed data; several streams may be open at once. */
  stream(sql: string, parameters?: Parameters, options?: StatementOptions): Promise<Stream>;
  /** Streams a result like `stream`, each chunk by columns in the engine's layout. */
  columns(sql: string, parameters?: Parameters, options?: StatementOptions): Promise<Stream<StoredChunk>>;
  /** Streams a result computed in full beforehand, so that errors keep their message; timestamps have their zone. */
  read(sql: string, parameters?: Parameters, options?: StatementOptions): Promise<Stream>;
  /** Runs the work in one transaction: all of it is kept or nothing. */
  transaction<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Opens a separate connection to the same file, on which all statements run in order.
   * A transaction there is isolated, and its reads see one snapshot. Closing the database closes it too.
   */
  session(): Promise<Database>;
  /** Attaches another file, whose relations statements then read by qualified names. */
  attach: Attach;
  /** Makes a database of views beside the file, or finds the one with the key. */
  views: MakeViews;
  /**
   * Opens a reader of views, which must be closed before they are released.
   * It is the session itself, which reads them from now on, except in a read-only database, whose readers share plans.
   */
  reader(catalog: string): Promise<Database>;
  /** Ends running statements and frees the file's lock. Must be called. */
  close(): Promise<void>;
}

/**
 * Opens a database file, or one in memory for ":memory:".
 * @throws AppError busy if another process holds the file, storage if it is missing or not a database.
 */
export async function openDatabase(file: string, options: OpenOptions = {}): Promise<Database> {
  const instance = await createInstance(file, options);
  const writer = await openSingleConnection(instance);
  const pool = openConnectionPool(instance, options.readOnly === true);
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
  const openSession = async (): Promise<Database> => {
    const single = await openSingleConnection(instance);
    const sessionStatements = trackStatements();
    const session = makeDatabase({
      statements: sessionStatements,
      acquireWriter: single.acquire,
      acquireReader: single.acquire,
      acquireStream: single.acquire,
      session: openSession,
      attach,
      views,
      async reader(catalog) {
        await session.run(`USE ${catalog}`);
        return session;
      },
      async close() {
        sessions.delete(session);
        await sessionStatements.endAll();
        single.close();
      },
    });
    sessions.add(session);
    return session;
  };
  const openReader = async (catalog: string): Promise<Database> => {
    if (!options.readOnly) return (await openSession()).reader(catalog);
    const readerStatements = trackStatements();
    const acquire: AcquireLease = (sql) => pool.acquire(sql, catalog);
    const reader = makeDatabase({
      statements: readerStatements,
      acquireWriter: acquire,
      acquireReader: acquire,
      acquireStream: acquire,
      session: openSession,
      attach,
      views,
      reader: openReader,
      async close() {
        sessions.delete(reader);
        await readerStatements.endAll();
      },
    });
    sessions.add(reader);
    return reader;
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

interface ConnectionSources {
  readonly statements: RunningStatements;
  readonly acquireWriter: AcquireLease;
  readonly acquireReader: AcquireLease;
  readonly acquireStream: AcquireLease;
  readonly session: () => Promise<Database>;
  readonly attach: Attach;
  readonly views: MakeViews;
  readonly reader: Database['reader'];
  readonly close: () => Promise<void>;
}

function makeDatabase({
  statements,
  acquireWriter,
  acquireReader,
  acquireStream,
  session,
  attach,
  views,
  reader,
  close,
}: ConnectionSources): Database {
  const run: Database['run'] = (sql, parameters, { signal } = {}) =>
    statements.run(
      () => acquireWriter(sql),
      signal,
      async (lease) => {
        try {
          await lease.run(parameters);
        } finally {
          lease.release();
        }
      },
    );
  const streamWith =
    <Chunk>(mode: 'run' | 'stream', read: (chunk: DuckDBDataChunk) => Iterable<Chunk>) =>
    (sql: string, parameters?: Parameters, { signal }: StatementOptions = {}) =>
      statements.run(
        () => acquireStream(sql),
        signal,
        async (lease) => {
          try {
            const result = await lease[mode](parameters);
            const stream = openStream(lease, result, read, () => unregister());
            const unregister = statements.register(stream.end, signal);
            return stream;
          } catch (error) {
            lease.release();
            throw error;
          }
        },
      );
  let closing: Promise<void> | undefined;
  return {
    run,
    rows<Row>(sql: string, parameters?: Parameters, { signal }: StatementOptions = {}) {
      return statements.run(
        () => acquireReader(sql),
        signal,
        (lease) => readWhole<Row>(lease, parameters),
      );
    },
    stream: streamWith('stream', (chunk) => readRows(chunk)),
    columns: streamWith('stream', (chunk) => [readStored(chunk)]),
    read: streamWith('run', readZonedRows),
    transaction: (work) => runTransaction(run, work),
    session,
    attach,
    views,
    reader,
    close() {
      closing ??= close();
      return closing;
    },
  };
}

async function readWhole<Row>(lease: StatementLease, parameters: Parameters | undefined): Promise<Row[]> {
  let rows: Row[] | undefined;
  try {
    const result = await lease.run(parameters);
    rows = readObjects<Row>(result);
    return rows;
  } finally {
    lease.release(rows?.length);
  }
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
  };
}

async function runTransaction<T>(run: Database['run'], work: () => Promise<T>): Promise<T> {
  await run('BEGIN');
  try {
    const answer = await work();
    await run('COMMIT');
    return answer;
  } catch (error) {
    // A failed commit has already ended the transaction; the first error counts.
    await run('ROLLBACK').catch(() => undefined);
    throw error;
  }
}
