import { LIVE_LIMITS, type LiveLimits } from '../../live/live-limits.ts';

/** Every bound of the server. docs/http.md lists them. */
export interface Limits extends LiveLimits {
  /** The longest path and query of a request. Unit: characters. */
  readonly maxUrlCharacters: number;
  /** All headers of a request together, its first line included. Unit: bytes. */
  readonly maxHeaderBytes: number;
  /** The body of a request. Unit: bytes. */
  readonly maxBodyBytes: number;
  /** A name in a path, as in /v3/reports/{name}. Unit: characters. */
  readonly maxNameCharacters: number;
  /** Connections at once; more are closed as they come. Unit: connections. */
  readonly maxConnections: number;
  /** How long a client may take to send a request whole. Unit: ms. */
  readonly requestTimeoutMs: number;
  /** How long an answer may take to begin, waiting included. Unit: ms. */
  readonly handlerTimeoutMs: number;
  /** How long nothing may happen on a connection that is answered. Longer than the handler's. Unit: ms. */
  readonly connectionTimeoutMs: number;
  /** How long a connection stays open for the next request. Unit: ms. */
  readonly keepAliveTimeoutMs: number;
  /** How long a client may read nothing of its answer before it is cut off. Unit: ms. */
  readonly stallTimeoutMs: number;
  /** How long running answers may take to end when the server stops. Unit: ms. */
  readonly stopTimeoutMs: number;
  /** Reports that are computed at once; each uses all processors by itself. Unit: reports. */
  readonly runningReports: number;
  /** The same of one reader, while others ask, too. Unit: reports. */
  readonly runningReportsEach: number;
  /** Answers that are computed or sent at once. Unit: answers. */
  readonly openAnswers: number;
  /** The same of one reader, while others ask, too. Unit: answers. */
  readonly openAnswersEach: number;
  /** Workbooks that are written at once, each in a thread of its own. Unit: workbooks. */
  readonly openWorkbooks: number;
  /** The same of one reader, while others ask, too. Unit: workbooks. */
  readonly openWorkbooksEach: number;
  /** Requests that read records at once; of one reader one, while others ask, too. Unit: requests. */
  readonly recordReads: number;
  /** Requests that wait for their turn beyond that; more are refused. Unit: requests. */
  readonly waitingRequests: number;
  /** The same of one reader. Unit: requests. */
  readonly waitingRequestsEach: number;
  /** The time for which a reader counts as active after a request. Unit: ms. */
  readonly activeReaderMs: number;
  /** When a client that was refused for want of room may ask again. Unit: s. */
  readonly retryAfterSeconds: number;
  /** Rows of a report that sums, for it is held in memory; lists have no such limit. Unit: rows. */
  readonly maxRows: number;
  /** Rows that are formatted before others get their turn. Unit: rows. */
  readonly rowsAtOnce: number;
  /** Queries whose version is remembered, so that an unchanged answer costs next to nothing. Unit: queries. */
  readonly cachedQueries: number;
  /** Authorization headers whose token is remembered. Unit: headers. */
  readonly cachedHeaders: number;
}

/** The bounds that stand. Tests shorten some. */
export const LIMITS: Limits = {
  ...LIVE_LIMITS,
  maxUrlCharacters: 16_384,
  maxHeaderBytes: 32_768,
  maxBodyBytes: 1_048_576,
  maxNameCharacters: 100,
  maxConnections: 4_000,
  requestTimeoutMs: 30_000,
  handlerTimeoutMs: 120_000,
  connectionTimeoutMs: 150_000,
  keepAliveTimeoutMs: 75_000,
  stallTimeoutMs: 30_000,
  stopTimeoutMs: 30_000,
  runningReports: 2,
  runningReportsEach: 1,
  openAnswers: 64,
  openAnswersEach: 32,
  openWorkbooks: 2,
  openWorkbooksEach: 1,
  recordReads: 2,
  waitingRequests: 800,
  waitingRequestsEach: 200,
  activeReaderMs: 60_000,
  retryAfterSeconds: 2,
  maxRows: 200_000,
  rowsAtOnce: 25,
  cachedQueries: 1_000,
  cachedHeaders: 1_000,
};
