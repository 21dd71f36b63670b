import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { AppError, messageOf } from '../error.ts';
import { isFailure } from './engine-errors.ts';
import { missingDatabaseError } from './missing-database.ts';
import { quoteName } from './quote.ts';
import { createSerialQueue } from './serial-queue.ts';

/** Time between two interrupts of a statement: one sent before the engine has begun it is lost, so it is repeated. Unit: ms. */
export const INTERRUPT_EVERY_MS = 10;

export interface OpenOptions {
  readonly readOnly?: boolean;
  /** The memory limit of DuckDB's buffers. Unit: MiB. Default: 80 % of the machine's memory. */
  readonly memoryLimitMib?: number | undefined;
  readonly settings?: Readonly<Record<string, string>>;
  readonly isLocked?: boolean;
}

/**
 * Opens the engine on a file, or in memory.
 * @throws AppError busy, storage.
 */
export async function createInstance(file: string, options: OpenOptions): Promise<DuckDBInstance> {
  const settings: Record<string, string> = {
    // Nothing is ever downloaded: only extensions built into the driver are used.
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    ...options.settings,
  };
  if (options.readOnly) {
    // The engine takes 10 ms of processor time to find no file, and a server without data looks again and again.
    if (await isMissing(file)) throw missingDatabaseError(file);
    settings['access_mode'] = 'READ_ONLY';
  }
  if (options.memoryLimitMib) settings['memory_limit'] = `${options.memoryLimitMib}MiB`;
  try {
    const instance = await DuckDBInstance.create(pathOf(file), settings);
    await configure(instance, options.isLocked === true);
    return instance;
  } catch (cause) {
    throw openError(file, cause);
  }
}

/** Tests whether there is no file; other faults of its path are left to the engine. */
async function isMissing(file: string): Promise<boolean> {
  if (file === ':memory:') return false;
  return stat(file).then(
    () => false,
    (error: NodeJS.ErrnoException) => error.code === 'ENOENT',
  );
}

/** Returns an absolute path, which is always a file: the engine would read `md:x` as a service. */
function pathOf(file: string): string {
  return file === ':memory:' ? file : resolve(file);
}

/** The name of the open file in SQL. The engine would take the file's, which may be that of a schema: source.duckdb. */
const CATALOG = 'plumbline';

/**
 * Names the file, and sets the time zone of all sessions to UTC; the machine's zone would shift the day of a timestamp.
 * Must run after the time zone extension is loaded and before the settings are locked.
 */
async function configure(instance: DuckDBInstance, isLocked: boolean): Promise<void> {
  const connection = await instance.connect();
  const [[name] = []] = await (await connection.run('SELECT current_database()')).getRows();
  const current = String(name);
  const statements = [
    // The engine compares names without case.
    ...(current.toLowerCase() === CATALOG ? [] : [`ALTER DATABASE ${quoteName(current)} SET ALIAS TO ${CATALOG}`]),
    "SET GLOBAL TimeZone = 'UTC'",
    ...(isLocked ? ['SET GLOBAL lock_configuration = true'] : []),
  ];
  await connection.run(statements.join('; '));
  connection.closeSync();
}

export function openError(file: string, cause: unknown): AppError {
  if (isFailure(cause, 'lock')) {
    return new AppError('busy', `${file} is in use by another process`, {
      hint: 'Wait until it has finished, or name another file with --database.',
      cause,
    });
  }
  if (isFailure(cause, 'otherFile')) {
    return new AppError('storage', `${file} is not a database that this version reads`, {
      hint: 'Name another file with --database, or load the dataset again into a new one.',
      cause,
    });
  }
  return new AppError('storage', `Can't open ${file}: ${messageOf(cause)}`, {
    hint: 'Check that the path is right and that you may read and write there, or name another file with --database.',
    cause,
  });
}

/** Makes a function that runs statements after those before it, on a connection without a transaction. */
export function makeStatementQueue(instance: DuckDBInstance): (...statements: readonly string[]) => Promise<void> {
  const enqueue = createSerialQueue();
  return (...statements) =>
    enqueue(async () => {
      const connection = await instance.connect();
      try {
        for (const statement of statements) await connection.run(statement);
      } finally {
        connection.closeSync();
      }
    });
}
