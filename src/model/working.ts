import type { Database } from '../database/database.ts';
import { buildModel } from './build.ts';
import { loadModels, qualifiedName } from './models.ts';

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
