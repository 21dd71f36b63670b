import PQueue from 'p-queue';
import { advisedMessageOf } from '../../../base/index.ts';
import { TIME_LIMITS } from '../../counterpart/time-limits.ts';
import type { DelivererParts } from '../deliverer-parts.ts';
import type { DeliveryMessage } from '../message/delivery-message.ts';
import { findFixedFolder } from '../message/target-key.ts';
import type { DeliveryPlan } from '../setup/delivery-setup.ts';
import { type DeliveryOccurrence, isSettled } from './delivery-events.ts';
import { makeOccurrence } from './make-occurrence.ts';
import { openOutboxes, removeOutbox } from './outbox.ts';
import { findSendable } from './sending-order.ts';
import { openToldFaults } from './told-faults.ts';
import { failSending, trySending } from './try-sending.ts';

/** The reports and comparisons that are computed at once, so that readers go first. Unit: computations. */
const MAX_COMPUTED_AT_ONCE = 2;

/** The messages that one counterpart gets at once; all mails have the same one. Unit: messages. */
const MAX_SENT_AT_ONCE = 3;

/** The messages of an occurrence to one kind of recipient that are begun at once; more follow when half of them are done. Unit: messages. */
const MAX_BEGUN = 100;

/** The open occurrences, of which each is made once, and each message of which is sent by itself: none waits for another target. */
export interface OccurrenceWork {
  /** Begins what can be made or sent now, and waits for none of it. @param only One delivery. */
  begin(only?: string): void;
  /** Waits until nothing is being made or sent. */
  idle(): Promise<void>;
}

export function openOccurrenceWork(parts: DelivererParts): OccurrenceWork {
  const { data, log, now, signal, setup, limits = TIME_LIMITS } = parts;
  const computing = new PQueue({ concurrency: MAX_COMPUTED_AT_ONCE });
  const compute = <T>(work: () => Promise<T>) => computing.add(work);
  const sendInTurn = openCounterpartQueues();
  const faults = openToldFaults(parts);
  const tasks = openTasks(signal, faults);
  const lanes = openLanes();
  const outboxes = openOutboxes(data.database);
  const openOf = (name: string) =>
    [...log.history().occurrences.values()].filter((each) => each.name === name && each.doneAt === undefined);

  /** Begins to send a message, unless enough of its lane are on their way. */
  const startSending = (plan: DeliveryPlan, occurrence: DeliveryOccurrence, key: string) => {
    const { id } = occurrence;
    const task = `${id}\n${key}`;
    if (tasks.has(task) || signal.aborted || lanes.count(id, key) >= MAX_BEGUN) return;
    lanes.enter(id, key);
    const leave = () => {
      lanes.leave(id, key);
      if (!lanes.isSending(id)) outboxes.forget(id);
    };
    // To look at thousands of sendings after each of them would hold up everybody.
    const next = () => {
      if (lanes.count(id, key) <= MAX_BEGUN / 2 || openOf(plan.name).length > 1) sendOpen(plan.name);
    };
    tasks.start(task, plan.name, () => send(plan, occurrence, key).finally(leave), next);
  };

  const make = async (plan: DeliveryPlan, unmade: readonly DeliveryOccurrence[]) => {
    for (const occurrence of unmade) {
      await compute(async () => {
        if (!signal.aborted) await makeOccurrence(parts, plan, occurrence);
      });
      sendOpen(plan.name);
    }
  };

  const send = async (plan: DeliveryPlan, occurrence: DeliveryOccurrence, key: string) => {
    const { id } = occurrence;
    const read = await outboxes.read(id).catch(advisedMessageOf);
    if (typeof read === 'string') return failSending(parts, occurrence, key, read);
    const { folder, messages } = read;
    const message = messages.get(key);
    if (!message) throw new Error(`The messages of ${id} have none with the key ${key}`);
    await sendInTurn(plan, message, async () => {
      if (!signal.aborted) await trySending(parts, { plan, occurrence, message, folder, compute, limits });
    });
  };

  const end = async (id: string) => {
    await log.append({ event: 'done', at: now().toISOString(), id });
    await removeOutbox(data.database, id);
  };

  /** Sends what can be sent of a delivery, and ends its occurrences of which nothing is left. */
  const sendOpen = (name: string) => {
    const plan = setup().plans.find((each) => each.name === name);
    const open = openOf(name);
    for (const [index, occurrence] of open.entries()) {
      const { id, made, sendings } = occurrence;
      // A delivery that is no longer in the file has nothing to send.
      const isOver = plan ? made && [...sendings.values()].every(isSettled) : !tasks.has(name);
      if (isOver && !lanes.isSending(id))
        tasks.start(
          `${id}\n`,
          name,
          () => end(id),
          () => sendOpen(name),
        );
      if (!plan || !made || isOver) continue;
      for (const key of findSendable(occurrence, open.slice(0, index), now())) startSending(plan, occurrence, key);
    }
  };

  const begin = (name: string) => {
    if (faults.isPausing(name)) return;
    const plan = setup().plans.find((each) => each.name === name);
    const unmade = openOf(name).filter(({ made }) => !made);
    if (plan && unmade.length > 0)
      tasks.start(
        name,
        name,
        () => make(plan, unmade),
        () => sendOpen(name),
      );
    sendOpen(name);
  };
  return {
    begin(only) {
      const names = new Set([...log.history().occurrences.values()].map(({ name }) => name));
      for (const name of names) if (only === undefined || name === only) begin(name);
    },
    idle: tasks.idle,
  };
}

