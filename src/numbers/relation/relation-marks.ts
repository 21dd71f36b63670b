import { readFiles, splitHeader, sqlDirectory } from './sql-file.ts';

/** The folders of sql/ whose files are relations, in the order of their layers. Ingest loads `source`, which they read. */
export const LAYERS = ['staging', 'core', 'marts', 'quality'] as const;

const known = new Map<string, ReadonlyMap<string, ReadonlyMap<string, string>>>();

/**
 * Reads what the headers of sql/ say of their relations, once for each folder.
 * @returns By qualified name, such as "core.ledger", the marks of its header.
 * @throws AppError definition for an unknown mark.
 */
export function readMarks(directory = sqlDirectory): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const read = known.get(directory);
  if (read) return read;
  const marks = new Map(
    LAYERS.flatMap((schema) =>
      readFiles(directory, schema).map(
        ({ file, text }) => [file.slice(0, -'.sql'.length).replace('/', '.'), splitHeader(file, text).marks] as const,
      ),
    ),
  );
  known.set(directory, marks);
  return marks;
}

/** Returns the relations that have a mark, with what it says. */
export function listMarked(name: string, directory = sqlDirectory): ReadonlyMap<string, string> {
  const marked = [...readMarks(directory)].flatMap(([relation, marks]) => {
    const value = marks.get(name);
    return value === undefined ? [] : [[relation, value] as const];
  });
  return new Map(marked);
}
