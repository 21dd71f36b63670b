import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../base/index.ts';
import { OUTBOX, outboxLog } from '../generation/generation-files.ts';
import { type BackupFile, copyDurably } from './backup-files.ts';
import { BACKUP_FOLDERS, copyPaths, type FolderFile, listFiles, MAX_FOLDER_ATTEMPTS } from './folder-copy.ts';

/** The event of the log after which the bytes of an occurrence are removed. */
const REMOVING = '"event":"done"';

interface CopiedOutbox {
  readonly log: readonly BackupFile[];
  /** The bytes that the log says are still to be sent. */
  readonly unsent: readonly FolderFile[];
}

/**
 * Copies the log of a database's outbox, and the bytes that are still to be sent, into the folder of a backup.
 * An occurrence of the log without its bytes would never end, so none may end between the two copies.
 * @throws AppError busy if sendings end all the time.
 */
export async function copyOutbox(database: string, folder: string): Promise<CopiedOutbox> {
  const log = outboxLog(database);
  if (!existsSync(log)) return { log: [], unsent: [] };
  const [copiedLog, to] = [join(folder, OUTBOX.log), join(folder, OUTBOX.folder)];
  const from = BACKUP_FOLDERS[OUTBOX.folder](database);
  for (let attempt = 1; attempt <= MAX_FOLDER_ATTEMPTS; attempt += 1) {
    for (const path of [copiedLog, to]) await rm(path, { recursive: true, force: true });
    const copied = await copyDurably(log, copiedLog);
    const unsent = await copyPaths(from, to, listFiles(from));
    const [before, now] = [await readFile(copiedLog, 'utf8'), await readFile(log, 'utf8')];
    // A process that begins to send writes the log anew.
    const hasEnded = !now.startsWith(before) || now.slice(before.length).includes(REMOVING);
    if (unsent && !hasEnded) return { log: [{ name: OUTBOX.log, ...copied }], unsent };
  }
  throw new AppError('busy', `${OUTBOX.endings} in ${log} ended during each of ${MAX_FOLDER_ATTEMPTS} copies`, {
    hint: 'Back up again.',
  });
}
