import { dirname } from 'node:path';
import type { Database } from '../../../base/database/index.ts';
import { AppError, formatForeign, formatReadable } from '../../../base/index.ts';
import { loggedTime } from '../../resource/schedule-resources.ts';
import { isOrdered } from './file-names.ts';
import type { InputFile } from './files.ts';

/** Files of exports that may hold the same work, and what tells that they do. */
interface FileGroup {
  /** The exports in the order of loading, each with its files. */
  readonly exports: readonly (readonly InputFile[])[];
  /** The columns that entries of two exports share if they may be the same work. */
  readonly key: string;
  readonly isOneForm: boolean;
  /** True if equal rows are joined here; those of one entry of a mapping have one id, and are joined by it. */
  readonly joinsEqual: boolean;
}

/** Entries that two exports have in common. */
interface Overlap {
  readonly name: string;
  readonly day: string;
  readonly hours: string;
  readonly first: number;
  readonly last: number;
}

/** The columns of one file of a mapping's entry: a person's day is in one of its files. */
const DAY = 'people_id, date';

/** The columns of exports of one form that different entries read: files by project or by person share no work. */
const PROJECT_DAY = `${DAY}, project_id`;

/** The columns by which two rows are equal. */
const CONTENT = Object.keys(loggedTime.fields)
  .filter((name) => name !== loggedTime.id)
  .join(', ');

/**
 * Settles the work that several files have, which must not count twice. Rows whose ids are made of them, of one entry of a mapping or of
 * several entries that read the same columns, are one if they are equal, in equal number. `overlap: newest` keeps those of the last
 * export, and `add` all.
 * @returns the number of entries that later ones replace.
 * @throws AppError input for different rows, if the mapping doesn't say which count, and for equal ones of exports of different forms.
 */
export async function settleOverlaps(database: Database, files: readonly InputFile[]): Promise<number> {
  const mapped = files.filter(({ mapping }) => mapping?.fields);
  const made = mapped.filter(({ mapping }) =>
    mapping?.fields?.some(({ field, kind }) => field === loggedTime.id && kind === 'row'),
  );
  const groups: FileGroup[] = [
    ...joinFiles(made, ({ mapping }) => [mapping?.fields]).map((group) => ({
      exports: joinFiles(group, ({ path }) => [path]),
      key: DAY,
      isOneForm: true,
      joinsEqual: false,
    })),
    ...joinFiles(made, (file) => [formOf(file)]).map((group) => ({
      exports: joinFiles(group, ({ path, mapping }) => [path, mapping?.fields]),
      key: PROJECT_DAY,
      isOneForm: true,
      joinsEqual: true,
    })),
    {
      exports: joinFiles(mapped, (file) => [file.path, formOf(file)]),
      key: `${PROJECT_DAY}, hours`,
      isOneForm: false,
      joinsEqual: false,
    },
  ];
  let replaced = 0;
  for (const group of groups.filter(({ exports }) => exports.length > 1))
    replaced += await settleGroup(database, group);
  return replaced;
}

/** Joins files that have a key in common, in their order. */
function joinFiles(files: readonly InputFile[], keysOf: (file: InputFile) => readonly unknown[]): InputFile[][] {
  let groups: { readonly keys: readonly unknown[]; readonly files: readonly InputFile[] }[] = [];
  for (const file of files) {
    const keys = keysOf(file);
    const own = groups.filter((group) => keys.some((key) => group.keys.includes(key)));
    const joined = {
      keys: [...new Set([...own.flatMap((group) => group.keys), ...keys])],
      files: [...own.flatMap((group) => group.files), file],
    };
    groups = [...groups.filter((group) => !own.includes(group)), joined];
  }
  const firstOf = (group: readonly InputFile[]) => group[0]?.number ?? 0;
  return groups.map((group) => [...group.files]).sort((a, b) => firstOf(a) - firstOf(b));
}

/** Returns the form of an export: the columns that its fields are read from, however they are written. */
function formOf({ mapping }: InputFile): string {
  const isForm = (key: string) => key === 'notation' || key === 'words';
  return JSON.stringify(mapping?.fields, (key, value) => (isForm(key) ? undefined : value));
}

