/*
 * The door of this part: sends reports by themselves. `setup` reads deliveries.yaml, `schedule` knows moments, `content` asks for
 * reports, `message` makes words, `occurrence` keeps what has become of each, `postgres` publishes marts, `sender` sends. This
 * file runs them, in one process.
 */
import PQueue from 'p-queue';
import { formatCompactTime } from '../database/database.ts';
import { createSerialQueue, type SerialQueue } from '../database/serial-queue.ts';
import { AppError, advisedMessageOf } from '../error.ts';
import type { DelivererParts } from './deliverer-parts.ts';
import { type DeliveryHistory, type DeliveryOccurrence, isSettled } from './occurrence/delivery-events.ts';
import { type DueOccurrence, findDue, spellOccurrence } from './occurrence/due-moments.ts';
import { makeOccurrence } from './occurrence/make-occurrence.ts';
import { removeOtherOutboxes, removeOutbox } from './occurrence/outbox.ts';
import { sendOccurrence } from './occurrence/send-occurrence.ts';
import type { DeliveryPlan, DeliverySetup } from './setup/delivery-setup.ts';

/** The occurrences that are made or sent at once, so that readers go first. Unit: occurrences. */
const MAX_AT_ONCE = 2;

export interface Deliverer {
  history(): DeliveryHistory;
  /** Begins what is due, and makes and sends what can be: also what earlier tries have left. @param only One delivery. */
  advance(only?: string): Promise<void>;
  /** Begins an occurrence of a delivery now, or the one that is due; the next advance makes it. @returns its id. @throws AppError unknown */
  begin(name: string): Promise<string>;
}

/** Opens a deliverer on the log that it alone writes. */
export async function openDeliverer(parts: DelivererParts): Promise<Deliverer> {
  const { data, log, now } = parts;
  const queue = new PQueue({ concurrency: MAX_AT_ONCE });
  const open = [...log.history().occurrences.values()].filter(({ doneAt }) => doneAt === undefined);
  await removeOtherOutboxes(
    data.database,
    open.map(({ id }) => id),
  );
  const start = async ({ name }: DeliveryPlan, { id, moment, isLate }: DueOccurrence) => {
    const at = now().toISOString();
    await log.append({ event: 'begun', at, id, name, moment: moment.toISOString(), is_late: isLate });
  };
  // Advances may overlap: no moment begins twice, and nothing is made or sent by two of them.
  const inTurn = createSerialQueue();
  const inWork = new Set<string>();
  // Occurrences of a delivery replace the same files, so the newest has to come last.
  const turns = new Map<string, SerialQueue>();
  const workAlone = async (occurrence: DeliveryOccurrence) => {
    const { id, name } = occurrence;
    if (inWork.has(id)) return;
    inWork.add(id);
    const turn = turns.get(name) ?? createSerialQueue();
    turns.set(name, turn);
    await turn(() => work(parts, occurrence)).finally(() => inWork.delete(id));
  };
  const beginDue = async (plan: DeliveryPlan) => {
    if (!log.history().seen.has(plan.name))
      await log.append({ event: 'seen', at: now().toISOString(), name: plan.name });
    for (const due of await findDue(plan, log.history(), data, now())) await start(plan, due);
  };
  return {
    history: log.history,
    async begin(name) {
      const plan = findPlan(parts.setup(), name);
      return inTurn(async () => {
        const moment = now();
        const due = await findDue(plan, log.history(), data, moment);
        const own = { id: spellOccurrence(name, `now-${formatCompactTime(moment)}`), moment, isLate: false };
        // An occurrence of its own would send the same report beside the one that is due.
        const begun = due.findLast(({ isLate }) => !isLate) ?? own;
        if (!log.history().occurrences.has(begun.id)) await start(plan, begun);
        return begun.id;
      });
    },
    async advance(only) {
      const plans = parts.setup().plans.filter(({ name }) => only === undefined || name === only);
      for (const plan of plans) await inTurn(() => beginDue(plan));
      const open = [...log.history().occurrences.values()].filter(
        ({ name, doneAt }) => doneAt === undefined && (only === undefined || name === only),
      );
      await queue.addAll(open.map((occurrence) => () => workAlone(occurrence)));
    },
  };
}

/** @throws AppError unknown for a name that no delivery or alert has. */
export function findPlan({ plans }: DeliverySetup, name: string): DeliveryPlan {
  const plan = plans.find((each) => each.name === name);
  if (plan) return plan;
  throw new AppError('unknown', `There is no delivery "${name}"`, {
    hint: `The deliveries are ${plans.map((each) => each.name).join(', ') || 'none'}.`,
  });
}

/** Brings an occurrence as far as it goes now. */
async function work(parts: DelivererParts, { id, name }: DeliveryOccurrence): Promise<void> {
  const { data, log, setup, now, listener } = parts;
  const current = () => log.history().occurrences.get(id);
  const plan = setup().plans.find((each) => each.name === name);
  const end = async () => {
    await log.append({ event: 'done', at: now().toISOString(), id });
    await removeOutbox(data.database, id);
  };
  try {
    if (!plan) return await end();
    const occurrence = current();
    if (occurrence && !occurrence.made) await makeOccurrence(parts, plan, occurrence);
    const made = current();
    if (!made?.made) return;
    await sendOccurrence(parts, plan, made);
    if ([...(current()?.sendings.values() ?? [])].every(isSettled)) await end();
  } catch (error) {
    if (parts.signal.aborted) return;
    listener.held(name, advisedMessageOf(error));
  }
}
