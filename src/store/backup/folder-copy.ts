import { existsSync, readdirSync } from 'node:fs';
import { chmod, lstat, mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AppError } from '../../base/index.ts';
import { closingsFolder, OUTBOX, outboxFolder } from '../generation/generation-files.ts';
import { type BackupFile, copyDurably } from './backup-files.ts';

/** A file in a folder of a backup, by its path there. */
export type FolderFile = Omit<BackupFile, 'name'> & { readonly name: string };

/** Every folder that a backup may hold, by its name there, and the path of the same folder beside a database. */
export const BACKUP_FOLDERS = {
  'company.closings': closingsFolder,
  [OUTBOX.folder]: outboxFolder,
} as const satisfies Record<string, (database: string) => string>;

export type BackupFolderName = keyof typeof BACKUP_FOLDERS;

/** The attempts at copying a folder and its log of one moment. */
export const MAX_FOLDER_ATTEMPTS = 3;

/** A path that leads to a file of a folder, and nowhere else. */
const SAFE_PATH = /^(?:[\p{L}\p{N}][\p{L}\p{N} ._()+@%-]{0,199}\/){0,2}[\p{L}\p{N}][\p{L}\p{N} ._()+@%-]{0,199}$/u;

/** Tells whether a path in a manifest may be one of a file in a folder. */
export function isFolderPath(path: unknown): boolean {
  return typeof path === 'string' && SAFE_PATH.test(path);
}

/** Returns the paths of all files in the folders of a folder, without what an interrupted process has left beside these. */
export function listFiles(from: string): string[] {
  if (!existsSync(from)) return [];
  return readdirSync(from, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(from.length + 1))
    .filter((path) => path.includes('/') && !path.startsWith('.'));
}

/** Copies files of a folder. @returns undefined if one was removed meanwhile; the log of the folder says so. */
export async function copyPaths(from: string, to: string, paths: readonly string[]): Promise<FolderFile[] | undefined> {
  const files: FolderFile[] = [];
  try {
    for (const name of paths) {
      await mkdir(dirname(join(to, name)), { recursive: true, mode: 0o700 });
      files.push({ name, ...(await copyDurably(join(from, name), join(to, name))) });
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return undefined;
  }
  return files;
}

/**
 * Copies a folder of a backup to a path beside its place, and compares each file with the manifest.
 * @throws AppError storage if one is another than the one that was backed up.
 */
export async function copyFolderBack(from: string, to: string, files: readonly FolderFile[]): Promise<void> {
  await rm(to, { recursive: true, force: true });
  await mkdir(to, { recursive: true, mode: 0o700 });
  for (const { name, bytes, sha256 } of files) {
    const backed = join(from, name);
    const entry = await lstat(backed).catch(() => undefined);
    await mkdir(dirname(join(to, name)), { recursive: true, mode: 0o700 });
    const copied = entry?.isFile() ? await copyDurably(backed, join(to, name)) : undefined;
    if (copied?.bytes !== bytes || copied.sha256 !== sha256) {
      throw new AppError(
        'storage',
        `${backed} is not the file that was backed up: it is missing, or its SHA-256 differs`,
        {
          hint: 'Restore another backup. Nothing was changed.',
        },
      );
    }
    await chmod(join(to, name), 0o600);
  }
}
