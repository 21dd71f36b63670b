import { existsSync } from 'node:fs';
import { workingFile } from '../generation/generation-files.ts';
import { readSyncStatus } from '../generation/sync-status.ts';
import { openOwnership } from './working-file.ts';

/**
 * Changes kept states while no server owns the data of their database.
 * @param call The request by which a server does the same, if it can.
 * @throws AppError busy if one does.
 */
export async function whileUnowned<T>(
  database: string,
  call: string | undefined,
  change: () => Promise<T>,
): Promise<T> {
  const work = workingFile(database);
  if (!existsSync(work)) return change();
  const stop = 'top it for this while: it publishes everything when it stops.';
  const owned = await openOwnership(work, {
    message: `A server or sync owns ${work}, and its published files may be behind`,
    hint: call === undefined ? `S${stop}` : `Ask the server instead, with ${call}. Or s${stop}`,
  });
  try {
    return await change();
  } finally {
    await owned.close();
  }
}

/** Tells whether the records of a database change through a server, and are complete up to now while none runs. */
export function takesChangesOf(database: string): boolean {
  return existsSync(workingFile(database)) && readSyncStatus(database) === undefined;
}
