import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isFailure } from '../../base/database/index.ts';
import { AppError, messageOf, systemCodeOf } from '../../base/index.ts';
import { openLock } from '../../store/generation/index.ts';
import { assertLakeFile, type LakeStore } from './lake-store.ts';

/** The most attempts to remove a folder in which others still write: the delay grows by 0.1 s each time. */
const MAX_REMOVALS = 5;

/** Opens a lake in a folder of this machine, which all nodes of the cluster see, too. */
export function openFolderStore(folder: string): LakeStore {
  const locate = (place: string) => join(folder, place);
  return {
    locate,
    async lock(name, conflict) {
      const lock = await inFolder('write', locate(name), () => openLock(locate(name), conflict));
      return { assertHeld: () => undefined, close: () => lock.close() };
    },
    write: (place, fill) =>
      inFolder('write', dirname(locate(place)), async () => {
        await mkdir(dirname(locate(place)), { recursive: true });
        await fill(locate(place));
      }),
    async read(files, work) {
      for (const file of files) {
        const path = locate(file.place);
        assertLakeFile(file, path, await inFolder('read', path, () => sizeOf(path)));
      }
      return work(files.map(({ place }) => locate(place)));
    },
    list: () => inFolder('list', folder, () => readdir(folder)),
    // A worker may still be writing there.
    remove: (place) =>
      inFolder('remove', locate(place), () =>
        rm(locate(place), { recursive: true, force: true, maxRetries: MAX_REMOVALS }),
      ),
  };
}

/** @throws AppError storage for an error of the disk, which would otherwise name the disk of the database. */
async function inFolder<T>(verb: string, path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isFailure(error, 'outOfMemory') || (error instanceof AppError && error.code === 'busy')) throw error;
    throw new AppError('storage', `Can't ${verb} ${path}`, {
      hint: `Check that you may ${verb} there, and that the disk of the lake has space. Nothing was published.`,
      evidence: messageOf(error),
    });
  }
}

async function sizeOf(path: string): Promise<number | undefined> {
  const { size } = await stat(path).catch((error: unknown) => {
    if (systemCodeOf(error) === 'ENOENT') return { size: undefined };
    throw error;
  });
  return size;
}
