import { constants } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import type { Database } from '../../database/database.ts';
import { steps } from '../../database/steps.ts';
import { AppError, diskError, isDiskFull, messageOf } from '../../error.ts';
import { readLastChange } from './changes.ts';
import { damageError } from './journal-check.ts';
import { type Entry, formatLine, readJournal } from './journal-lines.ts';
import { formatInserts, type Insert } from './record-sql.ts';

/*
 * The journal: a file of the writes that are on disk and not in the working database yet. Inserting one row takes the database several times as
 * long as a line of a file takes, and inserting fifty not much longer than one. So a write that inserts and does nothing else is a line here,
 * until somebody reads records, writes otherwise or brings the models up to date. What a crash leaves here is inserted when the database is
 * opened again.
 */

/** Writes that are on disk before they are in the database. */
export interface Journal {
  /**
   * Writes inserts to disk. Only in the turn of a write.
   * @param change The last change that is among them.
   * @throws AppError storage when the disk takes no more; the write has then not happened.
   */
  append(change: number, inserts: readonly Insert[]): Promise<void>;
  /** Inserts into the database what isn't there yet, in one transaction. Only in the turn of a write. */
  apply(): Promise<void>;
  /** Resolves when what is here now is in the database, undefined when it is already. Whoever asks sees to it that somebody applies it. */
  untilApplied(): Promise<void> | undefined;
  /** Leaves no file, unless there is something in it that wasn't applied: that is for the next opening. */
  close(): Promise<void>;
}

/** From so many on, a write applies those before it. Unit: bytes. */
const MAX_JOURNAL_BYTES = 1024 * 1024;

/**
 * Opens the journal of a working database, and inserts what a crash has left in it.
 * @param database Prepared with prepareService.
 * @throws AppError storage when the journal is damaged, or what it holds can't be inserted; the file is then as it was.
 */
export async function openJournal(database: Database, file: string): Promise<Journal> {
  const session = await database.session();
  let handle: FileHandle | undefined;
  try {
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

/** @param last The last change that the database has. */
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
    // The lines may stand until others are written over them: the database knows which changes it has.
    entries = [];
    end = 0;
    for (const { resolve } of waiting.splice(0)) resolve();
  };
  return {
    apply,
    async append(change, inserts) {
      if (end > MAX_JOURNAL_BYTES) await apply();
      const entry = { change, after: last, inserts };
      const line = Buffer.from(formatLine(entry));
      try {
        await writeDurably(handle, line, end);
      } catch (error) {
        // It may stand there whole, and has not happened.
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
  return new AppError('storage', `What ${file} holds can't be inserted into the working file: ${messageOf(error)}`, {
    hint: 'These are changes that were answered, and none is lost while the file is there. Please report this; to start without them, move the file away.',
    cause: error,
  });
}

async function insert(session: Database, entries: readonly Entry[]): Promise<void> {
  if (entries.length === 0) return;
  const statements = formatInserts(entries.flatMap(({ inserts }) => inserts));
  await steps.take('insert the journal', () => session.transaction(() => session.run(statements.join(';\n'))));
}

/** Returns when the bytes are on disk, over what was there. */
async function writeDurably(handle: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    const { bytesWritten } = await steps.take('write the journal', () =>
      handle.write(bytes, written, bytes.length - written, position + written),
    );
    written += bytesWritten;
  }
  await steps.take('sync the journal', () => handle.datasync());
}
