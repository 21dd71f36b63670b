import { readOwnCauses } from './kind-definition.ts';

/** The words for each cause in a sentence, before its contribution. Causes are in the order of the columns of the report changes. */
const OF_LINES = {
  late: 'work that came late',
  new: 'work of later days',
  removed: 'work that is gone',
  moved: 'work that moved',
  status: 'another status',
  billable: 'billable or not',
  hours: 'other hours',
  priced: 'rates that were unknown, or are now',
  rate: 'other rates',
};

const OF_FEES = {
  budget: 'other agreed fees',
  estimate: 'other progress of agreed fees',
  cutoff: 'a later cutoff',
};

let known: ReadonlyMap<string, string> | undefined;

/**
 * Returns the causes of a difference between two states in the order of the columns of the report changes, with words for each
 * in a sentence. A kind of lines that is no hours at rates may have one of its own.
 */
export function readCauseWords(): ReadonlyMap<string, string> {
  if (known) return known;
  const shared = { ...OF_LINES, ...OF_FEES };
  const own = readOwnCauses().flatMap(([, { name, says = name }]) => (name in shared ? [] : [[name, says] as const]));
  known = new Map([...Object.entries(OF_LINES), ...own, ...Object.entries(OF_FEES)]);
  return known;
}

let names: readonly string[] | undefined;

/** Returns the names of all causes, in their order. */
export function listCauses(): readonly string[] {
  names ??= [...readCauseWords().keys()];
  return names;
}
