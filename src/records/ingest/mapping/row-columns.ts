import { createHash } from 'node:crypto';
import type { Resource } from '../../resource/resource.ts';
import { checkHeader, checkHeaderLength, type HeaderCell } from './header.ts';
import { type FileMapping, namedColumns, sourceColumns } from './mapping.ts';
import { foldHeader } from './nearest-field.ts';
import { readMember } from './read-member.ts';
import {
  controlMember,
  fieldNames,
  findColumn,
  mappedMembers,
  ownMembers,
  type RecordMember,
  unmappedMembers,
} from './record-members.ts';
import { openFill, openUnpivot, type ReadShape } from './row-shape.ts';
import { openRowChooser, type RowTally } from './row-tally.ts';
import type { PlacedHeader, ValueAt } from './row-value.ts';

/** A row as JSON, and the reason why it is no record, if there is one. */
export interface FormattedRow {
  readonly record: string;
  readonly reason: string | undefined;
}

/** The columns of one file, in the form of records. */
export interface RowColumns {
  /** The keys of the columns that records have, to tell them from others. */
  readonly keys: ReadonlySet<string>;
  /** Formats the members of the records that a row stands for, without their braces; none for a row that is left out, or that repeats another one. */
  format(valueAt: ValueAt): readonly FormattedRow[];
  /** Tells whether a row is left out by a condition, and counts it. */
  isSkipped(valueAt: ValueAt): boolean;
  /** Returns what was counted. */
  finish(): RowTally;
}

/** Tells whether a row holds the headers of a file: all columns that its mapping names, or all required fields. */
export function isHeaderRow(file: FileMapping, headers: readonly string[]): boolean {
  const { resource, fields } = file;
  const found = new Set(headers.map(foldHeader));
  if (fields) return namedColumns(file).every((each) => found.has(foldHeader(each)));
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
  const { fields, unpivot, notation } = file;
  const placeOf = openPlaces(file, header, name);
  const mapped = fields && mappedMembers(file, fields, placeOf, name);
  const keepsOthers = fields && !unpivot && (!file.isDerived || file.keepsBrokenLines);
  const others = keepsOthers ? unmappedMembers(file, header, known) : [];
  const members = mapped ? [...mapped, ...others] : ownMembers(file, header, known);
  const names = members.map(({ field }) => field);
  // The members of a mapped file have different names: those of fields, and others made different from them.
  if (mapped) checkHeaderLength(names, name);
  else checkHeader(memberCells(members, header), name);
  const fill = openFill(fields ?? [], placeOf);
  const expand: ReadShape = unpivot ? openUnpivot(unpivot, header, notation.dates, name) : (valueAt) => [valueAt];
  const chooser = openRowChooser(file, placeOf, (source) => controlMember(file, source, placeOf, name), expand);
  const formatOwn = (valueAt: ValueAt): FormattedRow | undefined => formatMembers(mapped ?? members, valueAt);
  // Other columns would make each row of a file that holds several resources another person.
  const formatDistinct = file.isDerived ? distinctRows(formatOwn, members, file.resource) : formatOwn;
  const format = (valueAt: ValueAt): FormattedRow | undefined => {
    const row = formatDistinct(valueAt);
    if (row === undefined || others.length === 0) return row;
    return { ...row, record: `${row.record},${formatMembers(others, valueAt).record}` };
  };
  return {
    keys: new Set(names),
    isSkipped: (valueAt) => !chooser.isRead(valueAt),
    finish: chooser.finish,
    format: (valueAt) => {
      const rows = fill(valueAt).filter(chooser.isRead);
      for (const row of rows) chooser.addOwn(row);
      return rows.flatMap(expand).flatMap((each) => format(each) ?? []);
    },
  };
}

/** Returns the search for the place of a column, each of which is looked for once. */
function openPlaces({ fields = [] }: FileMapping, header: readonly PlacedHeader[], name: string) {
  const placed = new Map<string, number>();
  return (column: string): number => {
    const known = placed.get(column);
    if (known !== undefined) return known;
    const purpose = fields.find((source) => sourceColumns(source).includes(column))?.field ?? 'its rows';
    const place = findColumn(header, column, name, purpose);
    placed.set(column, place);
    return place;
  };
}

/** Leaves out rows without the name that the record's id is made of, and those that repeat a record. */
function distinctRows(
  format: (valueAt: ValueAt) => FormattedRow | undefined,
  members: readonly RecordMember[],
  { id }: Resource,
): (valueAt: ValueAt) => FormattedRow | undefined {
  const own = members.find(({ field }) => field === id);
  const seen = new Set<string>();
  return (valueAt) => {
    if (own?.make?.(valueAt) === null) return undefined;
    const row = format(valueAt);
    const digest = createHash('sha256')
      .update(row?.record ?? '')
      .digest('base64');
    if (seen.has(digest)) return undefined;
    seen.add(digest);
    return row;
  };
}

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
    const { value, fault } = readMember(member, valueAt);
    if (fault !== undefined) reason ??= `${member.field}: ${fault}`;
    const json = value === null ? 'null' : value.isJson ? value.text : JSON.stringify(value.text);
    record += `${record === '' ? '' : ','}${member.key}:${json}`;
  }
  return { record, reason };
}
