import {
  type DuckDBConnection,
  type DuckDBDataChunk,
  DuckDBInstance,
  type DuckDBResult,
  type DuckDBValue,
} from '@duckdb/node-api';
import { type Lend, trackRunning } from './database/statement.ts';
import { openStream, readColumns, readRows, type Stream } from './database/stream.ts';
import { takeTurns } from './database/turns.ts';
import { readValue, type StoredValue, type Value } from './database/value.ts';
import { AppError, messageOf } from './error.ts';

export { dateParameter, decimalParameter } from './database/parameter.ts';
export type { StoredValue, Stream, Value };

/** Values bound to $name or to ? in a statement. */
export type Parameters = Record<string, DuckDBValue> | DuckDBValue[];

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
  run(sql: string, parameters?: Parameters): Promise<void>;
  /** Reads a small result whole, as one object a row. */
  rows<Row = Record<string, Value>>(sql: string, parameters?: Parameters, options?: StatementOptions): Promise<Row[]>;
  /** Reads a result of any size, chunk by chunk, of what is committed; several may be read at once. */
  stream(sql: string, parameters?: Parameters, options?: StatementOptions): Promise<Stream>;
  /** Reads a result of any size like `stream`, but each chunk column by column, as files hold columns. */
  columns(sql: string, parameters?: Parameters, options?: StatementOptions): Promise<Stream<StoredValue[][]>>;
  /** Like stream, but computes all before the first chunk: a fault on the way is told as it is, where a stream only breaks off. */
  read(sql: string, parameters?: Parameters, options?: StatementOptions): Promise<Stream>;
  /** Runs the work in one transaction: all of it stays or nothing. */
  transaction<T>(work: () => Promise<T>): Promise<T>;
  /** Must be called; ends what still runs, and frees the file's lock. */
  close(): Promise<void>;
}

/** How a database is opened. */
export interface OpenOptions {
  readonly readOnly?: boolean;
  /** The most memory that DuckDB's buffers take, in MiB. Default: 80 % of the machine's. */
  readonly memoryLimitMib?: number | undefined;
  /** More of the engine's settings, by name. */
  readonly settings?: Readonly<Record<string, string>>;
}

/**
 * Opens a database file, or one in memory for ":memory:".
 * @throws AppError busy when another process holds the file, storage when it is missing or not a database.
 */
export async function openDatabase(file: string, options: OpenOptions = {}): Promise<Database> {
  const instance = await createInstance(file, options);
  const writer = await instance.connect();
  const pool = openPool(instance);
  const running = trackRunning();
  const inTurn = takeTurns();
  const lendWriter: Lend = (work) => inTurn(() => work(writer));
  const lendReader = options.readOnly ? pool.lend : lendWriter;
  const run: Database['run'] = (sql, parameters) =>
    running.run(lendWriter, undefined, async (connection) => void (await connection.run(sql, parameters)));
  const streamWith =
    <Chunk>(
      read: (chunk: DuckDBDataChunk) => Chunk,
      start: (connection: DuckDBConnection, sql: string, parameters?: Parameters) => Promise<DuckDBResult>,
    ) =>
    (sql: string, parameters?: Parameters, { signal }: StatementOptions = {}) =>
      running.run(pool.give, signal, async (connection) => {
        const result = await start(connection, sql, parameters);
        const stream = openStream(connection, result, read, () => forget());
        const forget = running.add(stream.end, signal);
        return stream;
      });
  let closing: Promise<void> | undefined;
  return {
    run,
    rows<Row>(sql: string, parameters?: Parameters, { signal }: StatementOptions = {}) {
      return running.run(lendReader, signal, async (connection) => {
        const result = await connection.run(sql, parameters);
        return (await result.convertRowObjects(readValue)) as Row[];
      });
    },
    stream: streamWith(readRows, (connection, ...statement) => connection.stream(...statement)),
    columns: streamWith(readColumns, (connection, ...statement) => connection.stream(...statement)),
    read: streamWith(readRows, (connection, ...statement) => connection.run(...statement)),
    transaction: (work) => runTransaction(run, work),
    close() {
      closing ??= running.endAll().then(() => {
        pool.close();
        writer.closeSync();
        instance.closeSync();
      });
      return closing;
    },
  };
}

async function createInstance(file: string, options: OpenOptions): Promise<DuckDBInstance> {
  const settings: Record<string, string> = {
    // Nothing is ever downloaded: what isn't built into the driver isn't used.
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    ...options.settings,
  };
  if (options.readOnly) settings['access_mode'] = 'READ_ONLY';
  if (options.memoryLimitMib) settings['memory_limit'] = `${options.memoryLimitMib}MiB`;
  try {
    return await DuckDBInstance.create(file, settings);
  } catch (cause) {
    throw openError(file, cause);
  }
}

function openError(file: string, cause: unknown): AppError {
  const message = messageOf(cause);
  if (/Could not set lock|Conflicting lock/.test(message)) {
    return new AppError('busy', `${file} is in use by another process`, {
      hint: 'Wait until it has finished, or name another file with --database.',
      cause,
    });
  }
  if (/database does not exist/.test(message)) {
    return new AppError('storage', `There is no database ${file}`, {
      hint: 'Load a dataset first: plumbline load DIR, or name another file with --database.',
      cause,
    });
  }
  if (/not a valid DuckDB database|newer version|older version|corrupt|Could not read enough bytes/i.test(message)) {
    return new AppError('storage', `${file} is not a database that this version reads`, {
      hint: 'Name another file with --database, or load the dataset again into a new one.',
      cause,
    });
  }
  return new AppError('storage', `Can't open ${file}: ${message}`, {
    hint: 'Check that the path is right and that you may read and write there.',
    cause,
  });
}

/** How many connections are kept for the next readers. */
const MAX_IDLE_CONNECTIONS = 8;

/** Connections beside the first. */
function openPool(instance: DuckDBInstance) {
  const idle: DuckDBConnection[] = [];
  const lend: Lend = async (work) => {
    const connection = idle.pop() ?? (await instance.connect());
    try {
      return await work(connection);
    } finally {
      if (idle.length < MAX_IDLE_CONNECTIONS) idle.push(connection);
      else connection.closeSync();
    }
  };
  /** Lends one that the work keeps, and closes, unless it fails. */
  const give: Lend = async (work) => {
    const connection = await instance.connect();
    try {
      return await work(connection);
    } catch (error) {
      connection.closeSync();
      throw error;
    }
  };
  return { lend, give, close: () => idle.splice(0).forEach((connection) => void connection.closeSync()) };
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

/** A text as an SQL literal. */
export function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** A name as an SQL identifier. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
