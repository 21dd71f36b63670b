import type { Client, DatabaseError } from 'pg';
import { addressFailure } from '../../connection-failure.ts';
import { AppError, messageOf, systemCodeOf } from '../../error.ts';
import { formatForeign } from '../../foreign-text.ts';

/** The time to connect. Unit: ms. */
const CONNECT_TIMEOUT_MS = 20_000;

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
  '55P03': 'Somebody holds a lock on a table for longer than that. The tables are as before; try again later.',
};

/** Connects to PostgreSQL, and uses the connection. @throws AppError source; usage without the optional packages. */
export async function withPostgres<T>(url: string, use: (client: Client) => Promise<T>): Promise<T> {
  const postgres = await import('pg').catch(explainMissing);
  const client = new postgres.Client({
    connectionString: url,
    application_name: NAME,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    lock_timeout: LOCK_TIMEOUT_MS,
  });
  // A connection that breaks while no statement runs: the next statement only says that it is broken.
  let broken: unknown;
  client.on('error', (error) => {
    broken ??= error;
  });
  try {
    await client.connect();
    return await use(client);
  } catch (error) {
    throw toAppError(new URL(url), broken ?? error);
  } finally {
    await client.end().catch(() => undefined);
  }
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
    const hint = HINTS[code];
    return new AppError('source', `PostgreSQL at ${url.host} says: ${said}`, { ...(hint && { hint }), ...context });
  }
  if (!isOfConnection(code, said)) return error;
  return new AppError('source', `The connection to PostgreSQL at ${url.host} failed: ${said || code}`, {
    hint: 'Check host and port of the address, and that the server is running. The tables have one data version, whole.',
    ...context,
  });
}

function isOfConnection(code: string, message: string): boolean {
  return /^E[A-Z]+$/.test(code) || /connection|timeout|SSL|client/i.test(message);
}
