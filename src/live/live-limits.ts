/** Bounds of live data, and of the look-out for new generations. */
export interface LiveLimits {
  /** How often the server looks for a new generation, and for changed tokens. Unit: ms. */
  readonly pollMs: number;
  /** How soon after a write its effect is in the numbers, at the latest, also when nobody asks. Unit: ms. */
  readonly refreshDelayMs: number;
  /** After what time numbers that could not be brought up to date are tried again, if nothing is written meanwhile. Unit: ms. */
  readonly refreshRetryMs: number;
  /** How long a refresh may take before it counts as failed. Unit: ms. */
  readonly refreshTimeoutMs: number;
  /** How long a refresh may keep writes waiting; one that takes longer goes on beside them. Unit: ms. */
  readonly refreshTurnMs: number;
  /** How long a refresh is tried when the record is looked for that makes it fail. Unit: ms. */
  readonly rehearsalMs: number;
  /** For how many answers a state of live data is kept at once. Unit: answers. */
  readonly snapshotsAtOnce: number;
}

/** The bounds in force. Tests shorten some. */
export const LIVE_LIMITS: LiveLimits = {
  pollMs: 500,
  refreshDelayMs: 1_000,
  refreshRetryMs: 10_000,
  refreshTimeoutMs: 300_000,
  refreshTurnMs: 10_000,
  rehearsalMs: 5_000,
  snapshotsAtOnce: 16,
};
