import type {
  MappingFileEntry,
  MappingJson,
  OpenChoice,
  OpenDecision,
  TakenFile,
} from '../../src/store/loads/load-json.ts';
import { wordOfField, wordOfResource } from './words.ts';

/*
 * The meanings of the columns of a file, as its entries in a mapping say. A change gives another mapping, which the server reads and
 * checks: nothing is understood here.
 */

/** A file, and the mapping that it is read by, which a person may change. */
export interface MappedFile {
  readonly file: TakenFile;
  readonly mapping: MappingJson;
  readonly change: (mapping: MappingJson) => void;
}

/** Tells whether a source of a field reads a column. */
function reads(source: unknown, header: string): boolean {
  if (typeof source === 'string') return source === header;
  if (Array.isArray(source)) return source.some((each) => reads(each, header));
  if (typeof source !== 'object' || source === null) return false;
  return ['name', 'column', 'from', 'to', 'filled', 'sum'].some((kind) => {
    const part = (source as Record<string, unknown>)[kind];
    return kind === 'sum' && typeof part === 'object' && part !== null
      ? Object.values(part).some((each) => reads(each, header))
      : reads(part, header);
  });
}

/** Returns the entry of a file whose records its rows are. */
function mainPlace({ entries, main }: TakenFile, mapping: MappingJson): number | undefined {
  return entries.findLast((place) => mapping.files?.[place]?.resource === main);
}

/** Returns the field of a file's records that a column gives; '' for none. */
export function meaningOf(file: TakenFile, mapping: MappingJson, header: string): string {
  const place = mainPlace(file, mapping);
  const fields = place === undefined ? undefined : mapping.files?.[place]?.fields;
  // Without fields, the headers name them.
  if (!fields) return file.fields.includes(header) ? header : '';
  return Object.keys(fields).find((field) => file.fields.includes(field) && reads(fields[field], header)) ?? '';
}

/** Returns what a column is read for beside the records of a file, such as the e-mail of people. */
export function otherMeanings(file: TakenFile, mapping: MappingJson, header: string): string[] {
  const found = file.entries.flatMap((place) => {
    const { resource = '', fields = {} } = mapping.files?.[place] ?? {};
    if (resource === file.main) return [];
    return Object.entries(fields)
      .filter(([field, source]) => !field.endsWith('_id') && reads(source, header))
      .map(([field]) => `${wordOfField(field)} of ${wordOfResource(resource)}`);
  });
  return [...new Set(found)];
}

/** The records that a name stands for, by the field that names them, and the field of their name. */
const NAMED: Readonly<Record<string, readonly [resource: string, id: string]>> = {
  people_id: ['people', 'people_id'],
  project_id: ['projects', 'project_id'],
  client_id: ['clients', 'client_id'],
};

/** Returns a mapping in which a column gives another field of its file. @param field The field; '' for none. */
export function changeMeaning(mapping: MappingJson, file: TakenFile, header: string, field: string): MappingJson {
  const place = mainPlace(file, mapping);
  const before = meaningOf(file, mapping, header);
  if (place === undefined || field === before) return mapping;
  const had = file.columns.find((column) => meaningOf(file, mapping, column.header) === field)?.header;
  const isHad = field !== '' && had !== undefined;
  const files = (mapping.files ?? []).flatMap((entry, at): MappingFileEntry[] => {
    if (!file.entries.includes(at)) return [entry];
    // The column that had the meaning gives way, in the records that the file names, too.
    const fields = Object.entries(entry.fields ?? {}).flatMap(([name, source]): [string, unknown][] => {
      if (isHad && reads(source, had)) return [[name, replaceColumn(source, had, header)]];
      return reads(source, header) && (at === place ? name === before : isOfField(entry, before))
        ? []
        : [[name, source]];
    });
    const isNamed = at !== place && isOfField(entry, before) && !isHad;
    if (isNamed && before !== '') return [];
    const own = at === place && !isHad && field !== '' ? [[field, sourceOf(field, header)] as [string, unknown]] : [];
    return [{ ...entry, fields: Object.fromEntries([...fields, ...own]) }];
  });
  const named = NAMED[field];
  const entry = mapping.files?.[place];
  if (isHad || !named || !entry) return { ...mapping, files };
  const [resource, id] = named;
  const { fields: _, resource: __, ...lines } = entry;
  return {
    ...mapping,
    files: [{ ...lines, file: entry.file, resource, fields: { [id]: { name: header }, name: header } }, ...files],
  };
}

/** Tells whether an entry has the records that a field names. */
function isOfField({ resource }: MappingFileEntry, field: string): boolean {
  return NAMED[field]?.[0] === resource;
}

function sourceOf(field: string, header: string): unknown {
  return NAMED[field] || field === 'task_meta_id' ? { name: header } : header;
}

function replaceColumn(source: unknown, from: string, to: string): unknown {
  if (source === from) return to;
  if (Array.isArray(source)) return source.map((each) => replaceColumn(each, from, to));
  if (typeof source !== 'object' || source === null) return source;
  return Object.fromEntries(Object.entries(source).map(([name, part]) => [name, replaceColumn(part, from, to)]));
}

