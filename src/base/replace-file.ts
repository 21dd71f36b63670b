import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { removeOnSignal, removeUnfinished } from './signals.ts';

/** Mark at the end of the name of a file that isn't in its place yet, before the number of its process. */
export const NEXT_MARK = '.next-';

/** Returns the path at which this process makes a file before it is renamed. */
export function nextFile(path: string): string {
  return `${path}${NEXT_MARK}${process.pid}`;
}

/**
 * Replaces a file or folder by one that is whole and on disk, or leaves it unchanged.
 * @param make Makes it at this path. It syncs the files of a folder itself.
 * @param next The path at which it is made, where a lock keeps others from using it at the same time.
 */
export function replaceFile<T>(
  path: string,
  make: (next: string) => Promise<T>,
  next: string = nextFile(path),
): Promise<T> {
  return makeBeside(next, async () => {
    const made = await make(next);
    await syncPath(next);
    await rename(next, path);
    await syncPath(dirname(path));
    return made;
  });
}

/**
 * Makes a file or folder that is renamed when it is whole. A failure or a signal removes it, with all that is named after it
 * (`next.wal`), as does the next attempt after a kill.
 */
export async function makeBeside<T>(next: string, make: () => Promise<T>): Promise<T> {
  removeOnSignal(next);
  removeUnfinished(next);
  try {
    return await make();
  } catch (error) {
    removeUnfinished(next);
    throw error;
  }
}

/** The content of a file: one text or chunk, or many. */
export type Bytes = Parameters<typeof Readable.from>[0];

/**
 * Writes a file, and returns its bytes. It is open before the first of them is made, so that it can be removed when making them
 * fails: a stream that opens it by itself may do so after the error was told.
 * @param mode The rights of a new file.
 */
export async function writeBytes(path: string, bytes: Bytes, mode?: number): Promise<number> {
  const handle = await open(path, 'w', mode);
  const file = handle.createWriteStream();
  await pipeline(Readable.from(bytes), file);
  return file.bytesWritten;
}

/** Syncs a file, or the names in a folder, to disk. */
export async function syncPath(path: string): Promise<void> {
  const handle = await open(path);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
