import { readFile, stat } from 'node:fs/promises';
import { TextDecoder } from 'node:util';
import { AppError, messageOf } from '../../error.ts';
import { Exact } from '../../exact-decimal.ts';
import { isObject } from '../../json-object.ts';
import type { RowValue } from '../mapping/row-value.ts';
import { type Encoding, readEncoding } from './encoding.ts';

/** The largest JSON file that a mapping reads: it is in memory as a whole. Unit: bytes. */
export const MAX_MAPPED_JSON_BYTES = 67_108_864;

/** The deepest objects of a record whose members are columns, such as user.name. Unit: levels. */
const MAX_MEMBER_DEPTH = 4;

/** The deepest objects in which lists of records are looked for. Unit: levels. */
const MAX_LIST_DEPTH = 2;

/** A list of records in a JSON file of another service, as a table. */
export interface JsonTable {
  /** Its name, if it is inside an object, such as time_entries; empty for a file that is a list. */
  readonly list: string;
  /** The names of the members of all records: user.name is the member name of the object user. */
  readonly headers: readonly string[];
  readonly rows: readonly ReadonlyMap<string, RowValue>[];
}

export interface JsonTables {
  readonly encoding: Encoding;
  readonly tables: readonly JsonTable[];
}

/** Stands before the digits of a number, which JavaScript would round. */
const NUMBER_MARK = '\u0000';

const NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,2})?$/;

/** Matches a text, to the end of a file where it isn't closed, or what may be a number. */
const TOKEN = /"(?:[^"\\]|\\.)*"?|-?[0-9][0-9.eE+-]*/gs;

/**
 * Reads the lists of records in a JSON file: the file itself, its lines, or lists inside its objects.
 * @param name For messages. Lines of JSON have the ending .ndjson or .jsonl.
 * @throws AppError input for a file that is no JSON; limit for one that is too large.
 */
export async function readJsonTables(path: string, name: string): Promise<JsonTables> {
  const { size } = await stat(path);
  if (size > MAX_MAPPED_JSON_BYTES)
    throw new AppError('limit', `${name} has ${size} bytes, more than ${MAX_MAPPED_JSON_BYTES}`, {
      hint: 'Export a shorter time into each file, or CSV. Nothing was loaded.',
    });
  const encoding = await readEncoding(path);
  const text = new TextDecoder(encoding).decode(await readFile(path));
  const parts = /\.(ndjson|jsonl)$/i.test(name) ? text.split('\n').filter((line) => line.trim() !== '') : undefined;
  const value = parts ? parts.map((line) => parseExactly(line, name)) : parseExactly(text, name);
  return { encoding, tables: findLists(value, '', 0).map(([list, records]) => tableOf(list, records)) };
}

function parseExactly(text: string, name: string): unknown {
  const marked = text.replace(TOKEN, (token) => (NUMBER.test(token) ? `"\\u0000${token}"` : token));
  try {
    return JSON.parse(marked);
  } catch (cause) {
    throw new AppError('input', `${name} is no JSON: ${messageOf(cause)}`, {
      hint: 'Export it again. Nothing was loaded.',
      cause,
    });
  }
}

function findLists(value: unknown, name: string, depth: number): [string, readonly object[]][] {
  if (Array.isArray(value)) {
    const records = value.filter(isObject);
    return records.length > 0 ? [[name, records]] : [];
  }
  if (!isObject(value) || depth === MAX_LIST_DEPTH) return [];
  return Object.entries(value).flatMap(([key, each]) =>
    findLists(each, name === '' ? key : `${name}.${key}`, depth + 1),
  );
}

function tableOf(list: string, records: readonly object[]): JsonTable {
  const headers = new Set<string>();
  const rows = records.map((record) => {
    const row = new Map<string, RowValue>();
    addMembers(row, record, '', 0);
    for (const header of row.keys()) headers.add(header);
    return row;
  });
  return { list, headers: [...headers], rows };
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
  return { text: /e/i.test(digits) ? new Exact(digits).toFixed() : digits, isJson: true, shown: digits };
}
