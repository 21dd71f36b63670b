import { type Database, type OpenOptions, openDatabase } from '../database/database.ts';
import { AppError } from '../error.ts';

/** What is said when somebody else has what is opened. */
export interface Taken {
  readonly message: string;
  readonly hint: string;
}

/**
 * Node has no file locks, but DuckDB has: an empty database beside the file is held open for as long as something is written there. The
 * operating system frees it when the process ends, however it ends.
 * @throws AppError busy when somebody else has it.
 */
export function openLock(file: string, taken: Taken): Promise<Database> {
  return openAlone(`${file}.lock`, {}, taken);
}

/** Opens a database that one process alone may have open. @throws AppError busy when another has. */
export async function openAlone(file: string, options: OpenOptions, { message, hint }: Taken): Promise<Database> {
  try {
    return await openDatabase(file, options);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'busy') throw error;
    throw new AppError('busy', message, { hint, cause: error });
  }
}

/** The lock of those who load or make a database. @throws AppError busy when another load is under way. */
export function openLoadLock(file: string): Promise<Database> {
  const hint = 'Wait until it has finished, then load again.';
  return openLock(file, { message: `Another load of ${file} is under way`, hint });
}
