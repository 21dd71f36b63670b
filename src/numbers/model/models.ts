import type { Database } from '../../base/database/index.ts';
import { AppError } from '../../base/index.ts';
import { partByKinds, replaceKinds } from '../relation/kind-columns.ts';
import { type KindOfLines, readLineKinds } from '../relation/line-kinds.ts';
import { LAYERS } from '../relation/relation-marks.ts';
import { readFiles, splitHeader } from '../relation/sql-file.ts';
import { findRelationNames, type ParseTree, parseSelects, type RelationName } from './relation-names.ts';
import { writeViews } from './written-views.ts';

/**
 * A model's storage: a view, a table, or a table that becomes a view in a writable database,
 * because refreshing it after each write would be too expensive.
 */
export type Storage = (typeof STORAGES)[number];

/** A file of sql/: one relation, defined by one SELECT. */
export interface Model {
  readonly schema: string;
  readonly name: string;
  /** Relative to sql/, such as "core/ledger.sql". */
  readonly file: string;
  /** The header of the file without comment marks: the meaning of a row, and decisions. */
  readonly comment: string;
  readonly storage: Storage;
  readonly select: string;
  /** The statement of a table at rest as a view of a database that is written: the same rows. Absent for others. */
  readonly written?: string;
  /** The statement of the lines of each kind, of the model of all of them. */
  readonly kinds?: ReadonlyMap<string, string>;
  /** Names, such as "core.people". */
  readonly reads: readonly string[];
}

/** A query whose rows violate the sentence in its header. */
export interface Check {
  readonly file: string;
  readonly sentence: string;
  /** Limits a refresh to rows whose keys changed in some models. Default: all rows. */
  readonly scope?: { readonly causes: readonly string[]; readonly keys: readonly string[] };
  /** True for a check of views that a refresh leaves out: it checks the stored models that they read. */
  readonly isOfBuilds: boolean;
  readonly select: string;
}

const STORAGES = ['view', 'table', 'table at rest'] as const;

/** The models loaded last, with the texts of their files: a server loads the same ones for each publication. */
let latest: { readonly texts: string; readonly models: readonly Model[] } | undefined;

/**
 * Reads the models of every layer in dependency order.
 * @throws AppError definition for a missing header, a syntax error, or a cycle.
 */
export async function loadModels(database: Database, directory: string): Promise<readonly Model[]> {
  const files = LAYERS.map((schema) => [schema, readFiles(directory, schema)] as const);
  const facts = readFacts(directory);
  const kinds = readLineKinds(directory);
  const texts = JSON.stringify([files, [...facts], kinds]);
  if (latest?.texts === texts) return latest.models;
  const parsed = files.flatMap(([schema, own]) => own.map((file) => parseModel(schema, file, facts, kinds)));
  const selects = parsed.map(({ select }) => select);
  const trees = await parseSelects(database, selects);
  const read = parsed.map(({ headerLines, ...model }, index) => {
    const names = findNames(model, headerLines, trees[index] ?? {});
    return { ...model, names, reads: [...new Set(names.map(({ name }) => name))] };
  });
  const sorted = sortByReads(read);
  const views = writeViews(sorted.map((model) => ({ ...model, name: qualifiedName(model) })));
  const models = sorted.map(({ names, ...model }) => {
    const written = views.get(qualifiedName(model));
    return { ...model, ...(written !== undefined && { written }) };
  });
  latest = { texts, models };
  return models;
}

export function loadChecks(directory: string): Check[] {
  return readFiles(directory, 'checks').map(({ file, text }) => {
    const { lines, marks, body } = splitHeader(file, text);
    const [causes = '', keys] = marks.get('checked')?.split(' by ') ?? [];
    return {
      file,
      sentence: lines.join(' '),
      isOfBuilds: causes === 'builds',
      ...(keys !== undefined && { scope: { causes: causes.split(', '), keys: keys.split(', ') } }),
      select: body,
    };
  });
}

