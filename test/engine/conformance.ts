import { type Database, quoteName } from '../../src/base/database/database.ts';
import { buildOn } from '../../src/numbers/model/build.ts';
import type { Engine } from '../../src/numbers/model/engine/engine.ts';
import { findRecordTables, loadChecks, loadModels, type Model, qualifiedName } from '../../src/numbers/model/models.ts';
import { sqlDirectory } from '../../src/numbers/relation/sql-file.ts';
import { copyRecords, type Postgres, postgresEngine, prefixSchema } from './postgres.ts';

export interface Comparison {
  /** One for each relation that isn't the same. */
  readonly differences: readonly string[];
  /** The number of rows of each relation that is the same. */
  readonly equal: Readonly<Record<string, number>>;
}

/**
 * Builds all models of a company on PostgreSQL, runs all checks there, compares each relation, and drops everything.
 * @param database Has the company's models, built by DuckDB.
 * @param prefix Of the schemas in PostgreSQL.
 */
export async function comparePostgres(database: Database, postgres: Postgres, prefix: string): Promise<Comparison> {
  const engine = await buildOnPostgres(database, postgres, prefix);
  const compared = await compareRelations(database, (model, columns) => readPostgres(postgres, prefix, model, columns));
  await engine.drop();
  await postgres.exec(`DROP SCHEMA ${prefixSchema(prefix, 'source')} CASCADE`);
  return compared;
}

/** Compares each relation with that of another DuckDB database with the same records. */
export function compareDuckdb(database: Database, other: Database): Promise<Comparison> {
  return compareRelations(database, (model, columns) => readDuckdb(other, model, columns));
}

/** Compares each relation with the rows that another engine has of it, as texts joined by `joinTexts`. */
async function compareRelations(
  database: Database,
  readOther: (model: Model, columns: readonly Column[]) => Promise<string[]>,
): Promise<Comparison> {
  const differences: string[] = [];
  const equal: Record<string, number> = {};
  for (const model of await loadModels(database, sqlDirectory)) {
    const columns = await readColumns(database, model);
    const rows = await readDuckdb(database, model, columns);
    const difference = describeDifference(rows, await readOther(model, columns));
    if (difference === undefined) equal[qualifiedName(model)] = rows.length;
    else differences.push(`${qualifiedName(model)}: ${difference}`);
  }
  return { differences, equal };
}

/** Copies a company's records from DuckDB to PostgreSQL, builds all models there and runs all checks. */
export async function buildOnPostgres(database: Database, postgres: Postgres, prefix: string): Promise<Engine> {
  const models = await loadModels(database, sqlDirectory);
  const checks = loadChecks(sqlDirectory);
  const engine = postgresEngine(postgres, database, prefix);
  await copyRecords(database, postgres, prefix, await findRecordTables(database, models, checks));
  await buildOn(engine, models, checks);
  return engine;
}

interface Column {
  readonly name: string;
  readonly type: string;
}

function readColumns(database: Database, model: Model): Promise<Column[]> {
  return database.rows<Column>(
    `SELECT column_name AS name, column_type AS type FROM (DESCRIBE ${qualifiedName(model)})`,
  );
}

/** Reads the rows as texts. Decimals have no zeros at the end: their scales differ. */
async function readDuckdb(database: Database, model: Model, columns: readonly Column[]): Promise<string[]> {
  const texts = columns.map(({ name, type }) => {
    const text = `CAST(${quoteName(name)} AS VARCHAR)`;
    return isScaled(type) ? `rtrim(rtrim(${text}, '0'), '.')` : text;
  });
  const rows = await database.rows<{ row: string }>(`SELECT ${joinTexts(texts)} AS row FROM ${qualifiedName(model)}`);
  return rows.map(({ row }) => row);
}

async function readPostgres(
  postgres: Postgres,
  prefix: string,
  { schema, name }: Model,
  columns: readonly Column[],
): Promise<string[]> {
  const texts = columns.map((column) => {
    const value = quoteName(column.name);
    if (column.type.endsWith('[]')) return `'[' || array_to_string(${value}, ', ') || ']'`;
    return isNumber(column.type) ? `CAST(trim_scale(${value}) AS TEXT)` : `CAST(${value} AS TEXT)`;
  });
  const relation = `${prefixSchema(prefix, schema)}.${quoteName(name)}`;
  const { rows } = await postgres.query<{ row: string }>(`SELECT ${joinTexts(texts)} AS row FROM ${relation}`);
  return rows.map(({ row }) => row);
}

function isNumber(type: string): boolean {
  return isScaled(type) || /^(?:BIGINT|INTEGER|HUGEINT)$/.test(type);
}

function isScaled(type: string): boolean {
  return /^DECIMAL\(\d+,[1-9]/.test(type);
}

function joinTexts(texts: readonly string[]): string {
  return texts.map((text) => `COALESCE(${text}, 'NULL')`).join(" || ' | ' || ");
}

/** Maximum rows shown of a difference on each side. */
const SHOWN = 3;

function describeDifference(duckdb: readonly string[], other: readonly string[]): string | undefined {
  const [missing, added] = [removeAll(duckdb, other), removeAll(other, duckdb)];
  if (missing.length + added.length === 0) return undefined;
  const show = (rows: readonly string[]) =>
    rows
      .slice(0, SHOWN)
      .map((row) => `\n    ${row}`)
      .join('');
  return `${missing.length} rows only on DuckDB, ${added.length} only on the other:${show(missing)}\n  and${show(added)}`;
}

/** Removes from rows each other row once. */
function removeAll(rows: readonly string[], others: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const row of others) counts.set(row, (counts.get(row) ?? 0) + 1);
  return rows.filter((row) => {
    const left = counts.get(row) ?? 0;
    counts.set(row, left - 1);
    return left <= 0;
  });
}
