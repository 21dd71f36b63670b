import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError, assertRegularFile } from '../../../base/index.ts';
import { SUMS_FILE } from './files.ts';
import { hashFile } from './hash.ts';

/** Matches a line of sha256sum: the sum, a blank, a blank or an asterisk, and the file name. */
const LINE = /^([0-9a-f]{64}) [ *](.+)$/i;

interface ExpectedSum {
  readonly name: string;
  readonly sha256: string;
}

/**
 * Verifies the files of a dataset against its SHA256SUMS, if present, before reading any.
 * Parquet has no checksums that the engine verifies, so half of all flipped bits would load as other values.
 * @throws AppError input for a malformed line, a missing file, or another sum.
 */
export async function verifySums(directory: string): Promise<void> {
  const file = join(directory, SUMS_FILE);
  await assertRegularFile(file);
  const text = await readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT' || cause.code === 'ENOTDIR') return '';
    throw cause;
  });
  for (const { name, sha256 } of parseSums(text)) {
    const path = join(directory, name);
    await assertRegularFile(path);
    const found = await hashFile(path).catch((cause: NodeJS.ErrnoException) => {
      throw sumsError(`names ${name}, which can't be read (${cause.code})`, 'Add the file, or remove its line.');
    });
    if (found === sha256) continue;
    throw sumsError(
      `names another SHA-256 for ${name}: the file was damaged or changed since`,
      `Copy ${name} again from its source; if the change was intended, update ${SUMS_FILE}: sha256sum ${name}.`,
    );
  }
}

function parseSums(text: string): ExpectedSum[] {
  const lines = text.split(/\r?\n/).map((line, index) => ({ line, number: index + 1 }));
  return lines.flatMap(({ line, number }) => {
    if (line.trim() === '') return [];
    const [, sum, name] = LINE.exec(line) ?? [];
    if (sum === undefined || name === undefined) {
      const hint = `Write it as sha256sum does: sha256sum * > ${SUMS_FILE}.`;
      throw sumsError(`can't be read: line ${number} is not a SHA-256 and a file's name`, hint);
    }
    // `sha256sum * > SHA256SUMS` also lists its own output file.
    return name === SUMS_FILE ? [] : [{ name, sha256: sum.toLowerCase() }];
  });
}

function sumsError(problem: string, hint: string): AppError {
  return new AppError('input', `${SUMS_FILE} ${problem}`, { hint });
}