/** Returns a mapping in which all values of a file have a form, those with another one of their own, too. @param value '' for none. */
export function changeForm(mapping: MappingJson, file: TakenFile, name: string, value: string): MappingJson {
  const files = mapping.files?.map((entry, place) => {
    if (!file.entries.includes(place)) return entry;
    const { [name]: _, fields, ...others } = entry;
    const plain =
      fields && Object.fromEntries(Object.entries(fields).map(([field, source]) => [field, withoutForm(source, name)]));
    return { ...others, ...(plain && { fields: plain }), ...(value !== '' && { [name]: value }) } as MappingFileEntry;
  });
  return { ...mapping, ...(files && { files }) };
}

/** Returns the source of a field without a form of its own. */
function withoutForm(source: unknown, name: string): unknown {
  if (typeof source !== 'object' || source === null || !('column' in source) || !(name in source)) return source;
  const { [name]: _, ...others } = source as Record<string, unknown>;
  return Object.keys(others).length === 1 ? others['column'] : others;
}

/** Returns the form of the values of a file: that of a field, of its entries, or of all. */
export function formOf(mapping: MappingJson, file: TakenFile, name: string): string {
  const entries = file.entries.flatMap((place) => mapping.files?.[place] ?? []);
  const sources = entries.flatMap(({ fields = {} }) => Object.values(fields));
  const own = sources.find(
    (source) => typeof source === 'object' && source !== null && 'column' in source && name in source,
  );
  return String((own as Record<string, unknown> | undefined)?.[name] ?? entries[0]?.[name] ?? mapping[name] ?? '');
}

/** Returns a mapping in which an open point is decided. */
export function decide(
  mapping: MappingJson,
  point: OpenDecision,
  { members, resource, fields, person }: OpenChoice,
): MappingJson {
  const files = mapping.files?.map((entry, place) => {
    if (!point.entries.includes(place)) return entry;
    const { open, ...others } = entry;
    const left = (open ?? '').split('; ').filter((text) => text !== '' && text !== point.text);
    const named = person === undefined ? others : nameBlanks(others, { name: person }, person);
    const own = fields && entry.resource === resource ? { fields: { ...entry.fields, ...fields } } : {};
    return { ...named, ...members, ...own, ...(left.length > 0 && { open: left.join('; ') }) } as MappingFileEntry;
  });
  return { ...mapping, ...(files && { files }) };
}

/** Returns a mapping in which a file without people is that of one person. */
export function namePerson(mapping: MappingJson, point: OpenDecision, name: string): MappingJson {
  const decided = decide(mapping, point, { label: name });
  const files = decided.files?.map((entry, place) =>
    point.entries.includes(place) ? nameBlanks(entry, { named: name }, { value: name }) : entry,
  );
  return { ...decided, ...(files && { files }) };
}

/** Returns an entry in which blank names have sources: of the id of a person, and of the name. */
function nameBlanks<Entry extends Omit<MappingFileEntry, 'open'>>(entry: Entry, id: unknown, name: unknown): Entry {
  if (!entry.fields) return entry;
  const isBlank = (source: unknown, key: string) =>
    typeof source === 'object' && source !== null && (source as Record<string, unknown>)[key] === '';
  const fields = Object.entries(entry.fields).map(([field, source]) => [
    field,
    isBlank(source, 'named') ? id : isBlank(source, 'value') ? name : source,
  ]);
  return { ...entry, fields: Object.fromEntries(fields) };
}

/** Returns a mapping in which overlapping entries of time count in one way. */
export function settleOverlap(mapping: MappingJson, overlap: 'newest' | 'add'): MappingJson {
  const files = mapping.files?.map((entry) => (entry.resource === 'logged_time' ? { ...entry, overlap } : entry));
  return { ...mapping, ...(files && { files }) };
}

/** Returns a mapping in which a name is that of a record with another id. */
export function nameRecord(mapping: MappingJson, resource: string, name: string, id: number | string): MappingJson {
  return { ...mapping, names: { ...mapping.names, [resource]: { ...mapping.names?.[resource], [name]: id } } };
}

/** The possible meanings of rows of a file that isn't understood, with the field that is made of each row. */
export const ROW_KINDS: Readonly<Record<string, string>> = {
  logged_time: 'logged_time_id',
  tasks: 'task_id',
  timeoffs: 'timeoff_id',
  project_expenses: 'project_expense_id',
};

/** Returns a mapping in which the rows of a file are records of a resource; its columns get their meanings then. */
export function nameRows(mapping: MappingJson, { file, sheet }: TakenFile, resource: string): MappingJson {
  const fields = { [ROW_KINDS[resource] ?? 'id']: { row: true } };
  const entry: MappingFileEntry = { file, ...(sheet !== null && { sheet }), resource, fields };
  return { ...mapping, files: [...(mapping.files ?? []), entry] };
}
