import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CreateMultipartUploadCommand, ListMultipartUploadsCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { ClusterConfig } from '../../src/base/config/cluster-config.ts';
import { openClusterLoad } from '../../src/cluster/build/cluster-load.ts';
import { openBucket } from '../../src/cluster/lake/s3-bucket.ts';
import { LEASE_MS } from '../../src/cluster/lake/s3-lease.ts';
import { loadDataset } from '../../src/doors/command/load/load-dataset.ts';
import { BUNDLED, LOADED } from '../sql/company.ts';
import { type LakeCatalog, startCatalog } from './catalog.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { compareFiles } from './compare.ts';
import { type ObjectStore, startObjectStore } from './object-store.ts';
import { startLoad } from './start-load.ts';

/** The longest time for a step. Unit: ms. */
const STEP_MS = 900_000;

let folder: string;
let store: ObjectStore;
let catalog: LakeCatalog;
let cluster: Cluster;

/** The lines of the table at the end. */
const results: { readonly step: string; readonly found: string; readonly seconds: number }[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'plumbline-lake-'));
  chmodSync(folder, 0o755);
  store = await startObjectStore(folder);
  for (const [name, value] of Object.entries(store.environment)) vi.stubEnv(name, value);
  catalog = await startCatalog(folder, store.files);
  cluster = await startCluster({
    workers: 1,
    catalogs: { memory: 'connector.name=memory\n', lake: catalog.properties },
  });
}, STEP_MS);

afterAll(async () => {
  await cluster?.stop();
  await catalog?.stop();
  await store?.stop();
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
  process.stdout.write(`\nA lake in S3Proxy, a catalog on ${catalog?.name}, a coordinator and a worker:\n`);
  console.table(results);
});

const path = (name: string) => join(folder, name);

const config = (): ClusterConfig => ({
  url: cluster.coordinator.url,
  user: 'plumbline',
  password: undefined,
  token: undefined,
  catalog: 'lake',
  schemaPrefix: 'acme_',
  functions: 'memory',
  lake: `s3://${store.bucket}/lake`,
  lakeUri: `s3://${store.bucket}/lake/`,
  sourceSchema: undefined,
});

/** Runs a step of the test, and notes what it returns. */
function step(name: string, work: () => Promise<string>): void {
  it(name, { timeout: STEP_MS }, async () => {
    const start = performance.now();
    const found = await work();
    results.push({ step: name, found, seconds: Math.round((performance.now() - start) / 1000) });
  });
}

/** Returns the topmost folders and objects of the lake, and the number of unfinished uploads. */
async function readLake(): Promise<{ readonly names: readonly string[]; readonly uploads: number }> {
  const { client } = openBucket(config().lake);
  const listing = { Bucket: store.bucket, Prefix: 'lake/' };
  const { CommonPrefixes = [], Contents = [] } = await client.send(
    new ListObjectsV2Command({ ...listing, Delimiter: '/' }),
  );
  const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand(listing));
  const names = [...CommonPrefixes.map(({ Prefix = '' }) => Prefix), ...Contents.map(({ Key = '' }) => Key)];
  return { names: names.map((name) => name.replace('lake/', '')), uploads: Uploads.length };
}

let published: string;

step('the bundled company', async () => {
  await loadDataset(BUNDLED, path('duckdb.duckdb'), { now: LOADED });
  const { dataVersion } = await loadDataset(BUNDLED, path('acme.duckdb'), { now: LOADED, cluster: config() });
  published = `acme_${dataVersion.toLowerCase().replace('-', '_')}/`;
  expect(await readLake()).toEqual({ names: [published, 'acme_load.lock'], uploads: 0 });
  return compareFiles(path('duckdb.duckdb'), path('acme.duckdb'));
});

step('wrong credentials', async () => {
  const load = startLoad(config(), path('acme.duckdb'), { AWS_SECRET_ACCESS_KEY: 'another-secret' });
  expect(await load.ended).toEqual([1, null]);
  expect(load.told()).toContain('the secret access key is wrong');
  expect(load.told()).not.toContain('another-secret');
  return load.told().trim();
});

step('another load while one runs, which is killed', async () => {
  const before = readFileSync(path('acme.duckdb'));
  const killed = startLoad(config(), path('acme.duckdb'));
  const readSchemas = async () => {
    const { rows } = await cluster.client.run('SHOW SCHEMAS FROM lake');
    return rows.map(([name]) => String(name)).filter((name) => name.startsWith('acme_'));
  };
  const countMarts = async () => (await readSchemas()).filter((name) => name.endsWith('_marts')).length;
  await expect.poll(countMarts, { timeout: STEP_MS }).toBe(2);
  const other = startLoad(config(), path('other.duckdb'));
  expect(await other.ended).toEqual([1, null]);
  expect(other.told()).toMatch(/Another load with the schema prefix acme_ is under way in s3:.*: on .*, since 20/);

  killed.kill();
  expect(await killed.ended).toEqual([null, 'SIGKILL']);
  expect(readFileSync(path('acme.duckdb')).equals(before)).toBe(true);
  const [left = ''] = (await readLake()).names.filter((name) => name !== published && name.endsWith('/'));
  const upload = { Bucket: store.bucket, Key: `lake/${left}records/people/records.parquet` };
  await openBucket(config().lake).client.send(new CreateMultipartUploadCommand(upload));
  expect(await readLake()).toEqual({ names: [published, left, 'acme_load.lock'], uploads: 1 });

  // The lease of the killed load ends.
  await sleep(LEASE_MS + 2_000);
  await (await openClusterLoad(config(), path('acme.duckdb'))).close();
  expect(await readLake()).toEqual({ names: [published, 'acme_load.lock'], uploads: 0 });
  expect((await readSchemas()).length).toBe(5);
  expect(readdirSync(folder).filter((name) => name.includes('.lake-'))).toEqual([]);
  return `${other.told().trim()}; the next load removed ${left}`;
});
