import { statSync } from 'node:fs';
import { AppError } from '../../base/index.ts';
import type { Books } from '../../numbers/report/catalogue/index.ts';
import type { ClosingsOfData } from '../ask/state-references.ts';
import { readBooks } from './closed-books.ts';
import { eventsFile } from './history-files.ts';
import { readKeptStates, readWholeLog } from './kept-states.ts';
import type { EventLog } from './log/event-log.ts';
import { loggedStates } from './logged-states.ts';

/** Returns a signature of the closings of a database, which differs after each closing and reopening. It takes some microseconds. */
export function signClosings(database: string): string {
  const entry = statSync(eventsFile(database), { throwIfNoEntry: false });
  return entry ? `${entry.ino} ${entry.mtimeMs} ${entry.size}` : '';
}

/**
 * Returns a function that reads the closings in force of a database, the newest first, and reads them again when they have changed.
 * Without a log that can be read there are none, so reports of the present data have the default cutoff, and say so.
 */
export function followClosingsInForce(database: string): () => Promise<ClosingsOfData> {
  let latest: { readonly signature: string; readonly read: Promise<ClosingsOfData> } | undefined;
  return () => {
    const signature = signClosings(database);
    if (latest?.signature !== signature) latest = { signature, read: readClosings(database, signature) };
    return latest.read;
  };
}

async function readClosings(database: string, signature: string): Promise<ClosingsOfData> {
  const log = signature === '' ? undefined : await readKnownLog(database);
  if (!log) return { signature, periods: [], books: signature === '' ? undefined : UNKNOWN_BOOKS };
  const { states } = await readKeptStates(database, loggedStates(log));
  const periods = states
    .filter(({ status }) => status === 'closed')
    .toSorted((one, other) => other.event - one.event)
    .flatMap(({ name, record }) => (record.end_date === null ? [] : [{ name, endDate: record.end_date }]));
  return { signature, periods, books: await readBooks(database, log) };
}

/** The books of a database whose log can't be read. */
const UNKNOWN_BOOKS: Books = { closings: [], left: [], fault: "the log of the closings can't be read", key: 'unknown' };

async function readKnownLog(database: string): Promise<EventLog | undefined> {
  try {
    return await readWholeLog(database);
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}
