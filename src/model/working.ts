import type { Database } from '../database/database.ts';
import { isDiskFull } from '../error.ts';
import { buildModel, buildModels, outlineModels } from './build.ts';
import { LAYERS, loadModels, qualifiedName } from './models.ts';

/**
 * Builds every model in a database that is written to and has none.
 * Where the records don't let them be built, they are outlined: the database opens, and its refreshes fail with what is wrong until the records
 * are mended.
 * @param directory The folder sql/.
 * @returns whether they are built.
 * @throws the engine's own error when the disk takes no more; AppError definition for a model that is wrong whatever the records.
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

/** Drops all that is derived from the records, so that their tables can be changed. */
export async function dropModels(database: Database): Promise<void> {
  for (const schema of ['reports', ...LAYERS]) await database.run(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
}

/**
 * Makes a database that models were built in ready to be refreshed: what is too dear to be kept up to date with each write becomes a view.
 * Does nothing in one that is ready.
 * @param directory The folder sql/.
 */
export function openToWrites(database: Database, directory: string): Promise<void> {
  return exchange(database, directory, 'TABLE', 'VIEW');
}

/**
 * Makes a copy of a database that is refreshed what a load would have made: tables again of what openToWrites made views of. Their columns
 * have no comments then.
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
