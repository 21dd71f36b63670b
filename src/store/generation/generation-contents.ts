import { type Database, quoteText } from '../../base/database/index.ts';
import { buildWithoutRates, createFunctions, loadModels } from '../../numbers/model/index.ts';
import { sqlDirectory } from '../../numbers/relation/index.ts';
import { buildMacros, buildMartsCatalog, commentMarts } from '../../numbers/report/marts/index.ts';
import { stampDefinitions } from './model-definitions.ts';
import { readCatalogues, readMeanings } from './own-reports.ts';

/** Adds the reports as macros, comments and a catalog, for readers who use SQL, and the digest of the definitions. */
export async function describeGeneration(database: Database): Promise<void> {
  await buildMacros(database, readCatalogues().full);
  await commentMarts(database, readMeanings());
  await buildMartsCatalog(database, readCatalogues().full, readMeanings());
  await stampDefinitions(database);
}

/** Replaces the functions of an earlier version by those that the reports of this one call. */
export function replaceFunctions(database: Database): Promise<void> {
  return createFunctions(database, sqlDirectory);
}

/** Builds the marts that an earlier version didn't have, from relations of the present format. */
export async function addMarts(database: Database): Promise<void> {
  const rows = await database.rows<{ name: string }>(
    `SELECT DISTINCT table_name AS name FROM duckdb_columns() WHERE schema_name = 'marts'`,
  );
  const there = new Set(rows.map(({ name }) => name));
  for (const { schema, name, comment, select } of await loadModels(database, sqlDirectory))
    if (schema === 'marts' && !there.has(name))
      await database.run(`
        CREATE TABLE marts.${name} AS ${select};
        COMMENT ON TABLE marts.${name} IS ${quoteText(comment)}`);
}

/** Fills the copy without rates from its generation, attached as `generation`. */
export async function fillWithoutRates(database: Database): Promise<void> {
  await buildWithoutRates(database, sqlDirectory);
  await buildMacros(database, readCatalogues().withoutRates);
  await buildMartsCatalog(database, readCatalogues().withoutRates, readMeanings());
}
