import { readdir, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { AppError, fileReasonOf } from '../../../base/index.ts';
import { MAPPING_FILE } from '../mapping/mapping.ts';
import { isOtherBook, isWorkbookName, wayOutOf } from './file-names.ts';

/** The most files of a directory that an error lists. Unit: files. */
export const MAX_LISTED_FILES = 30;

/** Tells whether a path is that of a workbook, and not of a directory. */
export async function isWorkbook(path: string): Promise<boolean> {
  return isWorkbookName(basename(path)) && ((await stat(path).catch(() => undefined))?.isFile() ?? false);
}

/** Lists the names in a directory. @throws AppError input if it is missing, isn't one, or can't be read. */
export async function readEntries(directory: string): Promise<string[]> {
  try {
    return await readdir(directory);
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code;
    const hint = 'Name the directory that holds the files, one for each resource, or a workbook: plumbline load DIR.';
    if (code === 'ENOENT')
      throw new AppError(
        'input',
        `There is no ${isWorkbookName(basename(directory)) ? 'workbook' : 'directory'} ${directory}`,
        { hint, cause },
      );
    if (code === 'ENOTDIR' && isOtherBook(directory))
      throw new AppError('input', `${directory} is a spreadsheet in a form that can't be read`, {
        hint: wayOutOf(directory) ?? hint,
        cause,
      });
    if (code === 'ENOTDIR')
      throw new AppError('input', `${directory} is a file, not a directory`, {
        hint: 'Put it into a directory with the files of the other resources, and name that. Only a workbook is taken alone.',
        cause,
      });
    throw new AppError('input', `Can't read the directory ${directory}: ${fileReasonOf(cause)}`, { hint, cause });
  }
}

export function missingError(file: string, directory: string, entries: readonly string[]): AppError {
  return new AppError('input', `The mapping names the file ${file}, which isn't in ${directory}`, {
    hint: `Its files are ${entries
      .filter((entry) => entry !== MAPPING_FILE)
      .slice(0, MAX_LISTED_FILES)
      .join(', ')}. Nothing was loaded.`,
  });
}

/** Returns the error of a directory whose entries all belong to no resource. @param mapping The mapping in use. */
export function emptyError(
  directory: string,
  ignored: readonly string[],
  resources: readonly string[],
  mapping: string | undefined,
): AppError {
  const closed = ignored.find((name) => wayOutOf(name) !== undefined);
  if (closed !== undefined) {
    return new AppError('input', `${directory} holds no file of any resource, and ${closed} can't be read`, {
      hint: wayOutOf(closed) ?? '',
    });
  }
  if (mapping !== undefined) {
    return new AppError('input', `${directory} holds no file of any resource, and ${mapping} has no entry for one`, {
      hint: 'Write an entry with the fields of each file into it: its comments name their columns, and docs/own-data.md explains what a mapping says.',
    });
  }
  return new AppError('input', `${directory} holds no file of any resource`, {
    hint: `Name each file after a resource, with the extension .json, .ndjson, .csv or .parquet, or each sheet of a workbook: ${resources.join(', ')}. For CSV files and workbooks of other programs, plumbline load DIR --suggest-mapping proposes a mapping.`,
  });
}
