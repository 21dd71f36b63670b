import { createHash } from 'node:crypto';
import { AppError } from '../../error.ts';
import type { Field } from '../../resource/field.ts';
import type { Resource } from '../../resource/resource.ts';
import { checkHeader, checkHeaderLength, type HeaderCell, nameColumn } from '../header.ts';
import { recordShape } from '../raw-fields.ts';
import type { MadeIds } from './made-ids.ts';
import type { FieldSource, FileMapping } from './mapping.ts';
import { foldHeader, nearestField } from './nearest-field.ts';
import { type Notation, type Translate, translateField, translateNumber, type Words } from './notation.ts';
import { remembered } from './remembered.ts';

/** A value of a row: a text, or as the JSON of a number, true or false. */
export interface RowValue {
  readonly text: string;
  readonly isJson: boolean;
}

/** Reads a value of a row by its column's place, from 0; null for a blank one. */
export type ValueAt = (place: number) => RowValue | null;

/** A header, and the place of its column, from 0. */
export interface PlacedHeader extends HeaderCell {
  readonly at: number;
}

/** A row as JSON, and the reason why it is no record, if there is one. */
export interface FormattedRow {
  readonly record: string;
  readonly reason: string | undefined;
}

/** The columns of one file, in the form of records. */
export interface RowColumns {
  /** The keys of the columns that records have, to tell them from others. */
  readonly keys: ReadonlySet<string>;
  /** Formats the members of a record, without its braces; undefined for a row that is none, or that repeats another one. */
  format(valueAt: ValueAt): FormattedRow | undefined;
}

/** A member of each record. */
interface RecordMember {
  /** As JSON. */
  readonly key: string;
  readonly field: string;
  readonly places: readonly number[];
  /** Returns the value; undefined without a translation. */
  readonly translate: Translate | undefined;
  /** Returns the value of a cell that is a number; undefined if it is in the right form already. */
  readonly translateNumber: Translate | undefined;
  /** Makes the value of a name or a row. */
  readonly make?: (valueAt: ValueAt) => string | null;
}

/** Returns the fields and lists of a resource, as files name them. */
export function fieldNames(resource: Resource): readonly string[] {
  return recordShape(resource).keys;
}

/** Returns the field that a file calls by a name; undefined for a list. */
export function fieldCalled({ fields }: Resource, name: string): Field | undefined {
  return fields[name] ?? Object.values(fields).find(({ from }) => from?.includes(name));
}

/** Tells whether a row holds the headers of a file: all columns that its mapping names, or all required fields. */
export function isHeaderRow({ resource, fields }: FileMapping, headers: readonly string[]): boolean {
  const found = new Set(headers.map(foldHeader));
  if (fields) return fields.every(({ columns }) => columns.every((column) => found.has(foldHeader(column))));
  return Object.entries(resource.fields).every(
    ([name, { required, from = [name] }]) => !required || from.some((path) => found.has(path)),
  );
}

/**
 * Binds the headers of a file to fields.
 * @param header The headers that aren't blank, with their places from 0 and in words.
 * @throws AppError input for a column that is missing or there twice, limit for too long a header.
 */
export function openColumns(file: FileMapping, header: readonly PlacedHeader[], name: string): RowColumns {
  const known = new Set(fieldNames(file.resource));
  const mapped = file.fields && mappedMembers(file, file.fields, header, name);
  // The columns of a file that holds several resources would make each of its rows another person.
  const others = file.fields && !file.isDerived ? unmappedMembers(file, header, known) : [];
  const members = mapped ? [...mapped, ...others] : ownMembers(file, header, known);
  const fields = members.map(({ field }) => field);
  // The members of a mapped file have different names: those of fields, and others made different from them.
  if (mapped) checkHeaderLength(fields, name);
  else checkHeader(memberCells(members, header), name);
  const keys = new Set(fields);
  const format = (valueAt: ValueAt) => formatMembers(members, valueAt);
  return { keys, format: file.isDerived ? distinctRows(format, members, file.resource) : format };
}

/** Leaves out rows without the name that the record's id is made of, and those that repeat a record. */
function distinctRows(
  format: (valueAt: ValueAt) => FormattedRow,
  members: readonly RecordMember[],
  { id }: Resource,
): RowColumns['format'] {
  const own = members.find(({ field }) => field === id);
  const seen = new Set<string>();
  return (valueAt) => {
    if (own?.make?.(valueAt) === null) return undefined;
    const row = format(valueAt);
    const digest = createHash('sha256').update(row.record).digest('base64');
    if (seen.has(digest)) return undefined;
    seen.add(digest);
    return row;
  };
}

/** Returns the members of a file whose headers name the fields. */
function ownMembers(
  { resource, notation, words }: FileMapping,
  header: readonly PlacedHeader[],
  known: ReadonlySet<string>,
): RecordMember[] {
  return header.map(({ name, at }) => {
    const folded = foldHeader(name);
    const key = known.has(folded) ? folded : name.trim().toLowerCase();
    const field = fieldCalled(resource, key);
    return {
      key: JSON.stringify(key),
      field: key,
      places: [at],
      translate: rememberedTranslation(field, notation, words),
      translateNumber: translateNumber(field, notation),
    };
  });
}

