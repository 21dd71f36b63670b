import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Database, quoteText } from '../database/database.ts';
import { AppError, isDiskFull } from '../error.ts';
import { leaveTextsPlain } from './compression.ts';
import { type Check, LAYERS, loadChecks, loadModels, type Model, qualifiedName } from './models.ts';

/** Progress of a build: the step that starts, and the number of steps. */
export interface BuildStep {
  readonly name: string;
  readonly done: number;
  readonly total: number;
}

/** The files of the prelude: engine spellings, and types with values from the records. */
const SPELLING = 'duckdb.sql';
const WORDS = 'words.sql';

/** Maximum violations in a check's error. Unit: violations. */
const SHOWN_VIOLATIONS = 3;

/**
 * Builds every model over the schema `source` and runs every check.
 * A failure leaves some models behind, so the database must not be read before the end.
 * Commits each table: DuckDB scans uncommitted tables on one thread.
 * @param directory The folder sql/.
 * @throws AppError definition for a model that can't be built, check for a check with violations.
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

/** Groups models into runs that end with a table: committing a view takes longer than creating it. */
function splitAfterTables(models: readonly Model[]): Model[][] {
  const runs: Model[][] = [[]];
  for (const model of models) {
    runs.at(-1)?.push(model);
    if (model.storage !== 'view') runs.push([]);
  }
  return runs;
}

/**
 * Rebuilds every model, and the types with values from the records, in a transaction.
 * @param models All models of the folder in dependency order.
 * @throws AppError definition for a model that can't be built.
 */
export async function rebuildModels(session: Database, directory: string, models: readonly Model[]): Promise<void> {
  await runPrelude(session, directory, WORDS);
  for (const model of models) await buildModel(session, model, model.storage === 'table' ? 'TABLE' : 'VIEW');
  await session.run(`DROP TABLE IF EXISTS ${OUTLINED}`);
}

/** The table that marks a database whose models are outlines. */
const OUTLINED = 'core.outlined';

/**
 * Creates every model as an outline: views, and empty tables that the next refresh fills.
 * Reads no records, so invalid ones can't make it fail.
 * @param models All models of the folder in dependency order.
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
 * Builds a model, replacing the one of the same name and kind.
 * @throws AppError definition when it can't be built; the engine's own error when the disk is full.
 */
export async function buildModel(database: Database, model: Model, kind: 'TABLE' | 'VIEW'): Promise<void> {
  try {
    await database.run(`
      CREATE OR REPLACE ${kind} ${qualifiedName(model)} AS ${model.select};
      COMMENT ON ${kind} ${qualifiedName(model)} IS ${quoteText(model.comment)}`);
  } catch (cause) {
    if (isDiskFull(cause)) throw cause;
    // The engine's message may contain values of the data.
    throw new AppError('definition', `sql/${model.file} can't be built`, { evidence: String(cause), cause });
  }
}

/**
 * Runs one check.
 * The first violations are evidence, not part of the message, since they may show costs.
 * @throws AppError check with its sentence and the number of violations.
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
