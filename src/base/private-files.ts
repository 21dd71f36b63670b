import { constants } from 'node:fs';
import { chmod, copyFile } from 'node:fs/promises';

/** The permission bits of the group and of others. */
const OTHERS = 0o077;

/** The rights of a file with rates. */
const PRIVATE = 0o600;

const READ_AND_WRITE = 0o666;

/** The umask that the process was started with; undefined before makeFilesPrivate. */
let inherited: number | undefined;

/**
 * Makes every file of this process 0600 and every folder 0700, those of the engine and of child processes included: most have
 * pay rates in them, and the umask is the only place that all of them pass.
 */
export function makeFilesPrivate(): void {
  inherited = process.umask(OTHERS);
}

/**
 * Copies a file to a new path, without its blocks where the disk can share them. A copy has the rights of its original,
 * which may be read-only, or open to others: it gets its own.
 */
export async function copyPrivately(from: string, to: string): Promise<void> {
  await copyFile(from, to, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
  await chmod(to, PRIVATE);
}

/** Gives a file without rates the permissions that the user's own umask would have given it. */
export async function shareWithOthers(path: string): Promise<void> {
  if (inherited !== undefined) await chmod(path, READ_AND_WRITE & ~inherited);
}
