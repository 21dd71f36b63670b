import { type Database, openDatabase } from '../database.ts';
import { AppError } from '../error.ts';

/**
 * Node has no file locks, but DuckDB has: an empty database beside the file is held open for as long as something is written there. The
 * operating system frees it when the process ends, however it ends.
 * @throws AppError busy when somebody else has it.
 */
export async function openLock(file: string): Promise<Database> {
  try {
    return await openDatabase(`${file}.lock`);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'busy') throw error;
    throw new AppError('busy', `Another load of ${file} is under way`, {
      hint: 'Wait until it has finished, then load again.',
      cause: error,
    });
  }
}
