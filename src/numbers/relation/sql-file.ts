import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageDirectory } from '../../base/config/index.ts';
import { AppError } from '../../base/index.ts';

/** The folder of the models, which the package holds. */
export const sqlDirectory = join(packageDirectory, 'sql');

/**
 * The words that begin a line of a header for the program, such as "stored: table"; all other lines are for people.
 * sql/README.md says what each means.
 */
const MARKS = [
  ...['stored', 'checked', 'key', 'order', 'refers', 'part', 'copied', 'hides'],
  ...['says', 'remedy', 'tells_of'],
  ...['rank', 'counts_as', 'record', 'line_id', 'pairs', 'closes', 'sorted', 'changes_with', 'apart_from', 'computed'],
] as const;

/** A file of SQL: the lines of its header for people, its marks by name, the length of its header, and the statement. */
export interface SqlFile {
  readonly lines: readonly string[];
  readonly marks: ReadonlyMap<string, string>;
  readonly headerLines: number;
  readonly body: string;
}

/** Reads the statement of a file of sql/, such as "facts/fee_lives", without its header. */
export function readStatement(path: string, directory = sqlDirectory): string {
  const file = `${path}.sql`;
  return splitHeader(file, readFileSync(join(directory, file), 'utf8')).body;
}

const MARK = /^(?<name>[a-z_]+): (?<value>.+)$/;

/** Reads the files of a folder of sql/, in the order of their names. @returns Each with its path below sql/. */
export function readFiles(directory: string, folder: string): { file: string; text: string }[] {
  return readdirSync(join(directory, folder))
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => ({ file: `${folder}/${name}`, text: readFileSync(join(directory, folder, name), 'utf8') }));
}

/** Parts the header of a file from its statement. @throws AppError definition without a header, or for an unknown mark. */
export function splitHeader(file: string, text: string): SqlFile {
  const all = text.split('\n');
  const length = all.findIndex((line) => !line.startsWith('--'));
  if (length <= 0) {
    throw new AppError('definition', `sql/${file}:1: the file must begin with a comment and then hold one SELECT`);
  }
  const header = all.slice(0, length).map((line) => line.replace(/^-- ?/, ''));
  const marks = new Map<string, string>();
  for (const [index, line] of header.entries()) {
    const { name, value = '' } = MARK.exec(line)?.groups ?? {};
    if (name === undefined) continue;
    const at = `sql/${file}:${index + 1}`;
    if (!MARKS.some((mark) => mark === name)) {
      const hint = `Marks are ${MARKS.join(', ')}. Begin a line for people with a capital letter.`;
      throw new AppError('definition', `${at}: unknown mark "${name}"`, { hint });
    }
    if (marks.has(name)) throw new AppError('definition', `${at}: the mark "${name}" stands twice`);
    marks.set(name, value);
  }
  return {
    lines: header.filter((line) => !MARK.test(line)),
    marks,
    headerLines: length,
    body: all.slice(length).join('\n'),
  };
}
