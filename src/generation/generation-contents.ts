import type { Database } from '../database/database.ts';
import { createFunctions } from '../model/engine/duckdb.ts';
import { buildWithoutRates } from '../model/without-rates.ts';
import { buildMacros } from '../report/marts/macros.ts';
import { commentMarts } from '../report/marts/marts.ts';
import { buildMartsCatalog } from '../report/marts/marts-catalog.ts';
import { sqlDirectory, stampDefinitions } from './model-definitions.ts';
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

/** Fills the copy without rates from its generation, attached as `generation`. */
export async function fillWithoutRates(database: Database): Promise<void> {
  await buildWithoutRates(database, sqlDirectory);
  await buildMacros(database, readCatalogues().withoutRates);
  await buildMartsCatalog(database, readCatalogues().withoutRates, readMeanings());
}
