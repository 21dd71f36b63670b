import { advisedMessageOf } from '../../../base/index.ts';
import type { ConversationTime } from '../../counterpart/converse.ts';
import type { DelivererParts } from '../deliverer-parts.ts';
import type { DeliveryMessage } from '../message/delivery-message.ts';
import { sendMessage } from '../sender/send-message.ts';
import type { SendingContext } from '../sender/sending-context.ts';
import { UnsureError } from '../sender/unsure-error.ts';
import type { DeliveryPlan } from '../setup/delivery-setup.ts';
import type { DeliveryOccurrence } from './delivery-events.ts';

/** The time after its first failure for which a sending is tried again. Unit: s. */
const TRIED_SECONDS = 86_400;

/** A message of an occurrence, and all that sending it needs. */
export interface SendingTry extends Pick<SendingContext, 'folder' | 'compute'> {
  readonly plan: DeliveryPlan;
  readonly occurrence: DeliveryOccurrence;
  readonly message: DeliveryMessage;
  readonly limits: ConversationTime['limits'];
}

/** Sends a message, or fails to; the try is in the log before and after. One that a stop cuts off is begun again at the next start. */
export async function trySending(
  parts: DelivererParts,
  { plan, occurrence, message, ...more }: SendingTry,
): Promise<void> {
  const { data, log, setup, now, signal, listener } = parts;
  const { id, name, madeAt = '' } = occurrence;
  const { key, fault } = message;
  if (fault !== undefined) return giveUp(parts, occurrence, key, fault);
  await log.append({ event: 'sending', at: now().toISOString(), id, key });
  const isUnsure = log.history().occurrences.get(id)?.sendings.get(key)?.isUnsure ?? false;
  const { database } = data;
  const made = { database, setup: setup(), plan, occurrence: id, madeAt: new Date(madeAt) };
  const answer = await sendMessage(message, { ...more, ...made, isUnsure, now, signal }).catch((error: unknown) => {
    if (signal.aborted) return undefined;
    return { why: advisedMessageOf(error), isUnsure: error instanceof UnsureError };
  });
  if (answer === undefined) return;
  if (typeof answer !== 'string') return noteFailure(parts, occurrence, key, answer);
  await log.append({ event: 'sent', at: now().toISOString(), id, key, answer });
  listener.sent(name, key, answer, undefined);
}

/** Notes a try that failed before anything was sent, as one whose bytes are gone does. */
export async function failSending(
  parts: DelivererParts,
  occurrence: DeliveryOccurrence,
  key: string,
  why: string,
): Promise<void> {
  const { log, now } = parts;
  await log.append({ event: 'sending', at: now().toISOString(), id: occurrence.id, key });
  await noteFailure(parts, occurrence, key, { why, isUnsure: false });
}

/** Notes a failed try: it is made again, unless the first one failed too long ago. */
async function noteFailure(
  parts: DelivererParts,
  occurrence: DeliveryOccurrence,
  key: string,
  { why, isUnsure }: { readonly why: string; readonly isUnsure: boolean },
): Promise<void> {
  const { log, now, listener } = parts;
  const { id, name } = occurrence;
  const at = now().toISOString();
  const since = log.history().occurrences.get(id)?.sendings.get(key)?.firstFailedAt ?? at;
  if (Date.parse(at) - Date.parse(since) >= TRIED_SECONDS * 1000) return giveUp(parts, occurrence, key, why);
  await log.append({ event: 'failed', at, id, key, why, is_unsure: isUnsure });
  listener.sent(name, key, 'retrying', why);
}

async function giveUp(
  { log, now, listener }: DelivererParts,
  { id, name }: DeliveryOccurrence,
  key: string,
  why: string,
): Promise<void> {
  listener.sent(name, key, 'failed', why);
  await log.append({ event: 'given_up', at: now().toISOString(), id, key, why });
}
