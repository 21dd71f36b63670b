import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ClusterConfig } from '../../../src/base/config/cluster-config.ts';
import { openDatabase } from '../../../src/base/database/database.ts';
import { openClusterLoad, planClusterLoad } from '../../../src/cluster/build/cluster-load.ts';
import { loadDataset, loadSchema } from '../../../src/doors/command/load/load-dataset.ts';
import { sqlDirectory } from '../../../src/numbers/relation/sql-file.ts';
import { readDataVersion } from '../../../src/store/generation/open-generation.ts';
import { startFakeBucket } from '../../lake/fake-bucket.ts';
import { type Answer, type FakeCoordinator, startFakeCoordinator, usableCluster } from '../../lake/fake-coordinator.ts';
import { loadBundled } from '../../sql/company.ts';

let folder: string;
let coordinator: FakeCoordinator | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plumbline-lake-'));
  mkdirSync(join(folder, 'lake'));
});
afterEach(async () => {
  await coordinator?.close();
  coordinator = undefined;
  rmSync(folder, { recursive: true });
});

async function configOf(answer: Answer, status?: number): Promise<ClusterConfig> {
  coordinator = await startFakeCoordinator(answer, status);
  return {
    url: coordinator.url,
    user: 'ada',
    password: undefined,
    token: undefined,
    catalog: 'lake',
    sourceSchema: undefined,
    schemaPrefix: 'acme_',
    functions: 'memory',
    lake: join(folder, 'lake'),
    lakeUri: 'local:///',
  };
}

/** Opens a lock in a process of its own: one process could open it twice. */
async function lockElsewhere(lock: string): Promise<ChildProcess> {
  const script = `
    import { DuckDBInstance } from '@duckdb/node-api';
    await DuckDBInstance.create(${JSON.stringify(lock)});
    console.log('open');
    setInterval(() => undefined, 1000);`;
  const other = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(other.stdout, 'data');
  return other;
}

/** A company of one person, which loads fast. */
const dataset = () => {
  const directory = join(folder, 'dataset');
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, 'people.json'), JSON.stringify([{ people_id: 1, name: 'Ana' }]));
  return directory;
};

/** Returns the contents of a folder's databases by name, as digests. */
function hashFiles(directory: string): Record<string, string> {
  const names = readdirSync(directory).filter((name) => name.endsWith('.duckdb'));
  const digest = (name: string) =>
    createHash('sha256')
      .update(readFileSync(join(directory, name)))
      .digest('hex');
  return Object.fromEntries(names.map((name) => [name, digest(name)]));
}

const file = () => join(folder, 'company.duckdb');

const load = (cluster: ClusterConfig) => loadDataset(dataset(), file(), { cluster });

/** Answers as a usable cluster but for statements with a text. */
const except =
  (text: string, answer: ReturnType<Answer>): Answer =>
  (sql) =>
    sql.includes(text) ? answer : usableCluster(sql);

describe('a load fails before it reads records, and leaves no database, at', () => {
  it.each<[string, Answer, number, string, string]>([
    ['wrong credentials', () => [], 401, "doesn't accept the credentials", 'Check the user'],
    ['no Trino server', () => [], 404, 'There is no Trino server at', 'Give the address'],
    ['an old version', except('node_version', [['451']]), 200, 'The cluster runs Trino 451', 'Upgrade it to 476'],
    [
      'a catalog that is missing',
      except('system.metadata.catalogs', [
        ['other', 'iceberg'],
        ['memory', 'memory'],
      ]),
      200,
      '--catalog: lake: the cluster has no such catalog',
      'Name one of its catalogs with the connector iceberg: other.',
    ],
    [
      'a catalog of another connector',
      except('system.metadata.catalogs', [['lake', 'tpch']]),
      200,
      '--catalog: lake: its connector is tpch, not iceberg',
      'Add a catalog with connector.name=iceberg to the cluster.',
    ],
    [
      'no catalog for functions',
      except('system.metadata.catalogs', [['lake', 'iceberg']]),
      200,
      '--functions: memory: the cluster has no such catalog',
      'Add a catalog with connector.name=memory to the cluster.',
    ],
    [
      'a catalog that takes few months',
      except('SHOW SESSION', [['lake.max_partitions_per_writer', '100', '100', 'integer', '']]),
      200,
      'A worker writes at most 100 months at once',
      'Set iceberg.max-partitions-per-writer=1560',
    ],
  ])('%s', async (_, answer, status, message, hint) => {
    const failed = load(await configOf(answer, status));
    await expect(failed).rejects.toMatchObject({
      code: 'cluster',
      message: expect.stringContaining(message),
      hint: expect.stringContaining(hint),
    });
    expect(readdirSync(folder).filter((name) => name.includes('.duckdb') && !name.endsWith('.lock'))).toEqual([]);
  });

  it('an address where nothing listens', async () => {
    const config = await configOf(usableCluster);
    await coordinator?.close();
    await expect(load(config)).rejects.toThrow('the connection is refused');
  });
});

