import { constants } from 'node:fs';
import { copyFile, lstat, mkdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { AppError } from '../error.ts';
import { syncPath } from '../generation/generation-files.ts';
import { FILED_FOLDER } from './history-files.ts';
import { describeFile } from './pair-links.ts';
import type { KeptFile } from './state-record.ts';

/** A report as it was sent, to be filed with a state. */
export interface FiledReport {
  readonly path: string;
}

/** The most reports that a state files. */
const MAX_FILED_REPORTS = 100;

/** Names that lead nowhere else and hide nothing. */
const NAME = /^[\p{L}\p{N}][\p{L}\p{N} ._()+-]{0,199}$/u;

/**
 * Checks reports that are to be filed.
 * @throws AppError usage for one that is no file, has a name that can't be kept, or has the name of another.
 */
export async function assertReports(reports: readonly FiledReport[]): Promise<void> {
  if (reports.length > MAX_FILED_REPORTS) {
    throw new AppError('usage', `${reports.length} reports are to be filed, and at most ${MAX_FILED_REPORTS} can be`, {
      hint: 'Put them into a ZIP file, and file that.',
    });
  }
  const names = reports.map(({ path }) => basename(path));
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice !== undefined) throw new AppError('usage', `--file: two reports have the name ${twice}`);
  for (const { path } of reports) {
    const entry = await lstat(path).catch(() => undefined);
    if (!entry?.isFile()) throw new AppError('usage', `--file: ${path} is not a file`);
    if (NAME.test(basename(path))) continue;
    throw new AppError('usage', `--file: the name "${basename(path)}" can't be kept`, {
      hint: 'Give it a name of letters, digits, spaces and . _ - ( ) +, of at most 200 characters.',
    });
  }
}

/** Copies reports into the folder of a state, byte for byte. */
export async function fileReports(folder: string, reports: readonly FiledReport[]): Promise<KeptFile[]> {
  if (reports.length === 0) return [];
  await mkdir(join(folder, FILED_FOLDER), { mode: 0o700 });
  const filed: KeptFile[] = [];
  for (const { path } of reports) {
    const kept = `${FILED_FOLDER}/${basename(path)}`;
    await copyFile(path, join(folder, kept), constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
    filed.push(await describeFile(join(folder, kept), kept));
  }
  await syncPath(join(folder, FILED_FOLDER));
  return filed;
}
