import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Database, quoteName, quoteText } from '../../base/database/index.ts';
import { AppError, messageOf } from '../../base/index.ts';
import { type Engine, exchangeNames, qualifiedName } from '../../numbers/model/index.ts';
import { LAYERS } from '../../numbers/relation/index.ts';
import type { TrinoClient } from './trino-client.ts';

/** A place for a company's relations on a cluster. */
export interface TrinoPlace {
  readonly catalog: string;
  /** The start of the names of its schemas, so that several companies and versions fit in one catalog. */
  readonly schemaPrefix: string;
  /** The catalog and schema of the functions, which the client's session has as its path: "memory.default". */
  readonly functions: string;
  /** The address under which each schema gets a folder of its own. */
  readonly location: string;
}

/** The order of a table that is too large to be sorted, or read, at once. */
export interface LakeLayout {
  /** A column with few distinct words: rows with the same word are stored together. */
  readonly major: string;
  /** A column of first days of months: each month has its own files. */
  readonly month: string;
  /** A column by which the rows of a month are sorted. */
  readonly minor: string;
}

export const LAKE_LAYOUTS: Readonly<Record<string, LakeLayout>> = {
  'core.ledger': { major: 'kind', month: 'month', minor: 'date' },
};

/** The functions of the prelude, and the rules. */
export const PRELUDE = ['trino.sql', 'rules.sql'];

/**
 * Makes an engine of a Trino cluster. All relations are tables: each reader would compute a view over views again,
 * and the catalog of functions loses its content when the coordinator ends.
 * @param parser Any DuckDB database; it finds the names to exchange.
 * @param directory The folder sql/.
 */
export function trinoEngine(client: TrinoClient, place: TrinoPlace, parser: Database, directory: string): Engine {
  const rename = (name: string) => relationAt(place, name);
  const exchange = async (select: string) => (await exchangeNames(parser, [select], rename))[0] ?? '';
  return {
    async prepare() {
      for (const schema of LAYERS) await createSchema(client, place, schema);
      await client.run(`CREATE SCHEMA IF NOT EXISTS ${place.functions}`);
      for (const file of PRELUDE) {
        const sql = readFileSync(join(directory, 'prelude', file), 'utf8');
        for (const statement of writeFunctions(sql, place.functions)) await client.run(statement);
      }
    },
    transaction: (work) => work(),
    async create(model) {
      const relation = rename(`${model.schema}.${model.name}`);
      try {
        const properties = formatProperties(LAKE_LAYOUTS[qualifiedName(model)]);
        await client.run(
          `CREATE OR REPLACE TABLE ${relation} COMMENT ${quoteText(model.comment)}${properties} AS ${await exchange(model.select)}`,
        );
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'cluster') throw error;
        const hint = error.hint === undefined ? {} : { hint: error.hint };
        throw new AppError('cluster', `sql/${model.file} can't be built: ${messageOf(error)}`, {
          ...hint,
          cause: error,
        });
      }
    },
    async findViolations({ select }, limit) {
      const violations = `(${await exchange(select)}) AS violations`;
      const { rows, columns } = await client.run(`SELECT * FROM ${violations} LIMIT ${limit}`);
      const first = rows.map((row) => Object.fromEntries(columns.map(({ name }, i) => [name, row[i]])));
      if (rows.length < limit) return { count: rows.length, first };
      const counted = await client.run(`SELECT count(*) FROM ${violations}`);
      return { count: Number(counted.rows[0]?.[0]), first };
    },
    async drop() {
      for (const schema of LAYERS) await client.run(`DROP SCHEMA IF EXISTS ${schemaAt(place, schema)} CASCADE`);
    },
  };
}

/** Creates a schema of a place. Fails if the schema exists. */
export async function createSchema(client: TrinoClient, place: TrinoPlace, schema: string): Promise<void> {
  const location = quoteText(`${place.location}/${schema}`);
  await client.run(`CREATE SCHEMA ${schemaAt(place, schema)} WITH (location = ${location})`);
}

function formatProperties(layout: LakeLayout | undefined): string {
  if (!layout) return " WITH (format = 'PARQUET')";
  const { major, month, minor } = layout;
  return ` WITH (format = 'PARQUET', partitioning = ARRAY['${month}'], sorted_by = ARRAY['${major}', '${minor}'])`;
}

/** Returns the name of a relation on the cluster. @param name With its schema, such as "core.people". */
export function relationAt(place: TrinoPlace, name: string): string {
  const [schema = '', relation = ''] = name.split('.');
  return `${schemaAt(place, schema)}.${quoteName(relation)}`;
}

export function schemaAt({ catalog, schemaPrefix }: TrinoPlace, schema: string): string {
  return `${quoteName(catalog)}.${quoteName(`${schemaPrefix}${schema}`)}`;
}

/** Matches the start of a function's definition. */
const FUNCTION = /^CREATE FUNCTION (?=\w)/;

/**
 * Splits a prelude into statements that create its functions in a schema.
 * Trino 476 can't compile functions whose parameters end in an underscore.
 */
function writeFunctions(sql: string, functions: string): string[] {
  const statements = sql.replaceAll(/^--.*\n/gm, '').split(/;\s*\n/);
  return statements
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')
    .map((statement) => statement.replace(FUNCTION, `CREATE OR REPLACE FUNCTION ${functions}.`))
    .map((statement) => statement.replaceAll(/\b([a-z]\w*)_\b/g, 'the_$1'));
}
