import type { Database } from '../database/database.ts';
import { isDiskFull } from '../error.ts';
import { buildModel, buildModels, outlineModels } from './build.ts';
import { LAYERS, loadModels, qualifiedName } from './models.ts';

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

/** Drops everything derived from the records, so that their tables can be altered. */
export async function dropModels(database: Database): Promise<void> {
  for (const schema of ['reports', ...LAYERS]) await database.run(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
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

type Kind = 'TABLE' | 'VIEW';

async function exchange(database: Database, directory: string, from: Kind, to: Kind): Promise<void> {
  const models = await loadModels(database, directory);
  const found = await database.rows<{ name: string; kind: Kind }>(`
    SELECT schema_name || '.' || table_name AS name, 'TABLE' AS kind FROM duckdb_tables()
    UNION ALL SELECT schema_name || '.' || view_name, 'VIEW' FROM duckdb_views()`);
  const exchanged = models.filter((model) => {
    const isThere = found.some(({ name, kind }) => name === qualifiedName(model) && kind === from);
    return model.storage === 'table at rest' && isThere;
  });
  await database.transaction(async () => {
    for (const model of exchanged) {
      await database.run(`DROP ${from} ${qualifiedName(model)}`);
      await buildModel(database, model, to);
    }
  });
}
