import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, quoteText } from '../database.ts';
import { AppError, messageOf } from '../error.ts';
import type { Selection } from '../report/table.ts';

/** How much of a file is read at once. Unit: bytes. */
const PIECE_BYTES = 256 * 1024;

/** Where Linux shows a process its own open files, whether or not they still have a name. */
const OPEN_FILES = '/proc/self/fd';

/** What the database has written of one statement. */
export interface Copied {
  readonly bytes: number;
  /** Reads from one place up to, not including, another. */
  read(from: number, to: number): AsyncIterable<Uint8Array>;
}

/** How a selection is written. */
export interface Copy {
  /** What is selected of a statement. */
  readonly select: (statement: string) => string;
  /** COPY's. */
  readonly options: string;
  /** The most rows of a statement. Absent: what the selection chooses. Unit: rows. */
  readonly sliceRows?: number;
  /** How many statements are written at once, each to its own file. */
  readonly atOnce: number;
}

/** A file under way. */
interface Copying {
  readonly copied: Promise<Copied>;
  end(): Promise<void>;
}

/**
 * Lets the database write a selection into files, one a statement, and gives them in their order. The next are being written while one is read.
 * They lie in the system's folder for temporary files (TMPDIR), can be read by nobody else, and are gone when they have been read, or when the
 * caller stops.
 * @throws AppError storage when that folder is full or can't be written.
 */
export async function* copySelection({ database, slice }: Selection, copy: Copy): AsyncGenerator<Copied> {
  const waiting = [...slice(copy.sliceRows)];
  const underWay: Copying[] = [];
  const startNext = () => {
    const statement = waiting.shift();
    if (statement) underWay.push(startCopy(database, copy, statement));
  };
  for (let count = 0; count < copy.atOnce; count += 1) startNext();
  try {
    for (let current = underWay[0]; current; current = underWay[0]) {
      const copied = await current.copied;
      startNext();
      yield copied;
      await current.end();
      underWay.shift();
    }
  } finally {
    await Promise.all(underWay.map((copying) => copying.end()));
  }
}

function startCopy(database: Database, { select, options }: Copy, statement: string): Copying {
  const stopping = new AbortController();
  const opened = openTemporary();
  const write = async () => {
    const { handle, path, release } = await opened;
    const sql = `COPY (${select(statement)}) TO ${quoteText(path)} (USE_TMP_FILE false, ${options})`;
    const { chunks } = await database.stream(sql, undefined, { signal: stopping.signal });
    for await (const _ of chunks);
    await release();
    const { size } = await handle.stat();
    return { bytes: size, read: (from: number, to: number) => readPieces(handle, from, to) };
  };
  const copied = write().catch((error) => {
    throw copyError(error);
  });
  // Who waits for the file is told of the error; nobody may be waiting yet, or any more.
  copied.catch(() => undefined);
  return {
    copied,
    async end() {
      stopping.abort();
      await copied.catch(() => undefined);
      const temporary = await opened.catch(() => undefined);
      await temporary?.release();
      await temporary?.handle.close();
    },
  };
}

/** A new file that loses its name at once where the system allows it, so that not even a killed process leaves it behind. */
async function openTemporary(): Promise<{ handle: FileHandle; path: string; release: () => Promise<void> }> {
  const named = join(tmpdir(), `plumbline-${randomUUID()}`);
  const handle = await open(named, 'wx+', 0o600);
  const release = () => rm(named, { force: true });
  const unnamed = `${OPEN_FILES}/${handle.fd}`;
  if (!existsSync(OPEN_FILES)) return { handle, path: named, release };
  await release();
  return { handle, path: unnamed, release };
}

async function* readPieces(handle: FileHandle, from: number, to: number): AsyncIterable<Uint8Array> {
  for (let position = from; position < to; ) {
    const length = Math.min(PIECE_BYTES, to - position);
    const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(length), 0, length, position);
    if (bytesRead === 0) throw new AppError('storage', 'A temporary file ended too early');
    yield buffer.subarray(0, bytesRead);
    position += bytesRead;
  }
}

/** What systems and the database say of a folder that takes no more, or nothing at all. */
const UNWRITABLE = /No space left|ENOSPC|EDQUOT|Could not write|EROFS|EACCES|ENOENT/i;

function copyError(cause: unknown): unknown {
  if (cause instanceof AppError || !UNWRITABLE.test(messageOf(cause))) return cause;
  return new AppError('storage', `The folder ${tmpdir()} for temporary files is full or can't be written`, {
    hint: 'Free some space there, or name another folder in the environment variable TMPDIR.',
    cause,
  });
}
