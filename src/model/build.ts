import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Database, quoteText } from '../database/database.ts';
import { AppError, isDiskFull } from '../error.ts';
import { leaveTextsPlain } from './compression.ts';
import { type Check, LAYERS, loadChecks, loadModels, type Model, qualifiedName } from './models.ts';

/** How far a build has come: the step that starts now, and how many there are. */
export interface BuildStep {
  readonly name: string;
  readonly done: number;
  readonly total: number;
}

/** What models are written with: the engine's own spelling, and types whose words are in the records. */
const SPELLING = 'duckdb.sql';
const WORDS = 'words.sql';

/** How many violations of a check its error shows. */
const SHOWN_VIOLATIONS = 3;

/**
 * Builds every model over the schema `source` and runs every check. What fails on the way leaves some of the models, so nobody may read the
 * database before it is done. Each table is committed by itself: of one that isn't the engine doesn't know how large it is, and reads it on one
 * thread.
 * @param directory The folder sql/.
 * @throws AppError definition for a model that can't be built, check for a check that found violations.
 */
export async function buildModels(
  database: Database,
  directory: string,
  onProgress: (step: BuildStep) => void = () => undefined,
): Promise<void> {
  for (const file of [SPELLING, WORDS]) await runPrelude(database, directory, file);
  const models = await loadModels(database, directory);
  const checks = loadChecks(directory);
  const total = models.length + checks.length;
  let done = 0;
  const note = (name: string) => {
    onProgress({ name, done, total });
    done += 1;
  };
  const build = async (run: readonly Model[]) => {
    for (const model of run) {
      note(qualifiedName(model));
      await buildModel(database, model, model.storage === 'view' ? 'VIEW' : 'TABLE');
    }
  };
  await leaveTextsPlain(database, async () => {
    for (const schema of LAYERS) await database.run(`CREATE SCHEMA IF NOT EXISTS ${schema}`);
    for (const run of splitAfterTables(models)) await database.transaction(() => build(run));
    for (const check of checks) {
      note(check.file);
      await runCheck(database, check);
    }
  });
}

/** Models in runs that end with a table. To commit each view by itself would take longer than to make it. */
function splitAfterTables(models: readonly Model[]): Model[][] {
  const runs: Model[][] = [[]];
  for (const model of models) {
    runs.at(-1)?.push(model);
    if (model.storage !== 'view') runs.push([]);
  }
  return runs;
}

/**
 * Builds every model again in a database that is written to, and the types whose words come from the records, within a transaction.
 * @param models Those of the folder, each after all that it reads.
 * @throws AppError definition for a model that can't be built.
 */
export async function rebuildModels(session: Database, directory: string, models: readonly Model[]): Promise<void> {
  await runPrelude(session, directory, WORDS);
  for (const model of models) await buildModel(session, model, model.storage === 'table' ? 'TABLE' : 'VIEW');
  await session.run(`DROP TABLE IF EXISTS ${OUTLINED}`);
}

/** The table that stands in the database while its models are outlined. */
const OUTLINED = 'core.outlined';

/**
 * Creates every model as an outline: views as they are, tables without rows. The next refresh builds them.
 * Nothing of the records is computed, so nothing in them can stop it.
 * @param models Those of the folder, each after all that it reads.
 */
export async function outlineModels(database: Database, directory: string, models: readonly Model[]): Promise<void> {
  for (const file of [SPELLING, WORDS]) await runPrelude(database, directory, file);
  await database.transaction(async () => {
    for (const schema of LAYERS) await database.run(`CREATE SCHEMA IF NOT EXISTS ${schema}`);
    for (const model of models) {
      if (model.storage === 'table') await buildModel(database, withoutRows(model), 'TABLE');
      else await buildModel(database, model, 'VIEW');
    }
    await database.run(`CREATE TABLE ${OUTLINED} AS SELECT TRUE AS is_outlined`);
  });
}

function withoutRows(model: Model): Model {
  return { ...model, select: `SELECT * FROM (${model.select}) AS model LIMIT 0` };
}

/** Tells whether the models are outlined and not built yet. */
export async function areOutlined(session: Database): Promise<boolean> {
  const found = await session.rows(
    `SELECT 1 FROM duckdb_tables() WHERE schema_name || '.' || table_name = ${quoteText(OUTLINED)}`,
  );
  return found.length > 0;
}

async function runPrelude(database: Database, directory: string, file: string): Promise<void> {
  await database.run(readFileSync(join(directory, 'prelude', file), 'utf8'));
}

/**
 * Builds one model in place of the one of its name, which is held the same way.
 * @throws AppError definition when it can't be built; the engine's own error when the disk takes no more.
 */
export async function buildModel(database: Database, model: Model, kind: 'TABLE' | 'VIEW'): Promise<void> {
  try {
    await database.run(`
      CREATE OR REPLACE ${kind} ${qualifiedName(model)} AS ${model.select};
      COMMENT ON ${kind} ${qualifiedName(model)} IS ${quoteText(model.comment)}`);
  } catch (cause) {
    if (isDiskFull(cause)) throw cause;
    // The engine's message may quote values of the data.
    throw new AppError('definition', `sql/${model.file} can't be built`, { evidence: String(cause), cause });
  }
}

/**
 * Runs one check.
 * @throws AppError check with its sentence and the number of rows that break it; the first of them are evidence, since they may show costs.
 */
export async function runCheck(database: Database, check: Check): Promise<void> {
  const violations = await database.rows(`SELECT * FROM (${check.select}) LIMIT ${SHOWN_VIOLATIONS}`);
  if (violations.length === 0) return;
  const [counted] = await database.rows<{ count: number }>(`SELECT COUNT(*) AS count FROM (${check.select})`);
  const count = counted?.count ?? 0;
  const shown = violations.map((row) => JSON.stringify(row)).join(', ');
  throw new AppError(
    'check',
    `The check ${check.file} failed for ${count} ${count === 1 ? 'row' : 'rows'}: ${check.sentence.replace(/\.$/, '')}`,
    {
      evidence: `Broken by ${shown}${count > SHOWN_VIOLATIONS ? ', and more' : ''}.`,
      hint: 'Nothing was published: the numbers that were there are still those that are read. Please report this, with the data if you can.',
    },
  );
}
