import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../error.ts';
import { closingsFolder } from '../generation/generation-files.ts';
import { assertUnbroken, type EventLog, type HistoryEvent, readEventLog } from './event-log.ts';
import { eventsFile, RECORD_NAME, stateFolder } from './history-files.ts';
import { type StateKey, spellKey } from './state-names.ts';
import { parseRecord, type StateRecord } from './state-record.ts';

/** A kept state: `closed` while it closes its period, `reopened` afterwards, and `kept` if it never closed one. */
export interface KeptState extends StateKey {
  readonly folder: string;
  readonly record: StateRecord;
  readonly status: 'kept' | 'closed' | 'reopened';
  /** The number of its last event in the log. */
  readonly event: number;
}

/** A state in the log, whose folder has not been looked at. */
export interface LoggedState extends StateKey {
  readonly closing_sha256: string;
  readonly isReopened: boolean;
  readonly event: number;
}

/** Returns the states that a log says are there, in the order of their keeping. */
export function loggedStates({ events }: Pick<EventLog, 'events'>): LoggedState[] {
  const states = new Map<string, LoggedState>();
  for (const [event, { name, number, closing_sha256, adopted = [], event: what }] of events.entries()) {
    const key = spellKey({ name, number });
    const found = states.get(key);
    if (what === 'removed') states.delete(key);
    else if (what === 'reopened') {
      if (found) states.set(key, { ...found, isReopened: true, event });
    } else if (what !== 'accepted') states.set(key, { name, number, closing_sha256, isReopened: false, event });
    for (const each of adopted) states.set(spellKey(each), { ...each, isReopened: false, event });
  }
  return [...states.values()];
}

/** Returns the id of the company whose states a log has; undefined before the first. */
export function companyIdOf({ events }: Pick<EventLog, 'events'>): string | undefined {
  return events[0]?.company_id;
}

/** Returns the number that the next state with a name gets: numbers of removed states aren't used again. */
export function nextNumber({ events }: Pick<EventLog, 'events'>, name: string): number {
  const all = events.flatMap((event: HistoryEvent) => [event, ...(event.adopted ?? [])]);
  return Math.max(0, ...all.filter((event) => event.name === name).map(({ number }) => number ?? 0)) + 1;
}

/**
 * Reads the kept states of a database, in the order of their keeping.
 * @throws AppError storage if the log is broken, or a description is not as it was kept.
 */
export async function readKeptStates(database: string): Promise<KeptState[]> {
  const log = await readEventLog(database);
  assertUnbroken(database, log);
  assertLogThere(database, log);
  return Promise.all(loggedStates(log).map((state) => readKeptState(database, state)));
}

/** Reads the description of a state. @throws AppError storage if it is missing, or not as it was kept. */
export async function readKeptState(database: string, state: LoggedState): Promise<KeptState> {
  const { name, number, closing_sha256, isReopened, event } = state;
  const folder = stateFolder(database, state);
  const path = join(folder, RECORD_NAME);
  const text = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw new AppError('storage', `The kept state ${spellKey(state)} can't be read: ${cause.message}`, {
      hint: `Put its folder from a backup in its place, or run plumbline closings remove ${spellKey(state)} --reason R.`,
      cause,
    });
  });
  const record = parseRecord(path, text, closing_sha256);
  const isClosing = record.start_date !== null;
  return { name, number, folder, record, status: isReopened ? 'reopened' : isClosing ? 'closed' : 'kept', event };
}

/** Returns the names of the folders of states that the log doesn't have. */
export function findUnlogged(database: string, log: EventLog): string[] {
  const folder = closingsFolder(database);
  if (!existsSync(folder)) return [];
  const logged = new Set(loggedStates(log).map(spellKey));
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !logged.has(entry.name))
    .map(({ name }) => name);
}

/** Checks that the log wasn't removed: without it, every state would look like a leftover. @throws AppError storage */
export function assertLogThere(database: string, log: EventLog): void {
  if (log.isThere || findUnlogged(database, log).every((name) => name.startsWith('.'))) return;
  throw new AppError('storage', `${eventsFile(database)} is missing, and there are kept states`, {
    hint: 'Put the log of a backup in its place. plumbline verify --accept REASON makes a new one for the states that are there.',
  });
}
