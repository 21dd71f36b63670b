/*
 * The door of this part: sends reports by themselves. `setup` reads deliveries.yaml, `schedule` knows moments, `content` asks for
 * reports, `message` makes words, `occurrence` keeps what has become of each, `postgres` publishes marts, `sender` sends to
 * counterparts, whose time `counterpart` limits. This file runs them, in one process.
 */
import { createSerialQueue, formatCompactTime } from '../../base/database/index.ts';
import { AppError, listNames } from '../../base/index.ts';
import type { DelivererParts } from './deliverer-parts.ts';
import type { DeliveryHistory } from './occurrence/delivery-events.ts';
import { type DueOccurrence, findDue, spellOccurrence } from './occurrence/due-moments.ts';
import { openOccurrenceWork } from './occurrence/occurrence-work.ts';
import { removeOtherOutboxes } from './occurrence/outbox.ts';
import type { DeliveryPlan, DeliverySetup } from './setup/delivery-setup.ts';

export interface Deliverer {
  history(): DeliveryHistory;
  /** Begins what is due, and to make and send what can be: also what earlier tries have left. It waits for no counterpart. @param only One delivery. */
  advance(only?: string): Promise<void>;
  /** Waits until nothing is being made or sent. */
  idle(): Promise<void>;
  /** Begins an occurrence of a delivery now, or the one that is due; the next advance makes it. @returns its id. @throws AppError unknown */
  begin(name: string): Promise<string>;
}

/** Opens a deliverer on the log that it alone writes. */
export async function openDeliverer(parts: DelivererParts): Promise<Deliverer> {
  const { data, log, now } = parts;
  const work = openOccurrenceWork(parts);
  const open = [...log.history().occurrences.values()].filter(({ doneAt }) => doneAt === undefined);
  await removeOtherOutboxes(
    data.database,
    open.map(({ id }) => id),
  );
  const start = async ({ name }: DeliveryPlan, { id, moment, isLate }: DueOccurrence) => {
    const at = now().toISOString();
    await log.append({ event: 'begun', at, id, name, moment: moment.toISOString(), is_late: isLate });
  };
  // Advances may overlap: no moment begins twice.
  const inTurn = createSerialQueue();
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
      work.begin(only);
    },
    idle: work.idle,
  };
}

/** @throws AppError unknown for a name that no delivery or alert has. */
export function findPlan({ plans }: DeliverySetup, name: string): DeliveryPlan {
  const plan = plans.find((each) => each.name === name);
  if (plan) return plan;
  throw new AppError('unknown', `There is no delivery "${name}"`, {
    hint: `The deliveries are ${
      listNames(
        name,
        plans.map((plan) => plan.name),
      ) || 'none'
    }.`,
  });
}
