import { readFile } from 'node:fs/promises';
import { AppError, fileReasonOf } from '../../../base/index.ts';
import type { Resource } from '../../resource/resource.ts';
import { listTables } from './list-tables.ts';
import { type MadeIds, openMadeIds } from './made-ids.ts';
import type { FileMapping, Mapping } from './mapping.ts';
import { readCorrections } from './name-corrections.ts';
import type { Notation } from './notation.ts';
import { type Form, NOTATION_KEYS, readForm } from './read-form.ts';
import { readFilters, readUnpivot } from './read-rows.ts';
import { readControls, readFields } from './read-source.ts';
import { readYaml, type YamlValue } from './yaml-reader.ts';

/** The names of the parts of a mapping, as its schema and its errors list them. */
export const MAPPING_KEYS = [...NOTATION_KEYS, 'names', 'files'] as const;
export const FILE_KEYS = [
  'file',
  'sheet',
  'resource',
  'open',
  'header_row',
  'delimiter',
  'where',
  'skip',
  'total',
  'controls',
  'unpivot',
  'overlap',
  ...NOTATION_KEYS,
  'fields',
] as const;

/** The rows that count of those that several files have differently. */
export const OVERLAPS = ['newest', 'add'] as const;

const DECIDE = 'Decide it in the mapping, and remove the line open.';

/** The characters between the cells of a CSV file. */
export const DELIMITER_NAMES = { comma: ',', semicolon: ';', tab: '\t' } as const;

/** The files that a mapping names; each is read once for each time. Unit: files. */
export const MAX_MAPPING_FILES = 200;

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
    throw new AppError('input', `Can't read the mapping ${path}: ${fileReasonOf(cause)}`, {
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
  assertDecided(items, path);
  const files = items.map((item) => readFileMapping(item, form, { resources, ids }));
  return { path, files, ids, ...form };
}

/** @throws AppError input with all that a person has to decide. */
function assertDecided(items: readonly YamlValue[], path: string): void {
  const entries = items.map((item) => item.members(FILE_KEYS)).filter(({ open }) => open);
  const [first] = entries;
  if (entries.length === 1) first?.open?.fail(first.open.text(), DECIDE);
  if (entries.length < 2) return;
  const questions = entries.map(({ file, open }) => `${file?.text()}: ${open?.text()}`);
  throw new AppError('input', `${path} leaves open, of ${entries.length} files:`, {
    items: questions,
    hint: `${DECIDE} Nothing was loaded.`,
  });
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
  const table = listTables(resources).find((each) => each.name === name.value);
  const found = table?.rows ?? resources.find((each) => each.name === name.value);
  const names = resources.map((each) => each.name);
  const resource =
    found ?? name.fail(`is ${String(name.value)}, which is no resource`, `Write one of ${names.join(', ')}.`);
  const own = readForm(members, form);
  const delimiter = members.delimiter?.oneOf(Object.keys(DELIMITER_NAMES) as (keyof typeof DELIMITER_NAMES)[]);
  return {
    file,
    resource,
    list: table?.list,
    sheet: members.sheet?.text(),
    headerRow: members.header_row && readRowNumber(members.header_row),
    delimiter: delimiter && DELIMITER_NAMES[delimiter],
    fields: members.fields && readFields(members.fields, resource, own),
    where: members.where ? readFilters(members.where) : [],
    skip: members.skip ? readFilters(members.skip) : [],
    total: members.total ? readFilters(members.total) : [],
    controls: members.controls ? readControls(members.controls, own) : [],
    unpivot: members.unpivot && readUnpivot(members.unpivot),
    overlap: members.overlap?.oneOf(OVERLAPS),
    isDerived: false,
    keepsBrokenLines: true,
    otherColumns: [],
    zone: undefined,
    is1904: false,
    ids,
    ...own,
  };
}

function readRowNumber(value: YamlValue): number {
  const { value: row } = value;
  if (typeof row === 'number' && Number.isInteger(row) && row > 0) return row;
  return value.fail(`is ${String(row)}, not the number of a row`, 'Write its number, from 1.');
}
