import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readVersion } from '../../base/config/index.ts';
import { type Database, quoteText } from '../../base/database/index.ts';
import { sqlDirectory } from '../../numbers/relation/index.ts';
import { resources, SQL_TYPES, settings } from '../../records/resource/index.ts';
import { DERIVED_DEFAULTS } from '../record/storage/derived-defaults.ts';

/**
 * The format of a generation: its tables and columns. A database with another format isn't read.
 * Raise it with the first change, after a release, that makes a table or column of that release differ or go, or lets reports
 * read one that it lacks. The step sql/upgrade/N.sql brings kept states to format N: it changes no amount, hour or date.
 */
export const FORMAT = 5;

/** The table of the format and the digest in a generation, in a schema of the models so that it is dropped with them. */
const STAMP = 'core.build';

/** Returns a digest of all definitions of tables and models; a database with a different digest is rebuilt. */
export function digestDefinitions(tables: unknown = [resources, settings, SQL_TYPES, [...DERIVED_DEFAULTS]]): string {
  const hash = createHash('sha256').update(`${readVersion()} ${FORMAT}`).update(JSON.stringify(tables));
  const files = readdirSync(sqlDirectory, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.sql'),
  );
  for (const name of files.sort()) hash.update(`\0${name}\0`).update(readFileSync(join(sqlDirectory, name)));
  return hash.digest('base64url');
}

/** Records in a generation that this version built its models. */
export async function stampDefinitions(database: Database): Promise<void> {
  await database.run(`
    CREATE OR REPLACE TABLE ${STAMP} AS SELECT ${FORMAT} AS format, ${quoteText(digestDefinitions())} AS digest;
    COMMENT ON TABLE ${STAMP} IS 'One row: the number of the format of the tables, and a digest of the definitions that the models were built with.'`);
}

/** The definitions that a generation was built with. */
interface Definitions {
  readonly format: number;
  readonly digest: string;
}

/** Reads the definitions of a generation; undefined if an earlier version built it. */
export async function readDefinitions(database: Database): Promise<Definitions | undefined> {
  const tables = await database.rows(
    `SELECT 1 FROM duckdb_tables() WHERE schema_name || '.' || table_name = ${quoteText(STAMP)}`,
  );
  if (tables.length === 0) return undefined;
  const [definitions] = await database.rows<Definitions>(`SELECT format, digest FROM ${STAMP}`);
  return definitions;
}
