import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../../base/index.ts';
import { closingsFolder } from '../generation/generation-files.ts';
import { eventsFile, isMarked, NEXT_PREFIX, RECORD_NAME, UPGRADED_FOLDER } from './history-files.ts';
import { sha256Of } from './log/digest.ts';
import type { EventLog } from './log/event-log.ts';
import { loggedStates } from './logged-states.ts';
import { type StateKey, spellKey } from './state-names.ts';
import type { StateRecord } from './state-record.ts';

/** A whole state whose line the log doesn't have. */
export interface UnloggedState extends StateKey {
  readonly company_id: string;
  readonly closing_sha256: string;
}

/** The folders beside the log that no line of it has as a state. */
export interface UnloggedFolders {
  /** The folders of interrupted keepings and removals. */
  readonly leftovers: readonly string[];
  /** The states whose lines are missing, for example in a log from a backup. */
  readonly states: readonly UnloggedState[];
  /** Folders that are neither, which stay as they are. */
  readonly others: readonly string[];
}

/** Finds the folders that the log doesn't have, and tells leftovers of this program from states. */
export function findUnlogged(database: string, log: EventLog): UnloggedFolders {
  const folder = closingsFolder(database);
  if (!existsSync(folder)) return { leftovers: [], states: [], others: [] };
  const logged = new Set(loggedStates(log).map(spellKey));
  const removed = new Set(log.events.filter(({ event }) => event === 'removed').map(spellKey));
  const names = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== UPGRADED_FOLDER && !logged.has(entry.name))
    .map(({ name }) => name);
  const isLeftover = (name: string) =>
    name.startsWith(NEXT_PREFIX) || removed.has(name) || isMarked(join(folder, name));
  const leftovers = names.filter(isLeftover);
  const rest = names.filter((name) => !isLeftover(name));
  const states = rest.flatMap((name) => readUnlogged(folder, name) ?? []);
  const found = new Set(states.map(spellKey));
  return { leftovers, states, others: rest.filter((name) => !found.has(name)) };
}

/** Reads what the log should say of a state; undefined if its folder has no readable description, or another's. */
function readUnlogged(folder: string, folderName: string): UnloggedState | undefined {
  try {
    const text = readFileSync(join(folder, folderName, RECORD_NAME), 'utf8');
    const { name, number, data_version, company_id } = JSON.parse(text) as StateRecord;
    const state = { name: name ?? data_version, number, company_id, closing_sha256: sha256Of(text) };
    return spellKey(state) === folderName ? state : undefined;
  } catch {
    return undefined;
  }
}

/** Checks that the log wasn't removed: without it, nothing tells which states are whole. @throws AppError storage */
export function assertLogThere(database: string, log: EventLog): void {
  if (log.isThere) return;
  const { states, others } = findUnlogged(database, log);
  if (states.length === 0 && others.every((name) => name.startsWith('.'))) return;
  throw new AppError('storage', `${eventsFile(database)} is missing, and there are kept states`, {
    hint: 'Put the log of a backup in its place. plumbline verify --accept REASON makes a new one for the states that are there.',
  });
}

/** Checks that the log has a line of each state. @throws AppError storage that names those it doesn't have. */
export function assertAllLogged(database: string, states: readonly UnloggedState[]): void {
  if (states.length === 0) return;
  throw new AppError('storage', `${eventsFile(database)} has no line of ${states.map(spellKey).join(', ')}`, {
    hint: 'Put the log in its place that has one. plumbline verify --accept REASON takes up what is there.',
  });
}
