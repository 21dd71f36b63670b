import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, quoteText } from '../database/database.ts';
import { isFailure } from '../database/engine-errors.ts';
import { AppError } from '../error.ts';
import type { RowStatements } from '../report/catalogue/table.ts';

/** The size of a read. Unit: bytes. */
const PIECE_BYTES = 1024 * 1024;

/** The most statements written at once. Unit: statements. */
const MAX_COPIES = 4;

/** Linux lists a process's open files here, including those without a name. */
const OPEN_FILES = '/proc/self/fd';

export interface CopiedFile {
  readonly bytes: number;
  readonly rows: number;
  /** Reads the bytes from one position up to another, exclusive. */
  read(from: number, to: number): AsyncIterable<Uint8Array>;
}

export interface CopyOptions {
  readonly select: (statement: string) => string;
  readonly options: string;
  /** The most rows of a statement. Default: the statements's. Unit: rows. */
  readonly sliceRows?: number;
  /** The processors that one statement keeps busy; the others get further statements. */
  readonly busyProcessors: number;
}

interface RunningCopy {
  readonly copied: Promise<CopiedFile>;
  end(): Promise<void>;
}

/** A file that only this process can read. */
interface TemporaryFile {
  readonly handle: FileHandle;
  readonly path: string;
  remove(): Promise<void>;
}

/**
 * Lets the database write a statements into files, one a statement, and yields them in order.
 * The next files are written while one is read. They are private, lie in TMPDIR, are reused once read,
 * and are removed at the end or when the caller stops.
 * @throws AppError storage when TMPDIR is full or not writable.
 */
export async function* copyStatements(
  { database, slice }: RowStatements,
  copy: CopyOptions,
): AsyncGenerator<CopiedFile> {
  const statements = slice(copy.sliceRows);
  const atOnce = Math.min(MAX_COPIES, Math.ceil(availableParallelism() / copy.busyProcessors));
  const files: TemporaryFile[] = [];
  const running: RunningCopy[] = [];
  let started = 0;
  const startNext = () => {
    const [statement, file] = [statements[started], files[started % files.length]];
    if (statement && file) running.push(startCopy(database, copy, statement, file));
    started += 1;
  };
  try {
    // One file more than copies, so that writing goes on while one is read.
    while (files.length < Math.min(atOnce + 1, statements.length)) files.push(await openTemporary());
    for (let count = 0; count < atOnce; count += 1) startNext();
    for (let current = running[0]; current; current = running[0]) {
      const copied = await current.copied;
      startNext();
      yield copied;
      running.shift();
    }
  } finally {
    await Promise.all(running.map((copying) => copying.end()));
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
    let rows = 0;
    for await (const [[count]] of chunks as AsyncIterable<[[number]]>) rows = count;
    const { size } = await file.handle.stat();
    return { bytes: size, rows, read: (from: number, to: number) => readPieces(file.handle, from, to) };
  };
  const copied = write().catch((error) => {
    throw copyError(error);
  });
  // The reader gets the error; without one, it must not count as unhandled.
  copied.catch(() => undefined);
  return {
    copied,
    async end() {
      stopping.abort();
      await copied.catch(() => undefined);
    },
  };
}

/** Opens a file and unlinks it at once where possible, so that a killed process leaves nothing behind. */
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

function copyError(cause: unknown): unknown {
  if (cause instanceof AppError || !isFailure(cause, 'noTemporaryFiles')) return cause;
  return new AppError('storage', `The folder ${tmpdir()} for temporary files is full or can't be written`, {
    hint: 'Free some space there, or name another folder in the environment variable TMPDIR.',
    cause,
  });
}
