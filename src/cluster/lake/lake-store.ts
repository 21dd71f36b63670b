import { AppError } from '../../base/index.ts';
import type { LockConflict } from '../../store/generation/index.ts';

export interface LakeFile {
  /** Its path in the lake, with "/" between the parts. */
  readonly place: string;
  readonly bytes: number;
  /** Its table, for messages. */
  readonly relation: string;
}

export interface LakeLock {
  /** @throws AppError busy if the lock was lost. */
  assertHeld(): void;
  /** Releases the lock. Must be called. */
  close(): Promise<void>;
}

/**
 * The files of a lake in a folder or a bucket. Places are paths in the lake, with "/" between their parts.
 * Every method throws an AppError storage that names the place if the lake fails; test/lake/stores.test.ts tries all stores.
 */
export interface LakeStore {
  /** Returns the address of a place, for messages. */
  locate(place: string): string;
  /** Takes the lock of a name. @throws AppError busy while another load holds it. */
  lock(name: string, conflict: LockConflict): Promise<LakeLock>;
  /** Puts a file into the lake. @param fill Writes it to a path on this machine. */
  write(place: string, fill: (path: string) => Promise<void>): Promise<void>;
  /**
   * Gives files of the lake paths on this machine while some work runs.
   * @param work Takes the paths in the order of the files.
   * @throws AppError cluster for a file that is missing, or has another size.
   */
  read<T>(files: readonly LakeFile[], work: (paths: readonly string[]) => Promise<T>): Promise<T>;
  /** Returns the names of the topmost folders and files. */
  list(): Promise<string[]>;
  /** Removes a folder with all its files, if there is one. */
  remove(place: string): Promise<void>;
}

/** @throws AppError cluster for a file that is missing or has another size. @param found Its size; undefined if it is missing. */
export function assertLakeFile({ bytes, relation }: LakeFile, address: string, found: number | undefined): void {
  if (found === bytes) return;
  const fault = found === undefined ? 'is missing' : `has ${found} bytes instead of ${bytes}`;
  throw new AppError('cluster', `A file of ${relation} ${fault}: ${address}`, {
    hint: 'Nothing was published. Check that this machine sees the whole lake and no other program changes it, and load again.',
  });
}
