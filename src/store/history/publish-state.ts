import { rename, rm, writeFile } from 'node:fs/promises';
import { steps } from '../../base/database/index.ts';
import { syncPath } from '../../base/index.ts';
import { closingsFolder } from '../generation/generation-files.ts';
import { markFile, stateFolder } from './history-files.ts';
import { type KeptState, readKeptState } from './kept-states.ts';
import { appendEvent } from './log/append-event.ts';
import type { EventLog, HistoryEvent } from './log/event-log.ts';
import { loggedStates } from './logged-states.ts';
import { chooseLogged } from './resolve-state.ts';
import { spellKey } from './state-names.ts';

/**
 * Gives a folder that is complete and on disk the name of its state, and notes it in the log. Requires the lock of the load.
 * Until the event is on disk, a mark in the folder tells it from a state whose line was lost. A failure leaves no state.
 */
export async function publishState(
  database: string,
  log: EventLog,
  next: string,
  event: HistoryEvent,
): Promise<KeptState> {
  await writeFile(markFile(next), '', { flag: 'wx', mode: 0o600, flush: true });
  await syncPath(next);
  const folder = stateFolder(database, event);
  await steps.take('rename the state', () => rename(next, folder));
  const after = await appendRenamed(database, log, event).catch(async (error: unknown) => {
    await rm(folder, { recursive: true, force: true });
    throw error;
  });
  // The next change removes a mark that stays.
  await rm(markFile(folder), { force: true }).catch(() => undefined);
  return await readKeptState(database, chooseLogged(loggedStates(after), spellKey(event)));
}

async function appendRenamed(database: string, log: EventLog, event: HistoryEvent): Promise<EventLog> {
  await syncPath(closingsFolder(database));
  return appendEvent(database, log, event);
}
