import { formatZonedTime } from '../../base/database/index.ts';
import type { DeliveryStatus, OccurrenceState, OccurrenceStatus } from './delivery-status.ts';
import type { DeliveryHistory, DeliveryOccurrence, DeliverySending } from './occurrence/delivery-events.ts';
import { findBlocker } from './occurrence/sending-order.ts';
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
  const all = [...occurrences.values()];
  const latest = new Map(all.map((occurrence) => [occurrence.name, occurrence]));
  return plans.map(({ name, when, alert }) => {
    const [next] = EVENTS.includes(when) ? [] : openSchedule(when, timeZone).next(now, 1);
    const last = latest.get(name);
    return {
      name,
      kind: alert ? 'alert' : 'delivery',
      when,
      next: next ? formatZonedTime(next) : null,
      last: last ? describeOccurrence(last, showsRecipients, all) : null,
    };
  });
}

/** @param others All occurrences in the order of their begin, among which it finds those that it waits for. */
export function describeOccurrence(
  { id, name, moment, isLate, waiting, made, sendings, doneAt }: DeliveryOccurrence,
  showsRecipients: boolean,
  others: readonly DeliveryOccurrence[],
): OccurrenceStatus {
  const all = [...sendings.values()];
  const before = others.slice(
    0,
    others.findIndex((other) => other.id === id),
  );
  const earlier = before.filter((other) => other.name === name && other.doneAt === undefined);
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
      sending_since: state === 'sending' && at !== undefined ? formatZonedTime(new Date(at)) : null,
      waits_for: state === 'waiting' ? (findBlocker(earlier, key)?.id ?? null) : null,
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
