import { type Days, isDay } from '../../base/calendar/index.ts';
import type { AsOfState } from '../../numbers/report/catalogue/index.ts';
import type { ReadableState } from '../ask/state-references.ts';
import { FORMAT } from '../generation/model-definitions.ts';
import { readBooks } from './closed-books.ts';
import { keptDatabase } from './history-files.ts';
import { type KeptState, readKeptState, readKeptStates, readWholeLog } from './kept-states.ts';
import { companyIdOf, type LoggedState, loggedStates } from './logged-states.ts';
import { atField, chooseLogged, resolveState } from './resolve-state.ts';
import { isDataVersion, type StateKey } from './state-names.ts';
import type { StateRecord } from './state-record.ts';
import { assertAsKept } from './verified-state.ts';

/**
 * Finds the kept state that a request names, and verifies it before its first answer in this process.
 * @param reference A name, name@number, a data version, or a day.
 * @param field The parameter that it stands in, which the error names: a request may name five states.
 * @throws AppError unknown if there is none; storage if it, or the log, is not as it was kept.
 */
export async function findReadable(database: string, reference: string, field?: string): Promise<ReadableState> {
  const log = await readWholeLog(database);
  const state = await findState(database, loggedStates(log), reference).catch((error: unknown) => {
    throw field === undefined ? error : atField(field, error);
  });
  await assertAsKept(state, companyIdOf(log));
  const { record } = state;
  return {
    file: await readableFile(database, state),
    asOf: asOfState(state, record),
    window: periodOfState(record),
    books: await readBooks(database, log, state),
  };
}

/**
 * Returns the path of the database of a kept state in the present format: its own, or that of an upgraded copy.
 * @throws AppError as upgradeState
 */
export async function readableFile(database: string, state: KeptState): Promise<string> {
  if (state.record.data_format >= FORMAT) return keptDatabase(state.folder);
  // An upgrade computes control totals, so it loads the reports, which a statement does without.
  const { upgradeState } = await import('./upgraded-state.ts');
  return upgradeState(database, state);
}

/** Describes a state for the reports that read it. */
export function asOfState(
  { name, number }: StateKey,
  { kind, label, kept_at, day, measures }: Pick<StateRecord, 'kind' | 'label' | 'kept_at' | 'day' | 'measures'>,
): AsOfState {
  return { state: name, number, kind, ...(label !== null && { label }), keptAt: kept_at, day, measures };
}

/** Reads the one state that a name means; a day or a data version needs the descriptions of all. */
async function findState(database: string, logged: readonly LoggedState[], reference: string): Promise<KeptState> {
  if (!isDay(reference) && !isDataVersion(reference)) {
    return readKeptState(database, chooseLogged(logged, reference));
  }
  const { states, damaged } = await readKeptStates(database, logged);
  const [first] = damaged;
  // A damaged state may be the newest before a day. One with the same data version has the same data.
  const isFound = states.some(({ record }) => record.data_version === reference);
  if (first && !isFound) throw first.error;
  return resolveState(states, reference);
}

export function periodOfState({
  start_date: startDate,
  end_date: endDate,
}: Pick<StateRecord, 'start_date' | 'end_date'>): Days | undefined {
  return startDate === null || endDate === null ? undefined : { startDate, endDate };
}

/**
 * Reads the description of the newest state with a name, or of name@number.
 * @throws AppError unknown if there is none, storage if it or the log is not as it was kept.
 */
export async function findKeptState(database: string, reference: string): Promise<KeptState> {
  return readKeptState(database, chooseLogged(loggedStates(await readWholeLog(database)), reference));
}
