import { advisedMessageOf } from '../../error.ts';
import type { DelivererParts } from '../deliverer-parts.ts';
import { sendMessage } from '../sender/send-message.ts';
import { UnsureError } from '../sender/unsure-error.ts';
import type { DeliveryPlan } from '../setup/delivery-setup.ts';
import { type DeliveryOccurrence, type DeliverySending, isSettled } from './delivery-events.ts';
import { readOutbox } from './outbox.ts';

/** The pause after the first try, doubled after each one. Unit: ms. */
const FIRST_PAUSE_MS = 60_000;

/** The longest pause. Unit: ms. */
const LONGEST_PAUSE_MS = 3_600_000;

/** The time after its first failure for which a sending is tried again. Unit: s. */
const TRIED_SECONDS = 86_400;

/** Sends the messages of an occurrence whose time has come, one after the other; each try is in the log before and after. */
export async function sendOccurrence(
  { data, log, setup, now, signal, listener }: DelivererParts,
  plan: DeliveryPlan,
  { id, name, made, madeAt = '' }: DeliveryOccurrence,
): Promise<void> {
  const { sendings } = log.history().occurrences.get(id) ?? { sendings: new Map<string, DeliverySending>() };
  const due = (made?.sendings ?? []).filter((key) => isDue(sendings.get(key), now()));
  if (due.length === 0) return;
  const { folder, messages } = await readOutbox(data.database, id);
  for (const message of messages) {
    const { key } = message;
    if (!due.includes(key) || signal.aborted) continue;
    const end = (why: string) => {
      listener.sent(name, key, 'failed', why);
      return log.append({ event: 'given_up', at: now().toISOString(), id, key, why });
    };
    if (message.fault !== undefined) {
      await end(message.fault);
      continue;
    }
    await log.append({ event: 'sending', at: now().toISOString(), id, key });
    const sending = log.history().occurrences.get(id)?.sendings.get(key);
    const isUnsure = sending?.isUnsure ?? false;
    try {
      const context = {
        database: data.database,
        setup: setup(),
        plan,
        occurrence: id,
        madeAt: new Date(madeAt),
        folder,
        isUnsure,
        now,
      };
      const answer = await sendMessage(message, context);
      await log.append({ event: 'sent', at: now().toISOString(), id, key, answer });
      listener.sent(name, key, answer, undefined);
    } catch (error) {
      const why = advisedMessageOf(error);
      const since = Date.parse(sending?.firstFailedAt ?? now().toISOString());
      if (now().getTime() - since >= TRIED_SECONDS * 1000) await end(why);
      else {
        await log.append({
          event: 'failed',
          at: now().toISOString(),
          id,
          key,
          why,
          is_unsure: error instanceof UnsureError,
        });
        listener.sent(name, key, 'retrying', why);
      }
    }
  }
}

/** Tells whether a sending is to be tried: at first, after its pause, or after a process ended in the middle. */
function isDue(sending: DeliverySending | undefined, now: Date): boolean {
  if (!sending || isSettled(sending)) return false;
  const { at, state, attempts } = sending;
  if (state !== 'retrying' || at === undefined) return true;
  const pause = Math.min(FIRST_PAUSE_MS * 2 ** (attempts - 1), LONGEST_PAUSE_MS);
  // A clock that was set back doesn't make the pause longer.
  return Math.abs(now.getTime() - Date.parse(at)) >= pause;
}
