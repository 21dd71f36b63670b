import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { chmod, lstat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { formatCompactTime, openDatabase } from '../../base/database/index.ts';
import { AppError, nextFile, removeOnSignal, syncPath } from '../../base/index.ts';
import {
  assertNamedForDatabase,
  assertUnlinked,
  OUTBOX,
  outboxLog,
  removeLeftovers,
  storageError,
  workingFile,
} from '../generation/generation-files.ts';
import { openLoadLock } from '../generation/generation-lock.ts';
import { openOwnership } from '../live/working-file.ts';
import {
  BACKUP_FILE_NAMES,
  type BackupFile,
  type BackupFileName,
  copyDurably,
  type DataPlace,
  pathInUse,
} from './backup-files.ts';
import { BACKUP_FOLDERS, type BackupFolderName, copyFolderBack } from './folder-copy.ts';
import { type BackupManifest, filesInFolders, readManifest } from './manifest.ts';

/** The rights that a restored copy without rates may have: none to run it, and for others none to write to it. */
const SHARED_RIGHTS = 0o664;

/** The rights that any other restored file may have. */
const PRIVATE_RIGHTS = 0o600;

export interface Restored {
  readonly manifest: BackupManifest;
  /** The new paths of the files that were there before. */
  readonly kept: readonly string[];
}

/**
 * Puts the files of a backup in place. All are copied beside their places and compared with the manifest first; a failure
 * or a signal until then changes nothing.
 * @param replaces True to keep present files under other names instead of refusing.
 * @throws AppError storage for a backup that is damaged or of a newer version, or if files are present; busy if a server or
 *   another process has the database open.
 */
export async function restoreBackup(
  name: string,
  place: DataPlace,
  { replaces, now }: { readonly replaces: boolean; readonly now: Date },
): Promise<Restored> {
  const folder = resolve(name);
  const { database: file } = place;
  const manifest = await readManifest(folder);
  assertNamedForDatabase(file);
  await assertUnlinked(file);
  if (!existsSync(dirname(file))) {
    throw new AppError('storage', `There is no folder ${dirname(file)} for the database`, { hint: 'Make it first.' });
  }
  const present = findPresent(place, manifest);
  const [first] = present;
  if (first !== undefined && !replaces) {
    throw new AppError('storage', `${first} is there already, so nothing is restored`, {
      hint: 'Name another database with --database, or add --replace: it keeps the present files under other names.',
    });
  }
  return whileUnused(file, async () => {
    const placed = await copyBeside(folder, place, manifest);
    const kept = swap(present, placed, now);
    for (const each of new Set(placed.map(({ to }) => dirname(to)))) await syncPath(each);
    return { manifest, kept };
  });
}

/** Returns the files that a restore replaces. Tokens stay if the backup has none: without any, a server is open. */
function findPresent(place: DataPlace, { files }: BackupManifest): string[] {
  const replaced = namesToRestore(place).filter(
    (name) => name !== 'tokens.json' || files.some((file) => file.name === name),
  );
  const paths = replaced.map((name) => pathInUse(name, place));
  // Kept states are of a database: those of another must not seem to be its own.
  const folders = foldersToRestore(place).map((name) => BACKUP_FOLDERS[name](place.database));
  return [...folders, ...paths].filter((path) => existsSync(path));
}

/** Tells whether the outbox has a log here. It stays: what was sent since the backup is not sent again. */
function hasSent({ database }: DataPlace): boolean {
  return existsSync(outboxLog(database));
}

function namesToRestore(place: DataPlace): BackupFileName[] {
  return BACKUP_FILE_NAMES.filter((name) => name !== OUTBOX.log || !hasSent(place));
}

function foldersToRestore(place: DataPlace): BackupFolderName[] {
  return hasSent(place) ? ['company.closings'] : ['company.closings', OUTBOX.folder];
}

/** Does the work while no other process uses a database. @throws AppError busy if one does. */
async function whileUnused<T>(file: string, work: () => Promise<T>): Promise<T> {
  const hint = 'Stop the server first, and every program that reads the database.';
  const working = workingFile(file);
  const owned = await openOwnership(working, { message: `A server or sync owns ${working}`, hint });
  try {
    const lock = await openLoadLock(file);
    try {
      await assertUnread(file, hint);
      return await work();
    } finally {
      await lock.close();
    }
  } finally {
    await owned.close();
  }
}

/** Checks that no other process has a database open. A damaged one may be replaced. */
async function assertUnread(file: string, hint: string): Promise<void> {
  if (!existsSync(file)) return;
  try {
    await (await openDatabase(file)).close();
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'busy') return;
    throw new AppError('busy', `A server or another program has ${file} open`, { hint, cause: error });
  }
}

