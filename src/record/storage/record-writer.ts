import { randomBytes } from 'node:crypto';
import { type Database, formatTime } from '../../database/database.ts';
import { AppError, diskError, messageOf } from '../../error.ts';
import { type Shape, shapes } from '../shape.ts';
import { type ChangedRecord, readLastChange, type Writer } from './changes.ts';
import type { Journal } from './journal.ts';
import { type Memory, openTransaction, type Transaction } from './transaction.ts';

export interface Written<T> {
  readonly answer: T;
  readonly changes: readonly ChangedRecord[];
}

/** The only writer of a working database's records. */
export interface RecordWriter {
  /**
   * Runs a request's work in a transaction, one at a time.
   * @returns the durable result.
   */
  write<T>(writer: Writer, work: (transaction: Transaction) => Promise<T>): Promise<Written<T>>;
  /** Must be called before the database is closed. */
  close(): Promise<void>;
}

/** Random bytes in a text id. Unit: bytes. */
const KEY_BYTES = 6;

/** Opens the only writer of a working database prepared with prepareService. */
export async function openRecordWriter(database: Database, journal: Journal, now: () => Date): Promise<RecordWriter> {
  const session = await database.session();
  const memory = await readMemory(session, now);
  return {
    async write(writer, work) {
      const transaction = openTransaction({ session, journal }, memory, writer, formatTime(now()));
      try {
        const answer = await work(transaction);
        return { answer, changes: await transaction.commit() };
      } catch (error) {
        await transaction.rollback();
        throw writeError(error);
      }
    },
    close: () => session.close(),
  };
}

/** Reads the next ids: after the highest ever used, including deleted ones in service.changes. */
async function readMemory(session: Database, now: () => Date): Promise<Memory> {
  const numbered = [...shapes.values()].filter((shape) => !isKeyed(shape));
  const queries = numbered.map(({ table, id, resource }) => {
    return `SELECT '${resource.name}' AS name, greatest(
      COALESCE((SELECT max(${id}) FROM ${table}), 0),
      COALESCE((SELECT max(TRY_CAST(record_id AS BIGINT)) FROM service.changes WHERE resource = '${resource.name}'), 0)) AS last`;
  });
  const found = await session.rows<{ name: string; last: number }>(queries.join(' UNION ALL '));
  const last = new Map(found.map((row) => [row.name, row.last]));
  let change = await readLastChange(session);
  return {
    known: new Set(),
    isReferredInJournal: false,
    nextId(shape) {
      if (isKeyed(shape)) return makeKey(now());
      const next = (last.get(shape.resource.name) ?? 0) + 1;
      last.set(shape.resource.name, next);
      return next;
    },
    nextChange() {
      change += 1;
      return change;
    },
  };
}

function isKeyed({ fields, id }: Shape): boolean {
  return fields[id]?.type === 'key';
}

/** Creates an id that starts with the time, so that rows are in the order of their ids. */
function makeKey(now: Date): string {
  return now.getTime().toString(16).padStart(12, '0') + randomBytes(KEY_BYTES).toString('hex');
}

/** Converts a conflict with another transaction or a full disk to an error that the client may retry. */
function writeError(error: unknown): unknown {
  if (!/Conflict on|write-write conflict|transaction conflict/i.test(messageOf(error))) return diskError(error);
  return new AppError('busy', 'Somebody else has just changed the same record', {
    hint: 'Send it again.',
    cause: error,
  });
}
