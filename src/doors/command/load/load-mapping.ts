import { access, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { writeError } from '../../../base/database/index.ts';
import { AppError, assertRegularFile } from '../../../base/index.ts';
import {
  COMMON_DATE_FORMATS,
  HOURS_FORMATS,
  identityMapping,
  inputResources,
  isWorkbook,
  MAPPING_FILE,
  type Mapping,
  type Notation,
  parseDateFormat,
  readKnownMapping,
  readMappingFile,
  suggestMapping,
} from '../../../records/ingest/index.ts';
import type { Flag, Flags } from '../command.ts';

/** The flags that say how CSV files and workbooks are written. */
export const MAPPING_FLAGS: readonly Flag[] = [
  {
    name: 'mapping',
    argument: 'FILE',
    help: `Read CSV files and workbooks as this YAML file says: which column is which field. Default: ${MAPPING_FILE} in DIR, if it is there.`,
  },
  {
    name: 'suggest-mapping',
    help: `Write a first ${MAPPING_FILE} from the headers of the files in DIR, to be reviewed, and load nothing.`,
  },
  {
    name: 'date-format',
    argument: 'FORMAT',
    help: 'Read days in CSV files and workbooks in this form, such as DD/MM/YYYY, MM/DD/YYYY or "DD.MM.YYYY HH:MM".',
  },
  { name: 'decimal-comma', help: 'Read numbers in CSV files such as 45,50 and 25.000,00.' },
  {
    name: 'hours-format',
    argument: 'FORMAT',
    help: `Read hours in CSV files and workbooks as ${HOURS_FORMATS.join(', ')}: 7.5, 7:30, 450 or 27000. Default: decimal.`,
  },
];

/**
 * Opens the mapping of a load: the named file, the one beside the data, or that of known exports, with the flags.
 * @throws AppError usage for a flag that means nothing; input for a file that doesn't.
 */
export async function openMapping(directory: string, flags: Flags): Promise<Mapping> {
  const { mapping: named } = flags;
  const beside = join(directory, MAPPING_FILE);
  const path = typeof named === 'string' ? named : (await exists(beside)) ? beside : undefined;
  // A named mapping may come from a pipe, whose end the caller knows.
  await assertRegularFile(beside);
  const notation = readNotation(flags);
  if (path !== undefined) return readMappingFile(path, inputResources, notation);
  const known = Object.keys(notation).length === 0 ? await readKnownMapping(directory, inputResources) : undefined;
  return known ?? { ...identityMapping(), notation };
}

/** The flags that say how values are written, which a first mapping says itself. */
const NOTATION_FLAGS = ['date-format', 'decimal-comma', 'hours-format'];

/** @throws AppError usage for a flag about files of a load that reads tables. */
export function refuseMappingFlags(flags: Flags): void {
  const given = MAPPING_FLAGS.find(({ name }) => flags[name] !== undefined);
  if (given)
    throw new AppError('usage', `load takes no --${given.name} with --source iceberg`, {
      hint: 'Leave it out: the columns of tables name the fields, and have types.',
    });
}

/** Writes a first mapping file beside the data. @throws AppError usage for a flag that it takes no notice of, or if there is a file. */
export async function suggestMappingFor(
  directory: string,
  flags: Flags,
  print: (...lines: string[]) => void,
): Promise<void> {
  const unused = NOTATION_FLAGS.find((name) => flags[name] !== undefined);
  if (unused !== undefined)
    throw new AppError('usage', `load takes no --${unused} with --suggest-mapping`, {
      hint: 'Leave it out: the file proposes the form of values, to be reviewed.',
    });
  const { mapping: named } = flags;
  const isBook = await isWorkbook(directory);
  const path = typeof named === 'string' ? named : join(isBook ? dirname(directory) : directory, MAPPING_FILE);
  if (await exists(path))
    throw new AppError('usage', `${path} is there already`, {
      hint: 'Move it away first, or name another file with --mapping.',
    });
  const text = await suggestMapping(directory, inputResources);
  await writeFile(path, text, { flag: 'wx' }).catch((cause) => {
    throw writeError(path, cause, 'name a file in another folder with --mapping');
  });
  const flag = isBook || typeof named === 'string' ? `--mapping ${path} and ` : '';
  print(`Wrote ${path}. Review each line of it, and load with ${flag}--dry-run first.`);
}

function readNotation(flags: Flags): Notation {
  const { 'date-format': dates, 'hours-format': hours } = flags;
  const format = typeof dates === 'string' ? parseDateFormat(dates) : undefined;
  if (typeof dates === 'string' && !format)
    throw new AppError('usage', `--date-format is ${dates}, which is no format of days`, {
      hint: `Write ${COMMON_DATE_FORMATS}.`,
    });
  const hoursFormat = HOURS_FORMATS.find((each) => each === hours);
  if (hours !== undefined && !hoursFormat)
    throw new AppError('usage', `--hours-format is ${String(hours)}`, {
      hint: `Write one of ${HOURS_FORMATS.join(', ')}.`,
    });
  return {
    ...(format && { dates: format }),
    ...(flags['decimal-comma'] === true && { decimal: 'comma' as const }),
    ...(hoursFormat && { hours: hoursFormat }),
  };
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
