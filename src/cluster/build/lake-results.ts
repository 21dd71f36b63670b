import { type Database, isFailure, quoteName, quoteText } from '../../base/database/index.ts';
import { AppError } from '../../base/index.ts';
import { type Model, qualifiedName } from '../../numbers/model/index.ts';
import type { LakeFile } from '../lake/lake-store.ts';
import { readLakeColumns } from '../lake/lake-types.ts';
import type { LakeVersion } from '../lake/lake-version.ts';
import type { TrinoClient } from '../trino/trino-client.ts';
import { LAKE_LAYOUTS, type LakeLayout, relationAt } from '../trino/trino-engine.ts';

/** The month of the rows of a file: its first day, or "" in a table without files for each month. */
interface OfMonth {
  readonly month: string;
}

interface LocalFile extends OfMonth {
  readonly path: string;
}

/**
 * Fills the empty table of a model with the rows that the cluster computed.
 * @throws AppError cluster for a file that is missing or damaged.
 */
export async function importTable(
  database: Database,
  client: TrinoClient,
  version: LakeVersion,
  model: Model,
): Promise<void> {
  const name = qualifiedName(model);
  const layout = LAKE_LAYOUTS[name];
  const files = await findFiles(client, version, name, layout);
  const { store } = version.lake;
  await store.read(files, async (paths) => {
    const local = files.map(({ month }, index) => ({ path: paths[index] ?? '', month }));
    for (const select of await selectFiles(database, name, local, layout)) {
      await database.run(`INSERT INTO ${name} BY NAME ${select}`).catch((cause: unknown) => {
        if (isFailure(cause, 'outOfMemory')) throw cause;
        throw new AppError('cluster', `The files of ${name} can't be read from ${store.locate(version.name)}`, {
          hint: 'Nothing was published: check the disks of the lake, and load again.',
          evidence: String(cause),
          cause,
        });
      });
    }
  });
}

/** Returns SELECTs of all rows, in the order in which DuckDB would have built them. */
async function selectFiles(
  database: Database,
  name: string,
  files: readonly LocalFile[],
  layout: LakeLayout | undefined,
): Promise<string[]> {
  if (files.length === 0) return [];
  if (!layout) return [`SELECT * FROM ${readParquet(files)}`];
  const { major, minor } = layout;
  const columns = await readLakeColumns(database, name);
  const type = columns.find((column) => column.name === major)?.type ?? '';
  const words = await database.rows<{ word: string }>(
    `SELECT CAST(unnest(enum_range(CAST(NULL AS ${type}))) AS VARCHAR) AS word`,
  );
  const months = [...new Set(files.map(({ month }) => month))].sort();
  // One month at a time: sorting all months at once needs memory for all.
  return words.flatMap(({ word }) =>
    months.map((month) => {
      const own = readParquet(files.filter((file) => file.month === month));
      return `SELECT * FROM ${own} WHERE ${quoteName(major)} = ${quoteText(word)} ORDER BY ${quoteName(minor)}`;
    }),
  );
}

function readParquet(files: readonly LocalFile[]): string {
  const paths = files.map(({ path }) => quoteText(path.replaceAll(/[*?[]/g, '[$&]')));
  // The names of folders must not become columns.
  return `read_parquet([${paths.join(', ')}], hive_partitioning = false)`;
}

/** Lists the files of a table of a version. @param name With its schema, such as "core.people". */
export async function findFiles(
  client: TrinoClient,
  version: LakeVersion,
  name: string,
  layout?: LakeLayout,
): Promise<(LakeFile & OfMonth)[]> {
  const listing = relationAt(version.place, `${name}$files`);
  const month = layout ? `CAST(partition.${quoteName(layout.month)} AS VARCHAR)` : "''";
  const { rows } = await client.run(
    `SELECT file_path, file_size_in_bytes, ${month} FROM ${listing} ORDER BY file_path`,
  );
  return rows.map(([address, bytes, day]) => ({
    place: findPlace(String(address), version, name),
    bytes: Number(bytes),
    relation: name,
    month: String(day),
  }));
}

/** Parts of a path that lead elsewhere. */
const DOTS = ['.', '..'];

/** Returns the place of a file by its address. @throws AppError cluster for one outside the lake. */
function findPlace(address: string, { lake }: LakeVersion, name: string): string {
  const place = address.slice(lake.uri.length);
  if (address.startsWith(lake.uri) && !place.split('/').some((part) => DOTS.includes(part))) return place;
  throw new AppError('cluster', `A file of ${name} is not in the lake ${lake.uri}: ${address}`, {
    hint: 'Give the address that --lake has in the catalog with --lake-uri.',
  });
}
