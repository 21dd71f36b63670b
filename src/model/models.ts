import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Database, quoteText } from '../database.ts';
import { AppError } from '../error.ts';

/** The schemas that models build, a folder of sql/ each; `source`, which they start from, is what ingest has loaded. */
export const LAYERS = ['staging', 'core', 'marts', 'quality'] as const;

/** One file of sql/: one relation, made by one SELECT. */
export interface Model {
  readonly schema: string;
  readonly name: string;
  /** Relative to sql/, such as "core/ledger.sql". */
  readonly file: string;
  /** What one row is, and the decisions: the header of the file, without the comment marks. */
  readonly comment: string;
  readonly isTable: boolean;
  readonly select: string;
}

/** A query whose rows are violations of the sentence in its header. */
export interface Check {
  readonly file: string;
  readonly sentence: string;
  readonly select: string;
}

const TABLE_MARK = 'Stored as a table.';

/**
 * Reads the models of every layer, ordered so that each comes after all it reads.
 * @throws AppError definition when a file lacks its header, doesn't parse, or models read each other in a circle.
 */
export async function loadModels(database: Database, directory: string): Promise<Model[]> {
  const models = LAYERS.flatMap((schema) => readFiles(directory, schema).map((file) => parseModel(schema, file)));
  const reads = new Map<Model, Model[]>();
  const byName = new Map(models.map((model) => [qualifiedName(model), model]));
  for (const model of models) {
    const names = await readTableNames(database, model);
    reads.set(model, names.map((name) => byName.get(name)).filter(isDefined));
  }
  return sortByReads(models, reads);
}

/** Reads the checks of sql/checks. */
export function loadChecks(directory: string): Check[] {
  return readFiles(directory, 'checks').map(({ file, text }) => {
    const { header, body } = splitHeader(file, text);
    return { file, sentence: header.join(' '), select: body };
  });
}

/** The model's name as SQL says it. */
export function qualifiedName(model: Model): string {
  return `${model.schema}.${model.name}`;
}

function readFiles(directory: string, folder: string): { file: string; text: string }[] {
  return readdirSync(join(directory, folder))
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => ({ file: `${folder}/${name}`, text: readFileSync(join(directory, folder, name), 'utf8') }));
}

function parseModel(schema: string, { file, text }: { file: string; text: string }): Model {
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
    comment: header.filter((line) => line !== TABLE_MARK).join('\n'),
    isTable: header.includes(TABLE_MARK),
    select: body,
  };
}

function splitHeader(file: string, text: string): { header: string[]; body: string } {
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

async function readTableNames(database: Database, { file, comment, select, isTable }: Model): Promise<string[]> {
  const [row] = await database.rows<{ tree: string }>(`SELECT json_serialize_sql(${quoteText(select)}) AS tree`);
  const tree = JSON.parse(row?.tree ?? '{}');
  const headerLines = comment.split('\n').length + (isTable ? 1 : 0);
  const lineOf = (position: unknown) => headerLines + select.slice(0, Number(position ?? 0)).split('\n').length;
  const hint = 'A model is one SELECT statement without a semicolon.';
  if (tree.error)
    throw new AppError('definition', `sql/${file}:${lineOf(tree.position)}: ${tree.error_message}`, { hint });
  if (tree.statements?.length !== 1) {
    throw new AppError('definition', `sql/${file}:${lineOf(0)}: holds ${tree.statements?.length} statements`, { hint });
  }
  return findTableNames(tree);
}

function findTableNames(node: unknown): string[] {
  if (node === null || typeof node !== 'object') return [];
  const children = Object.values(node).flatMap(findTableNames);
  const { type, schema_name, table_name } = node as Record<string, unknown>;
  return type === 'BASE_TABLE' ? [`${schema_name}.${table_name}`, ...children] : children;
}

function sortByReads(models: readonly Model[], reads: ReadonlyMap<Model, readonly Model[]>): Model[] {
  const sorted = new Set<Model>();
  const visit = (model: Model, path: readonly Model[]): void => {
    if (sorted.has(model)) return;
    if (path.includes(model)) {
      const circle = [...path.slice(path.indexOf(model)), model].map(qualifiedName).join(' -> ');
      throw new AppError('definition', `Models read each other in a circle: ${circle}`);
    }
    for (const read of reads.get(model) ?? []) visit(read, [...path, model]);
    sorted.add(model);
  };
  for (const model of models) visit(model, []);
  return [...sorted];
}

function isDefined<T>(value: T | undefined): value is T {
  return value !== undefined;
}
