import { quoteName } from '../../base/database/index.ts';
import { AppError } from '../../base/index.ts';
import type { LakeFile } from '../lake/lake-store.ts';
import { INCOMING, type LakeVersion } from '../lake/lake-version.ts';
import type { TrinoClient } from '../trino/trino-client.ts';
import { createSchema, relationAt } from '../trino/trino-engine.ts';
import { findFiles } from './lake-results.ts';

/** A table or view that is named after a resource. */
export interface SourceTable {
  readonly name: string;
  readonly resource: string;
}

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
  /** The names of resources in the order of loading, and the columns that may hold their ids. */
  readonly resources: Readonly<Record<string, readonly string[]>>;
}

/**
 * Copies the tables of a schema into a version, and gives the files of the copies, by resource, while some work runs.
 * The tables' own files are no substitute: they may be elsewhere, and may hold rows that have been deleted.
 * @throws AppError input if no table is named after a resource, or a table has two rows with the same id; cluster if the
 *   cluster can't copy them.
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
    await assertNoDuplicates(client, version, source, { name, resource });
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

/** Copies the tables that are named after resources. @returns these tables, and the names of the others. */
export async function copySource(
  client: TrinoClient,
  version: LakeVersion,
  { schema, resources }: SourceSchema,
): Promise<{ readonly tables: readonly SourceTable[]; readonly ignored: readonly string[] }> {
  const order = Object.keys(resources);
  const place = `${quoteName(version.lake.catalog)}.${quoteName(schema)}`;
  const { rows } = await client.run(`SHOW TABLES FROM ${place}`);
  const names = rows.map(([name]) => String(name));
  const tables = names
    .map((name) => ({ name, resource: name.replaceAll('-', '_') }))
    .filter(({ resource }) => order.includes(resource))
    .sort((one, other) => order.indexOf(one.resource) - order.indexOf(other.resource));
  if (tables.length === 0) {
    throw new AppError('input', `${place} holds no table or view of any resource`, {
      hint: `Name them ${order.join(', ')}.`,
    });
  }
  await createSchema(client, version.place, INCOMING);
  for (const { name } of tables) {
    const copy = relationAt(version.place, `${INCOMING}.${name}`);
    await client.run(`CREATE TABLE ${copy} WITH (format = 'PARQUET') AS SELECT * FROM ${place}.${quoteName(name)}`);
  }
  return { tables, ignored: names.filter((name) => !tables.some((table) => table.name === name)) };
}

/**
 * Refuses two rows with the same id: the rows of a table, unlike the records of a file, have no order, so a load would keep
 * either of them by chance.
 */
async function assertNoDuplicates(
  client: TrinoClient,
  { place }: LakeVersion,
  { schema, resources }: SourceSchema,
  { name, resource }: SourceTable,
): Promise<void> {
  const copy = relationAt(place, `${INCOMING}.${name}`);
  const columns = (await client.run(`DESCRIBE ${copy}`)).rows.map(([column]) => String(column));
  const ids = (resources[resource] ?? []).filter((column) => columns.includes(column));
  if (ids.length === 0) return;
  const texts = ids.map((column) => `NULLIF(CAST(${quoteName(column)} AS VARCHAR), '')`);
  const { rows } = await client.run(`
    SELECT id FROM (SELECT COALESCE(${[...texts, 'NULL'].join(', ')}) AS id FROM ${copy}) AS ids
    WHERE id IS NOT NULL GROUP BY id HAVING count(*) > 1 LIMIT 1`);
  if (rows.length === 0) return;
  throw new AppError('input', `${schema}.${name} has several rows with the ${ids[0]} ${rows[0]?.[0]}`, {
    hint: 'Keep one row for each id, or put a view there that keeps the newest row: a table has no order, so it has no last row.',
  });
}
