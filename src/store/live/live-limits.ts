/** Limits of live data, and of the watch for new generations. */
export interface LiveLimits {
  /** Interval of the check for a new generation and for changed tokens. Unit: ms. */
  readonly pollMs: number;
  /** The longest delay from a write to a refresh that no report asks for. Unit: ms. */
  readonly refreshDelayMs: number;
  /** Interval of retries after a failed refresh or publication, if nothing is written meanwhile. Unit: ms. */
  readonly refreshRetryMs: number;
  /** The longest time of a refresh; a longer one counts as failed. Unit: ms. */
  readonly refreshTimeoutMs: number;
  /** The longest time that a refresh keeps writes waiting; a longer one continues beside them. Unit: ms. */
  readonly refreshTurnMs: number;
  /** The longest time of a trial refresh in the search for a failing record. Unit: ms. */
  readonly dryRunMs: number;
  /** The longest time of a trial of a write under a hard closing; all writes wait for it. Unit: ms. */
  readonly trialMs: number;
  /** The longest time of a preview in its turn; all writes wait for it. Unit: ms. */
  readonly previewMs: number;
  /** Answers that hold a state of live data at the same time. Unit: answers. */
  readonly snapshotsAtOnce: number;
}

/** The longest time of a preview in its turn. Unit: ms. */
const PREVIEW_TIMEOUT_MS = 20_000;

/** The limits in force. Tests shorten some. */
export const LIVE_LIMITS: LiveLimits = {
  pollMs: 500,
  refreshDelayMs: 1_000,
  refreshRetryMs: 10_000,
  refreshTimeoutMs: 300_000,
  refreshTurnMs: 10_000,
  dryRunMs: 5_000,
  trialMs: 60_000,
  previewMs: PREVIEW_TIMEOUT_MS,
  snapshotsAtOnce: 16,
};
