import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../base/index.ts';
import { MAPPING_FILE } from '../../records/ingest/index.ts';
import type { LoadEntry, LoadedFile } from './load-log.ts';

/** A file that was received, at the place where it lies. */
export interface NewFile extends LoadedFile {
  readonly path: string;
}

/** The longest name of a file. Unit: characters. */
export const MAX_FILE_NAME_CHARACTERS = 200;

/** The most files of a load. Unit: files. */
export const MAX_LOAD_FILES = 100;

/** The largest size of the files of all loads that are kept. Unit: bytes. */
export const MAX_KEPT_FILE_BYTES = 1_073_741_824;

/** Moves new files into a folder. @throws AppError usage for a name that can't be one, or is there twice. */
export async function placeFiles(folder: string, files: readonly NewFile[]): Promise<NewFile[]> {
  const names = new Set<string>();
  for (const { name } of files) {
    const key = name.toLowerCase();
    if (!isFileName(name)) throw wrongName(name, 'is not the name of a file', 'Rename it');
    if (names.has(key)) throw wrongName(name, 'is there twice', 'Leave one of them out, or rename it');
    names.add(key);
  }
  if (files.length === 0 || files.length > MAX_LOAD_FILES)
    throw wrongName(`${files.length} files`, `can't be loaded at once`, `Give 1 to ${MAX_LOAD_FILES} files`);
  const placed: NewFile[] = [];
  for (const file of files) {
    const path = join(folder, file.name);
    await rename(file.path, path);
    placed.push({ ...file, path });
  }
  return placed;
}

/** Tells whether a text names a file in a folder, and not a mapping, which is sent as a field. */
function isFileName(name: string): boolean {
  const isShort = name.length > 0 && name.length <= MAX_FILE_NAME_CHARACTERS;
  return isShort && !/[/\\\p{Cc}\p{Cf}]/u.test(name) && !name.startsWith('.') && name.toLowerCase() !== MAPPING_FILE;
}

function wrongName(what: string, problem: string, wayOut: string): AppError {
  const message = `files: ${what} ${problem}. ${wayOut}`;
  return new AppError('usage', message, { fields: [{ field: 'files', message }] });
}

/**
 * Checks that no file was loaded before, whose rows would count twice, and that all can be kept.
 * @param present The loads that aren't undone.
 * @throws AppError input, or limit.
 */
export function assertNew(files: readonly LoadedFile[], present: readonly LoadEntry[]): void {
  for (const { name, sha256 } of files) {
    const load = present.find((each) => each.files.some((file) => file.sha256 === sha256));
    if (load === undefined) continue;
    throw new AppError(
      'input',
      `${name} was loaded at ${load.loadedAt}, as load ${load.id}: its rows would count twice`,
      {
        hint: 'Leave it out.',
        fields: [{ field: 'files', message: `${name} was loaded before, as load ${load.id}` }],
      },
    );
  }
  const sizes = [...files, ...present.flatMap((load) => load.files)].map(({ bytes }) => bytes);
  if (sizes.reduce((sum, bytes) => sum + bytes, 0) <= MAX_KEPT_FILE_BYTES) return;
  throw new AppError('limit', `The files of all loads would have more than ${MAX_KEPT_FILE_BYTES} bytes`, {
    hint: 'Put all files into a folder, and load them with the command plumbline load.',
  });
}
