import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Database } from '../../base/database/index.ts';
import { AppError, copyPrivately, syncPath } from '../../base/index.ts';
import { CHUNK_BYTES } from '../../records/ingest/index.ts';
import { FILED_FOLDER } from './history-files.ts';
import type { KeptState } from './kept-states.ts';
import { describeFile } from './pair-links.ts';
import { type StateKey, spellKey } from './state-names.ts';
import type { KeptFile, StateRecord } from './state-record.ts';

export interface MadeReport {
  /** The name of its file, such as projects.xlsx. */
  readonly name: string;
  /** Makes its bytes of the database of a state, which must stay open until their end. */
  make(
    database: Database,
    key: StateKey,
    record: Pick<StateRecord, 'start_date' | 'end_date' | 'kind' | 'label' | 'kept_at' | 'day' | 'measures'>,
  ): Promise<AsyncIterable<string | Uint8Array>>;
}

/** A report to be filed with a state: a file as it was sent, or one that is made of the state. */
export type FiledReport = { readonly path: string } | MadeReport;

/** The most reports that a state files. */
export const MAX_FILED_REPORTS = 100;

/** Names that lead nowhere else and hide nothing. */
const NAME = /^[\p{L}\p{N}][\p{L}\p{N} ._()+-]{0,199}$/u;

export function isFiledName(name: string): boolean {
  return NAME.test(name);
}

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
  const names = reports.map(nameOf);
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice !== undefined) throw new AppError('usage', `Two reports to be filed have the name ${twice}`);
  for (const path of reports.flatMap((report) => ('path' in report ? [report.path] : []))) {
    const entry = await lstat(path).catch(() => undefined);
    if (!entry?.isFile())
      throw new AppError('usage', `--file: ${path} is not a file`, {
        hint: 'Give the path of the report that was given away.',
      });
    if (isFiledName(basename(path))) continue;
    throw new AppError('usage', `--file: the name "${basename(path)}" can't be kept`, {
      hint: 'Give it a name of letters, digits, spaces and . _ - ( ) +, of at most 200 characters.',
    });
  }
}

/**
 * Files reports in the folder of a state: copies files byte for byte, and makes the others.
 * @param make Returns the bytes of a report.
 */
export async function fileReports(
  folder: string,
  reports: readonly FiledReport[],
  make: (report: MadeReport) => Promise<AsyncIterable<string | Uint8Array>>,
): Promise<KeptFile[]> {
  if (reports.length === 0) return [];
  await mkdir(join(folder, FILED_FOLDER), { mode: 0o700 });
  const filed: KeptFile[] = [];
  for (const report of reports) {
    const kept = `${FILED_FOLDER}/${nameOf(report)}`;
    const to = join(folder, kept);
    if ('path' in report) await copyPrivately(report.path, to);
    else await writeFile(to, await make(report), { flag: 'wx', mode: 0o600 });
    filed.push(await describeFile(to, kept));
  }
  await syncPath(join(folder, FILED_FOLDER));
  return filed;
}

function nameOf(report: FiledReport): string {
  return 'path' in report ? basename(report.path) : report.name;
}

interface FoundReport {
  /** Its name and its state, for messages. */
  readonly title: string;
  readonly path: string;
  readonly filed: KeptFile;
}

/** @throws AppError unknown if a state has filed no report of the name. */
export function findFiledReport({ folder, record, ...key }: KeptState, name: string): FoundReport {
  const start = `${FILED_FOLDER}/`;
  const all = record.files.filter((file) => file.name.startsWith(start));
  const filed = all.find((file) => file.name === `${start}${name}`);
  if (filed) return { title: `${name} of ${spellKey(key)}`, path: join(folder, filed.name), filed };
  const names = all.map((file) => file.name.slice(start.length));
  throw new AppError('unknown', `${spellKey(key)} has no file "${name}"`, {
    hint: names.length > 0 ? `Its files are ${names.join(', ')}.` : 'It has no files.',
  });
}

/** @throws AppError storage if a report is not as it was filed. */
export async function assertAsFiled(report: FoundReport): Promise<void> {
  for await (const _ of readPieces(report));
}

/**
 * Reads a report in pieces of CHUNK_BYTES: the largest ones don't fit in memory.
 * @throws AppError storage at its end if it is not as it was filed.
 */
export async function* readPieces({ title, path, filed }: FoundReport): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  try {
    // Reads a byte more than was filed, which a file that has grown has.
    for await (const piece of createReadStream(path, { end: filed.bytes, highWaterMark: CHUNK_BYTES })) {
      hash.update(piece);
      yield piece;
    }
  } catch (cause) {
    throw changedError(title, cause);
  }
  if (hash.digest('hex') !== filed.sha256) throw changedError(title);
}

function changedError(title: string, cause?: unknown): AppError {
  return new AppError('storage', `The file ${title} is not as it was filed`, {
    hint: 'Put it from a backup in its place. plumbline verify checks all.',
    cause,
  });
}
