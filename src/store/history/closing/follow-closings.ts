import { readSignature } from '../../generation/watch.ts';
import { eventsFile } from '../history-files.ts';
import { type HistoryEvent, readEventLog } from '../log/event-log.ts';

/** Returns a function that returns the closings and reopenings since its last call; the first call returns none. */
export function followClosings(database: string): () => Promise<readonly HistoryEvent[]> {
  let signature: string | undefined;
  let known: number | undefined;
  return async () => {
    const found = await readSignature(eventsFile(database));
    if (found === signature) return [];
    const { events } = await readEventLog(database);
    const before = known ?? events.length;
    signature = found;
    known = events.length;
    return events.slice(before).filter(({ event }) => event === 'closed' || event === 'reopened');
  };
}
