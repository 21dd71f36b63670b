import { stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileWithoutRates } from '../generation/generation-files.ts';
import { readKeptStates } from './kept-states.ts';
import { readEventLog } from './log/event-log.ts';
import { loggedStates } from './logged-states.ts';

/** The most of the room that would be free without them that states kept by default may take. Unit: %. */
export const MAX_DEFAULT_ROOM_PERCENT = 20;

/** A state and the room that its files take once nothing else has them. */
interface RoomTaken {
  readonly key: string;
  readonly bytes: number;
}

/** Returns the free room beside a database. Unit: bytes. */
export async function measureFreeRoom(database: string): Promise<number> {
  const { bavail, bsize } = await statfs(dirname(database));
  return bavail * bsize;
}

/** Returns the room that the published pair takes. Unit: bytes. */
export async function measurePair(database: string): Promise<number> {
  const pair = await Promise.all([database, fileWithoutRates(database)].map((path) => stat(path)));
  return sumRoom(pair.map(({ size }) => ({ bytes: size })));
}

/**
 * Returns the keys of the newest states that together fit into the room for states kept by default.
 * @param states The newest first, the published one among them: its room would be free without it, too.
 * @param freeBytes The room that is free beside them.
 */
export function chooseFitting(states: readonly RoomTaken[], freeBytes: number): ReadonlySet<string> {
  const most = ((freeBytes + sumRoom(states)) * MAX_DEFAULT_ROOM_PERCENT) / 100;
  let taken = 0;
  const fitting = new Set<string>();
  for (const { key, bytes } of states) {
    taken += bytes;
    if (taken > most) break;
    fitting.add(key);
  }
  return fitting;
}

/** Returns a size for people, such as "24.1 MB". */
function spellBytes(bytes: number): string {
  return bytes < 1_000_000_000 ? `${(bytes / 1_000_000).toFixed(1)} MB` : `${(bytes / 1_000_000_000).toFixed(1)} GB`;
}

/** Returns the room that states, or files of them, take together. Unit: bytes. */
export function sumRoom(parts: readonly { readonly bytes: number }[]): number {
  return parts.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** Describes the room that kept states take beside a database, in a sentence; none where none is kept. */
export async function describeRoom(database: string): Promise<string[]> {
  const { states } = await readKeptStates(database, loggedStates(await readEventLog(database)));
  if (states.length === 0) return [];
  const [taken, free] = [states.flatMap(({ record }) => record.files), await measureFreeRoom(database)];
  const count = states.length === 1 ? '1 kept state takes' : `${states.length} kept states take`;
  return [
    `${count} up to ${spellBytes(sumRoom(taken))} of room beside the database, where ${spellBytes(free)} are free`,
  ];
}
