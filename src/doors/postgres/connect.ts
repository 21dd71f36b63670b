import { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, DatabaseError, QueryResult } from 'pg';
import { AppError, addressFailure, formatForeign, messageOf, systemCodeOf } from '../../base/index.ts';
import { type Conversation, type ConversationTime, converse } from '../counterpart/converse.ts';

/** The wait for a lock that somebody's statement holds. Unit: ms. */
const LOCK_TIMEOUT_MS = 10_000;

/** The name of the program in pg_stat_activity. */
const NAME = 'plumbline';

/** The ways on by the codes of PostgreSQL. */
const HINTS: Readonly<Record<string, string>> = {
  '28000': 'Check the user of the address, and pg_hba.conf of the server.',
  '28P01': 'Check the user and the password of the address.',
  '3D000': 'Check the name of the database at the end of the address, or create it.',
  '42501': 'Grant the role what it needs: CREATE on the database, or on a schema that it owns.',
  '42704': 'Create the role that grants names, or leave it out.',
  '53100': 'Free space on the disk of the server. The tables are as before.',
  '57014': 'The tables are as before. Look what else the server does.',
  '55P03': 'Somebody holds a lock on a table for longer than that. The tables are as before; try again later.',
};

/** The codes of PostgreSQL for constraints that rows of a mart break, and that others have added: NOT NULL, unique, and checks. */
const BROKEN_CONSTRAINTS = ['23502', '23505', '23514'];

/** A session of PostgreSQL, in which each statement has a limit of time. */
export interface PostgresSession {
  query<Row>(statement: string, values?: readonly unknown[]): Promise<QueryResult<Row>>;
  /** Sends rows to a COPY ... FROM STDIN. @returns their number. */
  copy(statement: string, rows: Readable): Promise<number>;
}

/**
 * Connects to PostgreSQL, and uses the connection.
 * @throws AppError source, also for a server that is silent; usage without the optional packages.
 */
export async function withPostgres<T>(
  url: string,
  time: ConversationTime,
  use: (session: PostgresSession) => Promise<T>,
): Promise<T> {
  const postgres = await import('pg').catch(explainMissing);
  const name = `PostgreSQL at ${new URL(url).host}`;
  return converse(name, time, time.limits.filesMs, async (conversation) => {
    const { limits, signal, step, rest } = conversation;
    const socket = new Socket();
    signal.addEventListener('abort', () => socket.destroy(), { once: true });
    const client = new postgres.Client({
      connectionString: url,
      application_name: NAME,
      stream: () => socket,
      lock_timeout: LOCK_TIMEOUT_MS,
      statement_timeout: limits.statementMs,
    });
    // A connection that breaks while no statement runs: the next statement only says that it is broken.
    let broken: unknown;
    client.on('error', (error) => {
      broken ??= error;
    });
    try {
      step('to take the connection', limits.connectMs);
      socket.once('connect', () => step('to let the role in', limits.connectMs));
      await client.connect();
      rest();
      return await use(openSession(client, conversation));
    } catch (error) {
      throw toAppError(new URL(url), broken ?? error);
    } finally {
      rest();
      await Promise.race([client.end().catch(() => undefined), sleep(limits.endMs, undefined, { ref: false })]);
      socket.destroy();
    }
  });
}

function openSession(client: Client, { limits, signal, step, rest }: Conversation): PostgresSession {
  // The server itself ends a statement after its limit; one that doesn't even say so is silent.
  const answerStatement = () => step('to answer a statement', limits.statementMs + limits.answerMs);
  return {
    async query<Row>(statement: string, values?: readonly unknown[]) {
      answerStatement();
      return client.query<Row>(statement, values).finally(rest);
    },
    async copy(statement, rows) {
      const { from } = await import('pg-copy-streams').catch(explainMissing);
      const copying = client.query(from(statement));
      const takeEach = async function* (pieces: AsyncIterable<Uint8Array>) {
        for await (const piece of pieces) {
          step('to take rows', limits.answerMs);
          yield piece;
        }
        answerStatement();
      };
      await pipeline(rows, takeEach, copying, { signal }).finally(rest);
      return copying.rowCount;
    },
  };
}

/** @throws AppError usage if one of the optional packages isn't installed. */
export function explainMissing(cause: unknown): never {
  const name = /'(pg(?:-copy-streams)?)'/.exec(messageOf(cause))?.[1];
  if (systemCodeOf(cause) !== 'ERR_MODULE_NOT_FOUND' || name === undefined) throw cause;
  throw new AppError('usage', `Marts in PostgreSQL need the package ${name}, which isn't installed`, {
    hint: 'Run: npm install pg@8 pg-copy-streams@7',
    cause,
  });
}

function toAppError(url: URL, error: unknown): unknown {
  if (error instanceof AppError) return error;
  const { code = '', severity } = error as Partial<DatabaseError>;
  const context = { cause: error };
  const failure = addressFailure(url, error);
  if (failure) return new AppError('source', failure.message, { hint: failure.hint, ...context });
  const said = formatForeign(messageOf(error));
  if (severity !== undefined) {
    const hint = BROKEN_CONSTRAINTS.includes(code) ? constraintHint(error as DatabaseError) : HINTS[code];
    return new AppError('source', `PostgreSQL at ${url.host} says: ${said}`, { ...(hint && { hint }), ...context });
  }
  if (!isOfConnection(code, said)) return error;
  return new AppError('source', `The connection to PostgreSQL at ${url.host} failed: ${said || code}`, {
    hint: 'Check host and port of the address, and that the server is running. The tables have one data version, whole.',
    ...context,
  });
}

/** Returns the way on from something that others have added to a table, where it refuses rows of the mart. */
function constraintHint({ schema, table, column, constraint }: DatabaseError): string {
  const what =
    column === undefined ? `Drop the constraint ${constraint}` : `Let the column ${column} be null, or drop it`;
  return `${what}: the table ${schema}.${table} takes the rows of its mart, and no others. The tables are as before.`;
}

function isOfConnection(code: string, message: string): boolean {
  return /^E[A-Z]+$/.test(code) || /connection|timeout|SSL|client/i.test(message);
}
