import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { ClusterConfig } from '../../../src/base/config/cluster-config.ts';
import { steps } from '../../../src/base/database/steps.ts';
import { openClusterLoad } from '../../../src/cluster/build/cluster-load.ts';
import { LEASE_MS } from '../../../src/cluster/lake/s3-lease.ts';
import { loadDataset } from '../../../src/doors/command/load/load-dataset.ts';
import { type FakeBucket, putObject, startFakeBucket } from '../../lake/fake-bucket.ts';
import { type Answer, type FakeCoordinator, startFakeCoordinator, usableCluster } from '../../lake/fake-coordinator.ts';

const OLD = 'acme_20250101t000000z_0123abcd';
const LOCK = 'x/acme_load.lock';
const LOST = { code: 'busy', message: expect.stringContaining('was lost to another load') };

let folder: string;
let bucket: FakeBucket;
let coordinator: FakeCoordinator;
const { take } = steps;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'plumbline-lease-'));
  bucket = await startFakeBucket();
  for (const [name, value] of Object.entries(bucket.environment)) vi.stubEnv(name, value);
});
afterEach(async () => {
  steps.take = take;
  vi.useRealTimers();
  vi.unstubAllEnvs();
  await bucket.close();
  await coordinator.close();
  rmSync(folder, { recursive: true });
});

async function startCluster(answer: Answer): Promise<ClusterConfig> {
  coordinator = await startFakeCoordinator(answer);
  return {
    url: coordinator.url,
    user: 'ada',
    password: undefined,
    token: undefined,
    catalog: 'lake',
    sourceSchema: undefined,
    schemaPrefix: 'acme_',
    functions: 'memory',
    lake: 's3://lake/x',
    lakeUri: 's3://lake/x/',
  };
}

/** Pauses this process for longer than a lease. Meanwhile another load takes the lock. */
function pause(): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + LEASE_MS });
  putObject(bucket, LOCK, '{"id":"other","generation":2,"holder":"barn"}');
}

/** Returns the checksum of the generation of a load: its version, the time and the dataset. */
function sumOfGeneration(sql: string, dataset: string): string {
  const [, random = ''] = /acme_20260101t120000z_([0-9a-f]{8})/.exec(sql) ?? [];
  const row = `20260101T120000Z-${random}|2026-01-01 12:00:00.000000|${dataset}`;
  return BigInt(`0x${createHash('md5').update(row).digest('hex').slice(0, 15)}`).toString();
}

const lockText = () => bucket.objects.get(LOCK)?.body.toString() ?? '';

it.each(['SHOW SCHEMAS', 'SHOW CREATE SCHEMA', 'DROP SCHEMA'])(
  'a load paused at %s removes nothing more',
  async (at) => {
    putObject(bucket, `x/${OLD}/core/file`, 'rows');
    const config = await startCluster((sql) => {
      if (sql.startsWith(at)) pause();
      if (sql.startsWith('SHOW SCHEMAS')) return [[`${OLD}_core`], [`${OLD}_marts`]];
      if (sql.startsWith('SHOW CREATE'))
        return [[`location = 's3://lake/x/${OLD}/${sql.includes('_core') ? 'core' : 'marts'}'`]];
      return usableCluster(sql);
    });
    await expect(openClusterLoad(config, join(folder, 'company.duckdb'))).rejects.toMatchObject(LOST);
    const dropped = coordinator.statements.filter((sql) => sql.startsWith('DROP'));
    expect(dropped).toHaveLength(at === 'DROP SCHEMA' ? 1 : 0);
    expect([...bucket.objects.keys()]).toEqual([`x/${OLD}/core/file`, LOCK]);
    expect(lockText()).toContain('barn');
  },
);

it('a load publishes only while it holds the lock, which it holds until then', async () => {
  const dataset = join(folder, 'dataset');
  mkdirSync(dataset);
  writeFileSync(join(dataset, 'people.json'), '[{"people_id":1,"name":"Ana"}]');
  // The fake cluster computes nothing: it learns the sums of these records from refusals.
  const sums: Record<string, string> = { 'source.people': '?', 'source.settings': '?' };
  const cluster = await startCluster((sql) => {
    if (!sql.includes('from_base')) return usableCluster(sql);
    sums['source.generation'] = sumOfGeneration(sql, dataset);
    const relations = Array.from(sql.matchAll(/SELECT '([^']+)' AS relation/g), ([, name = '']) => name);
    return relations.map((name) => [name, name in sums ? '1' : '0', sums[name] ?? '0']);
  });
  const file = join(folder, 'company.duckdb');
  const load = () => loadDataset(dataset, file, { cluster, now: new Date('2026-01-01T12:00:00Z') });
  for (const _ of Object.keys(sums)) {
    const [, name = '', sum = ''] =
      /: (\S+) is not the same .*checksum (\d+) here/.exec(String(await load().catch(String))) ?? [];
    sums[name] = sum;
  }

  let pauses = true;
  const seen: string[] = [];
  steps.take = (step, work) => {
    if (step === 'sync the copy without rates' && pauses) pause();
    if (step !== 'build the generation') seen.push(lockText());
    return take(step, work);
  };
  await expect(load()).rejects.toMatchObject(LOST);
  for (const name of ['company', 'company.no-rates']) expect(existsSync(join(folder, `${name}.duckdb`))).toBe(false);
  expect(lockText()).toContain('barn');

  pauses = false;
  vi.useRealTimers();
  bucket.objects.delete(LOCK);
  await load();
  expect(existsSync(file)).toBe(true);
  expect(seen.filter((text) => text.includes('released'))).toEqual([]);
  expect(lockText()).toContain('released');
});
