import { existsSync } from 'node:fs';
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createSerialQueue, missingDatabaseError } from '../../base/database/index.ts';
import { syncPath } from '../../base/index.ts';
import { assertDatabaseFile, closingsFolder, storageError } from '../generation/generation-files.ts';
import { awaitLoadLock } from '../generation/generation-lock.ts';
import { eventsFile, markFile, stateFolder } from './history-files.ts';
import { assertUnbroken, type EventLog, readEventLog } from './log/event-log.ts';
import { loggedStates } from './logged-states.ts';
import { assertAllLogged, assertLogThere, findUnlogged } from './unlogged-folders.ts';

/** The changes of this process, one after the other: the lock of the load is one between processes. */
const changes = createSerialQueue();

/**
 * Changes the kept states of a database, while no other process changes them or publishes; waits for one that does.
 * @throws AppError storage without a database, or if the log of events is broken.
 */
export function changeHistory<T>(database: string, change: (log: EventLog) => Promise<T>): Promise<T> {
  return changes(() => changeAlone(database, change));
}

/** Checks that a database is there, so that a wrong name isn't one without kept states. @throws AppError storage */
export async function assertDatabaseThere(database: string): Promise<void> {
  if (!existsSync(database)) throw missingDatabaseError(database);
  await assertDatabaseFile(database);
}

async function changeAlone<T>(database: string, change: (log: EventLog) => Promise<T>): Promise<T> {
  await assertDatabaseThere(database);
  const lock = await awaitLoadLock(database);
  try {
    return await change(await openHistory(database));
  } finally {
    await lock.close();
  }
}

/**
 * Reads the log for a change, and removes what interrupted ones have left. Requires the lock of the load.
 * @throws AppError storage if the log is broken, or has no line of a state.
 */
export async function openHistory(database: string): Promise<EventLog> {
  const log = await readEventLog(database);
  assertUnbroken(database, log);
  assertLogThere(database, log);
  const { leftovers, states } = findUnlogged(database, log);
  assertAllLogged(database, states);
  const folder = closingsFolder(database);
  for (const name of leftovers) await rm(join(folder, name), { recursive: true, force: true });
  for (const state of loggedStates(log)) await rm(markFile(stateFolder(database, state)), { force: true });
  return log;
}

/** Creates an empty log if there is none. From the first state on, a missing log is noticed. */
export async function createLog(database: string): Promise<void> {
  const file = eventsFile(database);
  if (existsSync(file)) return;
  try {
    await mkdir(closingsFolder(database), { recursive: true, mode: 0o700 });
    const handle = await open(file, 'a', 0o600);
    await handle.sync().finally(() => handle.close());
    await syncPath(closingsFolder(database));
  } catch (error) {
    throw storageError(file, error, 'keep');
  }
}
