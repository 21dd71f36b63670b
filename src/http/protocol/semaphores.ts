import type { Policy } from '../../ask/open-states.ts';
import type { Permits } from '../../ask/turn.ts';
import { type FairSemaphore, makeFairSemaphore } from './fair-semaphore.ts';
import type { Limits } from './limits.ts';

export interface Semaphores {
  /** Reports being computed, and those with rows in memory until they are written. */
  readonly running: FairSemaphore;
  /** Answers being computed or sent. */
  readonly open: FairSemaphore;
  /** Workbooks being computed or written, not those being sent. */
  readonly workbooks: FairSemaphore;
  /** Answers being read whole into memory, one at a time. */
  readonly wholes: FairSemaphore;
  readonly recordReads: FairSemaphore;
  /** One write at a time. */
  readonly recordWrites: FairSemaphore;
}

/** Returns what the answer of a report takes beside its turn. */
export function policyOf({
  semaphores: { open, running },
  limits: { maxRows },
  now,
}: {
  readonly semaphores: Pick<Semaphores, 'open' | 'running'>;
  readonly limits: Pick<Limits, 'maxRows'>;
  readonly now: () => Date;
}): Policy {
  return { permits: [open, running], maxRows, now };
}

/** Returns what a preview takes: as long as many writes, it lets all others go first. */
export function previewPolicyOf({
  semaphores: { open, running, recordWrites },
  limits: { maxRows },
  now,
}: {
  readonly semaphores: Semaphores;
  readonly limits: Pick<Limits, 'maxRows'>;
  readonly now: () => Date;
}): Policy {
  const writes: Permits = { acquire: (reader, signal) => recordWrites.acquire(reader, signal, true) };
  return { permits: [open, running, writes], maxRows, now };
}

export function makeSemaphores(limits: Limits): Semaphores {
  const { retryAfterSeconds, activeReaderMs: activeMs } = limits;
  const shared = { retryAfterSeconds, activeMs };
  // Requests admitted by `open` are never refused by the semaphores within.
  const within = { ...shared, queueLength: limits.openAnswers };
  const requests = { ...shared, queueLength: limits.waitingRequests, queueLengthEach: limits.waitingRequestsEach };
  return {
    running: makeFairSemaphore({
      ...within,
      permits: limits.runningReports,
      permitsEach: limits.runningReportsEach,
      permitsAlone: limits.runningReportsAlone,
    }),
    open: makeFairSemaphore({ ...requests, permits: limits.openAnswers, permitsEach: limits.openAnswersEach }),
    workbooks: makeFairSemaphore({
      ...within,
      permits: limits.openWorkbooks,
      permitsEach: limits.openWorkbooksEach,
      permitsAlone: limits.openWorkbooksEach,
    }),
    wholes: makeFairSemaphore({ ...requests, permits: 1 }),
    recordReads: makeFairSemaphore({ ...requests, permits: limits.recordReads, permitsEach: 1 }),
    recordWrites: makeFairSemaphore({ ...requests, permits: 1 }),
  };
}
