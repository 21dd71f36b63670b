import { findHardClosed } from './closing/hard-closed.ts';
import { FILED_FOLDER } from './history-files.ts';
import { type KeptState, type KeptStates, readKeptStates, readWholeLog } from './kept-states.ts';
import { loggedStates } from './logged-states.ts';
import type { StateKey } from './state-names.ts';

export function describeOneState({ name, number, record, status }: KeptState) {
  const { start_date, end_date, kind, label, reason, kept_at, kept_by, day, data_version, warnings, files } = record;
  const filed = files.filter((file) => file.name.startsWith(`${FILED_FOLDER}/`));
  const isClosing = start_date !== null;
  const moment = isClosing ? { closed_at: kept_at, closed_by: kept_by } : { kept_at, kept_by };
  return {
    name: number === null ? null : name,
    number,
    ...(isClosing && { start_date, end_date }),
    kind,
    status,
    label,
    reason,
    ...moment,
    day,
    data_version,
    warnings,
    files: filed.map((file) => ({ ...file, name: file.name.slice(FILED_FOLDER.length + 1) })),
  };
}

/**
 * Reads the list of kept states of a database, as describeHistory has it.
 * @param seesRates False to leave out amounts at risk.
 * @throws AppError storage if the log is not as it was written.
 */
export async function listHistory(database: string, seesRates: boolean) {
  const states = describeHistory(await readKeptStates(database, loggedStates(await readWholeLog(database))));
  return seesRates ? states : withoutAmounts(states);
}

/**
 * Lists the kept states of a database as rows; of one that can't be read, its name alone.
 * @throws AppError storage if the log is not as it was written.
 */
export async function listStateRows(database: string) {
  const { states, damaged } = await readKeptStates(database, loggedStates(await readWholeLog(database)));
  const nameOf = ({ name, number }: StateKey) =>
    number === null ? { name: null, number, data_version: name } : { name, number };
  const rows = states.map(({ record, status, ...key }) => {
    const { start_date, end_date, kind, label, reason, kept_at, kept_by, day, data_version } = record;
    return { start_date, end_date, kind, status, label, reason, kept_at, kept_by, day, data_version, ...nameOf(key) };
  });
  return [...rows, ...damaged.map(({ logged }) => ({ ...nameOf(logged), status: 'damaged' }))];
}

/** Returns the list of kept states: the closings of periods, the others, and those that can't be read. */
export function describeHistory({ states, damaged }: KeptStates) {
  const described = states.map(describeOneState);
  return {
    closings: described.filter(({ kind }) => kind === 'soft' || kind === 'hard'),
    hard_closed: findHardClosed(states).map(({ startDate, endDate }) => ({ start_date: startDate, end_date: endDate })),
    kept: described.filter(({ kind }) => kind === 'kept' || kind === 'automatic'),
    damaged: damaged.map(({ logged: { name, number }, error }) => ({ name, number, message: error.message })),
  };
}

/** Returns a description in which each amount that is at risk is null, for readers without rates: it is a sum of costs. */
export function withoutAmounts<Described>(described: Described): Described {
  return JSON.parse(JSON.stringify(described), (key, value) => (key === 'amount' ? null : value));
}
