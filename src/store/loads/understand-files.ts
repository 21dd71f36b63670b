import { AppError } from '../../base/index.ts';
import {
  findLayout,
  inputResources,
  isOtherBook,
  matchResource,
  matchSheet,
  proposeMapping,
  readLayouts,
  readSamples,
  type Sample,
  wayOutOf,
} from '../../records/ingest/index.ts';
import { type Resource, resources } from '../../records/resource/index.ts';
import type { MappingJson, OpenDecision, UnderstoodFile } from './load-json.ts';
import type { LoadedFile } from './load-log.ts';
import { isEntryOf, isMappingOf, readMappingEntries, readMappingValue } from './mapping-value.ts';
import { readDecisions } from './open-decisions.ts';

/** The rows of a file that are shown. Unit: rows. */
export const SHOWN_ROWS = 10;

/** The most columns of a file that are shown. Unit: columns. */
export const MAX_SHOWN_COLUMNS = 200;

/** The length of a value that is shown; longer ones end in "…". Unit: characters. */
export const MAX_VALUE_SHOWN = 1_000;

export interface UnderstoodFiles {
  readonly files: readonly UnderstoodFile[];
  readonly mapping: string;
  /** The mapping as JSON has it, to be changed and sent again. */
  readonly entries: MappingJson;
  readonly open: readonly OpenDecision[];
}

/**
 * Understands files from their headers and first rows.
 * @param given The text of a mapping that says how to read them; undefined to find one.
 * @param known The mappings of earlier loads, the newest first: one that has an entry for each file counts.
 * @throws AppError input for files of which none can be read.
 */
export async function understandFiles(
  folder: string,
  files: readonly LoadedFile[],
  given: string | undefined,
  known: readonly string[],
): Promise<UnderstoodFiles> {
  assertReadable(files);
  const samples = await readSamples(folder);
  const mapping = given ?? known.find((text) => isMappingOf(text, files)) ?? proposeMapping(samples, inputResources);
  const entries = readMappingEntries(mapping);
  const notes = readNotes(mapping);
  const layouts = readLayouts();
  const sampled = samples.map((sample): UnderstoodFile => {
    const layout = findLayout(layouts, sample.headers);
    const places = entries.flatMap((entry, place) => (isEntryOf(entry, sample.file, sample.sheet) ? [place] : []));
    const named = places.length > 0 ? [] : namedAfter(sample.file, sample.sheet);
    const names = [...places.flatMap((place) => entries[place]?.resource ?? []), ...named];
    const program = layout ? `${layout.tool}, ${layout.export}` : null;
    return {
      ...describeFile(sample.file, sample.sheet, names),
      program,
      entries: places,
      columns: columnsOf(sample),
      notes: places.flatMap((place) => notes.get(place) ?? []),
    };
  });
  const others = files
    .filter(({ name }) => !samples.some(({ file }) => file === name))
    .map(({ name }) => describeFile(name, undefined, namedAfter(name, undefined)));
  return { files: [...sampled, ...others], mapping, entries: readMappingValue(mapping), open: readDecisions(entries) };
}

/** Returns the sentences above the entries of a proposed mapping, by their places; the name of a program, which ends in a colon, is none. */
function readNotes(mapping: string): ReadonlyMap<number, readonly string[]> {
  const notes = new Map<number, readonly string[]>();
  let [place, above] = [0, [] as string[]];
  for (const line of mapping.split('\n')) {
    const [, note] = /^ {2}# (.*[^:])$/.exec(line) ?? [];
    if (note !== undefined) above.push(note);
    if (!line.startsWith('  - ')) continue;
    notes.set(place, above);
    [place, above] = [place + 1, []];
  }
  return notes;
}

/** Describes a file by the resources that its rows are records of. */
function describeFile(file: string, sheet: string | undefined, names: readonly string[]): UnderstoodFile {
  const main = mainResource(names);
  const fields = Object.entries(main?.fields ?? {}).filter(([name, { isMoment }]) => name !== main?.id && !isMoment);
  return {
    file,
    sheet: sheet ?? null,
    program: null,
    resources: [...new Set(names)],
    main: main?.name ?? null,
    fields: fields.map(([name]) => name),
    entries: [],
    columns: [],
    notes: [],
  };
}

/** The resources of a file, the one that its rows are first. */
const ORDER = ['logged_time', 'tasks', 'timeoffs', 'project_expenses', 'holidays'];

/** Returns the resource that the rows of a file are, rather than what they name. */
export function mainResource(names: readonly string[]): Resource | undefined {
  const main = ORDER.find((name) => names.includes(name)) ?? names[0];
  return resources.find(({ name }) => name === main);
}

function namedAfter(file: string, sheet: string | undefined): string[] {
  const resource = sheet === undefined ? matchResource(file, inputResources) : matchSheet(sheet, inputResources);
  return resource ? [resource.name] : [];
}

function columnsOf({ headers, rows }: Sample): UnderstoodFile['columns'] {
  return headers.slice(0, MAX_SHOWN_COLUMNS).map((header, at) => ({
    header,
    values: rows.slice(0, SHOWN_ROWS).map((row) => cutShown(row[at]?.text ?? '')),
  }));
}

/** Returns what is shown of a value. */
export function cutShown(text: string): string {
  return text.length <= MAX_VALUE_SHOWN ? text : `${text.slice(0, MAX_VALUE_SHOWN).toWellFormed()}…`;
}

/** @throws AppError input for a file in a form that can't be read, with the way out. */
function assertReadable(files: readonly LoadedFile[]): void {
  for (const { name, bytes } of files) {
    const wayOut = bytes === 0 ? 'Export it again.' : wayOutOf(name);
    if (wayOut === undefined) continue;
    const form = isOtherBook(name) ? "is a spreadsheet in a form that can't be read" : 'is an archive';
    const problem = bytes === 0 ? 'is empty' : form;
    throw new AppError('input', `${name} ${problem}`, {
      hint: wayOut,
      fields: [{ field: 'files', message: `${name} ${problem}. ${wayOut}` }],
    });
  }
}
