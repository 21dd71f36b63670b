import { type Database, type OpenOptions, openDatabase } from '../database/database.ts';
import { AppError } from '../error.ts';

/** The error shown when another process holds a lock. */
export interface Taken {
  readonly message: string;
  readonly hint: string;
}

/**
 * Opens a lock: an empty DuckDB database beside the file, because Node has no file locks.
 * The operating system frees it when the process ends in any way.
 * @throws AppError busy when another process holds it.
 */
export function openLock(file: string, taken: Taken): Promise<Database> {
  return openAlone(`${file}.lock`, {}, taken);
}

/**
 * Opens a database exclusively.
 * @throws AppError busy when another process has it open.
 */
export async function openAlone(file: string, options: OpenOptions, { message, hint }: Taken): Promise<Database> {
  try {
    return await openDatabase(file, options);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'busy') throw error;
    throw new AppError('busy', message, { hint, cause: error });
  }
}

/**
 * Opens the lock shared by everything that loads or makes a database.
 * @throws AppError busy when another load is running.
 */
export function openLoadLock(file: string): Promise<Database> {
  const hint = 'Wait until it has finished, then load again.';
  return openLock(file, { message: `Another load of ${file} is under way`, hint });
}
