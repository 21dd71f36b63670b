import { chmod } from 'node:fs/promises';

/** The permission bits of the group and of others. */
const OTHERS = 0o077;

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

/** Gives a file without rates the permissions that the user's own umask would have given it. */
export async function shareWithOthers(path: string): Promise<void> {
  if (inherited !== undefined) await chmod(path, READ_AND_WRITE & ~inherited);
}
