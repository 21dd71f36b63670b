import { confirmGone } from './gone.ts';
import { type PullOptions, pull } from './pull.ts';
import type { Pulled } from './pulled.ts';
import type { OnProgress } from './read-list.ts';
import type { Source } from './requests/source.ts';
import { readClock } from './run-start.ts';
import { type Month, readScheduled, type ScheduledRow, type SourceReport } from './scheduled-rows.ts';

/** The records to read in a run. */
export type PullJob = Pick<PullOptions, 'folder' | 'state' | 'isFull' | 'whole'>;

/** A reader of one source. One call at a time. */
export interface SourceReader {
  /** The root of the source's API. */
  readonly url: string;
  /** Starts what the reader needs, beside other work. */
  start(): void;
  /** Tries the address and the token. @throws AppError source if there is no such service. */
  check(signal: AbortSignal): Promise<void>;
  /** Reads the records of a run into its folder; see pull. */
  pull(job: PullJob, signal: AbortSignal, onProgress?: OnProgress): Promise<Pulled>;
  /** Returns the records that are gone; see confirmGone. */
  confirmGone(resource: string, ids: readonly string[], signal: AbortSignal): Promise<readonly string[]>;
  /** Reads a report of the source; see readScheduled. */
  readScheduled(report: SourceReport, month: Month, signal: AbortSignal): Promise<readonly ScheduledRow[] | string>;
  close(): Promise<void>;
}

/** Returns a reader that works on this thread. */
export function makeReader(source: Source, now: () => Date): SourceReader {
  return {
    url: source.base.href,
    start: () => undefined,
    async check(signal) {
      await readClock(source, now, signal);
    },
    pull: (job, signal, onProgress) => pull({ ...job, source, now, signal, ...(onProgress && { onProgress }) }),
    confirmGone: (resource, ids, signal) => confirmGone(source, resource, ids, signal),
    readScheduled: (report, month, signal) => readScheduled(source, report, month, signal),
    close: async () => undefined,
  };
}
