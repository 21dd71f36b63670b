import { AppError } from '../../base/index.ts';
import type { ComparedStates, FileOfState, ReadableState } from '../ask/state-references.ts';
import { fileWithoutRates } from '../generation/generation-files.ts';
import { closingsByDay, type DaysOfClosing } from './closing/closings-by-day.ts';
import { type KeptState, readKeptStates, readWholeLog } from './kept-states.ts';
import { loggedStates } from './logged-states.ts';
import { findReadable } from './readable-state.ts';
import { atField } from './resolve-state.ts';
import { CLOSINGS, spellKey } from './state-names.ts';

/**
 * Finds the states that `from` names: one state, or `closings` for the newest closing of each day.
 * @throws AppError as findReadable, unknown without a closing.
 */
export async function findCompared(database: string, reference: string): Promise<ComparedStates> {
  if (reference === CLOSINGS) return compareClosings(database);
  const state = await findReadable(database, reference, 'from');
  const { state: name, number, keptAt } = state.asOf;
  return {
    states: [{ days: undefined, reference, read: async (seesRates) => ofReader(state, seesRates) }],
    versions: [`${name}@${number}`, keptAt],
    window: state.window,
  };
}

async function compareClosings(database: string): Promise<ComparedStates> {
  const { states, damaged } = await readKeptStates(database, loggedStates(await readWholeLog(database)));
  // It may be the newest closing of its days.
  const [unknown] = damaged;
  if (unknown) throw unknown.error;
  const closed = closingsByDay(states);
  const [first, last] = [closed[0], closed.at(-1)];
  if (!first || !last) {
    const hint = 'plumbline close 2026-03 closes one.';
    throw atField('from', new AppError('unknown', 'No period is closed', { hint }));
  }
  return {
    states: closed.map(({ days, state }) => ({
      days,
      reference: state.record.data_version,
      read: async (seesRates) => ofReader(await findReadable(database, spellKey(state)), seesRates),
    })),
    versions: closed.map(spellDays),
    window: { startDate: first.days.startDate, endDate: last.days.endDate },
  };
}

/** Returns the database of a state that a reader may see. */
export function ofReader({ file, asOf, window, books }: ReadableState, seesRates: boolean): FileOfState {
  return { file: seesRates ? file : fileWithoutRates(file), asOf, cutoffDate: window?.endDate, books };
}

function spellDays({ days: { startDate, endDate }, state }: DaysOfClosing<KeptState>): string {
  return `${spellKey(state)} ${state.record.kept_at} ${startDate}..${endDate}`;
}
