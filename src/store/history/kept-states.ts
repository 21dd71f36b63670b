import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../base/index.ts';
import { closingsByDay } from './closing/closings-by-day.ts';
import { RECORD_NAME, stateFolder } from './history-files.ts';
import { assertUnbroken, type EventLog, readEventLog } from './log/event-log.ts';
import type { LoggedState } from './logged-states.ts';
import { type StateKey, spellKey } from './state-names.ts';
import { parseRecord, type StateRecord } from './state-record.ts';
import { assertLogThere } from './unlogged-folders.ts';

/** A kept state: `closed` while a day of its period is closed, `reopened` afterwards, and `kept` if it never closed one. */
export interface KeptState extends StateKey {
  readonly folder: string;
  readonly record: StateRecord;
  readonly status: 'kept' | 'closed' | 'reopened';
  /** The number of its last event in the log. */
  readonly event: number;
}

/** A state whose description can't be read, or is not as it was kept. */
export interface DamagedState {
  readonly logged: LoggedState;
  readonly error: AppError;
}

/** Kept states in the order of their keeping. */
export interface KeptStates {
  readonly states: readonly KeptState[];
  readonly damaged: readonly DamagedState[];
}

/**
 * Reads the log to find states in it.
 * @throws AppError storage if it is broken or missing.
 */
export async function readWholeLog(database: string): Promise<EventLog> {
  const log = await readEventLog(database);
  assertUnbroken(database, log);
  assertLogThere(database, log);
  return log;
}

/** Reads the descriptions of states, and tells those that are damaged. */
export async function readKeptStates(database: string, logged: readonly LoggedState[]): Promise<KeptStates> {
  const damaged: DamagedState[] = [];
  const read = await Promise.all(
    logged.map((state) =>
      readKeptState(database, state).catch((error: unknown) => {
        if (!(error instanceof AppError)) throw error;
        damaged.push({ logged: state, error });
      }),
    ),
  );
  return { states: withReopened(read.flatMap((state) => state ?? [])), damaged };
}

/** Returns states in which closings of which no day is closed any more are reopened: another closing of their days was (C5). */
export function withReopened(states: readonly KeptState[]): KeptState[] {
  const closed = closingsByDay(states);
  return states.map((state) => {
    const { start_date: startDate, end_date: endDate } = state.record;
    if (state.status !== 'closed' || startDate === null || endDate === null) return state;
    const isClosed = closed.some(({ days }) => days.startDate <= endDate && days.endDate >= startDate);
    return isClosed ? state : { ...state, status: 'reopened' };
  });
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
