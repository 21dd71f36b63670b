import { readFile } from 'node:fs/promises';
import { AppError, messageOf } from '../../error.ts';
import type { Field } from '../../resource/field.ts';
import type { Resource } from '../../resource/resource.ts';
import { COMMON_DATE_FORMATS, parseDateFormat } from './date-format.ts';
import { type MadeIds, openMadeIds } from './made-ids.ts';
import type { FieldSource, FileMapping, Mapping } from './mapping.ts';
import { readCorrections } from './name-corrections.ts';
import { codeOf, DECIMAL_MARKS, foldWord, HOURS_FORMATS, type Notation, type Words } from './notation.ts';
import { fieldCalled, fieldNames } from './record-members.ts';
import { failUnknown, readYaml, type YamlValue } from './yaml-reader.ts';

/** The names of the parts of a mapping, as its schema and its errors list them. */
export const NOTATION_KEYS = ['dates', 'decimal', 'hours', 'words'] as const;
export const MAPPING_KEYS = [...NOTATION_KEYS, 'names', 'files'] as const;
export const FILE_KEYS = ['file', 'sheet', 'resource', 'header_row', 'delimiter', ...NOTATION_KEYS, 'fields'] as const;
export const FIELD_KEYS = ['column', 'name', 'row', 'value', ...NOTATION_KEYS] as const;

/** The characters between the cells of a CSV file. */
export const DELIMITER_NAMES = { comma: ',', semicolon: ';', tab: '\t' } as const;

/** The files that a mapping names; each is read once for each time. Unit: files. */
export const MAX_MAPPING_FILES = 200;

/** The words in one place of a mapping. Unit: words. */
export const MAX_MAPPING_WORDS = 1_000;

/** The form of values in a part of the mapping, and the words in it. */
interface Form {
  readonly notation: Notation;
  readonly words: Words;
}

interface MappingContext {
  readonly resources: readonly Resource[];
  readonly ids: MadeIds;
}

/**
 * Reads a mapping file.
 * @param given The form of values that flags give; the file must not give another.
 * @throws AppError input, with the line, for a file that can't be read or means nothing; usage if a flag contradicts it.
 */
export async function readMappingFile(
  path: string,
  resources: readonly Resource[],
  given: Notation = {},
): Promise<Mapping> {
  const text = await readFile(path, 'utf8').catch((cause) => {
    throw new AppError('input', `Can't read the mapping ${path}: ${messageOf(cause)}`, {
      hint: 'Give the path of a YAML file with --mapping. plumbline load DIR --suggest-mapping writes a first one.',
      cause,
    });
  });
  return parseMapping(text, path, resources, given);
}

/** Parses the text of a mapping file. @param path For messages. */
export function parseMapping(
  text: string,
  path: string,
  resources: readonly Resource[],
  given: Notation = {},
): Mapping {
  const members = readYaml(text, path).members(MAPPING_KEYS);
  const ids = openMadeIds(members.names && readCorrections(members.names, resources));
  const own = readForm(members, { notation: {}, words: new Map() });
  assertAgreement(own.notation, given, path);
  const form = { notation: { ...given, ...own.notation }, words: own.words };
  const items = members.files?.items() ?? [];
  if (items.length > MAX_MAPPING_FILES)
    members.files?.fail(`has more than ${MAX_MAPPING_FILES} files`, 'Name a pattern, such as file: "time-*.csv".');
  const files = items.map((item) => readFileMapping(item, form, { resources, ids }));
  return { path, files, ids, ...form };
}

/** @throws AppError usage for a flag that says something else than the mapping. */
function assertAgreement(own: Notation, given: Notation, path: string): void {
  const textOf = ({ dates, decimal, hours }: Notation) => ({ dates: dates?.text, decimal, hours });
  const [written, flags] = [textOf(own), textOf(given)];
  for (const key of ['dates', 'decimal', 'hours'] as const) {
    if (written[key] === undefined || flags[key] === undefined || written[key] === flags[key]) continue;
    throw new AppError('usage', `A flag says ${key}: ${flags[key]}, and ${path} says ${key}: ${written[key]}`, {
      hint: 'Leave out the flag, or the line of the mapping.',
    });
  }
}

function readFileMapping(item: YamlValue, form: Form, { resources, ids }: MappingContext): FileMapping {
  const members = item.members(FILE_KEYS);
  const file = members.file?.text() ?? item.fail('has no file', 'Name the file, such as file: time.csv.');
  const name =
    members.resource ?? item.fail('has no resource', 'Say what its rows are, such as resource: logged_time.');
  const found = resources.find((each) => each.name === name.value);
  const names = resources.map((each) => each.name);
  const resource =
    found ?? name.fail(`is ${String(name.value)}, which is no resource`, `Write one of ${names.join(', ')}.`);
  const own = readForm(members, form);
  const delimiter = members.delimiter?.oneOf(Object.keys(DELIMITER_NAMES) as (keyof typeof DELIMITER_NAMES)[]);
  return {
    file,
    resource,
    sheet: members.sheet?.text(),
    headerRow: members.header_row && readRowNumber(members.header_row),
    delimiter: delimiter && DELIMITER_NAMES[delimiter],
    fields: members.fields && readFields(members.fields, resource, own),
    isDerived: false,
    keepsBrokenLines: true,
    otherColumns: [],
    ids,
    ...own,
  };
}

