import { existsSync, type Stats } from 'node:fs';
import { realpath, rename, stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { writeError } from '../../base/database/index.ts';
import { AppError, type Bytes, makeBeside, writeBytes } from '../../base/index.ts';

/** The way out beside the rights and the space of a folder. */
const ELSEWHERE = 'name another file with --output';

/**
 * Writes a file whole or not at all: beside it first, then renamed over it.
 * Follows links. Writes devices and FIFOs, which can't be replaced, in place.
 * @throws AppError storage if the file is a directory, its folder is missing, or it can't be written.
 */
export async function writeOutput(file: string, bytes: Bytes): Promise<void> {
  const status = await stat(file).catch(() => undefined);
  assertWritable(file, status);
  if (status && !status.isFile()) return writeStream(file, file, bytes);
  const target = status ? await realpath(file) : file;
  const part = `${target}.part-${process.pid}`;
  await makeBeside(part, async () => {
    await writeStream(file, part, bytes);
    await rename(part, target).catch((cause) => {
      throw writeError(file, cause, ELSEWHERE);
    });
  });
}

function assertWritable(file: string, status: Stats | undefined): void {
  if (status?.isDirectory()) {
    throw new AppError('storage', `${file} is a directory, not a file`, { hint: 'Name another file with --output.' });
  }
  if (!existsSync(dirname(file))) {
    throw new AppError('storage', `There is no folder ${dirname(file)} for the file ${basename(file)}`, {
      hint: 'Make the folder first, or name another file with --output.',
    });
  }
}

async function writeStream(file: string, path: string, bytes: Bytes): Promise<void> {
  try {
    await writeBytes(path, bytes);
  } catch (error) {
    throw error instanceof AppError ? error : writeError(file, error, ELSEWHERE);
  }
}
