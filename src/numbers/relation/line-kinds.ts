import { basename } from 'node:path';
import { AppError } from '../../base/index.ts';
import { readFiles, splitHeader, sqlDirectory } from './sql-file.ts';

/** A column with the id of a record, and its SQL type. */
export interface RecordColumn {
  readonly name: string;
  readonly type: 'BIGINT' | 'VARCHAR';
}

/** Hours of a plan, or work that was done. */
export type Labour = 'plan' | 'work';

/** A kind of lines, with what the ids of its lines are made of. */
export interface NamedKind {
  /** As the column `kind` has it. */
  readonly name: string;
  /** The beginning of the ids of its lines, such as s:, and the columns whose values follow. */
  readonly start: string;
  readonly idColumns: readonly string[];
}

/** A kind of lines of the ledger: a file of sql/kinds, whose header says what its lines are made of. */
export interface KindOfLines extends NamedKind {
  /** Tells planned hours from those of work; undefined for a kind with amounts of its own, which is no labour. */
  readonly countsAs: Labour | undefined;
  /** The resource of the records that its lines are of, as routes name it. */
  readonly resource: string;
  /** The ledger's column with the id of a line's record. */
  readonly record: RecordColumn;
  /** The columns that, besides the record, find a line in another state. */
  readonly pairs: readonly string[];
  /** The fields of a record that a hard closing keeps as they are; none of a kind that it leaves free. */
  readonly closes: readonly string[];
  /** A line of it in words, such as "an expense", for a closing that keeps it. */
  readonly words: string;
  /** The SELECT of its lines, in the columns of the ledger, and the column by which it is stored. */
  readonly select: string;
  readonly sorted: string;
  /** The column of the people or projects with whose records its lines change. */
  readonly changesWith: 'people_id' | 'project_id';
  /** Tables that its lines don't depend on, although relations that they read do. */
  readonly apartFrom: readonly string[];
}

/** The kinds of lines: the names of all, those whose lines the ledger stores, and those whose lines reports compute. */
interface Kinds {
  readonly names: readonly string[];
  readonly stored: readonly KindOfLines[];
  readonly computed: readonly NamedKind[];
}

const known = new Map<string, Kinds>();

/** Reads the kinds whose lines the ledger stores, by rank, once for each folder. @throws AppError definition for a header that lacks a mark. */
export function readLineKinds(directory = sqlDirectory): readonly KindOfLines[] {
  return readKinds(directory).stored;
}

/** Reads the names of all kinds of lines, by rank: those that a report computes, too. @throws AppError as readLineKinds */
export function readKindNames(directory = sqlDirectory): readonly string[] {
  return readKinds(directory).names;
}

/** Reads the kinds whose lines depend on the cutoff and on the statuses that a report asks for, by rank. @throws AppError as readLineKinds */
export function readComputedKinds(directory = sqlDirectory): readonly NamedKind[] {
  return readKinds(directory).computed;
}

function readKinds(directory: string): Kinds {
  const read = known.get(directory);
  if (read) return read;
  const files = readFiles(directory, 'kinds')
    .map(({ file, text }) => {
      const { marks, body } = splitHeader(file, text);
      const mark = requireMarks(file, marks);
      const rank = Number(mark('rank'));
      if (!Number.isInteger(rank))
        throw new AppError('definition', `sql/${file}: rank: "${mark('rank')}" is no whole number`);
      return { file, marks, mark, body, rank };
    })
    .sort((one, other) => one.rank - other.rank);
  const kinds = {
    names: files.map(({ file }) => basename(file, '.sql')),
    stored: files.filter(({ marks }) => !marks.has('computed')).map(readKind),
    computed: files.filter(({ marks }) => marks.has('computed')).flatMap(readNames),
  };
  known.set(directory, kinds);
  return kinds;
}

