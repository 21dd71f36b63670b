import { type Database, formatTime } from '../database/database.ts';
import { createSerialQueue, type SerialQueue } from '../database/serial-queue.ts';
import { turnDay } from '../record/rules/people.ts';
import type { Writer } from '../record/storage/changes.ts';
import type { Journal } from '../record/storage/journal.ts';
import { openRecordWriter } from '../record/storage/record-writer.ts';
import type { Transaction } from '../record/storage/transaction.ts';
import { type LiveState, makeState, noteWrite } from './live-state.ts';

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

/** Parts of a store. */
export interface StoreOptions {
  readonly now: () => Date;
  /** The journal of the same database. */
  readonly journal: Journal;
  /** Counts each transaction on disk, in the turn that wrote it. */
  readonly state?: LiveState;
  /** The queue of writes, shared with all work that must not run beside them. Default: one of their own. */
  readonly queue?: SerialQueue;
}

/** The writer of what nobody asks for. */
const SERVICE: Writer = { id: '', label: 'plumbline', seesRates: false };

/** Opens the records of a working database prepared with prepareService. Nobody else may write them. */
export async function openStore(
  database: Database,
  { now, journal, state = makeState(), queue = createSerialQueue() }: StoreOptions,
): Promise<Store> {
  const records = await openRecordWriter(database, journal, now);
  const reader = await database.session();
  const write: Store['write'] = async (writer, work) => {
    const { answer, changes } = await records.write(writer, work);
    if (changes.length > 0) noteWrite(state, changes);
    return answer;
  };
  let day = '';
  const startDay = async () => {
    const today = formatTime(now()).slice(0, 10);
    if (today === day) return;
    await write(SERVICE, turnDay);
    day = today;
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
    reader: { rows: readWritten },
    now,
    startDay: () => queue(startDay),
    write: (writer, work) =>
      queue(async () => {
        await startDay();
        return write(writer, work);
      }),
    async close() {
      await queue(records.close);
      await reader.close();
    },
  };
}
