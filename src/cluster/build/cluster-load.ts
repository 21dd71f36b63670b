import { existsSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type ClusterConfig, isObjectStore } from '../../base/config/index.ts';
import { type Database, openDatabase } from '../../base/database/index.ts';
import { AppError, messageOf, nextFile, systemCodeOf } from '../../base/index.ts';
import type { BuildStep } from '../../numbers/model/index.ts';
import { sqlDirectory } from '../../numbers/relation/index.ts';
import { createDataset, type IngestSummary, type Listing } from '../../records/ingest/index.ts';
import { resources } from '../../records/resource/index.ts';
import { makeDataVersion, openAnyGeneration, readDataVersion, stampGeneration } from '../../store/generation/index.ts';
import { openFolderStore } from '../lake/folder-store.ts';
import type { LakeStore } from '../lake/lake-store.ts';
import { type Lake, lakeVersion } from '../lake/lake-version.ts';
import { removeOldVersions, removeVersion } from '../lake/sweep.ts';
import { openTrino, type TrinoClient, type TrinoSession } from '../trino/trino-client.ts';
import { buildOnCluster, planOnCluster, type SessionProperties } from './cluster-build.ts';
import { assertUsable } from './cluster-check.ts';
import { copySource, readSource } from './lake-source.ts';

export interface ClusterLoad {
  /**
   * Reads the records of tables of the catalog.
   * @param ingest Loads them as the files of a dataset.
   * @throws AppError input for a schema without tables of any resource, or rows with the same id.
   */
  readSchema(schema: string, now: Date, ingest: (listing: Listing) => Promise<IngestSummary>): Promise<IngestSummary>;
  /** Builds the models from the records of a database, and brings the results there. */
  build(database: Database, dataVersion: string, onProgress: (step: BuildStep) => void): Promise<void>;
  /** @throws AppError busy if another load has taken the lake over: it removes the version that was built. */
  assertHeld(): void;
  /** Frees the lake for other loads. Must be called, and not before the result is published. */
  close(): Promise<void>;
}

/**
 * Checks a cluster, takes the lock of the lake, and removes the remains of earlier loads.
 * @param file The database, whose published version stays.
 * @throws AppError cluster for a cluster that can't be used, busy while another load uses the lake.
 */
export async function openClusterLoad(config: ClusterConfig, file: string): Promise<ClusterLoad> {
  const lake = lakeOf(config, await openStore(config, `${nextFile(file)}.lake-`));
  const client = openClient(config);
  await assertUsable(client, lake);
  const lock = await lake.store.lock(`${lake.schemaPrefix}load`, {
    message: `Another load with the schema prefix ${lake.schemaPrefix} is under way in ${lake.store.locate('')}`,
    hint: 'Wait until it has finished, or give each database a prefix of its own.',
  });
  try {
    const kept = lakeVersion(lake, await readPublishedVersion(file), sqlDirectory);
    await removeOldVersions(client, lake, lock, kept.name);
  } catch (error) {
    await lock.close();
    throw error;
  }
  return {
    async readSchema(schema, now, ingest) {
      const copies = lakeVersion(lake, makeDataVersion(now), sqlDirectory);
      const source = { schema, resources: sourceIds() };
      try {
        return await readSource(client, copies, source, (found, ignored) => {
          const files = found.map((file, index) => ({ ...file, number: index + 1, format: 'parquet' as const }));
          return ingest({ files, ignored });
        });
      } finally {
        await removeVersion(client, copies);
      }
    },
    async build(database, dataVersion, onProgress) {
      const version = lakeVersion(lake, dataVersion, sqlDirectory);
      const open = (properties: SessionProperties) => openClient(config, { path: version.place.functions, properties });
      try {
        const noteStep = (step: BuildStep) => {
          lock.assertHeld();
          onProgress(step);
        };
        await buildOnCluster({ database, version, openClient: open, directory: sqlDirectory, onProgress: noteStep });
        lock.assertHeld();
      } catch (error) {
        await removeVersion(client, version);
        throw error;
      }
    },
    assertHeld: () => lock.assertHeld(),
    close: () => lock.close(),
  };
}

/** Returns the columns that may hold the ids of the settings and of each resource, in the order of loading. */
function sourceIds(): Record<string, readonly string[]> {
  const own = resources.map(({ name, id, fields }) => [name, fields[id]?.from ?? [id]]);
  return { settings: [], ...Object.fromEntries(own) };
}

/** Returns the statements that a load would run on a cluster, in their order. Sends no request, and reads no records. */
export async function planClusterLoad(config: ClusterConfig, now: Date): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'plumbline-plan-'));
  const database = await openDatabase(':memory:');
  try {
    await createDataset(database);
    const statements: string[] = [];
    const client: TrinoClient = {
      async run(sql) {
        statements.push(sql);
        // Plans a copy of every resource; a load copies only the tables that the schema has.
        return {
          id: '',
          columns: [],
          rows: sql.startsWith('SHOW TABLES') ? Object.keys(sourceIds()).map((name) => [name]) : [],
        };
      },
    };
    const { sourceSchema: schema } = config;
    const dataVersion = await stampGeneration(database, schema ?? '', now);
    const version = lakeVersion(lakeOf(config, openFolderStore(folder)), dataVersion, sqlDirectory);
    if (schema !== undefined) await copySource(client, version, { schema, resources: sourceIds() });
    await planOnCluster({ database, version, openClient: () => client, directory: sqlDirectory });
    return statements;
  } finally {
    await database.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** @param scratch The start of the paths of folders for copies of files from elsewhere. */
async function openStore({ lake }: ClusterConfig, scratch: string): Promise<LakeStore> {
  if (!isObjectStore(lake)) return openFolderStore(lake);
  // Loading the client library takes 0.2 s of processor time, which other commands save.
  const { openS3Store } = await import('../lake/s3-store.ts').catch(explainMissing);
  return openS3Store(lake, scratch);
}

/** @throws AppError usage if one of the optional packages isn't installed. */
function explainMissing(cause: unknown): never {
  const name = /'(@aws-sdk\/[^'/]+)/.exec(messageOf(cause))?.[1];
  if (systemCodeOf(cause) !== 'ERR_MODULE_NOT_FOUND' || name === undefined) throw cause;
  throw new AppError('usage', `A lake in a bucket needs the package ${name}, which isn't installed`, {
    hint: 'Run: npm install @aws-sdk/client-s3@3 @aws-sdk/lib-storage@3',
    cause,
  });
}

function lakeOf({ catalog, schemaPrefix, functions, lakeUri }: ClusterConfig, store: LakeStore): Lake {
  return { catalog, schemaPrefix, functions, store, uri: lakeUri };
}

function openClient({ url, user, password, token }: ClusterConfig, session: TrinoSession = {}): TrinoClient {
  const credentials = { ...(password !== undefined && { password }), ...(token !== undefined && { token }) };
  return openTrino({ url, user, ...credentials }, session);
}

/** Returns the data version of the database, or "" if there is none yet, or an empty file. */
async function readPublishedVersion(file: string): Promise<string> {
  if (!existsSync(resolve(file)) || statSync(resolve(file)).size === 0) return '';
  const database: Database = await openAnyGeneration(file, {});
  return readDataVersion(database).finally(() => database.close());
}
