import type { TimeZone } from '../../../base/calendar/index.ts';
import type { Resource } from '../../resource/resource.ts';
import { type MadeIds, openMadeIds } from './made-ids.ts';
import type { Notation, Words } from './notation.ts';

/** The file beside the data that says how to read it. */
export const MAPPING_FILE = 'mapping.yaml';

/**
 * column: the columns' texts, with a blank between them. name: an id made of the name in them. named: one made of a name for every row.
 * row: an id made of the whole row. value: the same for every row. interval: the time between two moments. sum: hours, minutes and
 * seconds in columns of their own. filled: true where the column has a value other than 0. unpivot: a part of a column that became a row.
 */
export type SourceKind = 'column' | 'name' | 'named' | 'row' | 'value' | 'interval' | 'sum' | 'filled' | 'unpivot';

/** The parts of a column that became a row: the first and the last day of its header, and its cell. */
export const UNPIVOTED_PARTS = ['start', 'end', 'cell'] as const;

export interface FieldSource {
  readonly field: string;
  readonly kind: SourceKind;
  readonly columns: readonly string[];
  readonly value?: string;
  /** The number of columns of an interval that say when it begins. */
  readonly split?: number;
  /** The units of a sum's columns. */
  readonly units?: readonly ('hours' | 'minutes' | 'seconds')[];
  /** The breaks that are taken off hours, or the amounts that are taken off an amount, each in its column. */
  readonly less?: FieldSource;
  /** An amount has the other sign. */
  readonly isNegated?: boolean;
  /** A blank cell has the value of the last one above that isn't blank. */
  readonly fillsDown?: boolean;
  /** Names are written King, Ada. */
  readonly isLastFirst?: boolean;
  /** The hours are those of all work days from start_date to end_date. */
  readonly spread?: 'workdays';
  /** The record that counts, if several give different values. */
  readonly prefer?: 'first' | 'last';
  readonly notation: Notation;
  readonly words: Words;
}

/** A condition on rows: a column has one of some texts. */
export interface RowFilter {
  readonly column: string;
  /** Texts in which `*` stands for any characters; an empty one is a blank cell. */
  readonly texts: readonly string[];
}

/** The columns of a file that become rows: their headers are days, weeks or months. */
export interface Unpivot {
  readonly period: 'day' | 'week' | 'month';
  /** The month of headers that are days of a month, from 1, as YYYY-MM; undefined for headers that are whole days. */
  readonly month: string | undefined;
}

/** A file, or a sheet of a workbook, and the resource that its rows are records of. */
export interface FileMapping {
  /** The name of the file; `*` stands for any characters. */
  readonly file: string;
  readonly sheet: string | undefined;
  readonly resource: Resource;
  /** The list of the resource whose items the rows are; undefined if they are its records. */
  readonly list: string | undefined;
  /** The number of the row with the headers, from 1; undefined if it is to be found. */
  readonly headerRow: number | undefined;
  readonly delimiter: string | undefined;
  /** The fields with their columns; undefined if the headers name the fields. */
  readonly fields: readonly FieldSource[] | undefined;
  /** The rows that are read: all that meet every condition, and none of `skip`. */
  readonly where: readonly RowFilter[];
  readonly skip: readonly RowFilter[];
  /** The rows with the file's own total: left out, and compared with what is read. */
  readonly total: readonly RowFilter[];
  /** The columns that the file's hours and amounts are compared with: they are read into no field. */
  readonly controls: readonly FieldSource[];
  readonly unpivot: Unpivot | undefined;
  /** The rows that count of those that several files have differently; undefined if a person has to decide. */
  readonly overlap: 'newest' | 'add' | undefined;
  /** True if the file holds other resources, too, and its rows repeat this one's records. */
  readonly isDerived: boolean;
  /** True for one part of a file: a line that is no record is set aside once. */
  readonly keepsBrokenLines: boolean;
  /** The columns that the other parts of the mapping read in this file. */
  readonly otherColumns: readonly string[];
  /** The company's zone, once its settings are read. */
  readonly zone: TimeZone | undefined;
  /** True for a sheet whose days are counted from 1904. */
  readonly is1904: boolean;
  readonly notation: Notation;
  readonly words: Words | undefined;
  readonly ids: MadeIds;
}

/** The step between a file with headers and records: columns become fields, and texts become values. */
export interface Mapping {
  readonly path: string | undefined;
  readonly files: readonly FileMapping[];
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
  const [sheet, headerRow, delimiter, fields, unpivot, zone, list, overlap] = Array<undefined>(8);
  return {
    file,
    sheet,
    resource,
    list,
    headerRow,
    delimiter,
    fields,
    where: [],
    skip: [],
    total: [],
    controls: [],
    unpivot,
    overlap,
    zone,
    is1904: false,
    isDerived: false,
    keepsBrokenLines: true,
    otherColumns: [],
    notation,
    words,
    ids,
  };
}

/** Completes the parts of a mapping that are about one file: with several, those whose ids are made of names are derived from it. */
export function completeParts(parts: readonly FileMapping[]): FileMapping[] {
  const otherColumns = parts.flatMap(namedColumns);
  const shared = parts.map((part) => {
    const own = part.fields?.find(({ field }) => field === part.resource.id);
    const isNamed = own?.kind === 'name' || own?.kind === 'named';
    return { ...part, isDerived: parts.length > 1 && isNamed, otherColumns };
  });
  const keeper = shared.find(({ isDerived }) => !isDerived) ?? shared[0];
  return shared.map((part) => ({ ...part, keepsBrokenLines: part === keeper }));
}

export function namedColumns({ fields = [], where, skip, total, controls }: FileMapping): string[] {
  const conditions = [...where, ...skip, ...total].map(({ column }) => column);
  return [...[...fields, ...controls].flatMap(sourceColumns), ...conditions];
}

/** Returns the columns that a source reads, those of breaks among them. */
export function sourceColumns({ columns, less }: FieldSource): readonly string[] {
  return less ? [...columns, ...less.columns] : columns;
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
