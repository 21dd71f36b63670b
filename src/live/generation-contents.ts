import { join } from 'node:path';
import { packageDirectory } from '../config/config.ts';
import type { Database } from '../database/database.ts';
import { buildWithoutRates } from '../model/without-rates.ts';
import { type Catalogue, loadCatalogue } from '../report/catalogue.ts';
import { buildMacros } from '../report/macros.ts';
import { commentMarts, loadMeanings } from '../report/marts.ts';
import { hideRates } from '../report/rates.ts';

export const sqlDirectory = join(packageDirectory, 'sql');

const reports = join(packageDirectory, 'reports');

let catalogue: Catalogue | undefined;

function readCatalogue(): Catalogue {
  catalogue ??= loadCatalogue(reports);
  return catalogue;
}

/** Adds the reports as macros, and comments on the columns, for readers who use SQL. */
export async function describeGeneration(database: Database): Promise<void> {
  await buildMacros(database, readCatalogue());
  await commentMarts(database, loadMeanings(reports, readCatalogue()));
}

/** Fills the copy without rates from its generation, attached as `generation`. */
export async function fillWithoutRates(database: Database): Promise<void> {
  await buildWithoutRates(database, sqlDirectory);
  await buildMacros(database, hideRates(readCatalogue()));
}
