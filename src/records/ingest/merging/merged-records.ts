import { AppError, formatForeign } from '../../../base/index.ts';
import type { Fields } from '../../resource/field.ts';
import type { FileMapping } from '../mapping/mapping.ts';
import { fieldNames } from '../mapping/record-members.ts';
import { type DescribedTotals, openDescribedCount } from './described-totals.ts';
import { isDescribing } from './describing.ts';
import { mergeItems } from './merged-items.ts';
import { isSameValue, type JsonRecord, listTexts, shownValue } from './merged-values.ts';
import { type RowPlace, withPlace } from './record-places.ts';

/** The records of one resource that are joined field by field. Each takes some memory until they are written. Unit: records. */
export const MAX_MERGED_RECORDS = 2_000_000;

/** The resources whose records several files describe; in others, each row is a record of its own. */
export const MERGED_RESOURCES: ReadonlySet<string> = new Set([
  'departments',
  'clients',
  'accounts',
  'roles',
  'people',
  'project_stages',
  'projects',
  'phases',
  'project_tasks',
]);

/** A record with the values that its files give. */
interface MergedRecord {
  /** The row that makes it; until there is one, the first that describes it. */
  place: RowPlace;
  readonly values: JsonRecord;
  isMade: boolean;
  /** The rows that have described it while no other made it. */
  describing: { readonly row: JsonRecord; readonly place: RowPlace }[];
  /** All different values of the fields that have several, with the names of their files. */
  readonly conflicts: Map<string, { readonly values: unknown[]; readonly files: Set<string> }>;
  readonly sources: Map<string, RowPlace>;
}

/** A record that is joined, or a row that describes one which doesn't exist. */
export interface JoinedRecord {
  readonly values: JsonRecord;
  readonly place: RowPlace;
  /** The rows of its fields. */
  readonly sources: ReadonlyMap<string, RowPlace>;
  /** True for a row whose record doesn't exist. */
  readonly isUnknown: boolean;
}

/** The records of a resource, joined from several files. */
export interface Merger {
  /** Adds a record of a file. */
  add(record: JsonRecord, place: RowPlace): void;
  /** Returns the ids of records that rows describe and none makes. */
  unmade(): string[];
  /** Returns the joined records. @param known The ids of `unmade` whose records exist elsewhere. */
  records(known: ReadonlySet<string>): JoinedRecord[];
  /** Returns a sentence for each field with several values. Complete only after `records`. */
  conflicts(): readonly string[];
  /** Returns the totals of the files that only describe records, by their place. Complete only after `records`. */
  described(): ReadonlyMap<number, DescribedTotals>;
}

/** Opens a merger. @param files The files in the order of the mapping: the first value counts. */
export function openMerger(files: readonly { readonly name: string; readonly mapping: FileMapping }[]): Merger {
  const merged = new Map<string, MergedRecord>();
  const sentences: string[] = [];
  const mappings = files.map(({ mapping }) => mapping);
  const counts = new Map(
    mappings.flatMap((mapping, place) =>
      isDescribing(mapping, mappings) ? [[place, openDescribedCount(mapping)] as const] : [],
    ),
  );
  const described = new Map<number, DescribedTotals>();
  const resource = mappings[0]?.resource;
  const own = mappings.filter(({ list }) => !list).map((mapping) => mapping.resource);
  const fields: Fields = Object.assign({}, ...own.map((each) => each.fields));
  const names = new Set(own.flatMap(fieldNames));
  const settle = openConflicts(mappings, fields);
  return {
    add(record, place) {
      const { name = '', mapping } = files[place.file] ?? {};
      const id = String(record[resource?.id ?? ''] ?? '');
      const count = counts.get(place.file);
      const known = merged.get(id) ?? openRecord(place);
      if (!merged.has(id)) {
        if (merged.size >= MAX_MERGED_RECORDS) throw tooMany(resource?.name ?? '');
        merged.set(id, known);
      }
      count?.add(record);
      if (!count && !known.isMade) Object.assign(known, { place, isMade: true, describing: [] });
      else if (count && !known.isMade) known.describing.push({ row: record, place });
      if (mapping?.list !== undefined) {
        addItem(known.values, mapping.list, withPlace(record, place), mapping);
        return;
      }
      for (const [field, value] of Object.entries(record)) {
        if (names.has(field)) addValue(known, field, value, { name, place, files }, fields);
        // A column that is no field is only named: its values can't contradict each other.
        else known.values[field] ??= value;
      }
    },
    unmade: () => [...merged].flatMap(([id, { isMade }]) => (isMade ? [] : [id])),
    records(known) {
      const found: JoinedRecord[] = [];
      const isKnown = (id: string) => (merged.get(id)?.isMade ?? false) || known.has(id);
      for (const [id, record] of merged) {
        if (!isKnown(id)) {
          for (const { row, place } of record.describing) {
            counts.get(place.file)?.addUnknown(row);
            found.push({ values: row, place, sources: new Map(), isUnknown: true });
          }
          continue;
        }
        const title = formatForeign(String(record.values['name'] ?? record.values[resource?.id ?? '']));
        sentences.push(...settle(record, `${resource?.name} ${title}`));
        found.push({ values: record.values, place: record.place, sources: record.sources, isUnknown: false });
      }
      for (const [place, count] of counts) described.set(place, count.finish(isKnown));
      return found;
    },
    conflicts: () => [...new Set(sentences)],
    described: () => described,
  };
}

