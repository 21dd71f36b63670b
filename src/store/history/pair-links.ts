import { link, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { steps } from '../../base/database/index.ts';
import { copyPrivately } from '../../base/index.ts';
import { hashFile } from '../../records/ingest/index.ts';
import { fileWithoutRates } from '../generation/generation-files.ts';
import { keptDatabase } from './history-files.ts';
import type { KeptFile } from './state-record.ts';

/** Errors of a file system, or between two, that can't give a file a second name. */
const NO_LINKS = ['EXDEV', 'EPERM', 'EACCES', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'];

/**
 * Gives the published pair second names in a folder, or copies it where that can't be done and it may be copied.
 * Published files are never written in place, so a second name keeps their bytes through later publications.
 */
export async function linkPair(database: string, folder: string, mayCopy: boolean): Promise<KeptFile[]> {
  return await steps.take('link the pair', async () => {
    const kept = keptDatabase(folder);
    const names = [
      [database, kept],
      [fileWithoutRates(database), fileWithoutRates(kept)],
    ] as const;
    for (const [from, to] of names) await linkFile(from, to, mayCopy);
    return Promise.all(names.map(([, to]) => describeFile(to, basename(to))));
  });
}

async function linkFile(from: string, to: string, mayCopy: boolean): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if (!mayCopy || !NO_LINKS.includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    await copyPrivately(from, to);
  }
}

/** Reads the size and the SHA-256 of a file. @param name Its name in closing.json. */
export async function describeFile(path: string, name: string): Promise<KeptFile> {
  const [{ size }, sha256] = await Promise.all([stat(path), hashFile(path)]);
  return { name, bytes: size, sha256 };
}
