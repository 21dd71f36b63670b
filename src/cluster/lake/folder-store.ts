import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isFailure } from '../../database/engine-errors.ts';
import { AppError, messageOf } from '../../error.ts';
import { openLock } from '../../generation/generation-lock.ts';
import type { LakeFile, LakeStore } from './lake-store.ts';

/** The most times that a folder is removed in which others still write: 0.1 s apart, each time 0.1 s more. */
const MAX_REMOVALS = 5;

/** Opens a lake in a folder of this machine, which all nodes of the cluster see, too. */
export function openFolderStore(folder: string): LakeStore {
  const locate = (place: string) => join(folder, place);
  return {
    locate,
    async lock(name, conflict) {
      const lock = await openLock(locate(name), conflict);
      return { assertHeld: () => undefined, close: () => lock.close() };
    },
    async write(place, fill) {
      const parent = dirname(locate(place));
      try {
        await mkdir(parent, { recursive: true });
        await fill(locate(place));
      } catch (error) {
        if (isFailure(error, 'outOfMemory')) throw error;
        // The error of a full disk would name the disk of the database.
        throw new AppError('storage', `Can't write ${parent}`, {
          hint: 'Check that you may write in the lake, and that its disk has space. Nothing was published.',
          evidence: messageOf(error),
        });
      }
    },
    async read(files, work) {
      for (const file of files) await assertSize(locate(file.place), file);
      return work(files.map(({ place }) => locate(place)));
    },
    list: () => readdir(folder),
    // A worker may still be writing there.
    remove: (place) => rm(locate(place), { recursive: true, force: true, maxRetries: MAX_REMOVALS }),
  };
}

async function assertSize(path: string, { bytes, relation }: LakeFile): Promise<void> {
  const hint = 'Nothing was published: check that this machine sees the whole lake, and load again.';
  const found = await stat(path).catch((cause: unknown) => {
    throw new AppError('cluster', `A file of ${relation} is missing here: ${path}`, { hint, cause });
  });
  if (found.size === bytes) return;
  throw new AppError('cluster', `A file of ${relation} has ${found.size} bytes instead of ${bytes}: ${path}`, { hint });
}