/** Returns a function that returns a mark of a header. @throws AppError definition, from that function, for one that the header lacks. */
function requireMarks(file: string, marks: ReadonlyMap<string, string>): (name: string) => string {
  return (name) => {
    const value = marks.get(name);
    if (value === undefined) {
      throw new AppError('definition', `sql/${file}: the header has no mark "${name}"`, {
        hint: 'sql/README.md says what each mark of a kind of lines means.',
      });
    }
    return value;
  };
}

/** A file of a kind of lines, with its marks. */
interface KindFile {
  readonly file: string;
  readonly marks: ReadonlyMap<string, string>;
  readonly mark: (name: string) => string;
  readonly body: string;
}

/** Returns a kind once for each form of its ids, which commas part. */
function readNames({ file, mark }: KindFile): NamedKind[] {
  return mark('line_id')
    .split(', ')
    .map((form) => readName(file, form));
}

function readName(file: string, form: string): NamedKind {
  const [start = '', ...idColumns] = form.split(' ');
  return { name: basename(file, '.sql'), start, idColumns };
}

function readKind(kind: KindFile): KindOfLines {
  const { file, marks, mark, body } = kind;
  const listed = (name: string) => marks.get(name)?.split(', ') ?? [];
  const [resource = '', column = '', type] = mark('record').split(' ');
  if (type !== 'BIGINT' && type !== 'VARCHAR') {
    throw new AppError(
      'definition',
      `sql/${file}: record: "${mark('record')}" is not a resource, a column and BIGINT or VARCHAR`,
    );
  }
  const closes = listed('closes');
  const changesWith = mark('changes_with');
  if (changesWith !== 'people_id' && changesWith !== 'project_id') {
    throw new AppError('definition', `sql/${file}: changes_with: "${changesWith}" is neither people_id nor project_id`);
  }
  const countsAs = marks.get('counts_as');
  if (countsAs !== undefined && countsAs !== 'plan' && countsAs !== 'work') {
    throw new AppError('definition', `sql/${file}: counts_as: "${countsAs}" is neither plan nor work`);
  }
  return {
    ...readName(file, mark('line_id')),
    countsAs,
    resource,
    record: { name: column, type },
    pairs: listed('pairs'),
    closes,
    words: closes.length > 0 ? mark('says') : '',
    select: body,
    sorted: mark('sorted'),
    changesWith,
    apartFrom: listed('apart_from'),
  };
}

/** Returns the names of the kinds of lines of the plan, or of work. */
export function kindsOf(what: Labour): string[] {
  return readLineKinds().flatMap((kind) => (kind.countsAs === what ? [kind.name] : []));
}

/** Returns the condition of lines of the plan, or of those of work. @param column SQL of a line's kind. */
export function countsAs(what: Labour, column = 'kind'): string {
  return compareKinds(column, ['=', 'OR'], (kind) => kind.countsAs === what);
}

/** Returns the condition of all lines but those of the plan. */
export function isBesidePlan(column = 'kind'): string {
  return compareKinds(column, ['<>', 'AND'], (kind) => kind.countsAs === 'plan');
}

/** Returns the condition of lines whose amounts are those of hours at rates. */
export function isLabour(column = 'kind'): string {
  return compareKinds(column, ['<>', 'AND'], (kind) => kind.countsAs === undefined);
}

/** Returns the condition of lines that have amounts of their own. */
export function hasOwnAmounts(column = 'kind'): string {
  return compareKinds(column, ['=', 'OR'], (kind) => kind.countsAs === undefined);
}

/** Returns the condition of lines of the records of a resource. */
export function isOfResource(resource: string, column = 'kind'): string {
  return compareKinds(column, ['=', 'OR'], (kind) => kind.resource === resource);
}

/** Compares a line's kind with some: the engine tests a few differences in a third of the time of a list. */
function compareKinds(
  column: string,
  [operator, connective]: readonly ['=', 'OR'] | readonly ['<>', 'AND'],
  isMeant: (kind: KindOfLines) => boolean,
): string {
  const tests = readLineKinds()
    .filter(isMeant)
    .map(({ name }) => `${column} ${operator} pl_line_kind('${name}')`);
  return tests.length === 1 ? tests.join('') : `(${tests.join(` ${connective} `)})`;
}
