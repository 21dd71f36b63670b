import type { Days } from '../calendar/day.ts';
import { AppError } from '../error.ts';
import { fileWithoutRates } from '../generation/generation-files.ts';
import { closingsByDay, type DaysOfClosing } from './closing/closings-by-day.ts';
import { readKeptStates, readWholeLog } from './kept-states.ts';
import { loggedStates } from './logged-states.ts';
import { type ReadableState, type ReportParameters, readAsOf } from './read-as-of.ts';
import { atField } from './resolve-state.ts';
import { CLOSINGS, NOW, spellKey } from './state-names.ts';

/** Kept states that the present data, or a later state, are compared with. */
export interface ComparedStates {
  /** One state of all days, or the closings by their days, in the order of the days. */
  readonly states: readonly StateOfDays[];
  /** Texts that no other states have, for ETags. */
  readonly versions: readonly string[];
  /** The days of the closing, or of all closings. */
  readonly window: Days | undefined;
  /** True if a cutoff is requested, which is then that of all states; otherwise each has its own. */
  readonly hasOneCutoff: boolean;
}

/** A kept state that some days are compared with, or all. */
interface StateOfDays {
  readonly days: Days | undefined;
  /**
   * Returns the state as it may be read, verified.
   * @param seesRates False for the file without rates.
   * @throws AppError as readAsOf
   */
  read(seesRates: boolean): Promise<FileOfState>;
}

/** The database of a kept state, with the cutoff that it has of itself. */
type FileOfState = Pick<ReadableState, 'file' | 'asOf'> & { readonly cutoffDate: string | undefined };

/**
 * Returns the references of the kept states in the parameters of a comparison: undefined `to` for the present data, and
 * undefined `from` if it is missing.
 * @throws AppError usage for as_of, in whose place stands to, and for baseline.
 */
export function readReferences(sent: ReportParameters): { from: string | undefined; to: string | undefined } {
  const { from, to = NOW, as_of, baseline } = sent;
  if (baseline !== undefined) {
    const message = 'baseline: a comparison compares the plans of from and to themselves';
    throw new AppError('usage', message, {
      fields: [{ field: 'baseline', message }],
      hint: `Give from=${baseline} to learn what has changed since that plan.`,
    });
  }
  if (as_of === undefined) return { from, to: to === NOW ? undefined : to };
  const message = 'as_of: a comparison names its states with from and to';
  throw new AppError('usage', message, {
    fields: [{ field: 'as_of', message }],
    hint: `Give to=${as_of} for a comparison with that state.`,
  });
}

/**
 * Finds the states that `from` names: a state as in as_of, or `closings` for the newest closing of each day.
 * @param sent The parameters as sent: a later closing completes them with its own cutoff.
 * @throws AppError as readAsOf, unknown without a closing.
 */
export async function findCompared(
  database: string,
  reference: string,
  { cutoff_date }: ReportParameters,
): Promise<ComparedStates> {
  const hasOneCutoff = cutoff_date !== undefined;
  if (reference === CLOSINGS) return { ...(await compareClosings(database)), hasOneCutoff };
  const state = await readAsOf(database, reference, 'from');
  const { state: name, number, keptAt } = state.asOf;
  return {
    states: [{ days: undefined, read: async (seesRates) => ofReader(state, seesRates) }],
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
      read: async (seesRates) => ofReader(await readAsOf(database, spellKey(state)), seesRates),
    })),
    versions: closed.map(spellDays),
    window: { startDate: first.days.startDate, endDate: last.days.endDate },
  };
}

/** Returns the database of a state that a reader may see. */
export function ofReader({ file, asOf, window }: ReadableState, seesRates: boolean): FileOfState {
  return { file: seesRates ? file : fileWithoutRates(file), asOf, cutoffDate: window?.endDate };
}

function spellDays({ days: { startDate, endDate }, state }: DaysOfClosing): string {
  return `${spellKey(state)} ${state.record.kept_at} ${startDate}..${endDate}`;
}
