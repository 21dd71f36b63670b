import { address, linkTo, linkToScreen } from '../data/address.ts';
import { daysBefore, isDay, mondayBefore } from '../data/days.ts';
import { formatDate } from '../data/numbers.ts';
import { Menu } from '../parts/menu.tsx';
import {
  describeState,
  findState,
  type KeptState,
  listKeptStates,
  momentOf,
  referenceOf,
  today,
} from './kept-states.tsx';

/*
 * The state since which a screen shows what has changed: `since` in the address is its reference, or a word that finds
 * another one tomorrow.
 */

/** Words for a state in the address, with the state that each finds among those of earlier days, the newest first. */
const WORDS: Readonly<Record<string, (states: readonly KeptState[]) => KeptState | undefined>> = {
  yesterday: (states) => upTo(states, daysBefore(today.value, 1)),
  monday: (states) => upTo(states, mondayBefore(today.value)),
  closing: (states) => states.find(({ status }) => status === 'closed'),
};

/** Returns the newest state that is complete up to a day or one before it, as `as_of` with a day finds it. */
function upTo(states: readonly KeptState[], day: string): KeptState | undefined {
  return states.find((state) => state.day <= day);
}

/** Returns the states that are older than the one that is reported. */
function earlierStates(): readonly KeptState[] {
  const reported = findState(address.value.get('as_of'));
  const states = listKeptStates();
  return states
    .filter((state) => !reported || momentOf(state) < momentOf(reported))
    .toSorted((one, other) => (one.day < other.day ? 1 : -Number(one.day > other.day)));
}

/** Returns the state that the address names; undefined for none, and before the states are read. */
export function sinceState(): KeptState | undefined {
  const asked = address.value.get('since');
  if (asked === null) return undefined;
  const find = Object.hasOwn(WORDS, asked) && isDay(today.value) ? WORDS[asked] : undefined;
  return find ? find(earlierStates()) : findState(asked);
}

/** Returns the day of a state in words: a closing by its name, another by the day up to which it is complete. */
export function wordsOfSince(state: KeptState): string {
  return state.name === null ? formatDate(state.day) : (state.label ?? state.name);
}

/** A menu of the states since which changes are shown. Nothing where none is kept, unless the address names one. */
export function SinceMenu() {
  const asked = address.value.get('since');
  const states = earlierStates();
  if (states.length === 0 && asked === null) return null;
  const chosen = sinceState();
  const label = asked === null ? 'Since …' : `Since ${chosen ? wordsOfSince(chosen) : asked}`;
  const words = isDay(today.value)
    ? [
        { name: 'yesterday', label: 'Yesterday' },
        { name: 'monday', label: `Monday, ${formatDate(mondayBefore(today.value))}` },
        { name: 'closing', label: 'The closing' },
      ].flatMap((word) => {
        const state = WORDS[word.name]?.(states);
        return state ? [{ ...word, state }] : [];
      })
    : [];
  const link = (name: string | undefined) => linkTo({ since: name });
  return (
    <Menu label={label}>
      {(close) => (
        <ul class="presets" aria-label="Show what has changed since">
          <li>
            <a href={link(undefined)} aria-current={asked === null ? 'true' : undefined} onClick={close}>
              Don’t show changes
            </a>
          </li>
          {words.map(({ name, label: word, state }) => (
            <li>
              <a href={link(name)} aria-current={asked === name ? 'true' : undefined} onClick={close}>
                {word} <small>{describeState(state)}</small>
              </a>
            </li>
          ))}
          {states.map((state) => (
            <li>
              <a
                href={link(referenceOf(state))}
                aria-current={asked === referenceOf(state) ? 'true' : undefined}
                onClick={close}
              >
                {describeState(state)}
              </a>
            </li>
          ))}
        </ul>
      )}
    </Menu>
  );
}

/** Returns the link to the screen of changes since a state. */
export function linkToChanges(state: KeptState, measure: string): string {
  return linkToScreen('changes', { from: referenceOf(state), measures: measure });
}
