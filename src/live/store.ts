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
   * Runs one request's work in its own transaction; writes take turns, so none overwrites another.
   * @returns the result of the work, once it is on disk.
   */
  write<T>(writer: Writer, work: (transaction: Transaction) => Promise<T>): Promise<T>;
  /** Writes the changes due on a new day, such as a contract coming into force. Each write does this too. */
  startDay(): Promise<void>;
  /** Reads committed data, including every answered write. */
  readonly reader: Pick<Database, 'rows'>;
  readonly now: () => Date;
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
  /** True if the changes of a new day come from a source. */
  readonly isSynced?: boolean | undefined;
}

/** The writer of automatic changes. */
export const SERVICE: Writer = { id: '', label: 'plumbline', seesRates: false };

/** Opens the records of a working database prepared with prepareService, as their only writer. */
export async function openStore(
  database: Database,
  { now, journal, state = makeState(), queue = createSerialQueue(), isSynced = false }: StoreOptions,
): Promise<Store> {
  const records = await openRecordWriter(database, journal, now);
  const reader = await database.session();
  const write: Store['write'] = async (writer, work) => {
    const { answer, changes } = await records.write(writer, work);
    if (changes) noteWrite(state, changes);
    return answer;
  };
  let day = '';
  const startDay = async () => {
    const today = formatTime(now()).slice(0, 10);
    if (today === day) return;
    if (!isSynced) await write(SERVICE, turnDay);
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
