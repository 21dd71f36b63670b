import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { TextDecoder } from 'node:util';
import { AppError, Exact, isObject } from '../../../base/index.ts';
import { checkColumnCount } from '../mapping/header.ts';
import type { RowValue } from '../mapping/row-value.ts';
import { type Encoding, readEncoding } from './encoding.ts';
import { type ListedValue, NUMBER_MARK, openJsonEntries } from './json-values.ts';

/** The largest JSON file that a mapping reads. Unit: bytes. */
export const MAX_MAPPED_JSON_BYTES = 67_108_864;

/** The deepest objects of a record whose members are columns, such as user.name. Unit: levels. */
const MAX_MEMBER_DEPTH = 4;

/** The most cells of the first rows of a list or a sheet that are kept. Unit: cells. */
export const MAX_SAMPLE_CELLS = 4_000_000;

const CHUNK_BYTES = 1_048_576;

/** The members of a record that aren't blank, by their names. */
export type JsonRow = ReadonlyMap<string, RowValue>;

/** A list of records in a JSON file of another service, as a table. */
export interface JsonTable {
  /** Its name, if it is inside an object, such as time_entries; empty for a file that is a list. */
  readonly list: string;
  /** The names of the members of all records: user.name is the member name of the object user. */
  readonly headers: readonly string[];
  /** Its first rows. */
  readonly rows: readonly JsonRow[];
}

export interface JsonTables {
  readonly encoding: Encoding;
  readonly tables: readonly JsonTable[];
}

/**
 * Reads the lists of records in a JSON file: the file itself, its lines, or lists inside its objects.
 * @param name For messages. Lines of JSON have the ending .ndjson or .jsonl.
 * @param maxRows The most rows of a list that are returned. Its headers are those of all records.
 * @throws AppError input for a file that is no JSON; limit for one that is too large.
 */
export async function readJsonTables(
  path: string,
  name: string,
  maxRows = Number.POSITIVE_INFINITY,
): Promise<JsonTables> {
  const { size } = await stat(path);
  if (size > MAX_MAPPED_JSON_BYTES)
    throw new AppError('limit', `${name} has ${size} bytes, more than ${MAX_MAPPED_JSON_BYTES}`, {
      hint: 'Export a shorter time into each file, or CSV. Nothing was loaded.',
    });
  const encoding = await readEncoding(path);
  const tables = new Map<string, { headers: Set<string>; rows: JsonRow[]; cells: number }>();
  for await (const rows of readListedRows({ path, name, encoding })) {
    for (const { list, row } of rows) {
      const table = tables.get(list) ?? { headers: new Set(), rows: [], cells: 0 };
      tables.set(list, table);
      for (const header of row.keys()) table.headers.add(header);
      checkColumnCount(table.headers.size, name);
      table.cells += row.size;
      if (table.rows.length < maxRows && table.cells <= MAX_SAMPLE_CELLS) table.rows.push(row);
    }
  }
  return { encoding, tables: [...tables].map(([list, { headers, rows }]) => ({ list, headers: [...headers], rows })) };
}

/** Reads the rows of a list in a JSON file, in batches. @param list Its name in the tables of the file. */
export async function* readJsonRows(
  file: { readonly path: string; readonly name: string; readonly encoding: Encoding },
  list: string,
): AsyncGenerator<JsonRow[]> {
  for await (const rows of readListedRows(file)) yield rows.flatMap((each) => (each.list === list ? each.row : []));
}

async function* readListedRows(file: {
  readonly path: string;
  readonly name: string;
  readonly encoding: Encoding;
}): AsyncGenerator<{ readonly list: string; readonly row: JsonRow }[]> {
  const { path, name, encoding } = file;
  const values = openJsonEntries(name, /\.(ndjson|jsonl)$/i.test(name));
  const decoder = new TextDecoder(encoding);
  const rowsOf = (listed: readonly ListedValue[]) =>
    listed.flatMap(({ list, value }) => (isObject(value) ? { list, row: rowOf(value) } : []));
  for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES }) as AsyncIterable<Buffer>)
    yield rowsOf(values.add(decoder.decode(chunk, { stream: true })));
  yield rowsOf([...values.add(decoder.decode()), ...values.end()]);
}

function rowOf(record: object): JsonRow {
  const row = new Map<string, RowValue>();
  addMembers(row, record, '', 0);
  return row;
}

/** Adds the members of an object to a row, those of objects in it by their path. Lists of plain values are one text. */
function addMembers(row: Map<string, RowValue>, record: object, path: string, depth: number): void {
  for (const [key, value] of Object.entries(record)) {
    const name = `${path}${key}`;
    if (isObject(value)) {
      if (depth < MAX_MEMBER_DEPTH) addMembers(row, value, `${name}.`, depth + 1);
    } else if (Array.isArray(value)) {
      const texts = value.flatMap((each) => plainValue(each)?.text ?? []);
      if (texts.length > 0) row.set(name, { text: texts.join(', '), isJson: false });
    } else {
      const cell = plainValue(value);
      if (cell) row.set(name, cell);
    }
  }
}

/** Returns a plain value; undefined for null, a list or an object. */
function plainValue(value: unknown): RowValue | undefined {
  if (typeof value === 'boolean') return { text: String(value), isJson: true };
  if (typeof value !== 'string') return undefined;
  if (!value.startsWith(NUMBER_MARK)) return { text: value, isJson: false };
  const digits = value.slice(NUMBER_MARK.length);
  // Written out, others have millions of digits: as a text, such a number is set aside.
  if (/e[+-]?[0-9]{3,}$/i.test(digits)) return { text: digits, isJson: false };
  return { text: /e/i.test(digits) ? new Exact(digits).toFixed() : digits, isJson: true, shown: digits };
}
