/* The answers about deliveries as JSON, as types alone: the page reads them, too. */

export type SendingState = 'waiting' | 'sending' | 'sent' | 'accepted' | 'retrying' | 'failed';

export type OccurrenceState = 'waiting' | 'sending' | 'sent' | 'nothing' | 'withheld' | 'failed';

export interface TargetStatus {
  /** Its kind; with its address for those who may see recipients. */
  readonly target: string;
  readonly state: SendingState;
  readonly attempts: number;
  readonly at: string | null;
  /** When the try began that is under way; null if none is. */
  readonly sending_since: string | null;
  /** The earlier occurrence that has to be there first; null if nothing is waited for. */
  readonly waits_for: string | null;
  /** Why the last try failed, for those who may see recipients. */
  readonly why?: string | null;
}

export interface OccurrenceStatus {
  readonly occurrence: string;
  readonly moment: string;
  readonly is_late: boolean;
  readonly state: OccurrenceState;
  readonly data_version: string | null;
  readonly period: string | null;
  readonly rows: number | null;
  readonly why: string | null;
  readonly targets: readonly TargetStatus[];
}

/** A delivery as lists show it: when it comes next, and what has become of the last occurrence. */
export interface DeliveryStatus {
  readonly name: string;
  readonly kind: 'delivery' | 'alert';
  readonly when: string;
  /** The next moment; null if it comes with an event. */
  readonly next: string | null;
  readonly last: OccurrenceStatus | null;
}
