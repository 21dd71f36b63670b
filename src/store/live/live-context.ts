import type { SerialQueue } from '../../base/database/index.ts';
import type { Generation } from '../generation/generations.ts';
import type { ClosedDays } from './closed-days.ts';
import type { Debounce } from './debounce.ts';
import type { LiveLimits } from './live-limits.ts';
import type { LiveSource } from './live-source.ts';
import type { LiveState } from './live-state.ts';

export interface LiveListener {
  refreshed(seconds: number): void;
  refreshFailed(message: string): void;
  published(dataVersion: string, seconds: number): void;
  publishFailed(message: string): void;
  /** Called when the changes of a new day can't be written. */
  dayFailed(message: string): void;
}

export interface LiveOptions {
  readonly limits: LiveLimits;
  /** The shortest time between two publications. Unit: ms. */
  readonly publishEveryMs: number;
  /**
   * True if records come from a source: nothing is published before the first sync into an empty database,
   * and a new day changes no records by itself.
   */
  readonly isSynced?: boolean;
  readonly listener: LiveListener;
  readonly now: () => Date;
}

export interface LiveContext extends Omit<LiveOptions, 'now'> {
  readonly source: LiveSource;
  readonly state: LiveState;
  /** The queue of writes and snapshots, so that records and numbers of a report include the same writes. */
  readonly queue: SerialQueue;
  /** The queue of publications and copies, during which the working file is frozen. */
  readonly freezes: SerialQueue;
  current: Generation;
  /** The refresh in progress beside the queue. */
  beside: Promise<void> | undefined;
  /** True while refreshes exceed the time limit of a turn. */
  isLong: boolean;
  /** Aborted when the server stops without waiting for a refresh. */
  readonly stopping: AbortController;
  readonly refresh: Debounce;
  readonly publication: Debounce;
  /** Days whose actual and expense lines no write may change, in order. */
  closed: readonly ClosedDays[];
  /** Version of the published files; undefined without published files. */
  published: string | undefined;
  /** The start of the last publication, by performance.now(). Unit: ms. */
  publishedAtMs: number;
}

/** Returns whether the numbers have another version than the published files. */
export function isUnpublished({ current, published, isSynced }: LiveContext): boolean {
  const isFirst = published === undefined && isSynced === true && current.company.syncedAt === null;
  return !isFirst && current.company.dataVersion !== published;
}

/** Returns the time until the next publication may begin. Unit: ms. */
export function publicationWaitMs({ publishedAtMs, publishEveryMs }: LiveContext): number {
  return Math.max(0, publishedAtMs + publishEveryMs - performance.now());
}

export function schedulePublication(live: LiveContext): void {
  if (isUnpublished(live)) live.publication.schedule(publicationWaitMs(live));
}
