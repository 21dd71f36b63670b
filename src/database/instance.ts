import { resolve } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { AppError, messageOf } from '../error.ts';

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
  if (options.readOnly) settings['access_mode'] = 'READ_ONLY';
  if (options.memoryLimitMib) settings['memory_limit'] = `${options.memoryLimitMib}MiB`;
  try {
    const instance = await DuckDBInstance.create(pathOf(file), settings);
    await pinTimeZone(instance, options.isLocked === true);
    return instance;
  } catch (cause) {
    throw openError(file, cause);
  }
}

/** Returns an absolute path, which is always a file: the engine would read `md:x` as a service. */
function pathOf(file: string): string {
  return file === ':memory:' ? file : resolve(file);
}

/**
 * Sets the time zone of all sessions to UTC; the machine's zone would shift the day of a timestamp.
 * Must run after the time zone extension is loaded and before the settings are locked.
 */
async function pinTimeZone(instance: DuckDBInstance, isLocked: boolean): Promise<void> {
  const connection = await instance.connect();
  await connection.run(`SET GLOBAL TimeZone = 'UTC'${isLocked ? '; SET GLOBAL lock_configuration = true' : ''}`);
  connection.closeSync();
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
  if (
    /not a valid DuckDB database|newer version|older version|corrupt|Could not read enough bytes|Is a directory|in-memory database in read-only/i.test(
      message,
    )
  ) {
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
