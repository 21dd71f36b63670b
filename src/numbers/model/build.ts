import { type Database, quoteText } from '../../base/database/index.ts';
import { AppError } from '../../base/index.ts';
import { withoutTextCompression } from './compression.ts';
import { createRelation, createSchemas, createWords, duckdbEngine, runPreludes } from './engine/duckdb.ts';
import type { Engine } from './engine/engine.ts';
import { type Check, loadChecks, loadModels, type Model, qualifiedName } from './models.ts';

/** Progress of a build: the step that starts, and the number of steps. */
export interface BuildStep {
  readonly name: string;
  readonly done: number;
  readonly total: number;
}

/** Maximum violations in a check's error. Unit: violations. */
const SHOWN_VIOLATIONS = 3;

/**
 * Builds every model over the schema `source` and runs every check.
 * A failure leaves some models behind, so the database must not be read before the end.
 * @param directory The folder sql/.
 * @throws AppError definition for a model that can't be built, check for a check with violations.
 */
export async function buildModels(
  database: Database,
  directory: string,
  onProgress?: (step: BuildStep) => void,
): Promise<void> {
  const models = await loadModels(database, directory);
  const engine = duckdbEngine(database, directory);
  await withoutTextCompression(database, () => buildOn(engine, models, loadChecks(directory), onProgress));
}

/**
 * Builds models on an engine and runs checks.
 * Commits each table: DuckDB scans uncommitted tables on one thread.
 * @param models In dependency order.
 * @throws AppError definition for a model that can't be built, check for a check with violations.
 */
export async function buildOn(
  engine: Engine,
  models: readonly Model[],
  checks: readonly Check[],
  onProgress: (step: BuildStep) => void = () => undefined,
): Promise<void> {
  const total = models.length + checks.length;
  let done = 0;
  const note = (name: string) => {
    onProgress({ name, done, total });
    done += 1;
  };
  const build = async (run: readonly Model[]) => {
    for (const model of run) {
      note(qualifiedName(model));
      await engine.create(model, model.storage === 'view' ? 'VIEW' : 'TABLE');
    }
  };
  await engine.prepare();
  for (const run of splitAfterTables(models)) await engine.transaction(() => build(run));
  for (const check of checks) {
    note(check.file);
    await runCheck(engine, check);
  }
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
  await createWords(session, directory);
  for (const model of models) await createWritten(session, model);
  await session.run(`DROP TABLE IF EXISTS ${OUTLINED}`);
}

/** Creates a model's relation in a database that is written. */
export function createWritten(database: Database, model: Model): Promise<void> {
  if (model.storage === 'table') return createRelation(database, model, 'TABLE');
  return createRelation(database, { ...model, select: model.written ?? model.select }, 'VIEW');
}

/** The table that marks a database whose models are outlines. */
const OUTLINED = 'core.outlined';

/**
 * Creates every model as an outline: views, and empty tables that the next refresh fills.
 * Reads no records, so invalid ones can't make it fail.
 * @param models All models of the folder in dependency order.
 */
export async function outlineModels(database: Database, directory: string, models: readonly Model[]): Promise<void> {
  await runPreludes(database, directory);
  await database.transaction(async () => {
    await createSchemas(database);
    for (const model of models) {
      await createWritten(database, model.storage === 'table' ? withoutRows(model) : model);
    }
    await database.run(`CREATE TABLE ${OUTLINED} AS SELECT TRUE AS is_outlined`);
  });
}

/**
 * Creates stored models as empty tables, and the others as views, to take the rows of another engine.
 * @param models All models of the folder in dependency order.
 */
export async function createEmptyModels(
  database: Database,
  directory: string,
  models: readonly Model[],
): Promise<void> {
  await duckdbEngine(database, directory).prepare();
  await database.transaction(async () => {
    for (const model of models) {
      if (model.storage === 'view') await createRelation(database, model, 'VIEW');
      else await createRelation(database, withoutRows(model), 'TABLE');
    }
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

/**
 * Runs one check.
 * The first violations are evidence, not part of the message, since they may show costs.
 * @throws AppError check with its sentence and the number of violations.
 */
export async function runCheck(engine: Engine, check: Check): Promise<void> {
  const { count, first } = await engine.findViolations(check, SHOWN_VIOLATIONS);
  if (count === 0) return;
  const shown = first.map((row) => JSON.stringify(row)).join(', ');
  throw new AppError(
    'check',
    `The check ${check.file} failed for ${count} ${count === 1 ? 'row' : 'rows'}: ${check.sentence.replace(/\.$/, '')}`,
    {
      evidence: `Broken by ${shown}${count > SHOWN_VIOLATIONS ? ', and more' : ''}.`,
      hint: 'Nothing was published, and the earlier numbers stay in use. Please report this, with the data if you can.',
    },
  );
}
