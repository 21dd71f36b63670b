import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Database, isDiskFull, quoteText } from '../../../base/database/index.ts';
import { AppError } from '../../../base/index.ts';
import { readKindNames } from '../../relation/line-kinds.ts';
import { LAYERS } from '../../relation/relation-marks.ts';
import { type Model, qualifiedName } from '../models.ts';
import type { Engine, RelationKind } from './engine.ts';

/** The engine's own functions, and those of the rules. */
const FUNCTIONS = ['duckdb.sql', 'rules.sql'];

/** Types with values from the records. */
const WORDS = 'words.sql';

/** @param directory The folder sql/. */
export function duckdbEngine(database: Database, directory: string): Engine {
  return {
    async prepare() {
      await runPreludes(database, directory);
      await createSchemas(database);
    },
    transaction: (work) => database.transaction(work),
    create: (model, kind) => createRelation(database, model, kind),
    async findViolations({ select }, limit) {
      const first = await database.rows<object>(`SELECT * FROM (${select}) LIMIT ${limit}`);
      if (first.length === 0) return { count: 0, first };
      const [counted] = await database.rows<{ count: number }>(`SELECT COUNT(*) AS count FROM (${select})`);
      return { count: counted?.count ?? 0, first };
    },
    drop: () => dropModels(database),
  };
}

/** Drops everything derived from the records, so that their tables can be altered. */
export async function dropModels(database: Database): Promise<void> {
  for (const schema of ['reports', ...LAYERS]) await database.run(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
}

/** Drops the types of models, whose words another version may have had. No relation may have one. */
export function dropTypes(database: Database): Promise<void> {
  return database.run(
    'DROP TYPE IF EXISTS line_kind; DROP TYPE IF EXISTS line_status; DROP TYPE IF EXISTS bill_rate_source',
  );
}

export async function createSchemas(database: Database): Promise<void> {
  for (const schema of LAYERS) await database.run(`CREATE SCHEMA IF NOT EXISTS ${schema}`);
}

/** Creates the functions and types that the models call. */
export async function runPreludes(database: Database, directory: string): Promise<void> {
  await createFunctions(database, directory);
  await createWords(database, directory);
}

export async function createFunctions(database: Database, directory: string): Promise<void> {
  for (const file of FUNCTIONS) await database.run(readPrelude(directory, file));
}

export function readFunctions(directory: string): string[] {
  return FUNCTIONS.map((file) => readPrelude(directory, file));
}

export function createWords(database: Database, directory: string): Promise<void> {
  return database.run(readPrelude(directory, WORDS));
}

function readPrelude(directory: string, file: string): string {
  const text = readFileSync(join(directory, 'prelude', file), 'utf8');
  const names = readKindNames(directory).map((name) => `'${name}'`);
  return functionsToMacros(text.replaceAll('kinds.names', names.join(', ')));
}

/** Matches a function of standard SQL. */
const FUNCTION =
  /^CREATE FUNCTION (?<name>\w+)\((?<parameters>[^()\n]*(?:\([^()\n]*\)[^()\n]*)*)\) RETURNS .*\nRETURN\b/gm;

/** A parameter with its type, such as "rate_ DECIMAL(18, 4)". */
const PARAMETER = /\b(?<name>\w+_) [A-Z]+(?:\(\d+, \d+\))?/g;

/** Turns functions of standard SQL into macros: DuckDB has no others. */
function functionsToMacros(sql: string): string {
  return sql.replace(FUNCTION, (_, name: string, parameters: string) => {
    return `CREATE OR REPLACE MACRO ${name}(${parameters.replace(PARAMETER, '$<name>')}) AS`;
  });
}

/**
 * Creates a model's relation, replacing the one of the same name and kind.
 * @throws AppError definition when it can't be built; the engine's own error when the disk is full.
 */
export async function createRelation(database: Database, model: Model, kind: RelationKind): Promise<void> {
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
