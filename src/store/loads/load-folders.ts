import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../base/index.ts';
import { loadsFolder, storageError } from '../generation/generation-files.ts';

/** The most loads whose files are received or read at once. Unit: loads. */
export const MAX_LOADS_AT_ONCE = 4;

/** The most loads of one reader whose files are received or read at once. Unit: loads. */
export const MAX_LOADS_EACH = 2;

/** A folder of a load; nothing of it stays. */
export interface LoadFolder {
  readonly folder: string;
  remove(): Promise<void>;
}

/** The folders of loads in work, beside the database. */
export interface LoadFolders {
  /** Makes a folder, and removes those that a killed process has left. @throws AppError busy for too many, of all or of one reader. */
  make(reader?: string): Promise<LoadFolder>;
}

/** @param file The database. */
export function openLoadFolders(file: string): LoadFolders {
  const parent = loadsFolder(file);
  const used = new Map<string, string | undefined>();
  const removeOthers = async () => {
    const names = await readdir(parent).catch(() => []);
    const left = names.filter((name) => !used.has(name));
    await Promise.all(left.map((name) => rm(join(parent, name), { recursive: true, force: true })));
  };
  return {
    async make(reader) {
      if (used.size >= MAX_LOADS_AT_ONCE) {
        throw new AppError('busy', `The files of ${MAX_LOADS_AT_ONCE} loads are being received`, {
          hint: 'Try again when they are.',
        });
      }
      const own = [...used.values()].filter((each) => reader !== undefined && each === reader);
      if (own.length >= MAX_LOADS_EACH) {
        throw new AppError('busy', `The files of ${own.length} loads of this reader are being received`, {
          hint: 'Try again when they are.',
        });
      }
      const name = randomUUID();
      used.set(name, reader);
      const folder = join(parent, name);
      try {
        await removeOthers();
        await mkdir(folder, { recursive: true, mode: 0o700 });
      } catch (cause) {
        used.delete(name);
        throw storageError(file, cause, 'sync');
      }
      return {
        folder,
        async remove() {
          // A folder that can't be removed now is removed before the next load.
          await rm(folder, { recursive: true, force: true }).finally(() => used.delete(name));
          // Another load may have made its folder meanwhile.
          await rmdir(parent).catch(() => undefined);
        },
      };
    },
  };
}
