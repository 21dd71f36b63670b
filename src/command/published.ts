import { join } from 'node:path';
import { packageDirectory } from '../config/config.ts';
import type { Database } from '../database/database.ts';
import { buildWithoutRates } from '../model/without-rates.ts';
import { type Catalogue, loadCatalogue } from '../report/catalogue.ts';
import { buildMacros } from '../report/macros.ts';
import { commentMarts, loadMeanings } from '../report/marts.ts';
import { hideRates } from '../report/rates.ts';

/** The folder of the models. */
export const sqlDirectory = join(packageDirectory, 'sql');

const reports = join(packageDirectory, 'reports');

let catalogue: Catalogue | undefined;

/** The catalogue of the package, read once. */
function readCatalogue(): Catalogue {
  catalogue ??= loadCatalogue(reports);
  return catalogue;
}

/** Adds to a generation what those who read it with SQL find beside the models: the reports as macros, and what columns mean. */
export async function describeGeneration(database: Database): Promise<void> {
  await buildMacros(database, readCatalogue());
  await commentMarts(database, loadMeanings(reports, readCatalogue()));
}

/** Fills the copy without rates of a generation, which is attached to it as `generation`. */
export async function fillWithoutRates(database: Database): Promise<void> {
  await buildWithoutRates(database, sqlDirectory);
  await buildMacros(database, hideRates(readCatalogue()));
}
