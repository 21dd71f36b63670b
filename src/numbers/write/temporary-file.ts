import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isFailure } from '../../base/database/index.ts';
import { AppError } from '../../base/index.ts';

/** The size of a read. Unit: bytes. */
const PIECE_BYTES = 1024 * 1024;

/** Linux lists a process's open files here, including those without a name. */
const OPEN_FILES = '/proc/self/fd';

/** A file that only this process can read. */
export interface TemporaryFile {
  readonly handle: FileHandle;
  readonly path: string;
  /** Reads the bytes from one position up to another, exclusive. */
  read(from: number, to: number): AsyncIterable<Uint8Array>;
  remove(): Promise<void>;
}

/** Opens a file and unlinks it at once where possible, so that a killed process leaves nothing behind. */
export async function openTemporary(): Promise<TemporaryFile> {
  const named = join(tmpdir(), `plumbline-${randomUUID()}`);
  try {
    const handle = await open(named, 'wx+', 0o600);
    const isNameless = existsSync(OPEN_FILES);
    if (isNameless) await rm(named);
    return {
      handle,
      path: isNameless ? `${OPEN_FILES}/${handle.fd}` : named,
      read: (from, to) => readPieces(handle, from, to),
      async remove() {
        await handle.close();
        await rm(named, { force: true });
      },
    };
  } catch (error) {
    throw temporaryError(error);
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

/** Returns the error of a full or forbidden TMPDIR, or the one that has another cause. */
export function temporaryError(cause: unknown): unknown {
  if (cause instanceof AppError || !isFailure(cause, 'noTemporaryFiles')) return cause;
  return new AppError('storage', `The folder ${tmpdir()} for temporary files is full or can't be written`, {
    hint: 'Free some space there, or name another folder in the environment variable TMPDIR.',
    cause,
  });
}