function openRecord(place: RowPlace): MergedRecord {
  return { place, values: {}, isMade: false, describing: [], conflicts: new Map(), sources: new Map() };
}

/** Returns the function that decides which of a record's several values count, and tells each in a sentence. */
function openConflicts(mappings: readonly FileMapping[], fields: Fields) {
  const preferring = (prefer: 'first' | 'last') =>
    new Set(
      mappings.flatMap((mapping) =>
        (mapping.fields ?? []).filter((source) => source.prefer === prefer).map(({ field }) => field),
      ),
    );
  const [prefersFirst, prefersLast] = [preferring('first'), preferring('last')];
  return (record: MergedRecord, who: string): string[] => {
    const sentences: string[] = [];
    for (const [field, { values, files: names }] of record.conflicts) {
      const isRate = fields[field]?.type === 'rate';
      const isOpen = isRate && !prefersFirst.has(field) && !prefersLast.has(field);
      record.values[field] = isOpen ? null : prefersLast.has(field) ? values.at(-1) : values[0];
      const counts = isOpen ? 'none counts' : `${shownValue(record.values[field])} counts`;
      sentences.push(`${who} has ${field} ${listTexts(values.map(shownValue))} in ${listTexts([...names])}: ${counts}`);
    }
    for (const { list, resource } of mappings)
      if (list !== undefined && record.values[list] !== undefined)
        sentences.push(...mergeItems(record.values, list, resource.fields, who));
    return sentences;
  };
}

/** Adds an item to a list of a record, without the id of the record. */
function addItem(values: JsonRecord, list: string, record: JsonRecord, { resource }: FileMapping): void {
  const { [resource.id]: id, ...item } = record;
  values[resource.id] ??= id;
  const items = Array.isArray(values[list]) ? values[list] : [];
  items.push(item);
  values[list] = items;
}

/** The row of a value, with the name of its file, and all files. */
interface ValueOrigin {
  readonly name: string;
  readonly place: RowPlace;
  readonly files: readonly { readonly name: string }[];
}

/** Adds a value of a field: a blank one takes nothing away, and another one than before is a conflict. */
function addValue(record: MergedRecord, field: string, value: unknown, origin: ValueOrigin, fields: Fields): void {
  if (value === null || value === '') {
    record.values[field] ??= value;
    return;
  }
  const known = record.values[field];
  if (known === undefined || known === null || known === '') {
    record.values[field] = value;
    record.sources.set(field, origin.place);
    return;
  }
  const conflict = record.conflicts.get(field);
  const values = conflict?.values ?? [known];
  if (values.some((each) => isSameValue(each, value, fields[field]?.type))) return;
  const source = record.sources.get(field);
  const first = (source && origin.files[source.file]?.name) ?? origin.name;
  const files = conflict?.files ?? new Set([first]);
  record.conflicts.set(field, { values: [...values, value], files: files.add(origin.name) });
}

function tooMany(resource: string): AppError {
  return new AppError('limit', `The files have more than ${MAX_MERGED_RECORDS} records of ${resource} to join`, {
    hint: 'Read them from one file only. Nothing was loaded.',
  });
}
