import { createSerialQueue, type Database, type SerialQueue } from '../../base/database/index.ts';
import { turnDay } from '../record/rules/people.ts';
import type { Reader } from '../record/rules/rules.ts';
import type { Writer } from '../record/storage/changes.ts';
import type { Journal } from '../record/storage/journal.ts';
import { type Inspect, openRecordWriter, type RecordWriter, type Work } from '../record/storage/record-writer.ts';
import type { Transaction } from '../record/storage/transaction.ts';
import { type ClosedDays, findClosed, judgeChanges, NEEDS_TRIAL } from './closed-days.ts';
import { type DatedWay, findDatedWay } from './dated-ways.ts';
import { type LiveState, makeState, noteWrite } from './live-state.ts';

/** The records of a working database, to be read and written. */
export interface Store {
  /**
   * Runs one request's work in its own transaction; writes take turns, so none overwrites another.
   * @returns the result of the work, once it is on disk.
   */
  write<T>(writer: Writer, work: (transaction: Transaction) => Promise<T>): Promise<T>;
  /** Writes the changes due on a new day, such as a contract coming into force. Each write does this too. */
  startDay(): Promise<void>;
  /** Reads committed data, including every answered write. */
  readonly reader: Reader;
  readonly now: () => Date;
  /** As that of RecordWriter. Call only in a turn. */
  readonly undone: RecordWriter['undone'];
  /** Must be called, before the database is closed. */
  close(): Promise<void>;
}

export interface StoreOptions {
  readonly now: () => Date;
  readonly journal: Journal;
  /** Counts each transaction on disk, in the turn that wrote it. */
  readonly state?: LiveState;
  /** The queue of writes, shared with all work that must not run beside them. Default: a new one. */
  readonly queue?: SerialQueue;
  /** Judges writes by their effect on closed days. Default: every write is free. */
  readonly guard?: Guard;
  /** True if the changes of a new day come from a source. */
  readonly isSynced?: boolean | undefined;
}

/** Keeps the lines of closed days. */
interface Guard {
  closed(): readonly ClosedDays[];
  /**
   * Runs a write and its refresh in one transaction, and judges what they change.
   * @param wayOf Called after the change: returns the way to write its records from a day on, if there is one.
   * @throws AppError if the write is refused, or its effect isn't known in time.
   */
  tryOut(change: (session: Database) => Promise<void>, wayOf: () => DatedWay | undefined): Promise<void>;
  /** Shows what the last trial has committed. */
  shown(): Promise<void>;
}

/** A quarter of an hour: in every time zone, days begin with one. */
const QUARTER_MS = 15 * 60 * 1000;

export const SERVICE: Writer = { id: '', label: 'plumbline', seesRates: false };

/** Opens the records of a working database prepared with prepareService, as their only writer. */
export async function openStore(
  database: Database,
  { now, journal, state = makeState(), queue = createSerialQueue(), guard, isSynced = false }: StoreOptions,
): Promise<Store> {
  const records = await openRecordWriter(database, journal, now);
  const reader = await database.session();
  const write = async <T>(writer: Writer, work: Work<T>, inspect?: Inspect): Promise<T> => {
    const { answer, changes } = await records.write(writer, work, inspect);
    if (changes) noteWrite(state, changes);
    return answer;
  };
  const writeTried: Store['write'] = async (writer, work) => {
    let way: DatedWay | undefined;
    const { answer, changes } = await records.writeWithin(
      writer,
      async (transaction) => {
        const worked = await work(transaction);
        way = findDatedWay(transaction.changes(), writer);
        return worked;
      },
      (change) => guard?.tryOut(change, () => way) ?? Promise.resolve(),
    );
    if (changes) noteWrite(state, changes);
    await guard?.shown();
    return answer;
  };
  const isClosed = (day: string) => findClosed(guard?.closed() ?? [], day) !== undefined;
  /** Writes unless the lines of closed days would change. */
  const writeGuarded: Store['write'] = async (writer, work) => {
    const closed = guard?.closed() ?? [];
    if (closed.length === 0) return write(writer, work);
    return write(writer, work, (changes, transaction) => judgeChanges(closed, changes, transaction)).catch(
      (error: unknown) => {
        if (error !== NEEDS_TRIAL) throw error;
        return writeTried(writer, work);
      },
    );
  };
  let turned = -1;
  const startDay = async () => {
    const quarter = Math.floor(now().getTime() / QUARTER_MS);
    if (quarter === turned) return;
    if (!isSynced) await write(SERVICE, turnDay);
    turned = quarter;
  };
  await queue(startDay);
  const readWritten: Database['rows'] = async (...query) => {
    const applied = journal.untilApplied();
    // Any write in a turn before this one may apply it as well.
    if (applied) queue(journal.apply).catch(() => undefined);
    await applied;
    return reader.rows(...query);
  };
  return {
    reader: { rows: readWritten, isClosed },
    now,
    startDay: () => queue(startDay),
    undone: records.undone,
    write: (writer, work) =>
      queue(async () => {
        // A contract that comes into force gives the lines of each day the role that they had.
        await startDay();
        return writeGuarded(writer, (transaction) => work({ ...transaction, isClosed }));
      }),
    async close() {
      await queue(records.close);
      await reader.close();
    },
  };
}
