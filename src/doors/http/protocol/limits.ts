import { MAX_REPORT_ROWS } from '../../../store/ask/index.ts';
import { HELD_VERSION_MS } from '../../../store/generation/index.ts';
import { LIVE_LIMITS, type LiveLimits } from '../../../store/live/index.ts';

/** Limits of the server, listed in docs/http.md. */
export interface Limits extends LiveLimits {
  /** The longest path and query of a request. Unit: characters. */
  readonly maxUrlCharacters: number;
  /** The largest head of a request, its first line included. Unit: bytes. */
  readonly maxHeaderBytes: number;
  /** The largest body of a request. Unit: bytes. */
  readonly maxBodyBytes: number;
  /** The longest name in a path, as in /v3/reports/{name}. Unit: characters. */
  readonly maxNameCharacters: number;
  /** Concurrent connections; more are closed on arrival. Unit: connections. */
  readonly maxConnections: number;
  /** The longest time to receive a request, and the longest silence of one with files. Unit: ms. */
  readonly requestTimeoutMs: number;
  /** The slowest request with files that takes longer. Unit: bytes a second. */
  readonly minUploadBytesPerSecond: number;
  /** The longest time to receive a request with files. Unit: ms. */
  readonly uploadTimeoutMs: number;
  /** The longest time until an answer begins, waiting included. Unit: ms. */
  readonly handlerTimeoutMs: number;
  /** The longest inactivity of a connection being answered; exceeds handlerTimeoutMs. Unit: ms. */
  readonly connectionTimeoutMs: number;
  /** The time that a connection stays open for the next request. Unit: ms. */
  readonly keepAliveTimeoutMs: number;
  /** The longest time that a client may leave its answer unread. Unit: ms. */
  readonly stallTimeoutMs: number;
  /** The longest time that running answers may take when the server stops. Unit: ms. */
  readonly stopTimeoutMs: number;
  /** Reports computed at once, or written with rows in memory; each uses all processors, and one of the engine driver's 4 threads. As many pieces of lists are computed at once. Unit: reports. */
  readonly runningReports: number;
  /** Reports computed at once for one reader while others are active. Unit: reports. */
  readonly runningReportsEach: number;
  /** Reports computed at once for a lone reader, in the order of the requests, so that the first answers of a screen come first. Unit: reports. */
  readonly runningReportsAlone: number;
  /** Answers computed or sent at once. Unit: answers. */
  readonly openAnswers: number;
  /** Answers computed or sent at once for one reader while others are active. Unit: answers. */
  readonly openAnswersEach: number;
  /** Workbooks computed or written at once, each in its own thread. Unit: workbooks. */
  readonly openWorkbooks: number;
  /** Workbooks written at once for one reader. Unit: workbooks. */
  readonly openWorkbooksEach: number;
  /** Streams of events open at once. Unit: streams. */
  readonly eventStreams: number;
  /** Streams of events of one reader. Unit: streams. */
  readonly eventStreamsEach: number;
  /** The life of a stream of events, at whose end a client opens another. Unit: ms. */
  readonly eventStreamMs: number;
  /** Interval of the comments that keep a stream of events open; less than connectionTimeoutMs. Unit: ms. */
  readonly heartbeatMs: number;
  /** Requests that read records at once, one per reader while others are active. Unit: requests. */
  readonly recordReads: number;
  /** Requests in a queue; more are refused. Unit: requests. */
  readonly waitingRequests: number;
  /** Requests of one reader in a queue. Unit: requests. */
  readonly waitingRequestsEach: number;
  /** The time for which a reader counts as active after a request. Unit: ms. */
  readonly activeReaderMs: number;
  /** The delay that Retry-After gives a client refused by a full queue. Unit: s. */
  readonly retryAfterSeconds: number;
  /** The largest Parquet answer held in memory, parts of which can be asked for. Unit: bytes. */
  readonly heldAnswerBytes: number;
  /** All held answers together. Unit: bytes. */
  readonly heldAnswersBytes: number;
  /** The time for which a version of the data is held after a page of it that another follows. Unit: ms. */
  readonly heldVersionMs: number;
  /** Rows of a report with sums, which is held in memory; lists have no such limit. Unit: rows. */
  readonly maxRows: number;
  /** Queries with a cached version, so that an unchanged answer costs little. Unit: queries. */
  readonly cachedQueries: number;
  /** Authorization headers with a cached token. Unit: headers. */
  readonly cachedHeaders: number;
}

/** The limits in force. Tests shorten some. */
export const LIMITS: Limits = {
  ...LIVE_LIMITS,
  maxUrlCharacters: 16_384,
  maxHeaderBytes: 32_768,
  maxBodyBytes: 1_048_576,
  maxNameCharacters: 100,
  maxConnections: 4_000,
  requestTimeoutMs: 30_000,
  minUploadBytesPerSecond: 100_000,
  uploadTimeoutMs: 1_080_000,
  handlerTimeoutMs: 120_000,
  connectionTimeoutMs: 150_000,
  keepAliveTimeoutMs: 75_000,
  stallTimeoutMs: 30_000,
  stopTimeoutMs: 30_000,
  runningReports: 3,
  runningReportsEach: 1,
  runningReportsAlone: 2,
  openAnswers: 64,
  openAnswersEach: 32,
  openWorkbooks: 2,
  openWorkbooksEach: 1,
  eventStreams: 500,
  eventStreamsEach: 20,
  eventStreamMs: 3_600_000,
  heartbeatMs: 15_000,
  recordReads: 2,
  waitingRequests: 800,
  waitingRequestsEach: 200,
  activeReaderMs: 60_000,
  retryAfterSeconds: 2,
  heldAnswerBytes: 33_554_432,
  heldAnswersBytes: 67_108_864,
  heldVersionMs: HELD_VERSION_MS,
  maxRows: MAX_REPORT_ROWS,
  cachedQueries: 1_000,
  cachedHeaders: 1_000,
};
