import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Database, quoteText } from '../database.ts';
import { AppError } from '../error.ts';
import { leaveTextsPlain } from './compression.ts';
import { type Check, LAYERS, loadChecks, loadModels, type Model, qualifiedName } from './models.ts';

/** How far a build has come: the step that starts now, and how many there are. */
export interface BuildStep {
  readonly name: string;
  readonly done: number;
  readonly total: number;
}

/** What models are written with: the engine's own spelling, and types whose words are in the records. */
const PRELUDE = ['duckdb.sql', 'words.sql'];

/** How many violations of a check its error shows. */
const SHOWN_VIOLATIONS = 3;

/**
 * Builds every model over the schema `source`, then runs every check, in one transaction: a failing check leaves what was there.
 * @param directory The folder sql/.
 * @throws AppError definition for a model that can't be built, check for a check that found violations.
 */
export async function buildModels(
  database: Database,
  directory: string,
  onProgress: (step: BuildStep) => void = () => undefined,
): Promise<void> {
  for (const file of PRELUDE) await database.run(readFileSync(join(directory, 'prelude', file), 'utf8'));
  const models = await loadModels(database, directory);
  const checks = loadChecks(directory);
  const total = models.length + checks.length;
  const buildAll = async () => {
    for (const schema of LAYERS) await database.run(`CREATE SCHEMA IF NOT EXISTS ${schema}`);
    for (const [index, model] of models.entries()) {
      onProgress({ name: qualifiedName(model), done: index, total });
      await buildModel(database, model);
    }
    for (const [index, check] of checks.entries()) {
      onProgress({ name: check.file, done: models.length + index, total });
      await runCheck(database, check);
    }
  };
  await leaveTextsPlain(database, () => database.transaction(buildAll));
}

async function buildModel(database: Database, model: Model): Promise<void> {
  const kind = model.isTable ? 'TABLE' : 'VIEW';
  try {
    await database.run(`CREATE OR REPLACE ${kind} ${qualifiedName(model)} AS ${model.select}`);
  } catch (cause) {
    throw new AppError('definition', `sql/${model.file} can't be built: ${String(cause)}`, { cause });
  }
  await database.run(`COMMENT ON ${kind} ${qualifiedName(model)} IS ${quoteText(model.comment)}`);
}

/** Runs one check. @throws AppError check, with the sentence that failed and the first rows that break it. */
export async function runCheck(database: Database, check: Check): Promise<void> {
  const violations = await database.rows(`SELECT * FROM (${check.select}) LIMIT ${SHOWN_VIOLATIONS + 1}`);
  if (violations.length === 0) return;
  const shown = violations.slice(0, SHOWN_VIOLATIONS).map((row) => JSON.stringify(row));
  const more = violations.length > SHOWN_VIOLATIONS ? ', and more' : '';
  throw new AppError(
    'check',
    `The check ${check.file} failed: ${check.sentence} Broken by ${shown.join(', ')}${more}.`,
    {
      hint: 'Nothing was changed: the numbers that were there are still those that are read. Please report this, with the data if you can.',
    },
  );
}