/** Opens the tasks under way: a delivery whose occurrences are made, a message that is sent, an occurrence that ends. */
function openTasks(signal: AbortSignal, faults: ReturnType<typeof openToldFaults>) {
  const inWork = new Map<string, Promise<void>>();
  return {
    has: (task: string) => inWork.has(task),
    /** Does work that isn't being done yet, and then what it makes possible. */
    start(task: string, name: string, work: () => Promise<void>, next: () => void): void {
      if (inWork.has(task) || signal.aborted) return;
      const run = async () => {
        try {
          await work();
        } catch (error) {
          inWork.delete(task);
          return faults.add(name, error);
        }
        inWork.delete(task);
        faults.end(name);
        next();
      };
      inWork.set(task, run());
    },
    async idle(): Promise<void> {
      while (inWork.size > 0) await Promise.all(inWork.values());
    },
  };
}

/** Counts the messages on their way, by their occurrence and the kind of their recipient. */
function openLanes() {
  const counts = new Map<string, number>();
  const laneOf = (id: string, key: string) => `${id}\n${key.slice(0, key.indexOf(':'))}`;
  const count = (id: string, key: string) => counts.get(laneOf(id, key)) ?? 0;
  return {
    count,
    enter: (id: string, key: string) => void counts.set(laneOf(id, key), count(id, key) + 1),
    leave(id: string, key: string) {
      const left = count(id, key) - 1;
      if (left > 0) counts.set(laneOf(id, key), left);
      else counts.delete(laneOf(id, key));
    },
    isSending: (id: string) => [...counts.keys()].some((lane) => lane.startsWith(`${id}\n`)),
  };
}

/** Returns what sends messages: those to one counterpart wait for each other, and for no other one. */
function openCounterpartQueues() {
  const queues = new Map<string, PQueue>();
  return async (plan: DeliveryPlan, message: DeliveryMessage, work: () => Promise<void>): Promise<void> => {
    const { kind } = message;
    const counterpart = counterpartOf(plan, message);
    // Two publications into one schema would refuse each other.
    const concurrency = kind === 'postgres' ? 1 : MAX_SENT_AT_ONCE;
    const queue = queues.get(counterpart) ?? new PQueue({ concurrency });
    queues.set(counterpart, queue);
    await queue.add(work).finally(() => {
      if (queue.size + queue.pending === 0) queues.delete(counterpart);
    });
  };
}

/** Returns the name of the counterpart that gets a message. Folders below one that is there are most likely of one disk. */
function counterpartOf({ targets }: DeliveryPlan, message: DeliveryMessage): string {
  if (message.kind === 'email') return message.kind;
  return message.kind === 'folder' ? `folder:${findFixedFolder(targets, message.place)}` : message.key;
}
