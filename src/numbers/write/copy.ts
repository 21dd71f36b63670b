import { availableParallelism } from 'node:os';
import { type Database, quoteText } from '../../base/database/index.ts';
import type { RowStatements } from '../report/catalogue/table.ts';
import { openTemporary, type TemporaryFile, temporaryError } from './temporary-file.ts';

/** The most statements written at once: each takes one of the engine driver's 4 threads. Unit: statements. */
export const MAX_COPIES = 4;

export interface CopiedFile extends Pick<TemporaryFile, 'read'> {
  readonly bytes: number;
  readonly rows: number;
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

/**
 * Lets the database write the rows of statements into files, one a statement, and yields them in order.
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
    const rows = await database.copy(sql, { signal: stopping.signal });
    const { size } = await file.handle.stat();
    return { bytes: size, rows, read: file.read };
  };
  const copied = write().catch((error) => {
    throw temporaryError(error);
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
