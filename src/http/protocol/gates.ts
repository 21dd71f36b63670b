import { type Gate, makeGate } from './gate.ts';
import type { Limits } from './limits.ts';

/** The gates of a server, where readers take turns. */
export interface Gates {
  /** Reports that are computed. */
  readonly running: Gate;
  /** Answers that are computed or sent. */
  readonly open: Gate;
  readonly workbooks: Gate;
  readonly recordReads: Gate;
  /** Records are written one after the other. */
  readonly recordWrites: Gate;
}

/** Makes the gates of a server. */
export function makeGates(limits: Limits): Gates {
  const { retryAfterSeconds, rememberedReaderMs: rememberedMs } = limits;
  const always = { retryAfterSeconds, rememberedMs };
  // Whoever has come into `open` is refused at no other gate.
  const within = { ...always, line: limits.openAnswers };
  const requests = { ...always, line: limits.waitingRequests, lineEach: limits.waitingRequestsEach };
  return {
    running: makeGate({ ...within, room: limits.runningReports, roomEach: limits.runningReportsEach }),
    open: makeGate({ ...requests, room: limits.openAnswers, roomEach: limits.openAnswersEach }),
    workbooks: makeGate({ ...within, room: limits.openWorkbooks, roomEach: limits.openWorkbooksEach }),
    recordReads: makeGate({ ...requests, room: limits.recordReads, roomEach: 1 }),
    recordWrites: makeGate({ ...requests, room: 1 }),
  };
}
