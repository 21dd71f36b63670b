import { type Days, moveDay } from '../../../base/calendar/index.ts';
import { type KeptState, readKeptStates, readWholeLog } from '../kept-states.ts';
import { loggedStates } from '../logged-states.ts';

export interface HardClosedDays extends Days {
  readonly closing: string;
  readonly closedBy: string;
}

/**
 * Returns the days that are closed hard, in order: the newest hard closing or reopening that covers a day decides it.
 * A soft closing leaves them hard: only a reopening opens them.
 */
export function findHardClosed(states: readonly KeptState[]): HardClosedDays[] {
  const decided: Days[] = [];
  const hard: HardClosedDays[] = [];
  for (const { name, status, record } of states.toSorted(byEvent)) {
    const { start_date: startDate, end_date: endDate, kind, kept_by: closedBy } = record;
    if (startDate === null || endDate === null || (status === 'closed' && kind === 'soft')) continue;
    const own = decided.reduce<Days[]>(
      (left, days) => left.flatMap((each) => subtract(each, days)),
      [{ startDate, endDate }],
    );
    decided.push(...own);
    if (status === 'closed') hard.push(...own.map((days) => ({ ...days, closing: name, closedBy })));
  }
  return hard.toSorted((one, other) => (one.startDate < other.startDate ? -1 : 1));
}

/** The newest first. */
function byEvent(one: KeptState, other: KeptState): number {
  if (one.event !== other.event) return other.event - one.event;
  return one.record.kept_at < other.record.kept_at ? 1 : -1;
}

function subtract({ startDate, endDate }: Days, taken: Days): Days[] {
  if (taken.endDate < startDate || taken.startDate > endDate) return [{ startDate, endDate }];
  return [
    ...(taken.startDate > startDate ? [{ startDate, endDate: moveDay(taken.startDate, 'day', -1) }] : []),
    ...(taken.endDate < endDate ? [{ startDate: moveDay(taken.endDate, 'day', 1), endDate }] : []),
  ];
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
