import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../error.ts';
import { deliveriesLog } from '../generation/generation-files.ts';
import { type BackupFile, copyDurably } from './backup-files.ts';
import { BACKUP_FOLDERS, copyPaths, type FolderFile, listFiles, MAX_FOLDER_ATTEMPTS } from './folder-copy.ts';

const FOLDER = 'company.deliveries';

const LOG = 'company.deliveries.ndjson';

/** The event of the log after which the bytes of an occurrence are removed. */
const REMOVING = '"event":"done"';

interface CopiedDeliveries {
  readonly log: readonly BackupFile[];
  /** The bytes that the log says are still to be sent. */
  readonly unsent: readonly FolderFile[];
}

/**
 * Copies the log of a database's deliveries, and the bytes that are still to be sent, into the folder of a backup.
 * An occurrence of the log without its bytes would never end, so none may end between the two copies.
 * @throws AppError busy if deliveries end all the time.
 */
export async function copyDeliveries(database: string, folder: string): Promise<CopiedDeliveries> {
  const log = deliveriesLog(database);
  if (!existsSync(log)) return { log: [], unsent: [] };
  const [copiedLog, to] = [join(folder, LOG), join(folder, FOLDER)];
  const from = BACKUP_FOLDERS[FOLDER](database);
  for (let attempt = 1; attempt <= MAX_FOLDER_ATTEMPTS; attempt += 1) {
    for (const path of [copiedLog, to]) await rm(path, { recursive: true, force: true });
    const copied = await copyDurably(log, copiedLog);
    const unsent = await copyPaths(from, to, listFiles(from));
    const [before, now] = [await readFile(copiedLog, 'utf8'), await readFile(log, 'utf8')];
    // A process that begins to deliver writes the log anew.
    const hasEnded = !now.startsWith(before) || now.slice(before.length).includes(REMOVING);
    if (unsent && !hasEnded) return { log: [{ name: LOG, ...copied }], unsent };
  }
  throw new AppError('busy', `Deliveries in ${log} ended during each of ${MAX_FOLDER_ATTEMPTS} copies`, {
    hint: 'Back up again.',
  });
}
