import {
  type DuckDBConnection,
  DuckDBDateValue,
  DuckDBDecimalValue,
  DuckDBInstance,
  DuckDBListValue,
  type DuckDBResult,
  DuckDBStructValue,
  DuckDBTimestampValue,
  type DuckDBType,
  type DuckDBValue,
} from '@duckdb/node-api';
import { AppError, messageOf } from './error.ts';

/**
 * A value out of the database. Decimals are text with all the digits of their scale ("12.5000"), dates and timestamps are
 * text (YYYY-MM-DD, YYYY-MM-DD HH:MM:SS), integers are numbers while they are exact and bigint beyond.
 */
export type Value = string | number | bigint | boolean | null | Value[] | { [name: string]: Value };

/** Values bound to $name or to ? in a statement. */
export type Parameters = Record<string, DuckDBValue> | DuckDBValue[];

/** The columns of a result and its rows, in chunks, as they are computed. */
export interface Stream {
  readonly names: readonly string[];
  readonly types: readonly string[];
  readonly chunks: AsyncIterable<Value[][]>;
}

/** One open database file and one connection to it. */
export interface Database {
  /** Runs statements, of which several may stand in one text when no parameters are given. */
  run(sql: string, parameters?: Parameters): Promise<void>;
  /** Reads a small result whole, as one object a row. */
  rows<Row = Record<string, Value>>(sql: string, parameters?: Parameters): Promise<Row[]>;
  /** Reads a result of any size, chunk by chunk, of what is committed; several may be read at once. */
  stream(sql: string, parameters?: Parameters): Promise<Stream>;
  /** Runs the work in one transaction: all of it stays or nothing. */
  transaction<T>(work: () => Promise<T>): Promise<T>;
  /** Must be called; frees the file's lock. */
  close(): void;
}

/** How a database is opened. */
export interface OpenOptions {
  readonly readOnly?: boolean;
  /** The most memory that DuckDB's buffers take, in MiB. Default: 80 % of the machine's. */
  readonly memoryLimitMib?: number | undefined;
}

/**
 * Opens a database file, or one in memory for ":memory:".
 * @throws AppError busy when another process holds the file, storage when it is missing or not a database.
 */
export async function openDatabase(file: string, options: OpenOptions = {}): Promise<Database> {
  const instance = await createInstance(file, options);
  const connection = await instance.connect();
  const streaming = new Set<DuckDBConnection>();
  return {
    async run(sql, parameters) {
      await connection.run(sql, parameters);
    },
    async rows<Row>(sql: string, parameters?: Parameters) {
      const result = await connection.run(sql, parameters);
      return (await result.convertRowObjects(readValue)) as Row[];
    },
    stream: async (sql, parameters) => openStream(await instance.connect(), streaming, sql, parameters),
    transaction: (work) => runTransaction(connection, work),
    close() {
      // A stream that nobody reads to its end would keep the file.
      for (const each of streaming) each.closeSync();
      streaming.clear();
      connection.closeSync();
      instance.closeSync();
    },
  };
}

async function createInstance(file: string, options: OpenOptions): Promise<DuckDBInstance> {
  const settings: Record<string, string> = {
    // Nothing is ever downloaded: what isn't built into the driver isn't used.
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
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

/** A connection has one result at a time, so each stream has a connection of its own, which ends with it. */
async function openStream(
  connection: DuckDBConnection,
  streaming: Set<DuckDBConnection>,
  sql: string,
  parameters?: Parameters,
): Promise<Stream> {
  streaming.add(connection);
  const close = () => {
    if (streaming.delete(connection)) connection.closeSync();
  };
  try {
    const result = await connection.stream(sql, parameters);
    return {
      names: result.columnNames(),
      types: result.columnTypes().map(String),
      chunks: readChunks(result, close),
    };
  } catch (error) {
    close();
    throw error;
  }
}

async function* readChunks(result: DuckDBResult, close: () => void): AsyncIterable<Value[][]> {
  try {
    yield* result.yieldConvertedRows(readValue) as AsyncIterable<Value[][]>;
  } finally {
    close();
  }
}

async function runTransaction<T>(connection: DuckDBConnection, work: () => Promise<T>): Promise<T> {
  await connection.run('BEGIN');
  try {
    const answer = await work();
    await connection.run('COMMIT');
    return answer;
  } catch (error) {
    // A commit that failed has ended the transaction already; what counts is the first error.
    await connection.run('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

function readValue(value: DuckDBValue, _type: DuckDBType): Value {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return value;
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  if (value instanceof DuckDBDecimalValue) return formatDecimal(value);
  if (value instanceof DuckDBDateValue) return value.toString();
  if (value instanceof DuckDBTimestampValue) return value.toString().slice(0, 'YYYY-MM-DD HH:MM:SS'.length);
  if (value instanceof DuckDBListValue) return value.items.map((item) => readValue(item, _type));
  if (value instanceof DuckDBStructValue) {
    return Object.fromEntries(Object.entries(value.entries).map(([name, entry]) => [name, readValue(entry, _type)]));
  }
  throw new AppError('internal', `No reading for a value of type ${_type}: ${String(value)}`);
}

/** The driver's own text of a decimal divides twice; a report has some ten thousand of them. */
function formatDecimal({ value, scale }: DuckDBDecimalValue): string {
  const sign = value < 0n ? '-' : '';
  const digits = String(value < 0n ? -value : value).padStart(scale + 1, '0');
  return scale === 0 ? sign + digits : `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

/** A text as an SQL literal. */
export function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** A name as an SQL identifier. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
