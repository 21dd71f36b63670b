import { constants } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { type Database, diskError, isDiskFull, steps } from '../../../base/database/index.ts';
import { AppError, assertRegularFile, messageOf } from '../../../base/index.ts';
import { readLastChange } from './changes.ts';
import { damageError } from './journal-check.ts';
import { type Entry, formatJournalLine, readJournal } from './journal-lines.ts';
import { formatInserts, type Insert } from './record-sql.ts';

/*
 * The journal is a file of writes that are on disk but not in the working database yet.
 * Inserting one row takes the database several times as long as writing a line, and inserting fifty
 * takes hardly longer than one. So a write that only inserts becomes a line here until the next read,
 * other write or refresh. The rest is inserted on the next opening after a crash.
 */

/** A journal of durable writes that are not in the database yet. */
export interface Journal {
  /**
   * Writes inserts to disk. Call only during the turn of a write.
   * @param change The last change among them.
   * @throws AppError storage when the disk is full; the write then has no effect.
   */
  append(change: number, inserts: readonly Insert[]): Promise<void>;
  /** Inserts pending writes into the database in one transaction. Call only during the turn of a write. */
  apply(): Promise<void>;
  /**
   * Resolves when the current content is in the database; undefined if it already is.
   * The caller must make sure that someone applies it.
   */
  untilApplied(): Promise<void> | undefined;
  /** Closes and deletes the file; with writes not applied, keeps it for the next opening. */
  close(): Promise<void>;
}

/** The size from which a write first applies earlier ones. Unit: bytes. */
const MAX_JOURNAL_BYTES = 1024 * 1024;

/**
 * Opens the journal of a working database, and inserts the writes left by a crash.
 * @param database Prepared with prepareService.
 * @throws AppError storage for a damaged journal or a failed insert, leaving the file unchanged.
 */
export async function openJournal(database: Database, file: string): Promise<Journal> {
  const session = await database.session();
  let handle: FileHandle | undefined;
  try {
    await assertRegularFile(file);
    handle = await open(file, constants.O_RDWR | constants.O_CREAT, 0o600);
    const last = await readLastChange(session);
    const { waiting, damages } = readJournal(await handle.readFile(), last);
    const [damage] = damages;
    if (damage) throw damageError(file, damage);
    await insert(session, waiting).catch((error) => {
      throw recoveryError(file, error);
    });
    await handle.truncate();
    return keepJournal(session, handle, { file, last: waiting.at(-1)?.change ?? last });
  } catch (error) {
    await handle?.close();
    await session.close();
    throw diskError(error);
  }
}

/** @param last The database's last change. */
function keepJournal(
  session: Database,
  handle: FileHandle,
  { file, last: before }: { file: string; last: number },
): Journal {
  let last = before;
  let entries: Entry[] = [];
  let end = 0;
  const waiting: { resolve: () => void; reject: (error: unknown) => void }[] = [];
  const apply = async () => {
    if (entries.length === 0) return;
    try {
      await insert(session, entries);
    } catch (cause) {
      const error = diskError(cause);
      for (const { reject } of waiting.splice(0)) reject(error);
      throw error;
    }
    // Lines may remain until they are overwritten: the database has their changes.
    entries = [];
    end = 0;
    for (const { resolve } of waiting.splice(0)) resolve();
  };
  return {
    apply,
    async append(change, inserts) {
      if (end > MAX_JOURNAL_BYTES) await apply();
      const entry = { change, after: last, inserts };
      const line = Buffer.from(formatJournalLine(entry));
      try {
        await writeDurably(handle, line, end);
      } catch (error) {
        // The failed line may be complete on disk, but its write has no effect.
        await handle.truncate(end).catch(() => undefined);
        throw error;
      }
      end += line.length;
      last = change;
      entries.push(entry);
    },
    untilApplied() {
      if (entries.length === 0) return undefined;
      return new Promise((resolve, reject) => waiting.push({ resolve, reject }));
    },
    async close() {
      await handle.close();
      await session.close();
      if (entries.length === 0) await rm(file, { force: true });
    },
  };
}

function recoveryError(file: string, error: unknown): unknown {
  if (isDiskFull(error)) return diskError(error);
  return new AppError(
    'storage',
    `The content of ${file} can't be inserted into the working file: ${messageOf(error)}`,
    {
      hint: 'It contains confirmed changes, and none is lost while the file exists. Please report this; to start without them, move the file away.',
      cause: error,
    },
  );
}

async function insert(session: Database, entries: readonly Entry[]): Promise<void> {
  if (entries.length === 0) return;
  const statements = formatInserts(entries.flatMap(({ inserts }) => inserts));
  await steps.take('insert the journal', () => session.transaction(() => session.run(statements.join(';\n'))));
}

/** Writes bytes durably, over existing content. */
async function writeDurably(handle: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    const { bytesWritten } = await steps.take('write the journal', () =>
      handle.write(bytes, written, bytes.length - written, position + written),
    );
    written += bytesWritten;
  }
  await steps.take('sync the journal', () => handle.datasync());
}
