import { rm } from 'node:fs/promises';
import { formatZonedTime } from '../../base/database/index.ts';
import type { ChangeNote } from './accept-break.ts';
import { assertNotBooked } from './closed-books.ts';
import { stateFolder, upgradedFolder } from './history-files.ts';
import { appendEvent } from './log/append-event.ts';
import type { EventLog } from './log/event-log.ts';
import { companyIdOf, type LoggedState, loggedStates } from './logged-states.ts';
import { chooseLogged } from './resolve-state.ts';

/**
 * Removes a kept state for good, and notes who did it and why. Requires the lock of the load.
 * @param reference As chooseLogged.
 * @throws AppError busy for a closing by which others are booked.
 */
export async function removeState(
  database: string,
  log: EventLog,
  reference: string,
  note: ChangeNote,
): Promise<{ log: EventLog; removed: LoggedState }> {
  const removed = chooseLogged(loggedStates(log), reference);
  await assertNotBooked(database, log, removed);
  const { name, number, closing_sha256 } = removed;
  const after = await appendEvent(database, log, {
    event: 'removed',
    at: formatZonedTime(note.now),
    by: note.by,
    reason: note.reason,
    company_id: companyIdOf(log) ?? '',
    name,
    number,
    closing_sha256,
  });
  for (const folder of [stateFolder(database, removed), upgradedFolder(database, removed)]) {
    await rm(folder, { recursive: true, force: true });
  }
  return { log: after, removed };
}
