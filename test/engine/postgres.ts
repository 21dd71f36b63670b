import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PGlite, types } from '@electric-sql/pglite';
import { packageDirectory } from '../../src/base/config/package.ts';
import { type Database, quoteName, quoteText } from '../../src/base/database/database.ts';
import { AppError } from '../../src/base/error.ts';
import type { Engine } from '../../src/numbers/model/engine/engine.ts';
import { exchangeNames } from '../../src/numbers/model/relation-names.ts';
import { LAYERS } from '../../src/numbers/relation/relation-marks.ts';

/** A PostgreSQL database in memory, in this process. */
export type Postgres = PGlite;

const OWN_FUNCTIONS = join(packageDirectory, 'test', 'engine', 'postgres.sql');

const RULES = join(packageDirectory, 'sql', 'prelude', 'rules.sql');

/** Opens PostgreSQL; dates and large numbers are read as texts. */
export function openPostgres(): Promise<Postgres> {
  const keep = (text: string) => text;
  return PGlite.create({ parsers: { [types.DATE]: keep, [types.INT8]: keep, [types.NUMERIC]: keep } });
}

/**
 * Makes an engine of a PostgreSQL database. Its schemas have a prefix, so that several companies fit in one database.
 * @param parser A DuckDB database, which finds the names to exchange.
 */
export function postgresEngine(postgres: Postgres, parser: Database, prefix: string): Engine {
  const rename = (name: string) => {
    const [schema = '', relation = ''] = name.split('.');
    return `${prefixSchema(prefix, schema)}.${quoteName(relation)}`;
  };
  const exchange = async (select: string) => (await exchangeNames(parser, [select], rename))[0] ?? '';
  return {
    async prepare() {
      for (const schema of ['functions', ...LAYERS])
        await postgres.exec(`CREATE SCHEMA ${prefixSchema(prefix, schema)}`);
      await postgres.exec(`SET search_path TO ${prefixSchema(prefix, 'functions')}`);
      for (const file of [OWN_FUNCTIONS, RULES]) await postgres.exec(readFileSync(file, 'utf8'));
    },
    transaction: (work) => work(),
    async create(model, kind) {
      const relation = rename(`${model.schema}.${model.name}`);
      try {
        await postgres.exec(`
          DROP ${kind} IF EXISTS ${relation};
          CREATE ${kind} ${relation} AS ${await exchange(model.select)};
          COMMENT ON ${kind} ${relation} IS ${quoteText(model.comment)}`);
      } catch (cause) {
        throw new AppError('definition', `sql/${model.file} can't be built on PostgreSQL: ${cause}`, { cause });
      }
    },
    async findViolations({ select }, limit) {
      const { rows } = await postgres.query<object>(await exchange(select));
      return { count: rows.length, first: rows.slice(0, limit) };
    },
    async drop() {
      for (const schema of ['functions', ...LAYERS]) {
        await postgres.exec(`DROP SCHEMA IF EXISTS ${prefixSchema(prefix, schema)} CASCADE`);
      }
    },
  };
}

export function prefixSchema(prefix: string, schema: string): string {
  return quoteName(`${prefix}${schema}`);
}

/** PostgreSQL's types of the records' columns; a list is an array of its items. */
function postgresType(type: string): string {
  if (type.endsWith('[]')) return `${postgresType(type.slice(0, -2))}[]`;
  if (/^(BIGINT|INTEGER|BOOLEAN|DATE|TIMESTAMP|VARCHAR|DECIMAL\(\d+,\d+\))$/.test(type)) return type;
  throw new Error(`PostgreSQL has no type for ${type}`);
}

/** Copies tables of records from DuckDB. */
export async function copyRecords(
  database: Database,
  postgres: Postgres,
  prefix: string,
  tables: readonly string[],
): Promise<void> {
  await postgres.exec(`CREATE SCHEMA ${prefixSchema(prefix, 'source')}`);
  for (const table of tables) {
    const columns = await database.rows<{ name: string; type: string }>(`
      SELECT column_name AS name, data_type AS type FROM duckdb_columns()
      WHERE database_name = current_database() AND schema_name = 'source' AND table_name = ${quoteText(table)}
      ORDER BY column_index`);
    const copy = `${prefixSchema(prefix, 'source')}.${quoteName(table)}`;
    const definitions = columns.map(({ name, type }) => `${quoteName(name)} ${postgresType(type)}`);
    await postgres.exec(`CREATE TABLE ${copy} (${definitions.join(', ')})`);
    const rows = await database.rows(`SELECT * FROM source.${quoteName(table)}`);
    await postgres.query(`INSERT INTO ${copy} SELECT * FROM json_populate_recordset(CAST(NULL AS ${copy}), $1)`, [
      JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? String(value) : value)),
    ]);
    await postgres.exec(`ANALYZE ${copy}`);
  }
}
