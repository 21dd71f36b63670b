import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../base/index.ts';
import type { BookedClosing, Books } from '../../numbers/report/catalogue/index.ts';
import { hashFile } from '../../records/ingest/index.ts';
import { BOOKED_NAME, TOTALS_NAME } from './history-files.ts';
import { type KeptState, readKeptStates } from './kept-states.ts';
import type { EventLog } from './log/event-log.ts';
import { loggedStates } from './logged-states.ts';
import { type StateKey, spellKey } from './state-names.ts';

/*
 * The closings by which revenue is booked (B1): those in force, in the order of their last days; of several that end on one day, the newest. What each
 * has kept of all days is a small file in its folder, so no database of another state is opened.
 */

/** The measures by whose control totals closings of earlier versions are booked (B5). */
const OF_TOTALS = ['earned_revenue', 'actual_cost', 'expense_to_date_cost'];

/** Reads the closings by which the present data are booked, or a kept state was when it was kept. @param until The kept state. Default: all events count. */
export async function readBooks(database: string, log: EventLog, until?: StateKey): Promise<Books> {
  const { events } = log;
  const kept = until && events.findIndex((each) => spellKey(each) === spellKey(until) && each.event !== 'removed');
  const logged = loggedStates({ events: kept === undefined || kept < 0 ? events : events.slice(0, kept + 1) });
  const { states, damaged } = await readKeptStates(database, logged);
  const closings = chainOf(states);
  const key = closings.map((state) => `${spellKey(state)} ${state.event}`).join(' ');
  const [unknown] = damaged.filter(({ logged: { mayClose, isReopened } }) => mayClose && !isReopened);
  if (unknown) return { closings: [], left: [], fault: `${spellKey(unknown.logged)} can't be read`, key };
  const read = await Promise.all(closings.map(readBooked));
  const fault = read.find((each) => typeof each === 'string');
  if (typeof fault === 'string') return { closings: [], left: [], fault, key };
  const booked = read.flatMap((each) => (typeof each === 'object' ? each : []));
  const left = closings.filter((_, index) => read[index] === undefined).map(spellKey);
  return { closings: booked, left, key };
}

/** Returns the closings in force in the order of their last days, the newest of those that end on one day. */
export function chainOf(states: readonly KeptState[]): KeptState[] {
  const newest = new Map<string, KeptState>();
  for (const state of states.toSorted((one, other) => one.event - other.event))
    if (state.status === 'closed') newest.set(state.record.end_date ?? '', state);
  return [...newest.entries()].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, state]) => state);
}

/** Returns the file by which a closing is booked, undefined if it has kept none, or why it can't be read. */
async function readBooked(state: KeptState): Promise<BookedClosing | string | undefined> {
  const { folder, record } = state;
  const { start_date: startDate, end_date: endDate, files, measures } = record;
  const form = files.some(({ name }) => name === BOOKED_NAME) ? 'booked' : 'totals';
  const kept = files.find(({ name }) => name === (form === 'booked' ? BOOKED_NAME : TOTALS_NAME));
  const isKept = form === 'booked' || OF_TOTALS.every((name) => name in measures);
  if (startDate === null || endDate === null || !kept || !isKept) return undefined;
  const file = join(folder, kept.name);
  const fault = `${kept.name} of ${spellKey(state)} is not as it was kept`;
  const entry = await lstat(file).catch(() => undefined);
  if (!entry?.isFile() || entry.size !== kept.bytes || (await hashFile(file)) !== kept.sha256) return fault;
  return { file, form, startDate, endDate };
}

/** Checks that a state that is to be removed is none by which others are booked. @throws AppError busy */
export async function assertNotBooked(database: string, log: EventLog, key: StateKey): Promise<void> {
  const { states } = await readKeptStates(database, loggedStates(log));
  if (!chainOf(states).some((state) => spellKey(state) === spellKey(key))) return;
  throw new AppError('busy', `${spellKey(key)} is a closing in force, by which later periods are booked`, {
    hint: `Reopen it first: plumbline reopen ${spellKey(key)} --reason R.`,
  });
}
