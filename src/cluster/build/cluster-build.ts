import type { Database } from '../../base/database/index.ts';
import { AppError } from '../../base/index.ts';
import {
  type BuildStep,
  buildOn,
  createEmptyModels,
  findRecordTables,
  loadChecks,
  loadModels,
  type Model,
  qualifiedName,
  withoutTextCompression,
} from '../../numbers/model/index.ts';
import type { LakeVersion } from '../lake/lake-version.ts';
import type { TrinoClient } from '../trino/trino-client.ts';
import { trinoEngine } from '../trino/trino-engine.ts';
import { assertSameContent } from './content-sum.ts';
import { registerRecordTables } from './lake-records.ts';
import { importTable } from './lake-results.ts';

/** The most levels of departments: Trino plans each level again, in growing time, and fails before 60 levels. */
export const MAX_DEPARTMENT_LEVELS = 15;

export type SessionProperties = Readonly<Record<string, string>>;

export interface ClusterBuild {
  /** Holds the records, and takes the results. */
  readonly database: Database;
  readonly version: LakeVersion;
  /** Opens a client whose session has these properties, and the version's functions. */
  readonly openClient: (properties: SessionProperties) => TrinoClient;
  /** The folder sql/. */
  readonly directory: string;
  readonly onProgress?: (step: BuildStep) => void;
}

/**
 * Builds all models on a cluster from the records of a database, runs all checks there, and reads the tables back.
 * The database itself computes the views, from these tables.
 * @throws AppError cluster; check, as buildOn does.
 */
export async function buildOnCluster(build: ClusterBuild): Promise<void> {
  const { database, version, directory, onProgress } = build;
  const { models, tables } = await planTables(build);
  await withoutTextCompression(database, async () => {
    await createEmptyModels(database, directory, models);
    const client = build.openClient(await sessionProperties(database));
    await registerRecordTables(database, client, version, tables);
    const compare = (relations: readonly string[]) => assertSameContent(database, client, version.place, relations);
    await compare(tables.map((table) => `source.${table}`));
    const engine = trinoEngine(client, version.place, database, directory);
    await buildOn(engine, models, loadChecks(directory), onProgress);
    const stored = models.filter(({ storage }) => storage !== 'view');
    for (const [done, model] of stored.entries()) {
      onProgress?.({ name: `${qualifiedName(model)} from the cluster`, done, total: stored.length });
      await importTable(database, client, version, model);
    }
    await compare(stored.map(qualifiedName));
  });
}

/** Runs the statements of a build up to its checks, for a client that writes them down. */
export async function planOnCluster(build: ClusterBuild): Promise<void> {
  const { database, version, directory } = build;
  const { models, tables } = await planTables(build);
  const client = build.openClient({});
  await registerRecordTables(database, client, version, tables);
  await buildOn(trinoEngine(client, version.place, database, directory), models, loadChecks(directory));
}

async function planTables({
  database,
  directory,
}: ClusterBuild): Promise<{ readonly models: readonly Model[]; readonly tables: readonly string[] }> {
  const models = await loadModels(database, directory);
  return { models, tables: await findRecordTables(database, models, loadChecks(directory)) };
}

/** @throws AppError cluster for more levels of departments than Trino can plan. */
async function sessionProperties(database: Database): Promise<SessionProperties> {
  const [row] = await database.rows<{ levels: number }>(
    'SELECT COALESCE(max(distance), 0) + 1 AS levels FROM marts.department_ancestors',
  );
  const levels = row?.levels ?? 1;
  if (levels <= MAX_DEPARTMENT_LEVELS) return { max_recursion_depth: String(levels + 1) };
  throw new AppError(
    'cluster',
    `The departments have ${levels} levels; a cluster takes ${MAX_DEPARTMENT_LEVELS} (MAX_DEPARTMENT_LEVELS)`,
    { hint: 'Load it without --engine trino, or give some departments a higher parent.' },
  );
}
