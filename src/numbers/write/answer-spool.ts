import { AppError } from '../../base/index.ts';
import { openTemporary, temporaryError } from './temporary-file.ts';

/*
 * An answer whose rows lie in memory is written as fast as it can be, and read at the pace of its client: the bytes in
 * between lie in a temporary file. So a slow client holds neither the rows nor the turn of the next answer.
 */

export type Piece = string | Uint8Array;

/** The part of an answer that is made before its first byte is sent, so that failures show, and that a file takes at once. Unit: bytes. */
export const SPOOL_PIECE_BYTES = 1024 * 1024;

export interface AnswerSpool {
  readonly pieces: AsyncIterator<Uint8Array>;
  /** Stops the writing and frees the file. Must be called. */
  end(): Promise<void>;
}

/** Puts pieces together. @returns At least as many bytes, or all that are left; empty at the end. */
export async function readBytes(pieces: AsyncIterator<Piece>, leastBytes: number): Promise<Buffer> {
  const read: Uint8Array[] = [];
  let size = 0;
  while (size < leastBytes) {
    const piece = await pieces.next();
    if (piece.done) break;
    const bytes = typeof piece.value === 'string' ? Buffer.from(piece.value) : piece.value;
    read.push(bytes);
    size += bytes.length;
  }
  return Buffer.concat(read, size);
}

/**
 * Writes pieces into a temporary file, which is read meanwhile.
 * @param onWritten Called when all are written, or the writing has failed or been stopped.
 * @throws AppError storage when TMPDIR is full or not writable, here or where the pieces are read.
 */
export async function openSpool(pieces: AsyncIterator<Piece>, onWritten: () => void): Promise<AnswerSpool> {
  const file = await openTemporary();
  let size = 0;
  let isStopped = false;
  const write = async () => {
    const bytes = await readBytes(pieces, SPOOL_PIECE_BYTES);
    if (isStopped) throw new AppError('internal', 'The writing of the answer has stopped');
    await file.handle.appendFile(bytes);
    size += bytes.length;
    return bytes.length > 0;
  };
  let writing = write();
  const writeAll = async () => {
    while (await writing) writing = write();
  };
  const written = writeAll().finally(onWritten);
  // The reader gets the error; without one, it must not count as unhandled.
  written.catch(() => undefined);
  const read = async function* (): AsyncGenerator<Uint8Array> {
    try {
      for (let position = 0; position < size || (await writing); ) {
        const end = size;
        yield* file.read(position, end);
        position = end;
      }
    } catch (error) {
      throw temporaryError(error);
    }
  };
  return {
    pieces: read(),
    async end() {
      isStopped = true;
      await written.catch(() => undefined);
      await file.remove();
    },
  };
}
