import { AppError } from '../error.ts';
import { isDay } from '../resource/field.ts';
import type { KeptState, LoggedState } from './kept-states.ts';
import { isDataVersion, type StateKey, spellKey } from './state-names.ts';

/** The most names that an error proposes. */
const MAX_PROPOSED_NAMES = 5;

/**
 * Finds the state that a reference names: a name (its newest), name@number, or a data version.
 * @throws AppError unknown, with the nearest names.
 */
export function chooseLogged<State extends StateKey>(states: readonly State[], reference: string): State {
  const found = states.findLast((state) => spellKey(state) === reference || state.name === reference);
  if (found) return found;
  throw unknownState(states, reference);
}

/**
 * Finds the state that `as_of` names: as chooseLogged, or a day for the newest state that is complete up to a day on or
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
  throw new AppError(
    'unknown',
    first
      ? `No state was kept on or before ${reference}; the first is of ${first.record.day}`
      : `No state was kept on or before ${reference}: there is none`,
    { hint: first ? `Give a day from ${first.record.day} on.` : 'plumbline keep NAME keeps one.' },
  );
}

function byDay(one: KeptState, other: KeptState): number {
  if (one.record.day !== other.record.day) return one.record.day < other.record.day ? -1 : 1;
  return one.record.kept_at < other.record.kept_at ? -1 : 1;
}

function unknownState(states: readonly (StateKey | LoggedState)[], reference: string): AppError {
  const names = [...new Set(states.map(spellKey))];
  const nearest = names
    .map((name) => ({ name, shared: sharedStart(name, reference) }))
    .toSorted((one, other) => other.shared - one.shared)
    .slice(0, MAX_PROPOSED_NAMES)
    .map(({ name }) => name);
  return new AppError('unknown', `There is no kept state "${reference}"`, {
    hint: nearest.length > 0 ? `The nearest are ${nearest.join(', ')}.` : 'plumbline keep NAME keeps the first one.',
  });
}

/** Returns the number of first characters that two texts have in common. */
function sharedStart(one: string, other: string): number {
  let count = 0;
  while (count < one.length && one[count] === other[count]) count += 1;
  return count;
}
