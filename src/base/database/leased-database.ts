import type { DuckDBDataChunk } from '@duckdb/node-api';
import type { Attach } from './attachments.ts';
import type { AcquireLease, StatementLease } from './connections.ts';
import type { Value } from './driver-value.ts';
import type { Parameters } from './parameter.ts';
import type { RunningStatements } from './running-statements.ts';
import { readStored, type StoredChunk } from './stored.ts';
import { openStream, readObjects, readRows, readZonedRows, type Stream } from './stream.ts';
import type { MakeViews } from './view-catalogs.ts';

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
  /** Lets a COPY write rows into a file, beside other statements. Returns how many. */
  copy(sql: string, options?: StatementOptions): Promise<number>;
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

/** Where the statements of a database get their connections, and what else it opens and closes. */
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

/** Makes a database whose statements run on leased connections. */
export function makeDatabase({
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
      (ended) => acquireWriter(sql, ended),
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
        (ended) => acquireStream(sql, ended),
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
  const stream: Database['stream'] = streamWith('stream', (chunk) => readRows(chunk));
  let closing: Promise<void> | undefined;
  return {
    run,
    rows<Row>(sql: string, parameters?: Parameters, { signal }: StatementOptions = {}) {
      return statements.run(
        (ended) => acquireReader(sql, ended),
        signal,
        (lease) => readWhole<Row>(lease, parameters),
      );
    },
    stream,
    columns: streamWith('stream', (chunk) => [readStored(chunk)]),
    read: streamWith('run', readZonedRows),
    async copy(sql, options) {
      const { chunks } = await stream(sql, undefined, options);
      let rows = 0;
      for await (const [[count]] of chunks as AsyncIterable<[[number]]>) rows = count;
      return rows;
    },
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
