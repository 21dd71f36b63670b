import { existsSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { formatZonedTime, missingDatabaseError, openDatabase, openError } from '../../base/database/index.ts';
import { AppError, assertRegularFile, replaceFile } from '../../base/index.ts';
import { fileWithoutRates, journalFile, storageError, workingFile } from '../generation/generation-files.ts';
import { assertOwn, readOrigin } from '../generation/origin.ts';
import { readWorkingAtRest } from '../live/working-copy.ts';
import { readPublishedVersion } from '../live/working-file.ts';
import { readLastChange } from '../record/storage/changes.ts';
import { checkJournal, damageError } from '../record/storage/journal-check.ts';
import { type BackupFile, type BackupFileName, copyDurably, type DataPlace, pathInUse } from './backup-files.ts';
import { copyHistory } from './copy-history.ts';
import { copyOutbox } from './copy-outbox.ts';
import { type BackupManifest, writeManifest } from './manifest.ts';

/** The attempts at copying files of one moment: a server may publish, stop or start meanwhile. */
const MAX_ATTEMPTS = 3;

/** The time between two attempts. Unit: ms. */
const RETRY_MS = 1_000;

type BackupSummary = Pick<BackupManifest, 'data_version' | 'last_change' | 'files' | 'kept_states' | 'unsent'>;

/**
 * Copies the files of a database into a new folder, also while servers use them.
 * The folder appears when it is complete and checked; a failure or a signal leaves nothing.
 * @throws AppError storage if the folder has content, the files don't belong together or there is no room; busy as
 *   readWorkingAtRest.
 */
export async function makeBackup(place: DataPlace, name: string, now: Date): Promise<BackupSummary> {
  const folder = resolve(name);
  await assertFree(folder);
  await assertThere(place.database);
  return replaceFile(folder, (next) => fillBackup(place, next, now)).catch((error: unknown) => {
    throw storageError(folder, error, 'backup');
  });
}

async function fillBackup(place: DataPlace, folder: string, now: Date): Promise<BackupSummary> {
  for (let attempt = 1; ; attempt += 1) {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { mode: 0o700 });
    const files = await copyAll(place, folder);
    const found = await checkCopies(place, folder).catch((error: unknown) => {
      if (attempt === MAX_ATTEMPTS) throw error;
    });
    if (found) {
      const kept_states = await copyHistory(place.database, folder);
      // After the data: a restored database has not yet to send what was sent meanwhile.
      const { log, unsent } = await copyOutbox(place.database, folder);
      const summary = {
        ...found,
        files: [...files, ...log],
        ...(kept_states.length > 0 && { kept_states }),
        ...(unsent.length > 0 && { unsent }),
      };
      await writeManifest(folder, { made_at: formatZonedTime(now), ...summary });
      return summary;
    }
    await sleep(RETRY_MS);
  }
}

/** Copies the published files before the working file, so that the working file has every change that they have. */
async function copyAll(place: DataPlace, folder: string): Promise<BackupFile[]> {
  const files: BackupFile[] = [];
  const copy = async (name: BackupFileName, from: string) => {
    if (!existsSync(from)) return;
    await assertRegularFile(from);
    files.push({ name, ...(await copyDurably(from, join(folder, name))) });
  };
  const outside = ['company.duckdb', 'company.no-rates.duckdb', 'sync-status.json', 'tokens.json'] as const;
  for (const name of outside) await copy(name, pathInUse(name, place));
  if (!existsSync(workingFile(place.database))) return files;
  await readWorkingAtRest(place.database, async (work) => {
    for (const ending of ['', '.wal', '.journal'] as const)
      await copy(`company.work.duckdb${ending}`, `${work}${ending}`);
  });
  return files;
}

/**
 * Checks that copied files belong together.
 * @throws AppError storage, for the files in use.
 */
async function checkCopies(
  { database: file }: DataPlace,
  folder: string,
): Promise<Pick<BackupSummary, 'data_version' | 'last_change'>> {
  const copied = join(folder, 'company.duckdb');
  const published = await readPublishedVersion(copied, {}).catch((error: unknown) => {
    throw error instanceof AppError && error.cause !== undefined ? openError(file, error.cause) : error;
  });
  const withoutRates = await readPublishedVersion(fileWithoutRates(copied), {});
  if (published !== withoutRates) {
    throw new AppError('storage', `${fileWithoutRates(file)} is not the copy without rates of ${file}`, {
      hint: 'plumbline serve makes it anew when it starts. Back up again then.',
    });
  }
  const last = existsSync(workingFile(copied)) ? await checkWorking(file, copied, published) : null;
  return { data_version: published ?? null, last_change: last };
}

/** Checks a copied working file. @returns the number of its last change. */
async function checkWorking(file: string, copied: string, publishedVersion: string | undefined): Promise<number> {
  const work = workingFile(copied);
  const database = await openDatabase(work, { readOnly: true });
  try {
    const origin = await readOrigin(database, work);
    await assertOwn(database, { file, work: workingFile(file), ...origin, publishedVersion });
    const last = await readLastChange(database);
    const journal = await checkJournal(journalFile(copied), last);
    const [damage] = journal?.damages ?? [];
    if (damage) throw damageError(journalFile(file), damage);
    return journal?.waiting.at(-1)?.change ?? last;
  } finally {
    await database.close();
  }
}

/** Keeps a backup from mixing with other files. @throws AppError storage */
async function assertFree(folder: string): Promise<void> {
  if (!existsSync(dirname(folder))) {
    throw new AppError('storage', `There is no folder ${dirname(folder)} for the backup`, { hint: 'Make it first.' });
  }
  const content = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    if (error.code === 'ENOTDIR') return ['it'];
    throw error;
  });
  if (content.length === 0) return;
  throw new AppError('storage', `${folder} is there already, and is not an empty folder`, {
    hint: 'Give each backup a folder of its own, such as one named after the day.',
  });
}

/** @throws AppError storage for a database that is missing, or of a later version. */
async function assertThere(file: string): Promise<void> {
  if (!existsSync(file) && !existsSync(workingFile(file))) throw missingDatabaseError(file);
  await readPublishedVersion(file, {});
}
