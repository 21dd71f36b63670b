import { copyFile, mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { writeError } from '../../../base/database/index.ts';
import { AppError, removeUnfinished, replaceFile } from '../../../base/index.ts';
import type { MessageFile } from '../message/delivery-message.ts';

const ELSEWHERE = 'name another folder in deliveries.yaml';

/** The files of a sending, and the folder that gets them. */
export interface FolderJob {
  readonly place: string;
  /** The part of the place that has to be there. */
  readonly fixed: string;
  /** The folder of the occurrence, which has the files. */
  readonly folder: string;
  readonly files: readonly MessageFile[];
  /** The same at each try of the sending, and of no other one. */
  readonly mark: string;
}

/**
 * Puts files into a folder, each renamed into place, and removes what an earlier try left unfinished.
 * @param onFound Called when the folder is there, before the first file.
 * @throws AppError storage
 */
export async function writeIntoFolder(
  { place, fixed, folder, files, mark }: FolderJob,
  onFound: () => void,
): Promise<void> {
  await assertFolder(fixed, place);
  try {
    await mkdir(place, { recursive: true });
    onFound();
    for (const { name, stored } of files) {
      const part = join(place, `.${name}.part-${mark}`);
      removeUnfinished(part);
      // A process that was killed may still be writing: each has a file of its own.
      await replaceFile(join(place, name), (next) => copyFile(join(folder, stored), next), `${part}.${process.pid}`);
    }
  } catch (error) {
    throw error instanceof AppError ? error : writeError(place, error, ELSEWHERE);
  }
}

async function assertFolder(fixed: string, place: string): Promise<void> {
  for (const path of [fixed, place]) {
    const found = await stat(path).catch(() => undefined);
    if (found && !found.isDirectory())
      throw new AppError('storage', `${path} is no folder`, { hint: 'Name a folder in deliveries.yaml.' });
    // A folder that isn't there may be a disk that isn't mounted, and files would land on another one.
    if (!found && path === fixed) {
      throw new AppError('storage', `There is no folder ${fixed}`, {
        hint: 'Make the folder, or mount its disk; folders below it that are named after a period are made.',
      });
    }
  }
}
