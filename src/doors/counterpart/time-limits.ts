/** The time to take a connection, and for each step until messages can be sent: TLS, the greeting, signing in. Unit: ms. */
const CONNECT_TIMEOUT_MS = 20_000;

/** The time for an answer, or for taking the next part of what is sent. Unit: ms. */
const ANSWER_TIMEOUT_MS = 60_000;

/** The time for a statement of PostgreSQL, after which the server ends it. Unit: ms. */
const STATEMENT_TIMEOUT_MS = 600_000;

/** The time for a mail server to say whether it takes a mail that it has: some scan it first. Unit: ms. */
const TAKEN_TIMEOUT_MS = 300_000;

/** The time at the counterpart for one mail, card or webhook in all. Unit: ms. */
const MESSAGE_TIMEOUT_MS = 900_000;

/** The time at the counterpart for the files or the tables of one sending in all. Unit: ms. */
const FILES_TIMEOUT_MS = 3_600_000;

/** The time to end a connection over which all has been sent. Unit: ms. */
const END_TIMEOUT_MS = 2_000;

/** The limits of time at counterparts. Unit: ms. */
export const TIME_LIMITS = {
  connectMs: CONNECT_TIMEOUT_MS,
  answerMs: ANSWER_TIMEOUT_MS,
  takenMs: TAKEN_TIMEOUT_MS,
  statementMs: STATEMENT_TIMEOUT_MS,
  messageMs: MESSAGE_TIMEOUT_MS,
  filesMs: FILES_TIMEOUT_MS,
  endMs: END_TIMEOUT_MS,
} as const;

export type TimeLimits = Readonly<Record<keyof typeof TIME_LIMITS, number>>;
