import { type Database, quoteText } from '../../base/database/index.ts';
import { AppError } from '../../base/index.ts';

/** DuckDB's parse tree of a statement, or its reason against one. */
export interface ParseTree {
  readonly error?: boolean;
  readonly error_message?: string;
  readonly position?: string;
  readonly statements?: readonly unknown[];
}

/** A name in a FROM clause. */
export interface RelationName {
  /** With its schema, such as "core.people". */
  readonly name: string;
  /** Its place in the statement. Unit: bytes of UTF-8. */
  readonly start: number;
  /** False where the statement calls it by its own name. */
  readonly hasAlias: boolean;
}

/** Parses all in one statement: one statement per model costs more than the parsing. */
export async function parseSelects(database: Database, selects: readonly string[]): Promise<ParseTree[]> {
  const trees = selects.map((select) => `json_serialize_sql(${quoteText(select)})`).join(', ');
  const [row] = await database.rows<{ trees: string[] }>(`SELECT [${trees}] AS trees`);
  return selects.map((_, index) => JSON.parse(row?.trees[index] ?? '{}'));
}

/** Finds the relations with a schema that a statement reads: a name without one is a CTE. */
export function findRelationNames(node: unknown): RelationName[] {
  if (node === null || typeof node !== 'object') return [];
  const children = Object.values(node).flatMap(findRelationNames);
  const { type, schema_name, table_name, query_location, alias } = node as Record<string, unknown>;
  if (type !== 'BASE_TABLE' || schema_name === '') return children;
  return [{ name: `${schema_name}.${table_name}`, start: Number(query_location), hasAlias: alias !== '' }, ...children];
}

/** Matches a name with its schema, quoted or not. */
const QUALIFIED_NAME = /^(?:\w+|"[^"]+")\s*\.\s*(?:\w+|"[^"]+")/;

/**
 * Writes SELECTs with other names of the relations that they read, and no other change.
 * @param rename Returns the SQL of the name to write.
 * @throws AppError definition for a statement that DuckDB can't parse.
 */
export async function exchangeNames(
  database: Database,
  selects: readonly string[],
  rename: (name: string) => string,
): Promise<string[]> {
  const trees = await parseSelects(database, selects);
  return selects.map((select, index) => {
    const tree = trees[index];
    if (tree?.error) throw new AppError('definition', `${tree.error_message}: ${select}`);
    return writeNames(select, findRelationNames(tree), ({ name }) => rename(name));
  });
}

/** Writes a SELECT with other names of the relations that it reads. @param names Those of its parse tree. */
export function writeNames(
  select: string,
  names: readonly RelationName[],
  rename: (name: RelationName) => string,
): string {
  const bytes = Buffer.from(select);
  const written: string[] = [];
  let end = 0;
  for (const relation of names.toSorted((one, other) => one.start - other.start)) {
    const { name, start } = relation;
    const [found = ''] = QUALIFIED_NAME.exec(bytes.toString('utf8', start)) ?? [];
    if (found.replace(/[\s"]/g, '') !== name) {
      throw new AppError('definition', `${name} is not at byte ${start} of a statement: ${select}`);
    }
    written.push(bytes.toString('utf8', end, start), rename(relation));
    end = start + Buffer.byteLength(found);
  }
  return [...written, bytes.toString('utf8', end)].join('');
}
