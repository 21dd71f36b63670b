import { AppError } from '../../error.ts';
import type { Field } from '../../resource/field.ts';
import type { Resource } from '../../resource/resource.ts';
import { recordShape } from '../records/raw-fields.ts';
import { type HeaderCell, nameColumn } from './header.ts';
import type { MadeIds } from './made-ids.ts';
import type { FieldSource, FileMapping } from './mapping.ts';
import { foldHeader, nearestField } from './nearest-field.ts';
import { type Notation, type Translate, translateField, translateNumber, type Words } from './notation.ts';
import { remembered } from './remembered.ts';

/** The most columns of a file that an error lists. Unit: columns. */
const MAX_LISTED_COLUMNS = 30;

/** A value of a row: a text, or as the JSON of a number, true or false. */
export interface RowValue {
  readonly text: string;
  readonly isJson: boolean;
  /** A number as the file shows it, which is the value of a field of text: a code such as 007. */
  readonly shown?: string | undefined;
}

/** Reads a value of a row by its column's place, from 0; null for a blank one. */
export type ValueAt = (place: number) => RowValue | null;

/** A header, and the place of its column, from 0. */
export interface PlacedHeader extends HeaderCell {
  readonly at: number;
}

/** A member of each record. */
export interface RecordMember {
  /** As JSON. */
  readonly key: string;
  readonly field: string;
  readonly places: readonly number[];
  /** True if its values are texts, such as codes and names. */
  readonly isText: boolean;
  /** Returns the value; undefined without a translation. */
  readonly translate: Translate | undefined;
  /** Returns the value of a cell that is a number; undefined if it is in the right form already. */
  readonly translateNumber: Translate | undefined;
  /** Makes the value of a name or a row. */
  readonly make?: (valueAt: ValueAt) => string | null;
}

/** Returns a value as the file shows it. */
export function shownText({ text, shown }: RowValue): string {
  return shown ?? text;
}

function isText(field: Field | undefined): boolean {
  return field?.type === 'text' || field?.type === 'name' || field?.type === 'key';
}

/** Returns the fields and lists of a resource, as files name them. */
export function fieldNames(resource: Resource): readonly string[] {
  return recordShape(resource).keys;
}

/** Returns the field that a file calls by a name; undefined for a list. */
export function fieldCalled({ fields }: Resource, name: string): Field | undefined {
  return fields[name] ?? Object.values(fields).find(({ from }) => from?.includes(name));
}

/** Returns the members of a file whose headers name the fields. */
export function ownMembers(
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
      isText: isText(field),
      translate: rememberedTranslation(field, notation, words),
      translateNumber: translateNumber(field, notation),
    };
  });
}

/** Returns the members that a mapping names. @throws AppError input for a column that isn't there, or there twice. */
export function mappedMembers(
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
    const member = { key: JSON.stringify(source.field), field: source.field, places, isText: isText(field) };
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
  const valuesAt = (valueAt: ValueAt) => places.map((place) => valueAt(place));
  if (kind === 'value') return () => value;
  if (kind === 'name') {
    const idOf = (texts: readonly string[]) => ids.ofName(field?.refers ?? resource.name, texts) ?? null;
    const idOfOne = remembered((text) => idOf([text]));
    return (valueAt) => {
      const texts = valuesAt(valueAt).map((read) => (read ? shownText(read) : ''));
      return texts.length === 1 ? idOfOne(texts[0] ?? '') : idOf(texts);
    };
  }
  if (kind !== 'row') return undefined;
  return (valueAt) => {
    const texts = valuesAt(valueAt).map((read) => read?.text ?? '');
    return ids.ofRow(resource.name, JSON.stringify(texts), field?.type === 'key');
  };
}

/** Returns the members of columns that a mapping doesn't name: they are kept with a record that is set aside, and named once. */
export function unmappedMembers(
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
      return {
        key: JSON.stringify(key),
        field: key,
        places: [at],
        isText: false,
        translate: undefined,
        translateNumber: undefined,
      };
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
