import { quoteName } from '../database/database.ts';
import { AppError } from '../error.ts';
import { createSchema, relationAt } from '../model/engine/trino.ts';
import type { TrinoClient } from '../trino/trino-client.ts';
import { findFiles } from './lake-results.ts';
import type { LakeFile } from './lake-store.ts';
import type { LakeVersion } from './lake-version.ts';

/** The layer of a version that holds copies of a lakehouse's own tables. */
const INCOMING = 'incoming';

/** A table or view that is named after a resource. */
export interface SourceTable {
  readonly name: string;
  readonly resource: string;
}

/** A Parquet file of a copy, on this machine. */
export interface SourceFile {
  /** The name of its table with the schema, such as "raw.people", and its number if the table has several. */
  readonly name: string;
  readonly resource: string;
  readonly path: string;
  readonly bytes: number;
}

/** A schema of the catalog with tables or views that are named after resources. */
export interface SourceSchema {
  readonly schema: string;
  /** The names of resources, in the order of loading. */
  readonly resources: readonly string[];
}

/**
 * Copies the tables of a schema into a version, and gives the files of the copies, by resource, while some work runs.
 * The tables' own files would not do: they may lie elsewhere, and may hold rows that have been deleted.
 * @throws AppError input if no table is named after a resource, cluster if the cluster can't copy them.
 */
export async function readSource<T>(
  client: TrinoClient,
  version: LakeVersion,
  source: SourceSchema,
  work: (files: readonly SourceFile[], ignored: readonly string[]) => Promise<T>,
): Promise<T> {
  const { tables, ignored } = await copySource(client, version, source);
  const found: (LakeFile & Omit<SourceFile, 'path'>)[] = [];
  for (const { name, resource } of tables) {
    const files = await findFiles(client, version, `${INCOMING}.${name}`);
    const numberOf = (index: number) => (files.length > 1 ? `, file ${index + 1}` : '');
    for (const [index, file] of files.entries())
      found.push({ ...file, name: `${source.schema}.${name}${numberOf(index)}`, resource });
  }
  return version.lake.store.read(found, (paths) =>
    work(
      found.map(({ name, resource, bytes }, index) => ({ name, resource, bytes, path: paths[index] ?? '' })),
      ignored.map((name) => `${source.schema}.${name}`),
    ),
  );
}

/** Copies the tables that are named after resources. @returns these, and the names of the others. */
export async function copySource(
  client: TrinoClient,
  version: LakeVersion,
  { schema, resources }: SourceSchema,
): Promise<{ readonly tables: readonly SourceTable[]; readonly ignored: readonly string[] }> {
  const place = `${quoteName(version.lake.catalog)}.${quoteName(schema)}`;
  const { rows } = await client.run(`SHOW TABLES FROM ${place}`);
  const names = rows.map(([name]) => String(name));
  const tables = names
    .map((name) => ({ name, resource: name.replaceAll('-', '_') }))
    .filter(({ resource }) => resources.includes(resource))
    .sort((one, other) => resources.indexOf(one.resource) - resources.indexOf(other.resource));
  if (tables.length === 0) {
    throw new AppError('input', `${place} holds no table or view of any resource`, {
      hint: `Name them ${resources.join(', ')}.`,
    });
  }
  await createSchema(client, version.place, INCOMING);
  for (const { name } of tables) {
    const copy = relationAt(version.place, `${INCOMING}.${name}`);
    await client.run(`CREATE TABLE ${copy} WITH (format = 'PARQUET') AS SELECT * FROM ${place}.${quoteName(name)}`);
  }
  return { tables, ignored: names.filter((name) => !tables.some((table) => table.name === name)) };
}
