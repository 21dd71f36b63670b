import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, quoteText } from '../database/database.ts';
import { AppError, messageOf } from '../error.ts';
import type { Selection } from '../report/table.ts';

/** How much of a file is read at once. Unit: bytes. */
const PIECE_BYTES = 1024 * 1024;

/** How many statements are written at once, at most. Unit: statements. */
const MAX_COPIES = 4;

/** Where Linux shows a process its own open files, whether or not they still have a name. */
const OPEN_FILES = '/proc/self/fd';

/** What the database has written of one statement. */
export interface CopiedFile {
  readonly bytes: number;
  /** Reads from one place up to, not including, another. */
  read(from: number, to: number): AsyncIterable<Uint8Array>;
}

/** How a selection is written. */
export interface CopyOptions {
  /** What is selected of a statement. */
  readonly select: (statement: string) => string;
  /** COPY's. */
  readonly options: string;
  /** The most rows of a statement. Absent: what the selection chooses. Unit: rows. */
  readonly sliceRows?: number;
  /** How many processors a statement keeps busy: so many are written at once, each to its own file, that all are. */
  readonly busyProcessors: number;
}

/** A file under way. */
interface RunningCopy {
  readonly copied: Promise<CopiedFile>;
  end(): Promise<void>;
}

/** A file that nobody else can read. */
interface TemporaryFile {
  readonly handle: FileHandle;
  readonly path: string;
  remove(): Promise<void>;
}

/**
 * Lets the database write a selection into files, one a statement, and gives them in their order. The next are being written while one is read.
 * They lie in the system's folder for temporary files (TMPDIR), can be read by nobody else, are written anew when they have been read, and are
 * gone at the end, or when the caller stops.
 * @throws AppError storage when that folder is full or can't be written.
 */
export async function* copySelection({ database, slice }: Selection, copy: CopyOptions): AsyncGenerator<CopiedFile> {
  const statements = slice(copy.sliceRows);
  const atOnce = Math.min(MAX_COPIES, Math.ceil(availableParallelism() / copy.busyProcessors));
  const files: TemporaryFile[] = [];
  const underWay: RunningCopy[] = [];
  let started = 0;
  const startNext = () => {
    const [statement, file] = [statements[started], files[started % files.length]];
    if (statement && file) underWay.push(startCopy(database, copy, statement, file));
    started += 1;
  };
  try {
    // One is read while the others are written. To open one only then would wait for the reading.
    while (files.length < Math.min(atOnce + 1, statements.length)) files.push(await openTemporary());
    for (let count = 0; count < atOnce; count += 1) startNext();
    for (let current = underWay[0]; current; current = underWay[0]) {
      const copied = await current.copied;
      startNext();
      yield copied;
      underWay.shift();
    }
  } finally {
    await Promise.all(underWay.map((copying) => copying.end()));
    await Promise.all(files.map((file) => file.remove()));
  }
}

function startCopy(
  database: Database,
  { select, options }: CopyOptions,
  statement: string,
  file: TemporaryFile,
): RunningCopy {
  const stopping = new AbortController();
  const write = async () => {
    const sql = `COPY (${select(statement)}) TO ${quoteText(file.path)} (USE_TMP_FILE false, ${options})`;
    const { chunks } = await database.stream(sql, undefined, { signal: stopping.signal });
    for await (const _ of chunks);
    const { size } = await file.handle.stat();
    return { bytes: size, read: (from: number, to: number) => readPieces(file.handle, from, to) };
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
    },
  };
}

/** A new file that loses its name at once where the system allows it, so that not even a killed process leaves it behind. */
async function openTemporary(): Promise<TemporaryFile> {
  const named = join(tmpdir(), `plumbline-${randomUUID()}`);
  try {
    const handle = await open(named, 'wx+', 0o600);
    const isNameless = existsSync(OPEN_FILES);
    if (isNameless) await rm(named);
    return {
      handle,
      path: isNameless ? `${OPEN_FILES}/${handle.fd}` : named,
      async remove() {
        await handle.close();
        await rm(named, { force: true });
      },
    };
  } catch (error) {
    throw copyError(error);
  }
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
