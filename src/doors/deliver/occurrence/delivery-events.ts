/*
 * The door of this room: occurrences of deliveries, and what has become of each. `delivery-events` folds the lines of
 * company.deliveries.ndjson into states, `delivery-log` writes them, `outbox` keeps the bytes until the last target has them,
 * `due-moments` tells which occurrences are due.
 */
import type { SendingState } from '../delivery-status.ts';
import type { AlertStates } from './row-state.ts';

/** A line of the log. Times as ISO 8601 with milliseconds. */
export type DeliveryEvent = { readonly at: string } & (
  | { readonly event: 'seen'; readonly name: string }
  | {
      readonly event: 'begun';
      readonly id: string;
      readonly name: string;
      readonly moment: string;
      readonly is_late: boolean;
    }
  | { readonly event: 'waiting'; readonly id: string; readonly why: string }
  | ({ readonly event: 'made'; readonly id: string } & MadeOccurrence)
  | { readonly event: 'sending'; readonly id: string; readonly key: string }
  | { readonly event: 'sent'; readonly id: string; readonly key: string; readonly answer: SendingAnswer }
  | {
      readonly event: 'failed';
      readonly id: string;
      readonly key: string;
      readonly why: string;
      /** True if it may have arrived all the same. */
      readonly is_unsure: boolean;
    }
  | { readonly event: 'given_up'; readonly id: string; readonly key: string; readonly why: string }
  | { readonly event: 'done'; readonly id: string }
);

export type SendingAnswer = 'sent' | 'accepted';

/** The result of making an occurrence: from then on it never changes. */
export interface MadeOccurrence {
  readonly data_version: string;
  readonly period: string;
  /** The rows that its condition holds of; null without one. */
  readonly rows: number | null;
  /** The rows that its condition was tried on; absent without one. */
  readonly judged?: number;
  /** Why the report isn't sent; null if it is. */
  readonly withheld: string | null;
  /** The kind of the problem that withholds it. */
  readonly problem: 'data_too_old' | 'check_failed' | null;
  /** The keys of its sendings. Addresses are recipients, which need the scope deliver. */
  readonly sendings: readonly string[];
  /** The states of an alert's rows from then on; absent for a delivery. */
  readonly states?: AlertStates;
}

export interface DeliverySending {
  readonly key: string;
  readonly state: SendingState;
  readonly attempts: number;
  readonly firstFailedAt: string | undefined;
  readonly at: string | undefined;
  readonly why: string | undefined;
  /** True if an earlier try may have arrived. */
  readonly isUnsure: boolean;
}

export interface DeliveryOccurrence {
  readonly id: string;
  readonly name: string;
  readonly moment: string;
  readonly isLate: boolean;
  readonly begunAt: string;
  /** Why it isn't made yet. */
  readonly waiting: string | undefined;
  /** When it was last tried to make it. */
  readonly waitedAt: string | undefined;
  readonly made: MadeOccurrence | undefined;
  readonly madeAt: string | undefined;
  readonly sendings: ReadonlyMap<string, DeliverySending>;
  readonly doneAt: string | undefined;
}

export interface DeliveryHistory {
  /** When each delivery was first seen. */
  readonly seen: ReadonlyMap<string, string>;
  /** Occurrences by id, in the order of their begin. */
  readonly occurrences: ReadonlyMap<string, DeliveryOccurrence>;
}

/** An occurrence to which events are added. An event of a sending changes it in place: there may be thousands of them. */
interface GrowingOccurrence extends DeliveryOccurrence {
  readonly sendings: Map<string, DeliverySending>;
}

export interface GrowingHistory extends DeliveryHistory {
  add(event: DeliveryEvent): void;
}

export function openHistoryOf(events: readonly DeliveryEvent[]): GrowingHistory {
  const seen = new Map<string, string>();
  const occurrences = new Map<string, GrowingOccurrence>();
  const add = (event: DeliveryEvent) => {
    if (event.event === 'seen') {
      if (!seen.has(event.name)) seen.set(event.name, event.at);
      return;
    }
    const before = occurrences.get(event.id);
    const after = event.event === 'begun' ? begin(event) : before && change(before, event);
    if (after) occurrences.set(event.id, after);
  };
  for (const event of events) add(event);
  return { seen, occurrences, add };
}

function begin({ id, name, moment, is_late, at }: Extract<DeliveryEvent, { event: 'begun' }>): GrowingOccurrence {
  const none = { waiting: undefined, waitedAt: undefined, made: undefined, madeAt: undefined, doneAt: undefined };
  return { id, name, moment, isLate: is_late, begunAt: at, sendings: new Map(), ...none };
}

/** Events of an occurrence after its begin. */
type LaterEvent = Exclude<DeliveryEvent, { event: 'seen' | 'begun' }>;

function change(before: GrowingOccurrence, event: LaterEvent): GrowingOccurrence {
  if (event.event === 'waiting') return { ...before, waiting: event.why, waitedAt: event.at };
  if (event.event === 'done') return { ...before, doneAt: event.at };
  if (event.event === 'made') {
    const { event: _event, id: _id, at: madeAt, ...made } = event;
    const sendings = made.sendings.map((key): [string, DeliverySending] => [key, newSending(key)]);
    return { ...before, waiting: undefined, made, madeAt, sendings: new Map(sendings) };
  }
  const sending = before.sendings.get(event.key) ?? newSending(event.key);
  before.sendings.set(event.key, changeSending(sending, event));
  return before;
}

function newSending(key: string): DeliverySending {
  const none = { firstFailedAt: undefined, at: undefined, why: undefined };
  return { key, state: 'waiting', attempts: 0, isUnsure: false, ...none };
}

function changeSending(
  before: DeliverySending,
  event: Exclude<LaterEvent, { event: 'waiting' | 'done' | 'made' }>,
): DeliverySending {
  const { at } = event;
  if (event.event === 'sending') {
    // A process that ended while it sent can't know what arrived.
    const isUnsure = before.isUnsure || before.state === 'sending';
    return { ...before, state: 'sending', at, attempts: before.attempts + 1, isUnsure };
  }
  if (event.event === 'sent') return { ...before, state: event.answer, at, why: undefined };
  const firstFailedAt = before.firstFailedAt ?? at;
  const failed = { ...before, at, firstFailedAt, why: event.why };
  if (event.event === 'given_up') return { ...failed, state: 'failed' };
  return { ...failed, state: 'retrying', isUnsure: before.isUnsure || event.is_unsure };
}

/** Returns whether nothing more becomes of a sending. */
export function isSettled({ state }: DeliverySending): boolean {
  return state === 'sent' || state === 'accepted' || state === 'failed';
}
