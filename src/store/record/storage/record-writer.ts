import { randomBytes } from 'node:crypto';
import { type Database, diskError, formatTime, isFailure } from '../../../base/database/index.ts';
import { AppError } from '../../../base/index.ts';
import { type Resource, resources } from '../../../records/resource/index.ts';
import { type Change, type ChangedRecord, readLastChange, type Writer } from './changes.ts';
import type { Journal } from './journal.ts';
import { openTransaction, type Transaction, type WriterState } from './transaction.ts';

export interface Written<T> {
  readonly answer: T;
  /** Undefined if nothing was written. */
  readonly changes: readonly ChangedRecord[] | undefined;
}

export type Work<T> = (transaction: Transaction) => Promise<T>;

export type Inspect = (changes: readonly Change[], transaction: Transaction) => Promise<void>;

/** The only writer of a working database's records. */
export interface RecordWriter {
  /**
   * Runs a request's work in a transaction, one at a time.
   * @param inspect Looks at the changes before they are durable. @throws to undo them.
   * @returns the durable result.
   */
  write<T>(writer: Writer, work: Work<T>, inspect?: Inspect): Promise<Written<T>>;
  /**
   * Runs a request's work within a transaction of another session.
   * @param run Begins it, calls its argument, and commits or undoes it.
   */
  writeWithin<T>(
    writer: Writer,
    work: Work<T>,
    run: (change: (session: Database) => Promise<void>) => Promise<void>,
  ): Promise<Written<T>>;
  /**
   * Runs the work of several requests within a transaction that is undone: ids and numbers of changes are then given again.
   * @param run Begins it, calls its argument for each request, and undoes it.
   */
  undone<T>(run: (write: WriteWithin) => Promise<T>): Promise<T>;
  /** Must be called before the database is closed. */
  close(): Promise<void>;
}

/** Runs a request's work within the transaction of a session, without its commit. */
type WriteWithin = <T>(session: Database, writer: Writer, work: Work<T>) => Promise<Written<T>>;

/** Random bytes in a text id. Unit: bytes. */
const KEY_BYTES = 6;

/** Opens the only writer of a working database prepared with prepareService. */
export async function openRecordWriter(database: Database, journal: Journal, now: () => Date): Promise<RecordWriter> {
  const session = await database.session();
  const state = await readState(session, now);
  const writeIn: WriteWithin = async (other, writer, work) => {
    const transaction = openTransaction({ session: other, journal, isBegun: true }, state, writer, formatTime(now()));
    return { answer: await work(transaction), changes: await transaction.flush() };
  };
  return {
    async write(writer, work, inspect) {
      const transaction = openTransaction({ session, journal }, state, writer, formatTime(now()));
      const giveBackIds = state.markIds();
      try {
        const answer = await work(transaction);
        try {
          await inspect?.(transaction.changes(), transaction);
        } catch (error) {
          giveBackIds();
          throw error;
        }
        return { answer, changes: await transaction.commit() };
      } catch (error) {
        await transaction.rollback();
        throw writeError(error);
      }
    },
    async writeWithin<T>(
      writer: Writer,
      work: Work<T>,
      run: (change: (other: Database) => Promise<void>) => Promise<void>,
    ) {
      await journal.apply();
      const giveBackIds = state.markIds();
      let written: Written<T> | undefined;
      try {
        await run(async (other) => {
          written = await writeIn(other, writer, work);
        });
        return written as unknown as Written<T>;
      } catch (error) {
        state.known.clear();
        giveBackIds();
        throw error;
      }
    },
    async undone(run) {
      await journal.apply();
      const giveBackIds = state.markIds();
      try {
        return await run(writeIn);
      } finally {
        state.known.clear();
        giveBackIds();
      }
    },
    close: () => session.close(),
  };
}

/** Reads the next ids: after the highest ever used, including deleted ones in service.changes. */
async function readState(session: Database, now: () => Date): Promise<WriterState> {
  const numbered = resources.filter((resource) => !isKeyed(resource));
  const queries = numbered.map(({ table, id, name }) => {
    return `SELECT '${name}' AS name, greatest(
      COALESCE((SELECT max(${id}) FROM ${table}), 0),
      COALESCE((SELECT max(TRY_CAST(record_id AS BIGINT)) FROM service.changes WHERE resource = '${name}'), 0)) AS last`;
  });
  const found = await session.rows<{ name: string; last: number }>(queries.join(' UNION ALL '));
  const last = new Map(found.map((row) => [row.name, row.last]));
  let change = await readLastChange(session);
  return {
    known: new Set(),
    isReferredInJournal: false,
    nextId(resource) {
      if (isKeyed(resource)) return makeKey(now());
      const next = (last.get(resource.name) ?? 0) + 1;
      last.set(resource.name, next);
      return next;
    },
    markIds() {
      const [before, changeBefore] = [new Map(last), change];
      return () => {
        for (const [name, id] of before) last.set(name, id);
        change = changeBefore;
      };
    },
    nextChange(count = 1) {
      change += count;
      return change - count + 1;
    },
  };
}

function isKeyed({ fields, id }: Resource): boolean {
  return fields[id]?.type === 'key';
}

/** Creates an id that starts with the time, so that rows are in the order of their ids. */
function makeKey(now: Date): string {
  return now.getTime().toString(16).padStart(12, '0') + randomBytes(KEY_BYTES).toString('hex');
}

/** Converts a conflict with another transaction or a full disk to an error that the client may retry. */
function writeError(error: unknown): unknown {
  if (!isFailure(error, 'conflict')) return diskError(error);
  return new AppError('busy', 'Another request has just changed the same record', {
    hint: 'Send the request again.',
    cause: error,
  });
}
