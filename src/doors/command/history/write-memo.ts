import { existsSync } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type { OpenOptions } from '../../../base/database/index.ts';
import { AppError } from '../../../base/index.ts';
import { openGeneration } from '../../../store/generation/index.ts';
import { findClosing, type KeptState, writeCloseMemo } from '../../../store/history/index.ts';
import type { Flags } from '../command.ts';
import { writeOutput } from '../output.ts';

/** The period of a memo, and the database that closed it. */
interface MemoRequest {
  readonly database: string;
  readonly period: string;
  readonly now: Date;
  readonly options: OpenOptions;
}

/**
 * Writes the memo of a closed period to a new file, and returns its closing.
 * @throws AppError usage for a flag of closings, for a name of another format or of a file that exists, storage without the folder, and as findClosing does.
 */
export async function writeMemoFile(file: string, flags: Flags, request: MemoRequest): Promise<KeptState> {
  assertMemoAlone(flags);
  await assertNewFile(file);
  const { database, period, now, options } = request;
  const opened = await openGeneration(database, options);
  try {
    const state = await findClosing(database, opened, period, now);
    await writeOutput(file, await writeCloseMemo(database, { database: opened, now }, state));
    return state;
  } finally {
    opened.close();
  }
}

/** The flags that say how to close, which a memo doesn't do. */
const OF_CLOSING = ['kind', 'confirm', 'name', 'label', 'reason', 'file', 'dry-run'];

function assertMemoAlone(flags: Flags): void {
  const other = OF_CLOSING.find((name) => flags[name] !== undefined);
  if (other === undefined) return;
  throw new AppError(
    'usage',
    `--memo writes about a period that is closed, and closes none, so it takes no --${other}`,
    {
      hint: 'Close the period first, then write its memo.',
    },
  );
}

/** Asserts that a memo is a workbook in a folder that is there, and replaces no file. */
async function assertNewFile(file: string): Promise<void> {
  if (!file.toLowerCase().endsWith('.xlsx')) {
    throw new AppError('usage', `--memo: ${file} is not named as an Excel workbook`, {
      hint: 'Name a file that ends in .xlsx.',
    });
  }
  if (!existsSync(dirname(file))) {
    throw new AppError('storage', `--memo: there is no folder ${dirname(file)} for the file ${basename(file)}`, {
      hint: 'Make the folder first, or name another file.',
    });
  }
  const found = await lstat(file).catch(() => undefined);
  if (!found) return;
  throw new AppError('usage', `--memo: ${file} exists already, and a memo replaces nothing`, {
    hint: 'Name another file, or remove this one first.',
  });
}
