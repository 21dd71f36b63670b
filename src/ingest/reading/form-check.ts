import { AppError } from '../../error.ts';
import type { Mapping } from '../mapping/mapping.ts';
import type { Listing } from './files.ts';
import { MAX_LISTED_FILES } from './folder-entries.ts';

/** @throws AppError input if a form of days, numbers or hours is given, and no file is of a kind that it is read in. */
export function assertFormMeant({ files }: Listing, mapping?: Mapping): void {
  if (Object.keys(mapping?.notation ?? {}).length === 0 || files.some((file) => file.mapping)) return;
  const names = [...new Set(files.map(({ name }) => name))].slice(0, MAX_LISTED_FILES).join(', ');
  throw new AppError('input', 'The load is told a form of days, numbers or hours, which no file of it can be in', {
    hint: `Leave it out: only CSV files and workbooks are read in a form, and this has ${names}. Nothing was loaded.`,
  });
}