/** Finds the tables of records that models and checks read, without their schema. */
export async function findRecordTables(
  database: Database,
  models: readonly Model[],
  checks: readonly Check[],
): Promise<string[]> {
  const trees = await parseSelects(
    database,
    checks.map(({ select }) => select),
  );
  const names = [...models.flatMap(({ reads }) => reads), ...findRelationNames(trees).map(({ name }) => name)];
  const records = names.filter((name) => name.startsWith('source.'));
  return [...new Set(records)].map((name) => name.slice('source.'.length)).sort();
}

export function qualifiedName(model: Pick<Model, 'schema' | 'name'>): string {
  return `${model.schema}.${model.name}`;
}

/** Returns the records' tables and the stored models that each model reads, itself or through views. */
export function findModelReads(models: readonly Model[]): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, ReadonlySet<string>>();
  const views = new Set(models.filter(({ storage }) => storage !== 'table').map(qualifiedName));
  for (const model of sortByReads(models)) {
    const reads = model.reads.flatMap((name) => (views.has(name) ? [...(found.get(name) ?? [])] : [name]));
    found.set(qualifiedName(model), new Set(reads));
  }
  return found;
}

/**
 * Returns the queries of sql/facts, and those of the kinds of lines that no table stores, by name: rules whose parameters are relations of
 * the statement that reads them.
 */
function readFacts(directory: string): ReadonlyMap<string, string> {
  const facts = [...readFiles(directory, 'facts'), ...readFiles(directory, 'kinds')].map(({ file, text }) => ({
    file,
    ...splitHeader(file, text),
  }));
  return new Map(
    facts
      .filter(({ file, marks }) => file.startsWith('facts/') || marks.has('computed'))
      .map(({ file, body }) => [file.slice(0, -'.sql'.length).replace('/', '.'), body]),
  );
}

/** A model before the engine has read its statement. */
type ParsedModel = Omit<Model, 'reads' | 'written'>;

function parseModel(
  schema: string,
  { file, text }: { file: string; text: string },
  facts: ReadonlyMap<string, string>,
  kinds: readonly KindOfLines[],
): ParsedModel & { readonly headerLines: number } {
  const { lines, marks, headerLines, body } = splitHeader(file, text);
  const mark = marks.get('stored') ?? 'view';
  const storage = STORAGES.find((name) => name === mark);
  if (!storage) throw new AppError('definition', `sql/${file}: stored: "${mark}" is not one of ${STORAGES.join(', ')}`);
  const ofKinds = partByKinds(body, kinds);
  if (!/^One row\b/.test(lines[0] ?? '')) {
    throw new AppError('definition', `sql/${file}:1: the first line must say what one row is`, {
      hint: 'Begin the file with a comment such as "-- One row per project."',
    });
  }
  return {
    schema,
    name: file.slice(schema.length + 1, -'.sql'.length),
    file,
    comment: lines.join('\n'),
    headerLines,
    storage,
    ...(ofKinds && { kinds: ofKinds }),
    select: replaceKinds(body, kinds).replaceAll(/\b(?:facts|kinds)\.\w+/g, (name) =>
      facts.has(name) ? `(\n${facts.get(name)})` : name,
    ),
  };
}

/**
 * Returns the names of the relations that a model reads.
 * @param tree The engine's parse tree.
 */
function findNames({ file, select }: ParsedModel, headerLines: number, tree: ParseTree): RelationName[] {
  const lineOf = (position: unknown) => headerLines + select.slice(0, Number(position ?? 0)).split('\n').length;
  const hint = 'A model is one SELECT statement without a semicolon.';
  if (tree.error)
    throw new AppError('definition', `sql/${file}:${lineOf(tree.position)}: ${tree.error_message}`, { hint });
  if (tree.statements?.length !== 1) {
    throw new AppError('definition', `sql/${file}:${lineOf(0)}: holds ${tree.statements?.length} statements`, { hint });
  }
  return findRelationNames(tree);
}

function sortByReads<One extends Pick<Model, 'schema' | 'name' | 'reads'>>(models: readonly One[]): One[] {
  const byName = new Map(models.map((model) => [qualifiedName(model), model]));
  const sorted = new Set<One>();
  const visit = (model: One, path: readonly One[]): void => {
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
