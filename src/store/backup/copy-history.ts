import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../base/index.ts';
import { BACKUP_FOLDERS, copyPaths, type FolderFile, listFiles, MAX_FOLDER_ATTEMPTS } from './folder-copy.ts';

const FOLDER = 'company.closings';

const LOG = 'events.ndjson';

/**
 * Copies the kept states of a database and their log into the folder of a backup.
 * @throws AppError busy if states are kept or removed all the time.
 */
export async function copyHistory(database: string, folder: string): Promise<FolderFile[]> {
  const from = BACKUP_FOLDERS[FOLDER](database);
  if (!existsSync(join(from, LOG))) return [];
  const to = join(folder, FOLDER);
  for (let attempt = 1; attempt <= MAX_FOLDER_ATTEMPTS; attempt += 1) {
    await rm(to, { recursive: true, force: true });
    const before = await readFile(join(from, LOG));
    const files = await copyPaths(from, to, [LOG, ...listFiles(from)]);
    if (files && before.equals(await readFile(join(from, LOG)))) return files;
  }
  throw new AppError('busy', `The kept states in ${from} changed during each of ${MAX_FOLDER_ATTEMPTS} copies`, {
    hint: 'Back up again.',
  });
}
