import { availableParallelism } from 'node:os';
import { MAX_COPIES } from '../../../numbers/write/index.ts';
import type { Permits, Policy } from '../../../store/ask/index.ts';
import { type FairSemaphore, makeFairSemaphore } from './fair-semaphore.ts';
import type { Limits } from './limits.ts';

export interface Semaphores {
  /** Reports being computed, and those with rows in memory until they are written. */
  readonly running: FairSemaphore;
  /** Pieces of lists being computed, not those being sent. */
  readonly pieces: FairSemaphore;
  /** Files being written by the engine, of which a long list has several. */
  readonly copies: FairSemaphore;
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
  semaphores: { open, running, pieces, copies },
  limits: { maxRows },
  now,
}: {
  readonly semaphores: Pick<Semaphores, 'open' | 'running' | 'pieces' | 'copies'>;
  readonly limits: Pick<Limits, 'maxRows'>;
  readonly now: () => Date;
}): Policy {
  return { permits: [open, running], lists: { piece: pieces, copy: copies }, maxRows, now };
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
  // An answer computes several of its parts at once, and none is refused.
  const parts = { ...shared, queueLength: Number.POSITIVE_INFINITY };
  const computing = {
    permits: limits.runningReports,
    permitsEach: limits.runningReportsEach,
    permitsAlone: limits.runningReportsAlone,
  };
  return {
    running: makeFairSemaphore({ ...within, ...computing }),
    pieces: makeFairSemaphore({ ...parts, ...computing }),
    copies: makeFairSemaphore({
      ...parts,
      permits: MAX_COPIES,
      permitsEach: 1,
      permitsAlone: Math.min(MAX_COPIES, availableParallelism()),
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
