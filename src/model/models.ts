import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Database, quoteText } from '../database/database.ts';
import { AppError } from '../error.ts';

/** The schemas that models build, a folder of sql/ each; `source`, which they start from, is what ingest has loaded. */
export const LAYERS = ['staging', 'core', 'marts', 'quality'] as const;

/**
 * How a model is held: as a view, as a table, or as a table only where nothing is written, because it is too dear to be kept up to date with
 * each write.
 */
export type Storage = 'view' | 'table' | 'table at rest';

/** One file of sql/: one relation, made by one SELECT. */
export interface Model {
  readonly schema: string;
  readonly name: string;
  /** Relative to sql/, such as "core/ledger.sql". */
  readonly file: string;
  /** What one row is, and the decisions: the header of the file, without the comment marks. */
  readonly comment: string;
  readonly storage: Storage;
  readonly select: string;
  /** The names of the tables and models that the SELECT reads, such as "core.people". */
  readonly reads: readonly string[];
}

/** A query whose rows are violations of the sentence in its header. */
export interface Check {
  readonly file: string;
  readonly sentence: string;
  /** What a refresh looks at: only rows with the keys of those that have changed in some models. Absent: everything. */
  readonly scope?: { readonly causes: readonly string[]; readonly keys: readonly string[] };
  readonly select: string;
}

/** The lines of a header that say how a model is held. */
const STORAGE_MARKS: Readonly<Record<string, Storage>> = {
  'Stored as a table.': 'table',
  'Stored as a table where nothing is written.': 'table at rest',
};

/** The line of a check's header that says what a refresh looks at. */
const SCOPE_MARK = /^Checked after (?<causes>[\w., ]+) by (?<keys>[\w, ]+)\.$/;

/**
 * Reads the models of every layer, ordered so that each comes after all it reads.
 * @throws AppError definition when a file lacks its header, doesn't parse, or models read each other in a circle.
 */
export async function loadModels(database: Database, directory: string): Promise<Model[]> {
  const parsed = LAYERS.flatMap((schema) => readFiles(directory, schema).map((file) => parseModel(schema, file)));
  // Parsed in one statement: there are as many as models, and each would cost more than its parsing.
  const [row] = await database.rows<{ trees: string[] }>(
    `SELECT [${parsed.map(({ select }) => `json_serialize_sql(${quoteText(select)})`).join(', ')}] AS trees`,
  );
  const models = parsed.map((model, index) => ({
    ...model,
    reads: findReadNames(model, JSON.parse(row?.trees[index] ?? '{}')),
  }));
  return sortByReads(models);
}

/** Reads the checks of sql/checks. */
export function loadChecks(directory: string): Check[] {
  return readFiles(directory, 'checks').map(({ file, text }) => {
    const { header, body } = splitHeader(file, text);
    const { causes, keys } = header.map((line) => SCOPE_MARK.exec(line)?.groups).find(isDefined) ?? {};
    return {
      file,
      sentence: header.filter((line) => !SCOPE_MARK.test(line)).join(' '),
      ...(causes && keys && { scope: { causes: causes.split(', '), keys: keys.split(', ') } }),
      select: body,
    };
  });
}

/** The model's name as SQL says it. */
export function qualifiedName(model: Pick<Model, 'schema' | 'name'>): string {
  return `${model.schema}.${model.name}`;
}

/** Reads the files of a folder of sql/, by name. */
export function readFiles(directory: string, folder: string): { file: string; text: string }[] {
  return readdirSync(join(directory, folder))
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => ({ file: `${folder}/${name}`, text: readFileSync(join(directory, folder, name), 'utf8') }));
}

function parseModel(schema: string, { file, text }: { file: string; text: string }): Omit<Model, 'reads'> {
  const { header, body } = splitHeader(file, text);
  if (!/^One row\b/.test(header[0] ?? '')) {
    throw new AppError('definition', `sql/${file}:1: the first line must say what one row is`, {
      hint: 'Begin the file with a comment such as "-- One row per project."',
    });
  }
  return {
    schema,
    name: file.slice(schema.length + 1, -'.sql'.length),
    file,
    comment: header.filter((line) => !(line in STORAGE_MARKS)).join('\n'),
    storage: header.map((line) => STORAGE_MARKS[line]).find(isDefined) ?? 'view',
    select: body,
  };
}

/** The comment that a file begins with, line by line, and the statement after it. @throws AppError definition when there is none. */
export function splitHeader(file: string, text: string): { header: string[]; body: string } {
  const lines = text.split('\n');
  const length = lines.findIndex((line) => !line.startsWith('--'));
  if (length <= 0) {
    throw new AppError('definition', `sql/${file}:1: the file must begin with a comment and then hold one SELECT`);
  }
  return {
    header: lines.slice(0, length).map((line) => line.replace(/^-- ?/, '')),
    body: lines.slice(length).join('\n'),
  };
}

/** The names of the tables that a model reads. @param tree What the engine has parsed it to. */
function findReadNames(
  { file, comment, select, storage }: Omit<Model, 'reads'>,
  tree: { error?: boolean; error_message?: string; position?: string; statements?: unknown[] },
): string[] {
  const headerLines = comment.split('\n').length + (storage === 'view' ? 0 : 1);
  const lineOf = (position: unknown) => headerLines + select.slice(0, Number(position ?? 0)).split('\n').length;
  const hint = 'A model is one SELECT statement without a semicolon.';
  if (tree.error)
    throw new AppError('definition', `sql/${file}:${lineOf(tree.position)}: ${tree.error_message}`, { hint });
  if (tree.statements?.length !== 1) {
    throw new AppError('definition', `sql/${file}:${lineOf(0)}: holds ${tree.statements?.length} statements`, { hint });
  }
  return [...new Set(findTableNames(tree))];
}

function findTableNames(node: unknown): string[] {
  if (node === null || typeof node !== 'object') return [];
  const children = Object.values(node).flatMap(findTableNames);
  const { type, schema_name, table_name } = node as Record<string, unknown>;
  // A name without a schema is that of a CTE.
  return type === 'BASE_TABLE' && schema_name !== '' ? [`${schema_name}.${table_name}`, ...children] : children;
}

function sortByReads(models: readonly Model[]): Model[] {
  const byName = new Map(models.map((model) => [qualifiedName(model), model]));
  const sorted = new Set<Model>();
  const visit = (model: Model, path: readonly Model[]): void => {
    if (sorted.has(model)) return;
    if (path.includes(model)) {
      const circle = [...path.slice(path.indexOf(model)), model].map(qualifiedName).join(' -> ');
      throw new AppError('definition', `Models read each other in a circle: ${circle}`);
    }
    for (const read of model.reads.map((name) => byName.get(name)).filter(isDefined)) visit(read, [...path, model]);
    sorted.add(model);
  };
  for (const model of models) visit(model, []);
  return [...sorted];
}

function isDefined<T>(value: T | undefined): value is T {
  return value !== undefined;
}
