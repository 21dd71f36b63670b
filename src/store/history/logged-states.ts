import type { EventLog, HistoryEvent } from './log/event-log.ts';
import { type StateKey, spellKey } from './state-names.ts';

/** A state in the log, whose folder has not been looked at. */
export interface LoggedState extends StateKey {
  readonly closing_sha256: string;
  readonly isReopened: boolean;
  /** False if it was kept without a period. */
  readonly mayClose: boolean;
  readonly event: number;
}

/** Returns the states that a log says are there, in the order of their keeping. */
export function loggedStates({ events }: Pick<EventLog, 'events'>): LoggedState[] {
  const states = new Map<string, LoggedState>();
  /** States that were reopened, also those whose earlier lines can't be read. */
  const reopened = new Set<string>();
  for (const [event, { name, number, closing_sha256, adopted = [], event: what }] of events.entries()) {
    const key = spellKey({ name, number });
    const found = states.get(key);
    if (what === 'reopened') reopened.add(key);
    else reopened.delete(key);
    if (what === 'removed') states.delete(key);
    else if (what === 'reopened') {
      if (found) states.set(key, { ...found, isReopened: true, event });
    } else if (what !== 'accepted') {
      states.set(key, { name, number, closing_sha256, isReopened: false, mayClose: what !== 'kept', event });
    }
    for (const each of adopted) {
      const isReopened = reopened.has(spellKey(each));
      states.set(spellKey(each), { ...each, isReopened, mayClose: each.number !== null, event });
    }
  }
  return [...states.values()];
}

/** Returns the id of the company whose states a log has; undefined before the first. */
export function companyIdOf({ events }: Pick<EventLog, 'events'>): string | undefined {
  return events[0]?.company_id;
}

/** Returns the number that the next state with a name gets: numbers of removed states aren't used again. */
export function nextNumber({ events }: Pick<EventLog, 'events'>, name: string): number {
  const all = events.flatMap((event: HistoryEvent) => [event, ...(event.adopted ?? [])]);
  return Math.max(0, ...all.filter((event) => event.name === name).map(({ number }) => number ?? 0)) + 1;
}