describe('a build', () => {
  it('that the cluster refuses leaves the database as it was, and nothing in the lake', async () => {
    const loaded = await loadBundled();
    const before = hashFiles(dirname(loaded.file));
    const refused = { message: 'Access Denied: Cannot create schema', errorName: 'PERMISSION_DENIED' };
    const config = await configOf((sql) => {
      if (sql.startsWith('CREATE SCHEMA')) return refused;
      return usableCluster(sql);
    });
    await expect(loadDataset(dataset(), loaded.file, { cluster: config, acceptsShrink: true })).rejects.toMatchObject({
      message: expect.stringContaining('Cannot create schema (PERMISSION_DENIED)'),
      hint: expect.stringContaining('access control'),
    });
    expect(hashFiles(dirname(loaded.file))).toEqual(before);
    loaded.remove();
    expect(readdirSync(join(folder, 'lake'))).toEqual(['acme_load.lock']);
  });

  it('that fails leaves nothing in a bucket, and no copies beside the database', async () => {
    const bucket = await startFakeBucket();
    for (const [name, value] of Object.entries(bucket.environment)) vi.stubEnv(name, value);
    try {
      const config = await configOf(except('add_files', { message: 'no', errorName: 'PERMISSION_DENIED' }));
      await expect(load({ ...config, lake: 's3://lake/x', lakeUri: 's3://lake/x/' })).rejects.toThrow('no (PERM');
      expect(bucket.requests.filter((request) => request.includes('records.parquet'))).toHaveLength(1);
      expect([...bucket.objects.keys()]).toEqual(['x/acme_load.lock']);
      expect(readdirSync(folder).sort()).toEqual(['company.duckdb.lock', 'dataset', 'lake']);
    } finally {
      vi.unstubAllEnvs();
      await bucket.close();
    }
  });

  it.each([
    ['Failed to add files: Location not found: local:///x', "doesn't find the files of", '--lake-uri'],
    ['add_files procedure is disabled', "doesn't register files", 'iceberg.add-files-procedure.enabled=true'],
  ])("that can't register files says why: %s", async (message, told, hint) => {
    const config = await configOf(except('add_files', { message, errorName: 'ICEBERG_COMMIT_ERROR' }));
    await expect(load(config)).rejects.toMatchObject({
      message: expect.stringContaining(told),
      hint: expect.stringContaining(hint),
    });
  });

  it('of departments with more levels than a cluster plans is refused', async () => {
    const departments = Array.from({ length: 16 }, (_, index) => ({
      department_id: index + 1,
      name: `Level ${index + 1}`,
      parent_id: index,
    }));
    writeFileSync(join(dataset(), 'departments.json'), JSON.stringify(departments));
    await expect(load(await configOf(usableCluster))).rejects.toMatchObject({
      message: 'The departments have 16 levels; a cluster takes 15 (MAX_DEPARTMENT_LEVELS)',
      hint: expect.stringContaining('without --engine trino'),
    });
    expect(coordinator?.statements.some((sql) => sql.startsWith('CREATE'))).toBe(false);
  });

  it('whose records arrive otherwise is refused', async () => {
    const config = await configOf((sql) =>
      sql.includes('from_base') ? [['source.accounts', '3', '17']] : usableCluster(sql),
    );
    await expect(load(config)).rejects.toThrow(
      'source.accounts is not the same here and on the cluster: 0 rows here, and 3 there',
    );
    expect(existsSync(file())).toBe(false);
  });
});

it('copies of tables are removed, whether their records can be read or not', async () => {
  let incoming = '';
  const config = await configOf((sql) => {
    if (sql.startsWith('SHOW TABLES')) return [['people']];
    if (sql.includes('$files')) return [['local:///people.parquet', 9, '']];
    [incoming = incoming] = /acme_\w+_incoming/.exec(sql) ?? [];
    if (sql.startsWith('SHOW SCHEMAS')) return [[incoming]];
    return usableCluster(sql);
  });
  const loading = loadSchema('raw', file(), { cluster: { ...config, sourceSchema: 'raw' } });
  await expect(loading).rejects.toThrow('A file of incoming.people is missing: ');
  expect(coordinator?.statements.at(-1)).toBe(`DROP SCHEMA "lake"."${incoming}" CASCADE`);
  expect(existsSync(file())).toBe(false);
});

