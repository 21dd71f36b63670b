import { existsSync } from 'node:fs';
import { link, readFile, stat, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, findInCause, type OpenOptions, openDatabase } from '../../base/database/index.ts';
import { AppError, removeOnSignal } from '../../base/index.ts';
import { lockPart, removeDatabase, storageError } from './generation-files.ts';

/** The error shown when another process holds a lock. */
export interface LockConflict {
  readonly message: string;
  readonly hint: string;
}

/**
 * Opens a lock: an empty DuckDB database beside the file, because Node has no file locks.
 * The operating system frees it when the process ends in any way.
 * @throws AppError busy when another process holds it.
 */
export async function openLock(file: string, conflict: LockConflict): Promise<Database> {
  const lock = `${file}.lock`;
  // Opening the lock reports why it can't be created.
  if (!existsSync(lock)) await createLock(lock).catch(() => undefined);
  for (let repairs = 0; ; repairs += 1) {
    try {
      return await openAlone(lock, {}, conflict);
    } catch (error) {
      if (repairs === MAX_REPAIRS || findInCause(error, 'otherFile') === undefined) throw error;
      if (!(await repairLock(lock))) throw error;
    }
  }
}

/** The most times that a damaged lock is repaired: another process may repair it at the same moment. */
const MAX_REPAIRS = 3;

/** Creates a lock whole: a process that opened it half-written would find that it is no database. */
function createLock(lock: string): Promise<void> {
  // Unlike a rename, a link fails if another process was faster and holds its lock already.
  return withPart(lock, (part) => link(part, lock));
}

/**
 * Repairs a lock that a full disk has left half-written. Nobody holds it: the engine opens a held one as busy.
 * Keeps the file, because a lock belongs to it: another process may have repaired and opened it meanwhile.
 * @returns false for a file larger than a lock, which is something else.
 */
function repairLock(lock: string): Promise<boolean> {
  return withPart(lock, async (part) => {
    const whole = await readFile(part);
    if ((await stat(lock)).size > whole.length) return false;
    await writeFile(lock, whole, { flag: 'r+' });
    return true;
  });
}

/** Makes an empty database beside a lock for some work. */
async function withPart<T>(lock: string, work: (part: string) => Promise<T>): Promise<T> {
  const part = lockPart(lock);
  removeOnSignal(part);
  try {
    await (await openDatabase(part)).close();
    return await work(part);
  } finally {
    await removeDatabase(part);
  }
}

/**
 * Opens a database exclusively.
 * @throws AppError busy when another process has it open.
 */
export async function openAlone(
  file: string,
  options: OpenOptions,
  { message, hint }: LockConflict,
): Promise<Database> {
  try {
    return await openDatabase(file, options);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'busy') throw error;
    throw new AppError('busy', message, { hint, cause: error });
  }
}

/**
 * Opens the lock shared by everything that loads or makes a database.
 * @throws AppError busy when another load is running, storage when it can't be made.
 */
export function openLoadLock(file: string): Promise<Database> {
  const hint = 'Wait until it has finished, then load again.';
  return openLock(file, { message: `Another load of ${file} is under way`, hint }).catch((error: unknown) => {
    throw storageError(file, error);
  });
}

/** The longest wait for a load, or for another process that keeps a state. Unit: ms. */
const LOCK_WAIT_MS = 60_000;

const LOCK_RETRY_MS = 100;

/**
 * Opens the same lock, after waiting for its holder.
 * @throws AppError busy when another process holds it for too long.
 */
export async function awaitLoadLock(file: string): Promise<Database> {
  const deadline = performance.now() + LOCK_WAIT_MS;
  for (;;) {
    try {
      return await openLoadLock(file);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'busy' || performance.now() > deadline) throw error;
    }
    await sleep(LOCK_RETRY_MS);
  }
}
