import { formatCompactTime } from '../../../base/database/index.ts';
import { moveProblems } from '../alert/move-problems.ts';
import type { DeliveryData } from '../content/delivery-data.ts';
import { openSchedule } from '../schedule/cron.ts';
import { type DeliveryPlan, isAboutProblems } from '../setup/delivery-setup.ts';
import type { DeliveryHistory } from './delivery-events.ts';

/** The time after its moment from which an occurrence is called late. Unit: ms. */
export const LATE_MS = 900_000;

export interface DueOccurrence {
  readonly id: string;
  readonly moment: Date;
  readonly isLate: boolean;
}

/** Returns the id of an occurrence: the name and its planned moment, data version or closing. */
export function spellOccurrence(name: string, key: string): string {
  return `${name}@${key}`;
}

/**
 * Returns the occurrences of a delivery that are due and not in the log: of planned moments that passed, the newest, so that a
 * clock that jumps repeats none. Moments before a delivery was first seen are none of its.
 */
export async function findDue(
  plan: DeliveryPlan,
  history: DeliveryHistory,
  data: Pick<DeliveryData, 'company' | 'closings' | 'database' | 'freshness'>,
  now: Date,
): Promise<DueOccurrence[]> {
  const { name, when } = plan;
  const { seen, occurrences } = history;
  const isNew = ({ id }: DueOccurrence) => !occurrences.has(id);
  if (isAboutProblems(plan)) {
    const isOpen = [...occurrences.values()].some((each) => each.name === name && each.doneAt === undefined);
    if (isOpen || moveProblems(plan, data, history, now).told.length === 0) return [];
    return [{ id: spellOccurrence(name, formatCompactTime(now)), moment: now, isLate: false }].filter(isNew);
  }
  const since = seen.get(name) ?? now.toISOString();
  if (when === 'new_data') {
    return [{ id: spellOccurrence(name, data.company().dataVersion), moment: now, isLate: false }].filter(isNew);
  }
  if (when === 'closed') {
    const closings = (await data.closings()).filter(({ closedAt }) => Date.parse(closedAt) >= floorSecond(since));
    return closings
      .map(({ reference, closedAt }) => ({
        id: spellOccurrence(name, reference),
        moment: new Date(closedAt),
        isLate: now.getTime() - Date.parse(closedAt) > LATE_MS,
      }))
      .filter(isNew);
  }
  const moment = openSchedule(when, data.company().timeZone).latest(now);
  if (!moment || moment.getTime() <= Date.parse(since)) return [];
  const isLate = now.getTime() - moment.getTime() > LATE_MS;
  return [{ id: spellOccurrence(name, formatCompactTime(moment)), moment, isLate }].filter(isNew);
}

/** Events of the history have whole seconds. */
function floorSecond(time: string): number {
  return Math.floor(Date.parse(time) / 1000) * 1000;
}
