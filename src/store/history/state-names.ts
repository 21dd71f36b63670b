import { isDay } from '../../base/calendar/index.ts';
import { AppError } from '../../base/index.ts';
import { NOW } from '../ask/state-references.ts';

/** The longest name of a kept state. Unit: characters. */
const MAX_STATE_NAME_CHARACTERS = 60;

const NAME = /^[a-z0-9][a-z0-9._-]*$/;

/** The name of all closings together, each of its own days. */
export const CLOSINGS = 'closings';

/** Names with a meaning of their own. */
const RESERVED = [NOW, CLOSINGS];

/** The form of a data version, such as 20260403T161958Z-0a1b2c3d.118. */
const DATA_VERSION = /^\d{8}t\d{6}z-[0-9a-f]{8}(\.\d+)?$/i;

/**
 * Checks the name of a state that is to be kept.
 * @throws AppError usage
 */
export function assertStateName(name: string): void {
  const fail = (reason: string) => {
    throw new AppError('usage', `"${name}" can't be the name of a state: ${reason}`, {
      hint: 'Give a name such as kickoff-501 or budget.2026.',
    });
  };
  if (name.length > MAX_STATE_NAME_CHARACTERS) {
    fail(`it has ${name.length} characters, and at most ${MAX_STATE_NAME_CHARACTERS} are allowed`);
  }
  if (!NAME.test(name)) {
    fail('it has other characters than small letters, digits, ".", "_" and "-", or begins with none of the first two');
  }
  if (RESERVED.includes(name)) fail('the word has a meaning of its own');
  if (isDay(name)) fail('it is a day, which names the newest state on or before it');
  if (isDataVersion(name)) fail('it is a data version');
}

export function isDataVersion(text: string): boolean {
  return DATA_VERSION.test(text);
}

/** The name of a state, or its data version if it was kept without a name. */
export interface StateKey {
  readonly name: string;
  /** Counts the states with this name; null for a state without a name. */
  readonly number: number | null;
}

/** Returns what identifies a state in texts and folders: 2026-03@1, or a data version. */
export function spellKey({ name, number }: StateKey): string {
  return number === null ? name : `${name}@${number}`;
}
