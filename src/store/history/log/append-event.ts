import { mkdir, open, truncate } from 'node:fs/promises';
import { dirname } from 'node:path';
import { steps } from '../../../base/database/index.ts';
import { syncPath } from '../../../base/index.ts';
import { storageError } from '../../generation/generation-files.ts';
import { eventsFile } from '../history-files.ts';
import { type EventLog, formatEvent, type HistoryEvent, parseEventLog } from './event-log.ts';

/**
 * Appends an event to the log, durably: afterwards it has happened. Requires the lock of the load.
 * A failure leaves the log as it was.
 * @returns the log with the event.
 */
export async function appendEvent(database: string, log: EventLog, event: HistoryEvent): Promise<EventLog> {
  const line = formatEvent(log, event);
  return await steps.take('append the event', async () => {
    const file = eventsFile(database);
    try {
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      await cutTo(file, log.bytes.length);
      await writeLine(file, line);
      await syncPath(dirname(file));
    } catch (error) {
      await cutTo(file, log.bytes.length).catch(() => undefined);
      throw storageError(file, error, 'keep');
    }
    return parseEventLog(Buffer.concat([log.bytes, Buffer.from(line)]));
  });
}

/** Takes away what an interrupted append has left after the last whole line. */
async function cutTo(file: string, bytes: number): Promise<void> {
  await truncate(file, bytes).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
}

async function writeLine(file: string, line: string): Promise<void> {
  const handle = await open(file, 'a', 0o600);
  try {
    await handle.writeFile(line);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