interface Placed {
  readonly next: string;
  readonly to: string;
}

/** Copies the files of a backup beside their places, and compares each with the manifest. */
async function copyBeside(folder: string, place: DataPlace, manifest: BackupManifest): Promise<Placed[]> {
  const sorted = namesToRestore(place).flatMap((name) => manifest.files.filter((file) => file.name === name));
  const placed = sorted.map((file) => {
    const to = pathInUse(file.name, place);
    return { file, to, next: nextFile(to) };
  });
  const inFolders = filesInFolders(manifest);
  const folders = foldersToRestore(place).flatMap((name) => {
    const to = BACKUP_FOLDERS[name](place.database);
    return inFolders[name].length === 0 ? [] : [{ name, to, next: nextFile(to) }];
  });
  try {
    for (const { file, next, to } of placed) {
      removeOnSignal(next);
      mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
      removeLeftovers(to);
      await copyChecked(join(folder, file.name), next, file);
    }
    for (const { name, next } of folders) {
      removeOnSignal(next);
      await copyFolderBack(join(folder, name), next, inFolders[name]);
    }
    return [...folders, ...placed];
  } catch (error) {
    for (const { next } of [...folders, ...placed]) rmSync(next, { recursive: true, force: true });
    throw storageError(place.database, error, 'restore');
  }
}

/** @throws AppError storage if the file is another than the one that was backed up. */
async function copyChecked(from: string, to: string, { name, bytes, mode, sha256 }: BackupFile): Promise<void> {
  const entry = await lstat(from).catch(() => undefined);
  if (!entry?.isFile()) throw damagedError(from, 'it is missing, or is no file');
  if (entry.size !== bytes) throw damagedError(from, `it has ${entry.size} bytes instead of ${bytes}`);
  const copied = await copyDurably(from, to);
  if (copied.sha256 !== sha256) throw damagedError(from, `its SHA-256 is ${copied.sha256} instead of ${sha256}`);
  const rights = name === 'company.no-rates.duckdb' ? SHARED_RIGHTS : PRIVATE_RIGHTS;
  await chmod(to, Number.parseInt(mode, 8) & rights);
}

function damagedError(file: string, reason: string): AppError {
  return new AppError('storage', `${file} is not the file that was backed up: ${reason}`, {
    hint: 'Restore another backup. Nothing was changed.',
  });
}

/**
 * Renames present files to other names, and the copies to theirs, without a pause in which a signal could end the process.
 * A failure undoes what was done.
 */
function swap(present: readonly string[], placed: readonly Placed[], now: Date): string[] {
  const mark = `replaced-${formatCompactTime(now)}`;
  const kept = present.map((from) => ({ from, to: `${from}.${mark}` }));
  const moves = [...kept, ...placed.map(({ next, to }) => ({ from: next, to }))];
  const done: typeof moves = [];
  try {
    for (const move of moves) {
      if (existsSync(move.to)) throw new AppError('storage', `${move.to} is there already`, { hint: 'Try again.' });
      renameSync(move.from, move.to);
      done.push(move);
    }
  } catch (error) {
    for (const { from, to } of done.reverse()) renameSync(to, from);
    for (const { next } of placed) rmSync(next, { recursive: true, force: true });
    throw error;
  }
  return kept.map(({ to }) => to);
}
