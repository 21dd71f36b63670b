import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../error.ts';
import { assertUnbroken, readEventLog } from './event-log.ts';
import { RECORD_NAME, stateFolder } from './history-files.ts';
import { type LoggedState, loggedStates } from './logged-states.ts';
import { type StateKey, spellKey } from './state-names.ts';
import { parseRecord, type StateRecord } from './state-record.ts';
import { assertLogThere } from './unlogged-folders.ts';

/** A kept state: `closed` while it closes its period, `reopened` afterwards, and `kept` if it never closed one. */
export interface KeptState extends StateKey {
  readonly folder: string;
  readonly record: StateRecord;
  readonly status: 'kept' | 'closed' | 'reopened';
  /** The number of its last event in the log. */
  readonly event: number;
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
