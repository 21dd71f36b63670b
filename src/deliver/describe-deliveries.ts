import { formatZonedTime } from '../database/database.ts';
import type { DeliveryStatus, OccurrenceState, OccurrenceStatus } from './delivery-status.ts';
import type { DeliveryHistory, DeliveryOccurrence, DeliverySending } from './occurrence/delivery-events.ts';
import { openSchedule } from './schedule/cron.ts';
import type { DeliverySetup } from './setup/delivery-setup.ts';
import { EVENTS } from './setup/read-plan.ts';

/** Describes all deliveries of a file. @param showsRecipients False to leave out addresses, and errors that may name them. */
export function describeDeliveries(
  { plans }: DeliverySetup,
  { occurrences }: DeliveryHistory,
  {
    timeZone,
    now,
    showsRecipients,
  }: { readonly timeZone: string; readonly now: Date; readonly showsRecipients: boolean },
): DeliveryStatus[] {
  const latest = new Map([...occurrences.values()].map((occurrence) => [occurrence.name, occurrence]));
  return plans.map(({ name, when, alert }) => {
    const [next] = EVENTS.includes(when) ? [] : openSchedule(when, timeZone).next(now, 1);
    const last = latest.get(name);
    return {
      name,
      kind: alert ? 'alert' : 'delivery',
      when,
      next: next ? formatZonedTime(next) : null,
      last: last ? describeOccurrence(last, showsRecipients) : null,
    };
  });
}

export function describeOccurrence(
  { id, moment, isLate, waiting, made, sendings, doneAt }: DeliveryOccurrence,
  showsRecipients: boolean,
): OccurrenceStatus {
  const all = [...sendings.values()];
  return {
    occurrence: id,
    moment: formatZonedTime(new Date(moment)),
    is_late: isLate,
    state: stateOf(made, all, doneAt),
    data_version: made?.data_version ?? null,
    period: made?.period || null,
    rows: made?.rows ?? null,
    why: waiting ?? made?.withheld ?? null,
    targets: all.map(({ key, state, attempts, at, why }) => ({
      target: showsRecipients ? key : (key.split(':')[0] ?? ''),
      state,
      attempts,
      at: at === undefined ? null : formatZonedTime(new Date(at)),
      ...(showsRecipients && { why: why ?? null }),
    })),
  };
}

function stateOf(
  made: DeliveryOccurrence['made'],
  sendings: readonly DeliverySending[],
  doneAt: string | undefined,
): OccurrenceState {
  if (!made) return 'waiting';
  if (doneAt === undefined) return 'sending';
  if (made.withheld !== null) return 'withheld';
  if (sendings.length === 0) return 'nothing';
  return sendings.some(({ state }) => state === 'failed') ? 'failed' : 'sent';
}
