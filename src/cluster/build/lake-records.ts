import { type Database, quoteName, quoteText } from '../../base/database/index.ts';
import { AppError } from '../../base/index.ts';
import { readLakeColumns, trinoType } from '../lake/lake-types.ts';
import type { LakeVersion } from '../lake/lake-version.ts';
import type { TrinoClient } from '../trino/trino-client.ts';
import { createSchema, relationAt } from '../trino/trino-engine.ts';
import { StatementFailure } from '../trino/trino-errors.ts';

/** The folder of the records' files within a version's folder. */
const RECORDS = 'records';

/**
 * Writes tables of records as Parquet files and makes them tables of the catalog, without a copy.
 * @param tables Names in the schema source.
 * @throws AppError cluster if the cluster can't find the files.
 */
export async function registerRecordTables(
  database: Database,
  client: TrinoClient,
  version: LakeVersion,
  tables: readonly string[],
): Promise<void> {
  await createSchema(client, version.place, 'source');
  for (const table of tables) {
    await writeRecords(database, version, table);
    await register(database, client, version, table);
  }
}

function writeRecords(database: Database, { lake, name }: LakeVersion, table: string): Promise<void> {
  return lake.store.write(`${name}/${RECORDS}/${table}/records.parquet`, (path) =>
    database.run(`COPY source.${quoteName(table)} TO ${quoteText(path)} (FORMAT parquet, COMPRESSION zstd)`),
  );
}

async function register(database: Database, client: TrinoClient, version: LakeVersion, table: string): Promise<void> {
  const relation = relationAt(version.place, `source.${table}`);
  const columns = await readLakeColumns(database, `source.${table}`);
  const types = columns.map(({ name, type }) => `${quoteName(name)} ${trinoType(type)}`);
  await client.run(`CREATE TABLE ${relation} (${types.join(', ')}) WITH (format = 'PARQUET')`);
  const location = `${version.place.location}/${RECORDS}/${table}`;
  try {
    await client.run(
      `ALTER TABLE ${relation} EXECUTE add_files(location => ${quoteText(location)}, format => 'PARQUET')`,
    );
  } catch (error) {
    throw registrationError(error, version);
  }
}

/** Explains the two settings of a cluster that a registration needs. */
function registrationError(error: unknown, { lake, name }: LakeVersion): unknown {
  const said = error instanceof AppError && error.cause instanceof StatementFailure ? error.cause.message : '';
  if (/Location not found|No files found/i.test(said)) {
    return new AppError('cluster', `The cluster doesn't find the files of ${lake.store.locate(name)}: ${said}`, {
      hint: `All nodes must see ${lake.store.locate('')}, at the address of --lake-uri in the catalog ${lake.catalog}.`,
      cause: error,
    });
  }
  if (/add_files/i.test(said) && /disabled|not registered/i.test(said)) {
    return new AppError('cluster', `The catalog ${lake.catalog} doesn't register files: ${said}`, {
      hint: `Set iceberg.add-files-procedure.enabled=true in the properties of the catalog ${lake.catalog}.`,
      cause: error,
    });
  }
  return error;
}
