import { type Days, moveDay } from '../../calendar/day.ts';
import { type KeptState, readKeptStates, readWholeLog } from '../kept-states.ts';
import { loggedStates } from '../logged-states.ts';

/** Days that are closed hard, and their closing. */
export interface HardClosedDays extends Days {
  /** The name of the closing. */
  readonly closing: string;
  readonly closedBy: string;
}

/** Returns the days that are closed hard, in order: the newest event that covers a day decides it. */
export function findHardClosed(states: readonly KeptState[]): HardClosedDays[] {
  const decided: Days[] = [];
  const hard: HardClosedDays[] = [];
  for (const { name, status, record } of states.toSorted(byEvent)) {
    const { start_date: startDate, end_date: endDate, kind, kept_by: closedBy } = record;
    if (startDate === null || endDate === null) continue;
    const own = decided.reduce<Days[]>(
      (left, days) => left.flatMap((each) => subtract(each, days)),
      [{ startDate, endDate }],
    );
    decided.push(...own);
    if (status === 'closed' && kind === 'hard') hard.push(...own.map((days) => ({ ...days, closing: name, closedBy })));
  }
  return hard.toSorted((one, other) => (one.startDate < other.startDate ? -1 : 1));
}

/** The newest first. */
function byEvent(one: KeptState, other: KeptState): number {
  if (one.event !== other.event) return other.event - one.event;
  return one.record.kept_at < other.record.kept_at ? 1 : -1;
}

function subtract(days: Days, taken: Days): Days[] {
  if (taken.endDate < days.startDate || taken.startDate > days.endDate) return [days];
  const before = { startDate: days.startDate, endDate: moveDay(taken.startDate, 'day', -1) };
  const after = { startDate: moveDay(taken.endDate, 'day', 1), endDate: days.endDate };
  return [before, after].filter(({ startDate, endDate }) => startDate <= endDate);
}

/**
 * Reads the days of a database that are closed hard.
 * @throws AppError storage if the log is broken, or a closing is damaged: its days are unknown.
 */
export async function readHardClosed(database: string): Promise<HardClosedDays[]> {
  const { states, damaged } = await readKeptStates(database, loggedStates(await readWholeLog(database)));
  const unknown = damaged.find(({ logged }) => logged.mayClose && !logged.isReopened);
  if (unknown) throw unknown.error;
  return findHardClosed(states);
}
