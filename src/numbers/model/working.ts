import { type Database, isDiskFull } from '../../base/database/index.ts';
import { buildModels, createWritten, outlineModels } from './build.ts';
import { createRelation, createSchemas, dropModels, runPreludes } from './engine/duckdb.ts';
import type { RelationKind } from './engine/engine.ts';
import { loadModels, type Model, qualifiedName } from './models.ts';

/**
 * Builds every model in a writable database that has none.
 * Outlines them if the records prevent a build: the database opens, and refreshes fail with the
 * reason until the records are fixed.
 * @param directory The folder sql/.
 * @returns whether they are built.
 * @throws the engine's own error when the disk is full; AppError definition for an invalid model.
 */
export async function prepareModels(database: Database, directory: string): Promise<boolean> {
  try {
    await buildModels(database, directory);
    await openToWrites(database, directory);
    return true;
  } catch (error) {
    if (isDiskFull(error)) throw error;
    await dropModels(database);
    await outlineModels(database, directory, await loadModels(database, directory));
    return false;
  }
}

/**
 * Builds the models that read only records, by which these can be changed before the others are built.
 * @param directory The folder sql/.
 */
export async function buildRecordViews(database: Database, directory: string): Promise<void> {
  await runPreludes(database, directory);
  const models = await loadModels(database, directory);
  await database.transaction(async () => {
    await createSchemas(database);
    for (const model of findRecordViews(models)) await createRelation(database, model, 'VIEW');
  });
}

/** Returns whether a relation holds records; the row of the load comes after them. */
function isOfRecords(name: string): boolean {
  return name.startsWith('source.') && name !== 'source.generation';
}

/** @param models In dependency order. */
function findRecordViews(models: readonly Model[]): readonly Model[] {
  const found = new Map<string, Model>();
  for (const model of models) {
    const isOne = model.reads.every((name) => isOfRecords(name) || found.has(name));
    if (model.storage === 'view' && isOne) found.set(qualifiedName(model), model);
  }
  return [...found.values()];
}

/**
 * Prepares a built database for refreshes: models too expensive to refresh become views.
 * Does nothing if it is already prepared.
 * @param directory The folder sql/.
 */
export function openToWrites(database: Database, directory: string): Promise<void> {
  return exchange(database, directory, 'TABLE', 'VIEW');
}

/**
 * Turns views made by openToWrites back into tables, as in a loaded generation.
 * Their columns then have no comments.
 * @param directory The folder sql/.
 */
export function closeToWrites(database: Database, directory: string): Promise<void> {
  return exchange(database, directory, 'VIEW', 'TABLE');
}

async function exchange(database: Database, directory: string, from: RelationKind, to: RelationKind): Promise<void> {
  const models = await loadModels(database, directory);
  const found = await database.rows<{ name: string; kind: RelationKind }>(`
    SELECT schema_name || '.' || table_name AS name, 'TABLE' AS kind FROM duckdb_tables()
    UNION ALL SELECT schema_name || '.' || view_name, 'VIEW' FROM duckdb_views()`);
  const exchanged = models.filter((model) => {
    const isThere = found.some(({ name, kind }) => name === qualifiedName(model) && kind === from);
    return model.storage === 'table at rest' && isThere;
  });
  await database.transaction(async () => {
    for (const model of exchanged) {
      await database.run(`DROP ${from} ${qualifiedName(model)}`);
      await (to === 'VIEW' ? createWritten(database, model) : createRelation(database, model, to));
    }
  });
}
