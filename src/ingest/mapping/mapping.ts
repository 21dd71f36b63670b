import type { Resource } from '../../resource/resource.ts';
import { type MadeIds, openMadeIds } from './made-ids.ts';
import type { Notation, Words } from './notation.ts';

/** The file beside the data that says how to read it. */
export const MAPPING_FILE = 'mapping.yaml';

/** The source of a field's value. */
export interface FieldSource {
  readonly field: string;
  /**
   * column: the columns' texts, with a blank between them. name: an id made of the name in them. row: an id made of the whole row.
   * value: the same for every row.
   */
  readonly kind: 'column' | 'name' | 'row' | 'value';
  readonly columns: readonly string[];
  readonly value?: string;
  readonly notation: Notation;
  readonly words: Words;
}

/** A file, or a sheet of a workbook, and the resource that its rows are records of. */
export interface FileMapping {
  /** The name of the file; `*` stands for any characters. */
  readonly file: string;
  readonly sheet: string | undefined;
  readonly resource: Resource;
  /** The number of the row with the headers, from 1; undefined if it is to be found. */
  readonly headerRow: number | undefined;
  readonly delimiter: string | undefined;
  /** The fields with their columns; undefined if the headers name the fields. */
  readonly fields: readonly FieldSource[] | undefined;
  /** True if the file holds other resources, too, and its rows repeat this one's records. */
  readonly isDerived: boolean;
  /** True for one part of a file: a line that is no record is set aside once. */
  readonly keepsBrokenLines: boolean;
  /** The columns that the other parts of the mapping read in this file. */
  readonly otherColumns: readonly string[];
  readonly notation: Notation;
  readonly words: Words | undefined;
  readonly ids: MadeIds;
}

/** The step between a file with headers and records: columns become fields, and texts become values. */
export interface Mapping {
  /** The path of the mapping file, if there is one. */
  readonly path: string | undefined;
  readonly files: readonly FileMapping[];
  /** The form of values in all files. */
  readonly notation: Notation;
  /** The meaning of words in all files; undefined without a mapping file. */
  readonly words: Words | undefined;
  readonly ids: MadeIds;
}

/** Returns the mapping that leaves everything as it is: headers name fields, and values are in the form of JSON. */
export function identityMapping(): Mapping {
  return { path: undefined, files: [], notation: {}, words: undefined, ids: openMadeIds() };
}

/** Returns a file's part of a mapping, for a file that the mapping doesn't name. */
export function unnamedFile(mapping: Mapping, file: string, resource: Resource): FileMapping {
  const { notation, words, ids } = mapping;
  const [sheet, headerRow, delimiter, fields] = [undefined, undefined, undefined, undefined];
  return {
    file,
    sheet,
    resource,
    headerRow,
    delimiter,
    fields,
    isDerived: false,
    keepsBrokenLines: true,
    otherColumns: [],
    notation,
    words,
    ids,
  };
}

/** Completes the parts of a mapping that are about one file: with several, those whose ids are made of names are derived from it. */
export function shareFile(parts: readonly FileMapping[]): FileMapping[] {
  const otherColumns = parts.flatMap(({ fields = [] }) => fields.flatMap(({ columns }) => columns));
  const shared = parts.map((part) => {
    const own = part.fields?.find(({ field }) => field === part.resource.id);
    return { ...part, isDerived: parts.length > 1 && own?.kind === 'name', otherColumns };
  });
  const keeper = shared.find(({ isDerived }) => !isDerived) ?? shared[0];
  return shared.map((part) => ({ ...part, keepsBrokenLines: part === keeper }));
}

/** Tells whether a file has a name, in which `*` stands for any characters; case doesn't matter. */
export function matchesFile(pattern: string, file: string): boolean {
  const [first = '', ...rest] = pattern.toLowerCase().split('*');
  const name = file.toLowerCase();
  const last = rest.pop();
  if (last === undefined) return name === first;
  if (!name.startsWith(first) || name.length < first.length + last.length || !name.endsWith(last)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = name.indexOf(part, at);
    if (found < 0 || found + part.length > name.length - last.length) return false;
    at = found + part.length;
  }
  return true;
}
