import { isDay } from '../../base/calendar/index.ts';
import { AppError, nearestName } from '../../base/index.ts';
import type { KeptState } from './kept-states.ts';
import { isDataVersion, type StateKey, spellKey } from './state-names.ts';

/** The most names that an error lists, if none is near. */
const MAX_PROPOSED_NAMES = 5;

/**
 * Finds the state that a reference names: a name (its newest), name@number, or a data version.
 * @throws AppError unknown, with the nearest names.
 */
export function chooseLogged<State extends StateKey>(states: readonly State[], reference: string): State {
  // A period may be named in capitals, as 2026-Q1, and its state never is.
  const folded = isDataVersion(reference) ? reference : reference.toLowerCase();
  const exact = states.find((state) => spellKey(state) === folded);
  if (exact) return exact;
  // An import may bring an earlier number later.
  const numbered = states.filter(({ name }) => name === folded);
  const newest = numbered.toSorted((one, other) => (one.number ?? 0) - (other.number ?? 0)).at(-1);
  if (newest) return newest;
  throw unknownState(states, reference);
}

/**
 * Finds the state that a reference names: as chooseLogged, or a day for the newest state that is complete up to a day on or
 * before it.
 * @throws AppError unknown
 */
export function resolveState(states: readonly KeptState[], reference: string): KeptState {
  if (!isDay(reference)) {
    // A named state has its data version, too.
    const kept = isDataVersion(reference)
      ? states.findLast(({ record }) => record.data_version === reference)
      : undefined;
    return kept ?? chooseLogged(states, reference);
  }
  const before = states.filter(({ record }) => record.day <= reference);
  const newest = before.toSorted(byDay).at(-1);
  if (newest) return newest;
  const [first] = states.toSorted(byDay);
  throw new AppError('unknown', `No state was kept on or before ${reference}`, {
    hint: first ? `The first is of ${first.record.day}.` : 'There is none; plumbline keep NAME keeps one.',
  });
}

function byDay(one: KeptState, other: KeptState): number {
  if (one.record.day !== other.record.day) return one.record.day < other.record.day ? -1 : 1;
  return one.record.kept_at < other.record.kept_at ? -1 : 1;
}

function unknownState(states: readonly StateKey[], reference: string): AppError {
  const names = [...new Set(states.flatMap((state) => [state.name, spellKey(state)]))];
  const nearest = nearestName(reference, names);
  const latest = states.slice(-MAX_PROPOSED_NAMES).map(spellKey);
  const hint = nearest === undefined ? `The latest are ${latest.join(', ')}.` : `The nearest is ${nearest}.`;
  return new AppError('unknown', `There is no kept state "${reference}"`, {
    hint: states.length > 0 ? hint : 'plumbline keep NAME keeps the first one.',
  });
}

/** Names the parameter in an error of a state that isn't there; returns any other unchanged. */
export function atField(field: string, error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== 'unknown') return error;
  const { message, hint } = error;
  const fields = [{ field, message }];
  return new AppError('unknown', `${field}: ${message}`, { fields, ...(hint !== undefined && { hint }), cause: error });
}
