import { createReadStream } from 'node:fs';
import { isDiskFull, isFailure } from '../../../base/database/index.ts';
import { AppError, messageOf } from '../../../base/index.ts';
import type { InputFile } from './files.ts';
import { createScanner, type JsonLayout } from './json-scanner.ts';
import { MAX_RECORD_BYTES, type ReadableFile } from './relation.ts';

const HINT = 'Repair the file or export it again. Nothing was loaded.';

/** Tells whether unreadable JSON made a read fail. Nothing was stored then: a statement stores all or nothing. */
export function isUnreadableJson(error: unknown): boolean {
  return isFailure(error, 'malformedJson') || isFailure(error, 'largeJson');
}

/**
 * Explains a read error of DuckDB with the file and position.
 * DuckDB gives no column and only an approximate line, so the files are read again.
 * @returns An AppError input, or the original error if no file is at fault.
 */
export async function explainReadError(
  error: unknown,
  files: readonly ReadableFile[],
  inputs: readonly InputFile[],
): Promise<unknown> {
  if (error instanceof AppError) return error;
  const message = messageOf(error);
  const named = files.filter(({ path }) => message.includes(path));
  const suspects = named.length > 0 ? named : isFailure(message, 'malformedJson') ? files : [];
  const nameOf = (file: ReadableFile) => inputs.find(({ number }) => number === file.number)?.name ?? file.path;
  for (const suspect of suspects) {
    const { path, layout } = suspect;
    const name = nameOf(suspect);
    if (isFailure(message, 'largeJson')) return tooLarge(name, error);
    const found = layout === 'parquet' ? undefined : await findJsonError(path, layout);
    if (found) {
      const problem = `${name} can't be parsed: line ${found.line}, column ${found.column}: ${found.problem}`;
      return new AppError('input', problem, { hint: HINT, cause: error });
    }
  }
  // Errors on a damaged Parquet file vary and may not name the file.
  const [first] = named.length > 0 || isDiskFull(error) ? named : files.filter(({ layout }) => layout === 'parquet');
  if (!first) return error;
  const line = message.split('\n')[0] ?? message;
  return new AppError('input', `${nameOf(first)} can't be parsed: ${line}`, { hint: HINT, cause: error });
}

function tooLarge(name: string, cause: unknown): AppError {
  return new AppError('input', `${name} holds a record of more than ${MAX_RECORD_BYTES / 1024 / 1024} MiB`, {
    hint: 'Save it as .ndjson, one record per line, or as a list; check that no quote or bracket is missing.',
    cause,
  });
}

/** The position of a JSON syntax error. Lines and columns count from 1, columns in characters. */
interface JsonError {
  readonly line: number;
  readonly column: number;
  readonly problem: string;
}

/** Finds the first JSON syntax error of a file in one pass, in constant memory. */
async function findJsonError(path: string, layout: JsonLayout): Promise<JsonError | undefined> {
  const scanner = createScanner(layout);
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    for (const byte of chunk) {
      const problem = scanner.next(byte);
      if (problem) return { ...scanner.position(), problem };
    }
  }
  const problem = scanner.end();
  return problem ? { ...scanner.position(), problem } : undefined;
}
