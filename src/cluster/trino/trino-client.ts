import { setTimeout as sleep } from 'node:timers/promises';
import { parseStatementPage, type TrinoColumn, type TrinoRows } from './statement-page.ts';
import { endlessAnswer, failedStatement } from './trino-errors.ts';
import { openRequests, type TrinoServer } from './trino-requests.ts';

export interface TrinoSession {
  /** The catalog and schema of functions without a prefix, such as "memory.default". */
  readonly path?: string;
  /** Session properties by name, such as retry_policy. */
  readonly properties?: Readonly<Record<string, string>>;
}

export interface TrinoResult {
  readonly columns: readonly TrinoColumn[];
  /** Values as in JSON: decimals and days are strings. Cast integers beyond 2^53 to VARCHAR, or they lose digits. */
  readonly rows: TrinoRows;
}

export interface TrinoOptions {
  /** Cancels the statement, at the server too. */
  readonly signal?: AbortSignal;
}

export interface TrinoClient {
  /**
   * Runs one statement to its end.
   * @throws AppError cluster for a server that doesn't answer, or a statement that fails.
   */
  run(sql: string, options?: TrinoOptions): Promise<TrinoResult>;
}

/** The most rows of an answer: a load asks for names, files and sums, never for records. Unit: rows. */
export const MAX_RESULT_ROWS = 1_000_000;

/** The pause after an answer without rows: the server itself waits up to a second for results. Unit: ms. */
const PAUSE_MS = 20;

/**
 * Opens a client of the statement protocol (https://trino.io/docs/current/develop/client-protocol.html).
 * @throws AppError usage for credentials that would be sent unencrypted.
 */
export function openTrino(server: TrinoServer, session: TrinoSession = {}): TrinoClient {
  const requests = openRequests(server, sessionHeaders(session));
  return {
    async run(sql, { signal = new AbortController().signal } = {}) {
      const rows: (readonly unknown[])[] = [];
      let columns: TrinoResult['columns'] = [];
      let page = parseStatementPage(await requests.post('/v1/statement', sql, signal), server.url);
      for (;;) {
        columns = page.columns ?? columns;
        for (const row of page.data ?? []) rows.push(row);
        // The error of a failed statement comes in an answer of status 200.
        if (page.error) throw failedStatement(page.error);
        const { nextUri } = page;
        if (nextUri === undefined) return { columns, rows };
        if (!page.data?.length) await sleep(PAUSE_MS);
        try {
          if (rows.length > MAX_RESULT_ROWS) throw endlessAnswer(server.url, `${MAX_RESULT_ROWS} rows`);
          page = parseStatementPage(await requests.get(nextUri, signal), server.url);
        } catch (error) {
          await requests.cancel(nextUri);
          throw error;
        }
      }
    },
  };
}

function sessionHeaders({ path, properties = {} }: TrinoSession): Record<string, string> {
  const set = Object.entries(properties).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return { ...(path && { 'x-trino-path': path }), ...(set.length > 0 && { 'x-trino-session': set.join(',') }) };
}
