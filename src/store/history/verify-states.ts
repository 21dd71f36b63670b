import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { OpenOptions } from '../../base/database/index.ts';
import { messageOf } from '../../base/index.ts';
import { openGeneration } from '../generation/open-generation.ts';
import { compareTotals, computeTotals, type DifferingCell, measuresOfTotals } from './control-totals.ts';
import { TOTALS_NAME } from './history-files.ts';
import { type KeptState, readKeptState } from './kept-states.ts';
import { type LogBreak, readEventLog } from './log/event-log.ts';
import { companyIdOf, loggedStates } from './logged-states.ts';
import { readableFile } from './readable-state.ts';
import { chooseLogged } from './resolve-state.ts';
import { spellKey } from './state-names.ts';
import { assertLogThere, findUnlogged, type UnloggedFolders } from './unlogged-folders.ts';
import { isReadable } from './upgraded-state.ts';
import { findFaults } from './verified-state.ts';

export interface VerifiedState {
  readonly key: string;
  /** Why it is not as it was kept; empty if it is. */
  readonly faults: readonly string[];
  /** The version of the program that kept it, if this one can't read its tables. */
  readonly olderVersion?: string;
  /** Null for a state without totals, with faults, or of an older version. */
  readonly totals: VerifiedTotals | null;
}

/** The control totals of a state, computed again. */
interface VerifiedTotals {
  readonly differing: readonly DifferingCell[];
  /** The measures that aren't compared: this version defines them otherwise. */
  readonly changed: readonly string[];
}

export interface Verification {
  readonly breaks: readonly LogBreak[];
  readonly unlogged: UnloggedFolders;
  readonly states: readonly VerifiedState[];
}

/**
 * Checks the log, the files and the control totals of kept states.
 * @param reference A name, or a data version; undefined for all states.
 * @throws AppError unknown if there is no such state, storage if the log is missing.
 */
export async function verifyStates(
  database: string,
  reference: string | undefined,
  options: OpenOptions,
): Promise<Verification> {
  const log = await readEventLog(database);
  assertLogThere(database, log);
  const all = loggedStates(log);
  const chosen = reference === undefined ? all : [chooseLogged(all, reference)];
  const states: VerifiedState[] = [];
  for (const logged of chosen) {
    const key = spellKey(logged);
    try {
      const state = await readKeptState(database, logged);
      const faults = await findFaults(state, companyIdOf(log));
      const { program_version: olderVersion } = state.record;
      if (!isReadable(state)) states.push({ key, faults, olderVersion, totals: null });
      else
        states.push({
          key,
          faults,
          totals: faults.length > 0 ? null : await verifyTotals(database, state, options),
        });
    } catch (error) {
      states.push({ key, faults: [messageOf(error)], totals: null });
    }
  }
  return { breaks: log.breaks, unlogged: findUnlogged(database, log), states };
}

/** Computes the control totals of a state again. @returns null if it has none. */
async function verifyTotals(path: string, state: KeptState, options: OpenOptions): Promise<VerifiedTotals | null> {
  const { folder, record } = state;
  if (!record.files.some(({ name }) => name === TOTALS_NAME)) return null;
  const kept = await readFile(join(folder, TOTALS_NAME), 'utf8');
  const database = await openGeneration(await readableFile(path, state), options);
  try {
    const { same, changed } = measuresOfTotals(kept, record);
    return { differing: compareTotals(kept, await computeTotals(database, record, same)), changed };
  } finally {
    await database.close();
  }
}
