import { readdirSync } from 'node:fs';
import { basename, dirname, extname } from 'node:path';
import { AppError } from '../error.ts';
import { askNearest } from '../nearest-name.ts';

/** The ending of the database that commands read without --database. */
const ENDING = '.duckdb';

/** Returns the error about a database that isn't there, which asks for the one beside it that is named nearest. */
export function missingDatabaseError(file: string): AppError {
  return new AppError(
    'storage',
    `There is no database ${file}${askNearest(basename(file), listDatabases(dirname(file)))}`,
    {
      hint: 'Load a dataset first: plumbline load DIR, or name another file with --database.',
    },
  );
}

function listDatabases(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => extname(name) === ENDING);
  } catch {
    return [];
  }
}