function mappedMembers(
  { resource, ids }: FileMapping,
  fields: readonly FieldSource[],
  header: readonly PlacedHeader[],
  file: string,
): RecordMember[] {
  const placed = new Map<string, number>();
  for (const { field, columns } of fields)
    for (const column of columns) placed.set(column, placed.get(column) ?? findColumn(header, column, file, field));
  // Sorted by their names, so that the id of a row doesn't depend on the order of columns.
  const row = [...placed.keys()].sort().map((column) => placed.get(column) ?? -1);
  return fields.map((source) => {
    const field = fieldCalled(resource, source.field);
    const places = source.columns.map((column) => placed.get(column) ?? -1);
    const member = { key: JSON.stringify(source.field), field: source.field, places };
    const make = makerOf(ids, resource, source, field, source.kind === 'row' ? row : places);
    if (make) return { ...member, translate: undefined, translateNumber: undefined, make };
    const translate = rememberedTranslation(field, source.notation, source.words);
    return { ...member, translate, translateNumber: translateNumber(field, source.notation) };
  });
}

function rememberedTranslation(field: Field | undefined, notation: Notation, words?: Words): Translate | undefined {
  const translate = translateField(field, notation, words);
  return translate && remembered(translate);
}

/** Returns the maker of a value that isn't in a column. */
function makerOf(
  ids: MadeIds,
  resource: Resource,
  { kind, value = '' }: FieldSource,
  field: Field | undefined,
  places: readonly number[],
): RecordMember['make'] {
  const textAt = (valueAt: ValueAt) => places.map((place) => valueAt(place)?.text ?? '');
  if (kind === 'value') return () => value;
  if (kind === 'name') {
    const idOf = (texts: readonly string[]) => ids.ofName(field?.refers ?? resource.name, texts) ?? null;
    const idOfOne = remembered((text) => idOf([text]));
    return (valueAt) => {
      const texts = textAt(valueAt);
      return texts.length === 1 ? idOfOne(texts[0] ?? '') : idOf(texts);
    };
  }
  if (kind !== 'row') return undefined;
  return (valueAt) => ids.ofRow(resource.name, JSON.stringify(textAt(valueAt)), field?.type === 'key');
}

/** Returns the members of columns that a mapping doesn't name: they are kept with a record that is set aside, and named once. */
function unmappedMembers(
  { fields = [], otherColumns }: FileMapping,
  header: readonly PlacedHeader[],
  known: ReadonlySet<string>,
): RecordMember[] {
  const mapped = new Set([...fields.flatMap(({ columns }) => columns), ...otherColumns].map(foldHeader));
  const taken = new Set(known);
  return header
    .filter(({ name }) => !mapped.has(foldHeader(name)))
    .map(({ name, at }) => {
      const lower = name.trim().toLowerCase();
      const key = taken.has(lower) ? nameColumn(at, taken) : lower;
      taken.add(key);
      return { key: JSON.stringify(key), field: key, places: [at], translate: undefined, translateNumber: undefined };
    });
}

/** @throws AppError input for a column that isn't there, or there twice. */
function findColumn(header: readonly PlacedHeader[], column: string, file: string, field: string): number {
  const found = header.filter(({ name }) => foldHeader(name) === foldHeader(column));
  const [first, second] = found;
  if (first && second)
    throw new AppError('input', `${file} names the column ${column} twice, in ${first.place} and ${second.place}`, {
      hint: 'Rename or remove one of the two columns. Nothing was loaded.',
    });
  if (first) return first.at;
  const names = header.map(({ name }) => name.trim());
  const nearest = nearestField(column, names);
  throw new AppError('input', `${file} has no column "${column}", which the mapping names for ${field}`, {
    hint: `${nearest === undefined ? '' : `Is it "${nearest}"? `}Its columns are ${names.slice(0, MAX_LISTED_COLUMNS).join(', ')}. Nothing was loaded.`,
  });
}

/** The most columns of a file that an error lists. Unit: columns. */
const MAX_LISTED_COLUMNS = 30;

/** Returns the cells of members, with their headers. */
function memberCells(members: readonly RecordMember[], header: readonly PlacedHeader[]): HeaderCell[] {
  const placed = new Map(header.map((cell) => [cell.at, cell]));
  return members.map(({ field, places: [at = -1] }) => {
    const cell = placed.get(at);
    return { name: field, place: cell?.place ?? '', header: cell?.name };
  });
}

function formatMembers(members: readonly RecordMember[], valueAt: ValueAt): FormattedRow {
  let [record, reason]: [string, string | undefined] = ['', undefined];
  for (const member of members) {
    const given = member.make ? undefined : joined(member, valueAt);
    const translate = given?.isJson ? member.translateNumber : member.translate;
    let value = given ?? null;
    if (member.make) {
      const made = member.make(valueAt);
      value = made === null ? null : { text: made, isJson: false };
    } else if (given && translate) {
      const translated = translate(given.text);
      if (typeof translated === 'string') value = { text: translated, isJson: false };
      else reason ??= `${member.field}: ${translated.fault}`;
    }
    const json = value === null ? 'null' : value.isJson ? value.text : JSON.stringify(value.text);
    record += `${record === '' ? '' : ','}${member.key}:${json}`;
  }
  return { record, reason };
}

/** Reads the columns of a member; several are one text with blanks between them. */
function joined({ places }: RecordMember, valueAt: ValueAt): RowValue | null {
  const [first = 0] = places;
  if (places.length === 1) return valueAt(first);
  const texts = places.map((place) => valueAt(place)?.text.trim() ?? '').filter((text) => text !== '');
  return texts.length === 0 ? null : { text: texts.join(' '), isJson: false };
}
