import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { formatZonedTime } from '../database/database.ts';
import { closingsFolder } from '../generation/generation-files.ts';
import { awaitLoadLock } from '../generation/generation-lock.ts';
import { appendEvent } from './append-event.ts';
import { sha256Of } from './digest.ts';
import { type LogBreak, readEventLog } from './event-log.ts';
import { RECORD_NAME } from './history-files.ts';
import { createLog } from './history-lock.ts';
import { companyIdOf, findUnlogged } from './kept-states.ts';
import type { StateRecord } from './state-record.ts';

/** Who changes the kept states, when, and why. */
export interface ChangeNote {
  readonly by: string;
  readonly reason: string;
  readonly now: Date;
}

/**
 * Notes in the log that its breaks are known, and goes on from there.
 * Takes up the states whose lines can't be read, with the descriptions that are in their folders.
 * @returns the breaks, and the states taken up.
 */
export async function acceptBreaks(
  database: string,
  { by, reason, now }: ChangeNote,
): Promise<{ breaks: readonly LogBreak[]; adopted: readonly string[] }> {
  const lock = await awaitLoadLock(database);
  try {
    await createLog(database);
    const log = await readEventLog(database);
    const unlogged = findUnlogged(database, log).filter((name) => !name.startsWith('.'));
    if (log.breaks.length === 0 && (log.events.length > 0 || unlogged.length === 0)) return { breaks: [], adopted: [] };
    const found = await Promise.all(unlogged.map((name) => readUnlogged(database, name)));
    const states = found.flatMap((state) => (state ? [state] : []));
    await appendEvent(database, log, {
      event: 'accepted',
      at: formatZonedTime(now),
      by,
      reason,
      company_id: companyIdOf(log) ?? states[0]?.company_id ?? randomUUID(),
      name: '',
      number: null,
      closing_sha256: '',
      log_sha256: sha256Of(log.bytes),
      adopted: states.map(({ name, number, closing_sha256 }) => ({ name, number, closing_sha256 })),
    });
    return { breaks: log.breaks, adopted: unlogged.filter((_, index) => found[index]) };
  } finally {
    await lock.close();
  }
}

/** Reads what the log should say of a state; undefined if its folder has no readable description. */
async function readUnlogged(database: string, folder: string) {
  try {
    const text = await readFile(join(closingsFolder(database), folder, RECORD_NAME), 'utf8');
    const { name, number, data_version, company_id } = JSON.parse(text) as StateRecord;
    return { name: name ?? data_version, number, company_id, closing_sha256: sha256Of(text) };
  } catch {
    return undefined;
  }
}
