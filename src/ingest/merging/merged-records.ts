import { AppError } from '../../error.ts';
import { formatForeign } from '../../foreign-text.ts';
import type { Fields } from '../../resource/field.ts';
import type { FileMapping } from '../mapping/mapping.ts';
import { fieldNames } from '../mapping/record-members.ts';
import { mergeItems } from './merged-items.ts';
import { isSameValue, type JsonRecord, listTexts, shownValue } from './merged-values.ts';

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
  /** The place of the file in which it was first seen. */
  readonly place: number;
  readonly values: JsonRecord;
  /** All different values of the fields that have several, with the names of their files. */
  readonly conflicts: Map<string, { readonly values: unknown[]; readonly files: Set<string> }>;
  readonly sources: Map<string, string>;
}

/** The records of a resource, joined from several files. */
export interface Merger {
  /** Adds a record of a file. @param place That of the file, from 0. */
  add(record: JsonRecord, place: number): void;
  records(): JsonRecord[][];
  /** Returns a sentence for each field with several values. Complete only after `records`. */
  conflicts(): readonly string[];
}

/** Opens a merger. @param files The files in the order of the mapping: the first value counts. */
export function openMerger(files: readonly { readonly name: string; readonly mapping: FileMapping }[]): Merger {
  const merged = new Map<string, MergedRecord>();
  const sentences: string[] = [];
  const [first] = files;
  const resource = first?.mapping.resource;
  const prefersLast = new Set(
    files.flatMap(({ mapping }) =>
      (mapping.fields ?? []).filter(({ prefer }) => prefer === 'last').map(({ field }) => field),
    ),
  );
  const prefersFirst = new Set(
    files.flatMap(({ mapping }) =>
      (mapping.fields ?? []).filter(({ prefer }) => prefer === 'first').map(({ field }) => field),
    ),
  );
  const own = files.filter(({ mapping }) => !mapping.list).map(({ mapping }) => mapping.resource);
  const fields: Fields = Object.assign({}, ...own.map((each) => each.fields));
  const names = new Set(own.flatMap(fieldNames));
  return {
    add(record, place) {
      const { name = '', mapping } = files[place] ?? {};
      const id = String(record[resource?.id ?? ''] ?? '');
      const known: MergedRecord = merged.get(id) ?? { place, values: {}, conflicts: new Map(), sources: new Map() };
      if (!merged.has(id)) {
        if (merged.size >= MAX_MERGED_RECORDS) throw tooMany(resource?.name ?? '');
        merged.set(id, known);
      }
      if (mapping?.list !== undefined) {
        addItem(known.values, mapping.list, record, mapping);
        return;
      }
      for (const [field, value] of Object.entries(record)) {
        if (names.has(field)) addValue(known, field, value, name, fields);
        // A column that is no field is only named: its values can't contradict each other.
        else known.values[field] ??= value;
      }
    },
    records() {
      const found: JsonRecord[][] = files.map(() => []);
      for (const record of merged.values()) {
        const title = formatForeign(String(record.values['name'] ?? record.values[resource?.id ?? '']));
        const who = `${resource?.name} ${title}`;
        for (const [field, { values, files: names }] of record.conflicts) {
          const isRate = fields[field]?.type === 'rate';
          const isOpen = isRate && !prefersFirst.has(field) && !prefersLast.has(field);
          record.values[field] = isOpen ? null : prefersLast.has(field) ? values.at(-1) : values[0];
          const counts = isOpen ? 'none counts' : `${shownValue(record.values[field])} counts`;
          sentences.push(
            `${who} has ${field} ${listTexts(values.map(shownValue))} in ${listTexts([...names])}: ${counts}`,
          );
        }
        for (const { mapping } of files)
          if (mapping.list !== undefined && record.values[mapping.list] !== undefined)
            sentences.push(...mergeItems(record.values, mapping.list, mapping.resource.fields, who));
        found[record.place]?.push(record.values);
      }
      return found;
    },
    conflicts: () => [...new Set(sentences)],
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

/** Adds a value of a field: a blank one takes nothing away, and another one than before is a conflict. */
function addValue(record: MergedRecord, field: string, value: unknown, file: string, fields: Fields): void {
  if (value === null || value === '') {
    record.values[field] ??= value;
    return;
  }
  const known = record.values[field];
  if (known === undefined || known === null || known === '') {
    record.values[field] = value;
    record.sources.set(field, file);
    return;
  }
  const conflict = record.conflicts.get(field);
  const values = conflict?.values ?? [known];
  if (values.some((each) => isSameValue(each, value, fields[field]?.type))) return;
  const files = conflict?.files ?? new Set([record.sources.get(field) ?? file]);
  record.conflicts.set(field, { values: [...values, value], files: files.add(file) });
}

function tooMany(resource: string): AppError {
  return new AppError('limit', `The files have more than ${MAX_MERGED_RECORDS} records of ${resource} to join`, {
    hint: 'Read them from one file only. Nothing was loaded.',
  });
}