async function settleGroup(database: Database, group: FileGroup): Promise<number> {
  const files = group.exports.flat();
  const orderOf = newestOf(group);
  const overlap = files.find(({ mapping }) => mapping?.overlap !== undefined)?.mapping?.overlap;
  if (overlap === 'add') return 0;
  if (overlap === 'newest' && orderOf.open !== undefined) throw orderOf.open;
  if (overlap === 'newest')
    return deleteRows(database, `${sharedRows(group)} SELECT row FROM shared WHERE export < last`);
  const replaced = group.joinsEqual ? await deleteRows(database, equalRows(group)) : 0;
  const [found] = await database.rows<Overlap>(`${sharedRows(group)}
    SELECT COALESCE(max(people.name), CAST(people_id AS VARCHAR)) AS name, CAST(date AS VARCHAR) AS day,
      CAST(max(hours) AS VARCHAR) AS hours, min(origin.file) AS first, max(origin.file) AS last
    FROM shared LEFT JOIN (SELECT people_id, name FROM source.people) AS people USING (people_id)
    GROUP BY people_id, date ORDER BY date, people_id LIMIT 1`);
  if (found) throw overlapError(found, files, group.isOneForm, orderOf.open === undefined ? orderOf.name : undefined);
  return replaced;
}

/** Returns the newest export of a group; an error if nothing tells which it is. */
function newestOf({ exports }: FileGroup): { readonly name: string; readonly open: AppError | undefined } {
  const names = exports.map(([first]) => first?.name ?? '');
  const origins = exports.map(([first]) => JSON.stringify([first?.mapping?.file, first && dirname(first.path)]));
  // The last of several entries of a mapping is the newest, and so is the last load: each has its folder.
  const unclear = names.findIndex(
    (name, at) => at > 0 && origins[at] === origins[at - 1] && !isOrdered(names[at - 1] ?? '', name),
  );
  const [name, one, other] = [names.at(-1), names[unclear - 1], names[unclear]].map((each) =>
    formatForeign(each ?? ''),
  );
  const open =
    unclear < 0
      ? undefined
      : new AppError('input', `The names of ${one} and ${other} don't tell which of them is newer`, {
          hint: 'Give each an entry of its own in the mapping, the newer one last. Nothing was loaded.',
        });
  return { name: name ?? '', open };
}

async function deleteRows(database: Database, rows: string): Promise<number> {
  const [deleted] = await database.rows<{ Count: number }>(`DELETE FROM source.logged_time WHERE rowid IN (${rows})`);
  return deleted?.Count ?? 0;
}

/** Returns SQL for the rows of a group that several exports share, with their export and the last that shares them. */
function sharedRows({ exports, key }: FileGroup): string {
  const places = exports.flatMap((files, at) => files.map(({ number }) => `(${number}, ${at})`));
  return `WITH part (file, export) AS (VALUES ${places.join(', ')}),
    placed AS (SELECT logged.rowid AS row, export, logged.*
      FROM source.logged_time AS logged JOIN part ON part.file = logged.origin.file
      WHERE hours > 0),
    spread AS (SELECT *, min(export) OVER (PARTITION BY ${key}) AS first, max(export) OVER (PARTITION BY ${key}) AS last FROM placed),
    shared AS (SELECT * FROM spread WHERE first < last)`;
}

/** Returns SQL for the rows that a later export of a group has, too, in equal number. */
function equalRows(group: FileGroup): string {
  return `${sharedRows(group)},
    copies AS (SELECT *, row_number() OVER (PARTITION BY export, ${CONTENT} ORDER BY row) AS copy FROM shared)
    SELECT row FROM (SELECT row, export, max(export) OVER (PARTITION BY ${CONTENT}, copy) AS last FROM copies) WHERE export < last`;
}

function overlapError(
  { name, day, hours, first, last }: Overlap,
  files: readonly InputFile[],
  isOneForm: boolean,
  newest: string | undefined,
): AppError {
  const [one, other] = [first, last].map((number) =>
    formatForeign(files.find((file) => file.number === number)?.name ?? ''),
  );
  const work = isOneForm
    ? `different entries of ${formatForeign(name)} on ${day}`
    : `${formatReadable(hours, 'hours', 2)} h of ${formatForeign(name)} on ${day} in one project, in files of different forms`;
  const message = `${one} and ${other} have ${work}`;
  return new AppError('input', message, {
    fields: [{ field: 'overlap', message }],
    hint: `Write overlap: newest into the entry of the mapping if the later file${newest === undefined ? '' : `, ${newest},`} replaces the earlier, or overlap: add if both count. Nothing was loaded.`,
  });
}
