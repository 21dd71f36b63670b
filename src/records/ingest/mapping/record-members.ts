import type { TimeZone } from '../../../base/calendar/index.ts';
import { AppError } from '../../../base/index.ts';
import type { Field } from '../../resource/field.ts';
import type { Resource } from '../../resource/resource.ts';
import { recordShape } from '../records/raw-fields.ts';
import { CONTROL_FIELDS, type ControlName } from './control-fields.ts';
import { parseDateFormat } from './date-format.ts';
import { nameColumn } from './header.ts';
import { firstNameFirst, lessBreaks, type MakerContext, makerOf, signedAmount, spreadOver } from './made-values.ts';
import { type FieldSource, type FileMapping, namedColumns, sourceColumns } from './mapping.ts';
import { foldHeader, nearestField } from './nearest-field.ts';
import { type Translate, translateField, translateNumber } from './notation.ts';
import { remembered } from './remembered.ts';
import { placesOf, UNPIVOTED_PLACES } from './row-shape.ts';
import type { MakeValue, PlacedHeader } from './row-value.ts';

const BASIC = parseDateFormat('YYYYMMDD HH:MM');

/** The most columns of a file that an error lists. Unit: columns. */
const MAX_LISTED_COLUMNS = 30;

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
  /** Makes the value of a row, if it isn't the text of columns. */
  readonly make?: MakeValue;
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
  { resource, notation, words, zone, is1904 }: FileMapping,
  header: readonly PlacedHeader[],
  known: ReadonlySet<string>,
): RecordMember[] {
  const taken = new Set<string>();
  return header.map(({ name, at }) => {
    const folded = foldHeader(name);
    const lower = name.trim().toLowerCase();
    // The second of two equal headers that are no field is called by its number.
    const key = known.has(folded) ? folded : taken.has(lower) ? nameColumn(at, taken) : lower;
    taken.add(key);
    const field = fieldCalled(resource, key);
    const translate = translateField(field, notation, words, zone);
    return {
      key: JSON.stringify(key),
      field: key,
      places: [at],
      isText: isText(field),
      translate: translate && remembered(translate),
      translateNumber: translateNumber(field, notation, is1904),
    };
  });
}

/** Returns the members that a mapping names. @throws AppError input for a column that isn't there, or there twice. */
export function mappedMembers(
  file: FileMapping,
  fields: readonly FieldSource[],
  placeOf: (column: string) => number,
  name: string,
): RecordMember[] {
  const maker = makerContext(file, fields, placeOf, name);
  return fields.map((source) => memberOf(source, fieldCalled(file.resource, source.field), fields, maker));
}

/** Returns the member that a column is read into with which the file is compared, or that its total rows have. */
export function controlMember(
  file: FileMapping,
  source: FieldSource,
  placeOf: (column: string) => number,
  name: string,
): RecordMember {
  const field = CONTROL_FIELDS[source.field as ControlName];
  return memberOf(source, field, [], makerContext(file, [source], placeOf, name));
}

function makerContext(
  file: FileMapping,
  fields: readonly FieldSource[],
  placeOf: (column: string) => number,
  name: string,
): MakerContext {
  const columns = new Set(fields.flatMap(sourceColumns));
  // Sorted by their names, so that the id of a row doesn't depend on the order of columns.
  const row = [...columns].sort().map(placeOf);
  return {
    file,
    placeOf,
    origin: { entry: file.fields, file: name },
    row: file.unpivot ? [...row, ...Object.values(UNPIVOTED_PLACES)] : row,
  };
}

/** Returns the member that a source is read into. @param fields The sources of all fields. */
function memberOf(
  source: FieldSource,
  field: Field | undefined,
  fields: readonly FieldSource[],
  maker: MakerContext,
): RecordMember {
  const places = placesOf(source, maker.placeOf);
  const member = { key: JSON.stringify(source.field), field: source.field, places, isText: isText(field) };
  const make = signedAmount(source, field, maker.placeOf) ?? makeOther(source, field, fields, maker, places);
  if (make) return { ...member, translate: undefined, translateNumber: undefined, make };
  return { ...member, ...translations(source, field, maker.file) };
}

/** Returns the maker of a value that is no amount; undefined for the text of columns. */
function makeOther(
  source: FieldSource,
  field: Field | undefined,
  fields: readonly FieldSource[],
  maker: MakerContext,
  places: readonly number[],
): MakeValue | undefined {
  const worked = lessBreaks(makerOf(source, field, places, maker), source, field, maker);
  return spreadOver(worked, source, fields, maker);
}

/** Returns the translations of a source's texts and numbers. */
function translations(
  { isLastFirst, notation, words }: FieldSource,
  field: Field | undefined,
  { zone, is1904 }: FileMapping,
) {
  if (isLastFirst) return { translate: firstNameFirst, translateNumber: undefined };
  const translate =
    translateField(field, notation, words, zone) ?? (field?.type === 'date' ? readBasic(zone) : undefined);
  return { translate: translate && remembered(translate), translateNumber: translateNumber(field, notation, is1904) };
}

/** Returns the translation of moments such as 20260316T080000Z, which have one reading; other texts stay as they are. */
function readBasic(zone: TimeZone | undefined): Translate {
  return (text) => (/^[0-9]{8}T/.test(text.trim()) ? BASIC?.read(text.trim(), zone) : undefined) ?? text;
}

/** Returns the members of columns that a mapping doesn't name: they are kept with a record that is set aside, and named once. */
export function unmappedMembers(
  file: FileMapping,
  header: readonly PlacedHeader[],
  known: ReadonlySet<string>,
): RecordMember[] {
  const mapped = new Set([...namedColumns(file), ...file.otherColumns].map(foldHeader));
  const taken = new Set(known);
  return header
    .filter(({ name }) => !mapped.has(foldHeader(name)))
    .map(({ name, at }) => {
      const lower = name.trim().toLowerCase();
      const key = taken.has(lower) ? nameColumn(at, taken, name.trim()) : lower;
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

/**
 * Returns the place of a column.
 * @param purpose The reason for which the mapping names it, for messages.
 * @throws AppError input for a column that isn't there, or there twice.
 */
export function findColumn(header: readonly PlacedHeader[], column: string, file: string, purpose: string): number {
  const found = header.filter(({ name }) => foldHeader(name) === foldHeader(column));
  const [first, second] = found;
  if (first && second)
    throw new AppError('input', `${file} names the column ${column} twice, in ${first.place} and ${second.place}`, {
      hint: 'Rename or remove one of the two columns. Nothing was loaded.',
    });
  if (first) return first.at;
  const names = header.map(({ name }) => name.trim());
  const nearest = nearestField(column, names);
  throw new AppError('input', `${file} has no column "${column}", which the mapping names for ${purpose}`, {
    hint: `${nearest === undefined ? '' : `Is it "${nearest}"? `}Its columns are ${names.slice(0, MAX_LISTED_COLUMNS).join(', ')}. Nothing was loaded.`,
  });
}
