import { FILED_FOLDER } from './history-files.ts';
import type { KeptState } from './kept-states.ts';

/** Returns a kept state as lists and answers show it. @param seesRates False to leave amounts out. */
export function describeState({ name, number, record, status }: KeptState, seesRates = true) {
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
    warnings: warnings.map(({ amount, ...warning }) => (seesRates ? { ...warning, amount } : warning)),
    files: filed.map((file) => ({ ...file, name: file.name.slice(FILED_FOLDER.length + 1) })),
  };
}

/** Returns the list of kept states: the closings of periods, and the others. */
export function describeHistory(states: readonly KeptState[], seesRates = true) {
  const described = states.map((state) => describeState(state, seesRates));
  return {
    closings: described.filter(({ kind }) => kind === 'soft' || kind === 'hard'),
    kept: described.filter(({ kind }) => kind === 'kept' || kind === 'automatic'),
  };
}
