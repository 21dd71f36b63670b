import { randomUUID } from 'node:crypto';
import { formatZonedTime } from '../../base/database/index.ts';
import { awaitLoadLock } from '../generation/generation-lock.ts';
import { createLog } from './history-lock.ts';
import { appendEvent } from './log/append-event.ts';
import { sha256Of } from './log/digest.ts';
import { type LogBreak, readEventLog } from './log/event-log.ts';
import { companyIdOf } from './logged-states.ts';
import { spellKey } from './state-names.ts';
import { findUnlogged } from './unlogged-folders.ts';

/** A note of who changes the kept states, when, and why. */
export interface ChangeNote {
  readonly by: string;
  /** The id of the token by which a server was asked. */
  readonly tokenId?: string;
  readonly reason: string;
  readonly now: Date;
}

/**
 * Notes in the log that its breaks are known, and goes on from there.
 * Takes up the states whose lines are missing or can't be read, with the descriptions that are in their folders.
 * @returns the breaks, and the states taken up.
 */
export async function acceptBreaks(
  database: string,
  { by, reason, now }: ChangeNote,
): Promise<{ breaks: readonly LogBreak[]; adopted: readonly string[] }> {
  const lock = await awaitLoadLock(database);
  try {
    const log = await readEventLog(database);
    const { states, others } = findUnlogged(database, log);
    if (others.length > 0) await createLog(database);
    if (log.breaks.length + states.length === 0) return { breaks: [], adopted: [] };
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
    return { breaks: log.breaks, adopted: states.map(spellKey) };
  } finally {
    await lock.close();
  }
}
