import { createHash } from 'node:crypto';
import type { Resource } from '../../resource/resource.ts';
import { checkHeader, checkHeaderLength, type HeaderCell } from './header.ts';
import type { FileMapping } from './mapping.ts';
import { foldHeader } from './nearest-field.ts';
import {
  fieldNames,
  mappedMembers,
  ownMembers,
  type PlacedHeader,
  type RecordMember,
  type RowValue,
  shownText,
  unmappedMembers,
  type ValueAt,
} from './record-members.ts';

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
function joined({ places, isText }: RecordMember, valueAt: ValueAt): RowValue | null {
  const [first = 0] = places;
  if (places.length === 1) {
    const value = valueAt(first);
    return isText && value?.shown !== undefined ? { text: value.shown, isJson: false } : value;
  }
  const values = places.map((place) => valueAt(place)).filter((value) => value !== null);
  const texts = values.map((value) => shownText(value).trim()).filter((text) => text !== '');
  return texts.length === 0 ? null : { text: texts.join(' '), isJson: false };
}
