import { open, readFile, rename } from 'node:fs/promises';
import { openLock, outboxLog, storageError } from '../../../store/generation/index.ts';
import { type DeliveryEvent, type DeliveryHistory, openHistoryOf } from './delivery-events.ts';

/** The occurrences of each delivery that the log keeps; older ones are left out when a process begins. Unit: occurrences. */
export const MAX_KEPT_OCCURRENCES = 50;

/** The log of a database's deliveries, which one process writes. */
export interface DeliveryLog {
  history(): DeliveryHistory;
  /** Appends events durably: afterwards they have happened. @throws AppError storage when that fails. */
  append(...events: readonly DeliveryEvent[]): Promise<void>;
  /** Must be called. */
  close(): Promise<void>;
}

/** Reads what a log says; a line that an interrupted append has left is no event. */
export async function readHistory(database: string): Promise<DeliveryHistory> {
  return openHistoryOf(await readEvents(database));
}

async function readEvents(database: string): Promise<DeliveryEvent[]> {
  const file = outboxLog(database);
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw storageError(file, error, 'outbox');
  });
  return text.split('\n').flatMap((line) => {
    try {
      return line === '' ? [] : [JSON.parse(line) as DeliveryEvent];
    } catch {
      return [];
    }
  });
}

/**
 * Opens the log for the one process that delivers.
 * @throws AppError busy while another one does.
 */
export async function openDeliveryLog(database: string): Promise<DeliveryLog> {
  const file = outboxLog(database);
  const lock = await openLock(file, {
    message: `Another process delivers the reports of ${database}`,
    hint: 'One process delivers: a server with --deliveries, or plumbline deliver. Stop the other one, or leave it to that.',
  });
  try {
    const kept = keepLatest(await readEvents(database));
    const history = openHistoryOf(kept);
    await replaceLog(file, kept);
    const handle = await open(file, 'a', 0o600);
    // One append after the other: two that are written at once would mix their lines.
    let last: Promise<unknown> = Promise.resolve();
    const write = async (events: readonly DeliveryEvent[]) => {
      try {
        await handle.appendFile(events.map((event) => `${JSON.stringify(event)}\n`).join(''));
        await handle.sync();
      } catch (error) {
        throw storageError(file, error, 'outbox');
      }
      for (const event of events) history.add(event);
    };
    return {
      history: () => history,
      append(...events) {
        const appended = last.then(() => write(events));
        last = appended.catch(() => undefined);
        return appended;
      },
      async close() {
        await last;
        await handle.close();
        await lock.close();
      },
    };
  } catch (error) {
    await lock.close();
    throw error;
  }
}

/** Leaves out the events of occurrences that are done, but for the latest of each delivery; of an alert's states only the last count. */
function keepLatest(events: readonly DeliveryEvent[]): DeliveryEvent[] {
  const { occurrences } = openHistoryOf(events);
  const counts = new Map<string, number>();
  const dropped = new Set<string>();
  const withStates = new Map<string, string>();
  for (const { id, name, doneAt, made } of [...occurrences.values()].reverse()) {
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    if (made?.states && !withStates.has(name)) withStates.set(name, id);
    if (count > MAX_KEPT_OCCURRENCES && doneAt !== undefined && withStates.get(name) !== id) dropped.add(id);
  }
  const latest = new Set(withStates.values());
  return events.flatMap((event): DeliveryEvent[] => {
    if (event.event === 'seen') return [event];
    if (dropped.has(event.id)) return [];
    if (event.event !== 'made' || latest.has(event.id)) return [event];
    const { states: _, ...rest } = event;
    return [rest];
  });
}

async function replaceLog(file: string, events: readonly DeliveryEvent[]): Promise<void> {
  const part = `${file}.part`;
  try {
    const handle = await open(part, 'w', 0o600);
    try {
      await handle.writeFile(events.map((event) => `${JSON.stringify(event)}\n`).join(''));
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(part, file);
  } catch (error) {
    throw storageError(file, error, 'outbox');
  }
}
