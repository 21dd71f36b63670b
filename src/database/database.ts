import type { DuckDBDataChunk } from '@duckdb/node-api';
import { openPool, openTurns, type Take, type Taken } from './connections.ts';
import { createInstance, type OpenOptions } from './instance.ts';
import type { Parameters } from './parameter.ts';
import { type Running, trackRunning } from './statement.ts';
import { readStored, type StoredChunk, type StoredColumn } from './stored.ts';
import { openStream, readObjects, readRows, type Stream } from './stream.ts';
import type { Value } from './value.ts';

export { dateParameter, decimalParameter } from './parameter.ts';
export { formatTime } from './value.ts';
export type { OpenOptions, Parameters, StoredChunk, StoredColumn, Stream, Value };

/** How a statement is run. */
export interface StatementOptions {
  /** Interrupts the statement, or ends its stream; who waits for it is given the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * One open database file. Callers may ask at once: what is only read is read side by side, and what may write takes turns on one connection,
 * so that a transaction sees what it has done.
 */
export interface Database {
  /** Runs statements, of which several may stand in one text when no parameters are given. */
  run(sql: string, parameters?: Parameters, options?: StatementOptions): Promise<void>;
  /** Reads a small result whole, as one object a row. */
  rows<Row = Record<string, Value>>(sql: string, parameters?: Parameters, options?: StatementOptions): Promise<Row[]>;
  /** Reads a result of any size, chunk by chunk, of what is committed; several may be read at once. */
  stream(sql: string, parameters?: Parameters, options?: StatementOptions): Promise<Stream>;
  /** Reads a result of any size like `stream`, but each chunk column by column, as the engine holds it. */
  columns(sql: string, parameters?: Parameters, options?: StatementOptions): Promise<Stream<StoredChunk>>;
  /** Like stream, but computes all before the first chunk: a fault on the way is told as it is, where a stream only breaks off. */
  read(sql: string, parameters?: Parameters, options?: StatementOptions): Promise<Stream>;
  /** Runs the work in one transaction: all of it stays or nothing. */
  transaction<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Opens a connection of its own to the same file. All its statements, streams too, take turns on it: so a transaction there is apart from
   * everybody else's, and whoever reads in one sees a single moment of the data. Closed with the database at the latest.
   */
  session(): Promise<Database>;
  /** Must be called; ends what still runs, and frees the file's lock. */
  close(): Promise<void>;
}

/**
 * Opens a database file, or one in memory for ":memory:".
 * @throws AppError busy when another process holds the file, storage when it is missing or not a database.
 */
export async function openDatabase(file: string, options: OpenOptions = {}): Promise<Database> {
  const instance = await createInstance(file, options);
  const writer = await openTurns(instance);
  const pool = openPool(instance, options.readOnly === true);
  const running = trackRunning();
  const sessions = new Set<Database>();
  const close = async () => {
    await Promise.all([...sessions].map((session) => session.close()));
    await running.endAll();
    pool.close();
    writer.close();
    instance.closeSync();
  };
  const openSession = async (): Promise<Database> => {
    const turns = await openTurns(instance);
    const runningThere = trackRunning();
    const session = makeDatabase({
      running: runningThere,
      takeWriter: turns.take,
      takeReader: turns.take,
      takeStream: turns.take,
      session: openSession,
      async close() {
        sessions.delete(session);
        await runningThere.endAll();
        turns.close();
      },
    });
    sessions.add(session);
    return session;
  };
  return makeDatabase({
    running,
    takeWriter: writer.take,
    takeReader: options.readOnly ? pool.take : writer.take,
    takeStream: pool.take,
    session: openSession,
    close,
  });
}

/** What the statements of a database go through. */
interface Ways {
  readonly running: Running;
  readonly takeWriter: Take;
  /** For a result that is read at once. */
  readonly takeReader: Take;
  /** For one that is read on and on. */
  readonly takeStream: Take;
  readonly session: () => Promise<Database>;
  readonly close: () => Promise<void>;
}

function makeDatabase({ running, takeWriter, takeReader, takeStream, session, close }: Ways): Database {
  const run: Database['run'] = (sql, parameters, { signal } = {}) =>
    running.run(
      () => takeWriter(sql),
      signal,
      async (taken) => {
        try {
          await taken.run(parameters);
        } finally {
          taken.giveBack();
        }
      },
    );
  const streamWith =
    <Chunk>(way: 'run' | 'stream', read: (chunk: DuckDBDataChunk) => Chunk) =>
    (sql: string, parameters?: Parameters, { signal }: StatementOptions = {}) =>
      running.run(
        () => takeStream(sql),
        signal,
        async (taken) => {
          try {
            const result = await taken[way](parameters);
            const stream = openStream(taken, result, read, () => forget());
            const forget = running.add(stream.end, signal);
            return stream;
          } catch (error) {
            taken.giveBack();
            throw error;
          }
        },
      );
  let closing: Promise<void> | undefined;
  return {
    run,
    rows<Row>(sql: string, parameters?: Parameters, { signal }: StatementOptions = {}) {
      return running.run(
        () => takeReader(sql),
        signal,
        (taken) => readWhole<Row>(taken, parameters),
      );
    },
    stream: streamWith('stream', readRows),
    columns: streamWith('stream', readStored),
    read: streamWith('run', readRows),
    transaction: (work) => runTransaction(run, work),
    session,
    close() {
      closing ??= close();
      return closing;
    },
  };
}

async function readWhole<Row>(taken: Taken, parameters: Parameters | undefined): Promise<Row[]> {
  let rows: Row[] | undefined;
  try {
    const result = await taken.run(parameters);
    rows = readObjects<Row>(result);
    return rows;
  } finally {
    taken.giveBack(rows?.length);
  }
}

/** Makes each statement on a database end at a signal; those that begin and end a transaction aside. */
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
    // A commit that failed has ended the transaction already; what counts is the first error.
    await run('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

/** A text as an SQL literal; as an expression if it holds U+0000, which ends a statement. */
export function quoteText(text: string): string {
  const parts = text.split('\0').map((part) => `'${part.replaceAll("'", "''")}'`);
  return parts.length === 1 ? String(parts[0]) : `(${parts.join(' || chr(0) || ')})`;
}

/** A name as an SQL identifier. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
