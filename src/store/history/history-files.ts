/*
 * Kept states: data at one moment, as immutable files in company.closings beside the database.
 *
 *   events.ndjson              the log of what was kept, closed, reopened, removed: the truth      event-log
 *   2026-03@1/closing.json     the description of a state                                          state-record
 *   2026-03@1/company.duckdb   the published pair of that moment, of one data version              pair-links
 *   2026-03@1/company.no-rates.duckdb
 *   2026-03@1/totals.csv       sums that the present program must find again                       control-totals
 *   2026-03@1/booked.csv       what later periods are booked by, of a closing                    booked-table, closed-books
 *   2026-03@1/files/           reports as they were sent
 *   .upgraded/2026-03@1/       a copy in the present format, of a state of an earlier one          upgraded-state
 *
 * `keep-state` makes a state, `kept-states` lists them, `verify-states` checks them, `read-as-of` finds them for reports.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { closingsFolder } from '../generation/generation-files.ts';
import { type StateKey, spellKey } from './state-names.ts';

/** The name of the database in every kept state; the copy without rates is named after it. */
export const KEPT_DATABASE = 'company.duckdb';

export const RECORD_NAME = 'closing.json';

export const TOTALS_NAME = 'totals.csv';

export const BOOKED_NAME = 'booked.csv';

export const FILED_FOLDER = 'files';

/** The folder of copies of states in the present format. */
export const UPGRADED_FOLDER = '.upgraded';

/** The start of the name of a folder that is being filled. */
export const NEXT_PREFIX = '.next-';

/** The file in the folder of a state whose line may not be in the log yet. A backup may take it along. */
const MARK_NAME = 'keeping';

const EVENTS_NAME = 'events.ndjson';

export function eventsFile(database: string): string {
  return join(closingsFolder(database), EVENTS_NAME);
}

export function stateFolder(database: string, key: StateKey): string {
  return join(closingsFolder(database), spellKey(key));
}

/** Returns the path of the folder of the copy of a kept state in the present format. */
export function upgradedFolder(database: string, key: StateKey): string {
  return join(closingsFolder(database), UPGRADED_FOLDER, spellKey(key));
}

export function keptDatabase(folder: string): string {
  return join(folder, KEPT_DATABASE);
}

/** Returns the path of the folder that this process fills before it becomes that of a state. */
export function nextFolder(database: string): string {
  return join(closingsFolder(database), `${NEXT_PREFIX}${process.pid}`);
}

/** Returns the path of the file that marks a folder as one whose line may not be in the log yet. */
export function markFile(folder: string): string {
  return join(folder, MARK_NAME);
}

export function isMarked(folder: string): boolean {
  return existsSync(markFile(folder));
}