describe('the versions in the lake', () => {
  const OLD = 'acme_20250101t000000z_0123abcd';
  const other = 'acme_berlin_20250101t000000z_0123abcd';

  const withSchemas =
    (location: string): Answer =>
    (sql) => {
      if (sql.startsWith('SHOW SCHEMAS')) return [[`${OLD}_core`], [`${other}_core`], ['acme_notes'], ['default']];
      if (sql.startsWith('SHOW CREATE SCHEMA')) return [[`CREATE SCHEMA x\nWITH (\n   location = '${location}'\n)`]];
      return usableCluster(sql);
    };

  it('before the last one are removed by the next load, and no others', async () => {
    for (const name of [OLD, other, 'notes']) mkdirSync(join(folder, 'lake', name));
    const config = await configOf(withSchemas(`local:///${OLD}/core`));
    // An empty file is no database yet.
    writeFileSync(file(), '');
    await (await openClusterLoad(config, file())).close();
    expect(coordinator?.statements.filter((sql) => sql.startsWith('DROP'))).toEqual([
      `DROP SCHEMA "lake"."${OLD}_core" CASCADE`,
    ]);
    expect(readdirSync(join(folder, 'lake')).sort()).toEqual([other, 'acme_load.lock', 'notes']);
  });

  it('are kept if the database is made from them', async () => {
    const loaded = await loadBundled();
    const database = await openDatabase(loaded.file, { readOnly: true });
    const dataVersion = await readDataVersion(database).finally(() => database.close());
    const kept = `acme_${dataVersion.toLowerCase().replace('-', '_')}`;
    mkdirSync(join(folder, 'lake', kept));
    const config = await configOf((sql) => (sql.startsWith('SHOW SCHEMAS') ? [[`${kept}_core`]] : usableCluster(sql)));
    await (await openClusterLoad(config, loaded.file)).close();
    expect(coordinator?.statements.filter((sql) => sql.startsWith('DROP'))).toEqual([]);
    expect(readdirSync(join(folder, 'lake'))).toContain(kept);
    loaded.remove();
  });

  it('are not removed if a schema is in another lake', async () => {
    const config = await configOf(withSchemas(`s3://elsewhere/${OLD}/core`));
    await expect(openClusterLoad(config, file())).rejects.toMatchObject({
      message: `The schema lake.${OLD}_core is named like one of a load, but isn't in the lake local:///`,
      hint: expect.stringContaining('--schema-prefix'),
    });
    expect(coordinator?.statements.some((sql) => sql.startsWith('DROP'))).toBe(false);
  });

  it('are built one at a time', async () => {
    const config = await configOf(usableCluster);
    const other = await lockElsewhere(join(folder, 'lake', 'acme_load.lock'));
    try {
      await expect(openClusterLoad(config, file())).rejects.toMatchObject({
        code: 'busy',
        message: expect.stringContaining('Another load with the schema prefix acme_ is under way'),
      });
    } finally {
      other.kill('SIGKILL');
      await once(other, 'exit');
    }
    await (await openClusterLoad(config, file())).close();
  });
});

it('a dry run lists records, functions, models and checks, and writes nothing', async () => {
  const config = await configOf(usableCluster);
  const statements = await planClusterLoad(config, new Date('2026-01-01T12:00:00Z'));
  const begins = (text: string) => statements.filter((sql) => sql.startsWith(text));
  expect(statements[0]).toMatch(
    /^CREATE SCHEMA "lake"."(acme_20260101t120000z_[0-9a-f]{8})_source" WITH \(location = 'local:\/\/\/\1\/source'\)$/,
  );
  expect(begins('ALTER TABLE').length).toBeGreaterThan(20);
  expect(begins('CREATE OR REPLACE FUNCTION "memory"."plumbline_').length).toBeGreaterThan(30);
  const models = ['staging', 'core', 'marts', 'quality'].flatMap((layer) =>
    readdirSync(join(sqlDirectory, layer)).map((name) => `_${layer}"."${name.replace('.sql', '')}" COMMENT`),
  );
  for (const model of models)
    expect(
      statements.some((sql) => sql.includes(model)),
      model,
    ).toBe(true);
  expect(statements.find((sql) => sql.includes('_core"."ledger" COMMENT'))).toContain(
    "WITH (format = 'PARQUET', partitioning = ARRAY['month'], sorted_by = ARRAY['kind', 'date'])",
  );
  expect(begins('SELECT * FROM (').length).toBe(readdirSync(join(sqlDirectory, 'checks')).length);
  expect(coordinator?.statements).toEqual([]);
  expect(readdirSync(join(folder, 'lake'))).toEqual([]);
});