function readRowNumber(value: YamlValue): number {
  const { value: row } = value;
  if (typeof row === 'number' && Number.isInteger(row) && row > 0) return row;
  return value.fail(`is ${String(row)}, not the number of a row`, 'Write its number, from 1.');
}

function readFields(value: YamlValue, resource: Resource, form: Form): FieldSource[] {
  const known = fieldNames(resource);
  return value.entries().map(([name, source]) => {
    if (!known.includes(name)) failUnknown(source, name, known);
    return readSource(source, name, fieldCalled(resource, name), form);
  });
}

function readSource(value: YamlValue, field: string, type: Field | undefined, form: Form): FieldSource {
  const isShort = typeof value.value !== 'object' || Array.isArray(value.value);
  if (isShort) return { field, kind: 'column', columns: readColumns(value), ...form };
  const members = value.members(FIELD_KEYS);
  const kinds = (['column', 'name', 'row', 'value'] as const).filter((key) => members[key] !== undefined);
  const [kind] = kinds;
  if (kind === undefined || kinds.length > 1)
    return value.fail('needs one of column, name, row, value', 'Write for example column: Hours.');
  const isId = type?.type === 'id' || type?.type === 'key';
  if ((kind === 'name' || kind === 'row') && !isId)
    return value.fail(`takes no ${kind}, because ${field} is no id`, 'Write column: with the name of a column.');
  if (kind === 'row' && members.row?.value !== true) return value.fail('row is not true', 'Write row: true.');
  const own = readForm(members, form, type);
  const columns = kind === 'column' || kind === 'name' ? readColumns(members[kind] ?? value) : [];
  if (kind !== 'value') return { field, kind, columns, ...own };
  return { field, kind, columns, value: readConstant(members.value ?? value, type), ...own };
}

function readColumns(value: YamlValue): string[] {
  if (!Array.isArray(value.value)) return [value.text()];
  const columns = value.items().map((item) => item.text());
  return columns.length > 0 ? columns : value.fail('is an empty list', 'Name the columns.');
}

/** Reads a value that every row has; of a code, its number or its name. */
function readConstant(value: YamlValue, type: Field | undefined): string {
  const { value: given } = value;
  if (typeof given === 'object') return value.fail('is no plain value', 'Write a text, a number, true or false.');
  const code = type?.codes && codeOf(type.codes, given as string | number | boolean);
  if (type?.codes && code === undefined) failCode(value, type.codes);
  return code ?? (typeof given === 'number' ? value.text() : String(given));
}

/** Reads the form of values at one level, on top of that around it. */
function readForm(
  { dates, decimal, hours, words }: Readonly<Partial<Record<(typeof NOTATION_KEYS)[number], YamlValue>>>,
  around: Form,
  field?: Field,
): Form {
  const own = {
    ...(dates && { dates: readDates(dates) }),
    ...(decimal && { decimal: decimal.oneOf(DECIMAL_MARKS) }),
    ...(hours && { hours: hours.oneOf(HOURS_FORMATS) }),
  };
  return {
    notation: { ...around.notation, ...own },
    words: words ? new Map([...around.words, ...readWords(words, field)]) : around.words,
  };
}

function readDates(value: YamlValue): Notation['dates'] {
  const format = parseDateFormat(value.text());
  return format ?? value.fail(`is ${value.text()}, which is no format of days`, `Write ${COMMON_DATE_FORMATS}.`);
}

function readWords(value: YamlValue, field: Field | undefined): [string, string | number | boolean][] {
  const words = value.entries();
  if (words.length > MAX_MAPPING_WORDS)
    value.fail(`has more than ${MAX_MAPPING_WORDS} words`, 'Leave out unused ones.');
  return words.map(([word, meaning]) => {
    const { value: given } = meaning;
    if (typeof given !== 'string' && typeof given !== 'number' && typeof given !== 'boolean')
      return meaning.fail('is no code', 'Write true, false, or the number or the name of a code.');
    if (field?.codes && codeOf(field.codes, given) === undefined) failCode(meaning, field.codes);
    if (field?.type === 'boolean' && typeof given !== 'boolean') meaning.fail(`is ${given}`, 'Write true or false.');
    return [foldWord(word), given];
  });
}

function failCode(value: YamlValue, codes: Readonly<Record<number, string>>): never {
  const names = Object.entries(codes).map(([code, name]) => `${code} ${name}`);
  return value.fail(`is ${String(value.value)}, which is no code`, `Write one of ${names.join(', ')}.`);
}
