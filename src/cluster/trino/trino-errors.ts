import { AppError, addressFailure, formatForeign, systemCodeOf } from '../../base/index.ts';

/** The error of a statement, in the fields of the protocol. */
export interface FailureInfo {
  readonly message: string;
  /** "" for none, like the type. */
  readonly errorName: string;
  /** USER_ERROR, INTERNAL_ERROR, INSUFFICIENT_RESOURCES or EXTERNAL. */
  readonly errorType: string;
}

export class StatementFailure extends Error {
  readonly info: FailureInfo;

  constructor(info: FailureInfo) {
    super(info.message);
    this.name = 'StatementFailure';
    this.info = info;
  }
}

const WORKER_LOST = 'A worker was lost. Run it again; with retry-policy=TASK, the cluster repeats it by itself.';
const NOT_WRITTEN =
  "A node can't write the files of a table: give the lake's disk more room, or the node the right to write there. Its log has the reason.";
const NOT_COMMITTED =
  "The coordinator can't change the table in the catalog: give the lake's disk more room, or look at what the message names.";

/** The way out by the name of an error, or else by its type. */
const HINTS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    NO_NODES_AVAILABLE: 'The cluster has no worker: start some, and run it again.',
    REMOTE_TASK_ERROR: WORKER_LOST,
    TOO_MANY_REQUESTS_FAILED: WORKER_LOST,
    PAGE_TRANSPORT_TIMEOUT:
      'A worker was lost or is overloaded. Run it again; with retry-policy=TASK, the cluster repeats it by itself.',
    HIVE_WRITER_CLOSE_ERROR: NOT_WRITTEN,
    HIVE_WRITER_DATA_ERROR: NOT_WRITTEN,
    ICEBERG_WRITER_CLOSE_ERROR: NOT_WRITTEN,
    ICEBERG_WRITER_DATA_ERROR: NOT_WRITTEN,
    ICEBERG_WRITER_OPEN_ERROR: NOT_WRITTEN,
    ICEBERG_COMMIT_ERROR: NOT_COMMITTED,
    PERMISSION_DENIED: 'Give the user the right to do so in the access control of the cluster.',
    SCHEMA_NOT_FOUND: 'Name a schema that SHOW SCHEMAS lists.',
    ICEBERG_FILESYSTEM_ERROR:
      "The nodes can't use the files of the catalog: check its settings (s3.*, or local.location), and the log of the coordinator.",
    CATALOG_NOT_FOUND: 'Name a catalog that SHOW CATALOGS lists.',
    INSUFFICIENT_RESOURCES:
      'Give the workers more memory, or the query a higher limit (query.max-memory), or start more workers.',
    EXTERNAL: 'Look at what the message names: the catalog, its storage, or the network between them.',
    INTERNAL_ERROR: 'The log of the coordinator has the details. Run it again.',
  }),
);

/** Returns the error of a statement that failed. Its cause is a StatementFailure. */
export function failedStatement(info: FailureInfo): AppError {
  const { message, errorName, errorType } = info;
  const hint = HINTS.get(errorName) ?? HINTS.get(errorType);
  const text = `The cluster refused a statement: ${message || 'without a message'}${errorName && ` (${errorName})`}`;
  return new AppError('cluster', text, { ...(hint && { hint }), cause: new StatementFailure(info) });
}

export function noClusterAnswer(url: URL, error: unknown): AppError {
  const code = systemCodeOf(error);
  const fail = (message: string, hint: string) => new AppError('cluster', message, { hint, cause: error });
  if (code === 'ECONNREFUSED') {
    return fail(
      `No Trino server answers at ${url.origin}: the connection is refused`,
      'Check the port, and that the coordinator is running.',
    );
  }
  const failure = addressFailure(url, error);
  if (failure) return fail(failure.message, failure.hint);
  const named = code === '' ? '' : ` (${code})`;
  return fail(
    `The coordinator at ${url.origin} was lost${named}`,
    'Its log has the reason. Run it again: nothing was published.',
  );
}

/** @param timeoutMs The time within which no whole answer came. */
export function slowCluster(url: URL, timeoutMs: number): AppError {
  const message = `The coordinator at ${url.origin} sent no whole answer within ${timeoutMs / 1000} s`;
  return new AppError('cluster', message, {
    hint: 'Check that it is a Trino server, and what its log says. Run it again: nothing was published.',
  });
}

export function badClusterStatus(url: URL, status: number, text: string): AppError {
  const fail = (message: string, hint: string) => new AppError('cluster', `${message} (${status})`, { hint });
  if (status === 401)
    return fail(`${url.origin} doesn't accept the credentials`, 'Check the user, and the password or token.');
  if (status === 403) return fail(`${url.origin} refuses the user`, 'Give the user the right to run queries.');
  if (status === 404) return fail(`There is no Trino server at ${url.origin}`, 'Give the address of the coordinator.');
  if (status >= 300 && status < 400)
    return fail(`${url.origin} redirects, which is not followed`, 'Give the address of the coordinator itself.');
  // HTML of a proxy and JSON are not sentences.
  const said = /^\s*[<{[]/.test(text) ? '' : formatForeign(text);
  return fail(`${url.origin} can't answer${said && `: ${said}`}`, 'Its log has the reason. Run it again later.');
}

export function lostStatement(url: URL): AppError {
  return new AppError('cluster', `The coordinator at ${url.origin} was restarted, and lost the statement`, {
    hint: 'Run it again: nothing was published.',
  });
}

export function wrongAnswer(url: URL): AppError {
  return new AppError('cluster', `${url.origin} doesn't answer as a Trino server`, {
    hint: 'Give the address of the coordinator, as in https://trino.example.com:8443.',
  });
}

/** Returns the error of an answer that continues at another server. */
export function foreignAddress(url: URL, address: string): AppError {
  return new AppError('cluster', `${url.origin} continues at ${formatForeign(address)}`, {
    hint: 'Give that address. Behind a proxy, set http-server.process-forwarded=true at the coordinator.',
  });
}

export function endlessAnswer(url: URL, size: string): AppError {
  return new AppError('cluster', `The answer of ${url.origin} has more than ${size}`, {
    hint: 'Look whether a proxy or another program answers there. Nothing was published.',
  });
}
