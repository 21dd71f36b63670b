import { randomBytes } from 'node:crypto';
import { type Database, formatTime } from '../../database/database.ts';
import { createSerialQueue, type SerialQueue } from '../../database/serial-queue.ts';
import { AppError, diskError, messageOf } from '../../error.ts';
import { turnDay } from '../rules/people.ts';
import { type Shape, shapes } from '../shape.ts';
import { readLastChange, type Writer } from './changes.ts';
import type { Journal } from './journal.ts';
import { type Memory, openTransaction, type Transaction } from './transaction.ts';

/** The records of a working database, to be read and written. */
export interface Store {
  /**
   * Runs one request's work in a transaction of its own; those that write take turns, so none overwrites what another has just written.
   * @returns the work's answer, once it is on disk.
   */
  write<T>(writer: Writer, work: (transaction: Transaction) => Promise<T>): Promise<T>;
  /** Writes what a new day brings, once a day: a contract that comes into force then. Each write does so by itself. */
  startDay(): Promise<void>;
  /** Reads what is committed: all that was answered. */
  readonly reader: Pick<Database, 'rows'>;
  readonly now: () => Date;
  /** Must be called, before the database is closed. */
  close(): Promise<void>;
}

/** What a store is given. */
export interface StoreOptions {
  readonly now: () => Date;
  /** The journal of the same database. */
  readonly journal: Journal;
  /** Is told the last change of every transaction that is on disk. */
  readonly onCommit: (changeId: number) => void;
  /** The turns that writes take; whoever else must not run beside them shares these. Default: turns of their own. */
  readonly inTurn?: SerialQueue;
}

/** Who writes what nobody asks for. */
const SERVICE: Writer = { id: '', label: 'plumbline', seesRates: false };

/** Random bytes of an id that is a text. Unit: bytes. */
const KEY_BYTES = 6;

/** Opens the records of a working database that prepareService has prepared. Nobody else may write them. */
export async function openStore(
  database: Database,
  { now, journal, onCommit, inTurn = createSerialQueue() }: StoreOptions,
): Promise<Store> {
  const session = await database.session();
  const reader = await database.session();
  const memory = await readMemory(session, now);
  const run = async <T>(writer: Writer, work: (transaction: Transaction) => Promise<T>) => {
    const transaction = openTransaction({ session, journal }, memory, writer, formatTime(now()));
    try {
      const answer = await work(transaction);
      const last = await transaction.commit();
      if (last !== undefined) onCommit(last);
      return answer;
    } catch (error) {
      await transaction.rollback();
      throw writeError(error);
    }
  };
  let day = '';
  const startDay = async () => {
    const today = formatTime(now()).slice(0, 10);
    if (today === day) return;
    await run(SERVICE, turnDay);
    day = today;
  };
  await inTurn(startDay);
  const readWritten: Database['rows'] = async (...query) => {
    const applied = journal.untilApplied();
    // Whoever has a turn before may be the one who applies it.
    if (applied) inTurn(journal.apply).catch(() => undefined);
    await applied;
    return reader.rows(...query);
  };
  return {
    reader: { rows: readWritten },
    now,
    startDay: () => inTurn(startDay),
    write: (writer, work) =>
      inTurn(async () => {
        await startDay();
        return run(writer, work);
      }),
    async close() {
      await inTurn(() => session.close());
      await reader.close();
    },
  };
}

/** Ids go on from the greatest that there is or has been: the record of changes knows those that were deleted. */
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

/** An id that begins with its time, so that the table is in the order of its ids. */
function makeKey(now: Date): string {
  return now.getTime().toString(16).padStart(12, '0') + randomBytes(KEY_BYTES).toString('hex');
}

/** Another transaction has written the same at the same time, or the disk is full: the client may send it again. */
function writeError(error: unknown): unknown {
  if (!/Conflict on|write-write conflict|transaction conflict/i.test(messageOf(error))) return diskError(error);
  return new AppError('busy', 'Somebody else has just changed the same record', {
    hint: 'Send it again.',
    cause: error,
  });
}
