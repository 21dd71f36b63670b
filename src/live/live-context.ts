import type { SerialQueue } from '../database/serial-queue.ts';
import type { Debounce } from './debounce.ts';
import type { Generation } from './generations.ts';
import type { LiveLimits } from './live-limits.ts';
import type { LiveSource } from './live-source.ts';
import type { LiveState } from './live-state.ts';

/** Listener to what happens to live data. */
export interface LiveListener {
  refreshed(seconds: number): void;
  refreshFailed(message: string): void;
  published(dataVersion: string, seconds: number): void;
  publishFailed(message: string): void;
  /** What a new day brings can't be written. */
  dayFailed(message: string): void;
}

/** Options of live data. */
export interface LiveOptions {
  readonly limits: LiveLimits;
  /** The least time between two publications. Unit: ms. */
  readonly publishEveryMs: number;
  readonly listener: LiveListener;
  readonly now: () => Date;
}

/** Everything that the parts of live data share. */
export interface LiveContext extends Omit<LiveOptions, 'now'> {
  readonly source: LiveSource;
  readonly state: LiveState;
  /** The queue of writes. The moment of a report waits in it, too: its records and its numbers are those of all writes before it. */
  readonly queue: SerialQueue;
  /** The generation that the numbers are of. */
  current: Generation;
  /** The refresh that goes on beside the queue. */
  beside: Promise<void> | undefined;
  /** True while a refresh takes longer than a turn may. */
  isLong: boolean;
  /** Aborted when the server stops without waiting for a refresh. */
  readonly stopping: AbortController;
  readonly refresh: Debounce;
  readonly publication: Debounce;
  /** The version that the published files hold; undefined when there are none. */
  published: string | undefined;
  /** When the last publication began, by performance.now(). Unit: ms. */
  publishedAtMs: number;
}

/** Returns whether the numbers are of another version than the published files. */
export function isUnpublished({ current, published }: LiveContext): boolean {
  return current.company.dataVersion !== published;
}

/** Returns how long the next publication must wait. Unit: ms. */
export function publicationWaitMs({ publishedAtMs, publishEveryMs }: LiveContext): number {
  return Math.max(0, publishedAtMs + publishEveryMs - performance.now());
}

/** Has the numbers published as soon as they may be, if they aren't. */
export function schedulePublication(live: LiveContext): void {
  if (isUnpublished(live)) live.publication.schedule(publicationWaitMs(live));
}
