import { createHash } from 'node:crypto';
import { AppError, formatForeign } from '../../../base/index.ts';
import { findNearNames, type MadeName, type NameQuestion, type NearName } from './near-names.ts';
import { openRecordNames } from './record-names.ts';

/** The names, and the rows, that ids are made of in a load. Each takes some memory until its end. Unit: ids. */
export const MAX_MADE_IDS = 2_000_000;

/** The resource whose names are whole with any part. In others the last part is the name, and those before it say to what it belongs. */
const PEOPLE = 'people';

/** The first id that is made; ids of other sources are smaller. All have 15 digits, which spreadsheets show whole. */
export const FIRST_MADE_ID = 100_000_000_000_000;

/** The bits of a digest that an id has. With 10,000 names, two share theirs in one of 10 million companies. */
const ID_BITS = 49n;

/** Corrections of names of a resource: the earlier name that one stands for, or an id; itself for a name of its own record. */
export type NameCorrections = ReadonlyMap<string, ReadonlyMap<string, string | number>>;

/** The ids of a load that are made of names and rows. The same name has the same id in every load and on every machine. */
export interface MadeIds {
  /** Returns the id of a name, whose parts are in several columns; undefined for a blank one. */
  ofName(resource: string, parts: readonly string[]): string | undefined;
  /**
   * Returns the id of a row: a number, or as `key` a text. The second row of the same content has another id. In another file of the
   * same entry of the mapping, equal rows have the same ids: exports of months that overlap hold them both.
   */
  ofRow(resource: string, content: string, isKey: boolean, origin: RowOrigin): string;
  /** Takes records whose ids aren't made of their names alone: a name that exactly one of them has is that record (O9a). */
  know(records: readonly MadeName[]): void;
  /** Tells whether a name, or the mapping, has led to the id of such a record. */
  isFound(resource: string, id: string): boolean;
  /** Opens ids with the same corrections, which have made none yet. */
  again(): MadeIds;
  /** Returns the names that ids were made of. */
  madeNames(): MadeName[];
  /** Returns the names that are those of one known record, with its id. */
  foundNames(): NearName[];
  /** Returns the names that several known records have. */
  questions(): NameQuestion[];
  /** Returns the names that hardly differ and have different ids. */
  nearNames(): NearName[];
}

/** The place of a row: the entry of the mapping that it is read by, and its file. */
export interface RowOrigin {
  readonly entry: unknown;
  readonly file: string;
}

/** The rows of one content that have been read. */
interface RowCopies {
  origin: RowOrigin;
  /** The rows in entries before. */
  before: number;
  /** The rows in this file, and the most in any file of this entry. */
  count: number;
  most: number;
}

/** A name that has an id, in the parts that it was read from. */
interface Owner {
  readonly name: string;
  readonly parts: readonly string[];
}

export function openMadeIds(corrections: NameCorrections = new Map()): MadeIds {
  const ids = new Map<string, string>();
  const owners = new Map<string, Owner>();
  const copies = new Map<string, RowCopies>();
  const known = openRecordNames();
  const madeNames = () =>
    [...ids].map(([spelling, id]): MadeName => {
      const [resource, parts] = JSON.parse(spelling) as [string, string[]];
      const name = parts.join(' ');
      return { resource, name, id, isDecided: corrections.get(resource)?.has(name) ?? false };
    });
  return {
    ofName(resource, given) {
      const cleaned = given.map(cleanName);
      const parts = cleaned.filter((part) => part !== '');
      if (parts.length === 0 || (resource !== PEOPLE && cleaned.at(-1) === '')) return undefined;
      const spelling = JSON.stringify([resource, parts]);
      const earlier = ids.get(spelling);
      if (earlier !== undefined) return earlier;
      assertRoom(ids.size);
      const name = parts.join(' ');
      const correction = corrections.get(resource)?.get(name);
      const corrected = correction ?? name;
      const ownId = numberOf(resource, `name\n${corrected}`);
      // A name of several columns, such as a client and a project, is no other record's whole name.
      const mayBeKnown = correction !== name && (parts.length === 1 || resource === PEOPLE || correction !== undefined);
      const knownId = () => (mayBeKnown ? known.find(resource, name, String(corrected), ownId) : undefined);
      const recordId = typeof corrected === 'number' ? String(corrected) : knownId();
      const id = recordId ?? ownId;
      const owner = { name: String(corrected), parts: corrected === name ? parts : [String(corrected)] };
      if (recordId === undefined) claim(owners, `${resource} ${id}`, owner);
      else known.noteFound(resource, id);
      ids.set(spelling, id);
      return id;
    },
    know: known.add,
    isFound: known.isFound,
    again: () => openMadeIds(corrections),
    ofRow(resource, content, isKey, origin) {
      assertRoom(copies.size);
      const digest = digestOf(`${resource}\nrow\n${content}`).toString('hex').slice(0, 32);
      const idOf = (name: string) => (isKey ? name : numberOf(resource, `row\n${name}`));
      const first = idOf(digest);
      // Rows of one id are counted, not compared: another row that would have it gets the next one.
      const counted = isKey ? first : `${resource} ${first}`;
      const copy = countCopy(copies, counted, origin);
      return copy === 1 ? first : idOf(`${digest}-${copy}`);
    },
    madeNames,
    foundNames: known.found,
    questions: known.questions,
    nearNames: () => findNearNames([...known.all(), ...madeNames()]),
  };
}

/** Counts a row of some content, and returns its number among its copies. */
function countCopy(copies: Map<string, RowCopies>, content: string, origin: RowOrigin): number {
  const known = copies.get(content) ?? { origin, before: 0, count: 0, most: 0 };
  copies.set(content, known);
  if (known.origin.entry !== origin.entry)
    Object.assign(known, { before: known.before + known.most, count: 0, most: 0 });
  else if (known.origin.file !== origin.file) known.count = 0;
  known.origin = origin;
  known.count += 1;
  known.most = Math.max(known.most, known.count);
  return known.before + known.count;
}

/** Cleans a name: blanks around it and several in a row don't count, nor two ways to encode an accent. */
export function cleanName(name: string): string {
  return name.normalize('NFC').replaceAll(/\s+/g, ' ').trim();
}

/**
 * Records the name that has an id.
 * @throws AppError input if another name has it, or one whose parts are others and only look the same when joined.
 */
function claim(owners: Map<string, Owner>, key: string, { name, parts }: Owner): void {
  const other = owners.get(key);
  const isSame =
    other?.name === name && (parts.length === 1 || other.parts.length === 1 || sameParts(parts, other.parts));
  if (other === undefined || isSame) {
    if (other === undefined || parts.length > 1) owners.set(key, { name, parts });
    return;
  }
  const names = [other.parts, parts].map((each) => formatForeign(each.join(' | '))).join(' and ');
  throw new AppError('input', `Two names would have the same id, ${key}: ${names}`, {
    hint: 'Give one of them another id under names in mapping.yaml, or the records an own column of ids. Nothing was loaded.',
  });
}

function sameParts(one: readonly string[], other: readonly string[]): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function assertRoom(count: number): void {
  if (count < MAX_MADE_IDS) return;
  throw new AppError('limit', `More than ${MAX_MADE_IDS} ids would be made of names and rows`, {
    hint: 'Export the ids, too, and map their column. Nothing was loaded.',
  });
}

function numberOf(resource: string, name: string): string {
  const bits = digestOf(`${resource}\n${name}`).readBigUInt64BE() >> (64n - ID_BITS);
  return String(BigInt(FIRST_MADE_ID) + bits);
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
