import type { ComparedStates, FileOfState, ReadableState, ReportParameters } from '../ask/state-references.ts';
import { AppError } from '../error.ts';
import { fileWithoutRates } from '../generation/generation-files.ts';
import { closingsByDay, type DaysOfClosing } from './closing/closings-by-day.ts';
import { type KeptState, readKeptStates, readWholeLog } from './kept-states.ts';
import { loggedStates } from './logged-states.ts';
import { findReadable } from './readable-state.ts';
import { atField } from './resolve-state.ts';
import { CLOSINGS, spellKey } from './state-names.ts';

/**
 * Finds the states that `from` names: one state, or `closings` for the newest closing of each day.
 * @param sent The parameters as sent: a later closing completes them with its own cutoff.
 * @throws AppError as findReadable, unknown without a closing.
 */
export async function findCompared(
  database: string,
  reference: string,
  { cutoff_date }: ReportParameters,
): Promise<ComparedStates> {
  const hasOneCutoff = cutoff_date !== undefined;
  if (reference === CLOSINGS) return { ...(await compareClosings(database)), hasOneCutoff };
  const state = await findReadable(database, reference, 'from');
  const { state: name, number, keptAt } = state.asOf;
  return {
    states: [{ days: undefined, reference, read: async (seesRates) => ofReader(state, seesRates) }],
    versions: [`${name}@${number}`, keptAt],
    hasOneCutoff,
    window: state.window,
  };
}

async function compareClosings(database: string): Promise<Omit<ComparedStates, 'hasOneCutoff'>> {
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
export function ofReader({ file, asOf, window }: ReadableState, seesRates: boolean): FileOfState {
  return { file: seesRates ? file : fileWithoutRates(file), asOf, cutoffDate: window?.endDate };
}

function spellDays({ days: { startDate, endDate }, state }: DaysOfClosing<KeptState>): string {
  return `${spellKey(state)} ${state.record.kept_at} ${startDate}..${endDate}`;
}
