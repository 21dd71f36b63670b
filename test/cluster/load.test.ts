import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { generateCompany } from '../../bench/generate.ts';
import type { ClusterConfig } from '../../src/base/config/cluster-config.ts';
import { openDatabase } from '../../src/base/database/database.ts';
import { openClusterLoad } from '../../src/cluster/build/cluster-load.ts';
import { openFolderStore } from '../../src/cluster/lake/folder-store.ts';
import { lakeVersion } from '../../src/cluster/lake/lake-version.ts';
import { openTrino } from '../../src/cluster/trino/trino-client.ts';
import type { TrinoPlace } from '../../src/cluster/trino/trino-engine.ts';
import { loadDataset, loadSchema } from '../../src/doors/command/load/load-dataset.ts';
import { sqlDirectory } from '../../src/numbers/relation/sql-file.ts';
import { casesWith, selectCases } from '../engine/prelude-cases.ts';
import { startServer } from '../errors/program.ts';
import { BUNDLED, LOADED } from '../sql/company.ts';
import { type LakeCatalog, startCatalog } from './catalog.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { compareFiles, compareLake } from './compare.ts';
import { startLoad } from './start-load.ts';

/** The longest time for a step. Unit: ms. */
const STEP_MS = 900_000;

const WORKERS = 3;

let folder: string;
let catalog: LakeCatalog;
let cluster: Cluster;

/** The lines of the table at the end. */
const results: { readonly step: string; readonly found: string; readonly seconds: number }[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'plumbline-lake-'));
  chmodSync(folder, 0o755);
  catalog = await startCatalog(folder);
  const catalogs = { memory: 'connector.name=memory\n', lake: catalog.properties };
  cluster = await startCluster({ workers: WORKERS, catalogs, retriesTasks: true });
}, STEP_MS);

afterAll(async () => {
  await cluster?.stop();
  await catalog?.stop();
  rmSync(folder, { recursive: true, force: true });
  process.stdout.write(`\nA catalog on ${catalog?.name}, a coordinator and ${WORKERS} workers:\n`);
  console.table(results);
});

const path = (name: string) => join(folder, name);

const configOf = (schemaPrefix: string, place = ''): ClusterConfig => ({
  url: cluster.coordinator.url,
  user: 'plumbline',
  password: undefined,
  token: undefined,
  catalog: 'lake',
  sourceSchema: undefined,
  schemaPrefix,
  functions: 'memory',
  lake: join(path('lake'), place),
  lakeUri: `local:///${place}`,
});

/** Returns the place of a version's tables. */
function placeOf({ catalog, schemaPrefix, functions, lake, lakeUri: uri }: ClusterConfig, dataVersion: string) {
  return lakeVersion({ catalog, schemaPrefix, functions, store: openFolderStore(lake), uri }, dataVersion, sqlDirectory)
    .place;
}

/** Runs a step of the test, and notes what it returns. */
function step(name: string, work: () => Promise<string>, { skipped = false } = {}): void {
  it.skipIf(skipped)(name, { timeout: STEP_MS }, async () => {
    const start = performance.now();
    const found = await work();
    results.push({ step: name, found, seconds: Math.round((performance.now() - start) / 1000) });
  });
}

/** Reads the schemas of a prefix in the catalog. */
async function readSchemas(prefix: string): Promise<string[]> {
  const { rows } = await cluster.client.run('SHOW SCHEMAS FROM lake');
  return rows.map(([name]) => String(name)).filter((name) => name.startsWith(prefix));
}

let bundled: TrinoPlace;

step('the bundled company', async () => {
  const config = configOf('acme_');
  await loadDataset(BUNDLED, path('duckdb.duckdb'), { now: LOADED });
  const { dataVersion } = await loadDataset(BUNDLED, path('acme.duckdb'), { now: LOADED, cluster: config });
  bundled = placeOf(config, dataVersion);
  return compareFiles(path('duckdb.duckdb'), path('acme.duckdb'));
});

step('its tables in the lake', () => compareLake(path('duckdb.duckdb'), cluster.client, bundled));

step('the functions of the models at their edges', async () => {
  const client = openTrino({ url: cluster.coordinator.url, user: 'plumbline' }, { path: bundled.functions });
  const cases = casesWith('CAST(ARRAY[] AS ARRAY(DECIMAL(10, 6)))', 'CAST(ARRAY[] AS ARRAY(VARCHAR))');
  const { rows } = await client.run(selectCases(cases));
  // Decimals have other scales there.
  const trimZeros = (value: unknown) => (value === null ? null : String(value).replace(/(?<=\.\d*?)\.?0+$/, ''));
  const found = rows.map(([value], index) => [cases[index]?.[0], trimZeros(value)]);
  expect(found).toEqual(cases.map(([expression, value]) => [expression, trimZeros(value)]));
  return `${cases.length} values are right`;
});

step('records in tables of the catalog', async () => {
  await createSource('raw');
  const config = { ...configOf('raw_'), sourceSchema: 'raw' };
  const { dataVersion, summary } = await loadSchema('raw', path('raw.duckdb'), { now: LOADED, cluster: config });
  expect(summary.ignoredFiles).toEqual(['raw.export_log']);
  expect((await readSchemas('raw_')).some((name) => name.endsWith('_incoming'))).toBe(false);
  // They name files, and the positions of records there.
  const ofFiles = ['quality.rejected_record', 'marts.data_quality'];
  return compareLake(path('duckdb.duckdb'), cluster.client, placeOf(config, dataVersion), ofFiles);
});

/** Types that a lakehouse has for columns of time off. */
const TIMEOFF_TYPES: Readonly<Record<string, string>> = {
  timeoff_id: 'BIGINT',
  people_id: 'BIGINT',
  start_date: 'DATE',
  end_date: 'TIMESTAMP(6)',
  hours: 'DECIMAL(10, 6)',
};

/** Makes tables of the bundled company's records: all of texts, but for time off. */
async function createSource(schema: string): Promise<void> {
  const run = (sql: string) => cluster.client.run(sql);
  await run(`CREATE SCHEMA lake.${schema} WITH (location = 'local:///${schema}')`);
  await run(`CREATE TABLE lake.${schema}.export_log (entry VARCHAR)`);
  const directory = `${BUNDLED}-csv`;
  const database = await openDatabase(':memory:');
  try {
    for (const file of readdirSync(directory).filter((name) => name.endsWith('.csv'))) {
      const name = file.replace('.csv', '');
      const table = `lake.${schema}.${name === 'timeoffs' ? 'texts' : name}`;
      const folder = join(path('lake'), 'files', name);
      mkdirSync(folder, { recursive: true });
      await database.run(`CREATE TABLE ${name} AS FROM read_csv('${join(directory, file)}', all_varchar = true)`);
      const columns = await database.rows<{ name: string }>(`SELECT column_name AS name FROM (DESCRIBE ${name})`);
      // The last of the rows with one id counts in files; tables have no last one.
      await database.run(`
        DELETE FROM ${name} WHERE rowid NOT IN (SELECT max(rowid) FROM ${name} GROUP BY COALESCE(${columns[0]?.name}, rowid || ''));
        COPY ${name} TO '${join(folder, 'a.parquet')}' (FORMAT parquet)`);
      await run(`CREATE TABLE ${table} (${columns.map((column) => `${column.name} VARCHAR`).join(', ')})`);
      await run(`ALTER TABLE ${table} EXECUTE add_files(location => 'local:///files/${name}', format => 'PARQUET')`);
      if (name !== 'timeoffs') continue;
      const typed = columns.map(
        (column) => `CAST(${column.name} AS ${TIMEOFF_TYPES[column.name] ?? 'VARCHAR'}) AS ${column.name}`,
      );
      await run(`CREATE TABLE lake.${schema}.timeoffs AS SELECT ${typed.join(', ')} FROM ${table}`);
      await run(`DROP TABLE ${table}`);
    }
  } finally {
    await database.close();
  }
}

step('several workers have tasks of the ledger', async () => {
  const { rows } = await cluster.client.run(`
    SELECT count(DISTINCT tasks.node_id), count(*)
    FROM system.runtime.tasks AS tasks
    JOIN system.runtime.queries AS queries ON queries.query_id = tasks.query_id
    WHERE queries.query LIKE 'CREATE OR REPLACE TABLE%core%ledger%' AND tasks.node_id LIKE 'worker%'`);
  expect(rows[0]?.[0]).toBeGreaterThan(1);
  return `${rows[0]?.[1]} tasks on ${rows[0]?.[0]} workers`;
});

step('a company of 200 people, with a worker killed at the ledger', async () => {
  await generateCompany('S', path('s'));
  await loadDataset(path('s'), path('s-duckdb.duckdb'), { now: LOADED });
  const [worker] = cluster.workers;
  let killed = 0;
  const progress = {
    update(name: string) {
      if (name !== 'building core.ledger' || killed > 0) return;
      killed += 1;
      void worker?.kill();
    },
    close: () => undefined,
  };
  await loadDataset(path('s'), path('s.duckdb'), { now: LOADED, cluster: configOf('s_'), progress });
  expect(killed).toBe(1);
  await worker?.restart();
  await cluster.waitForWorkers(WORKERS);
  return compareFiles(path('s-duckdb.duckdb'), path('s.duckdb'));
});

step('the command, with the coordinator killed', async () => {
  const config = configOf('acme_');
  const before = readFileSync(path('acme.duckdb'));
  const load = startLoad(config, path('acme.duckdb'));
  const countMarts = async () => (await readSchemas('acme_')).filter((name) => name.endsWith('_marts')).length;
  await expect.poll(countMarts, { timeout: STEP_MS }).toBe(2);
  await cluster.coordinator.kill();
  expect(await load.ended).toEqual([1, null]);
  expect(load.told()).toMatch(/Error: .*(?:refused|was lost)/);
  expect(readFileSync(path('acme.duckdb')).equals(before)).toBe(true);
  expect(readdirSync(folder).filter((name) => name.includes('.next-'))).toEqual([]);
  await cluster.coordinator.restart();
  await cluster.waitForWorkers(WORKERS);
  const left = await readSchemas('acme_');
  await (await openClusterLoad(config, path('acme.duckdb'))).close();
  const kept = await readSchemas('acme_');
  expect([left.length, kept.length]).toEqual([10, 5]);
  return `exit code 1, the database unchanged; the next load removed ${left.length - kept.length} schemas`;
});

/** Runs a command of the system. */
function runAsRoot(program: string, ...args: readonly string[]): void {
  const { status, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  expect(status, stderr).toBe(0);
}

const canMount = spawnSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0;

step(
  "the lake's disk full, while records or tables are written",
  async () => {
    const told: string[] = [];
    const disk = join(path('lake'), 'small');
    mkdirSync(disk);
    // A version takes some 4 MiB, and its records, which come first, more than 300 KiB.
    for (const size of ['300k', '1500k']) {
      runAsRoot('mount', '-t', 'tmpfs', '-o', `size=${size},mode=1777`, 'tmpfs', disk);
      try {
        const load = startLoad(configOf('small_', 'small/'), path('small.duckdb'));
        expect(await load.ended).toEqual([1, null]);
        told.push(load.told().replace(/^.*Error: /s, ''));
        expect(await readSchemas('small_')).toEqual([]);
        expect(readdirSync(disk).filter((name) => !name.endsWith('.lock'))).toEqual([]);
      } finally {
        runAsRoot('umount', '--lazy', disk);
      }
    }
    // The program and the nodes write in turns: each of them may be the first without room for the records.
    const ofProgram = /^Could not write .*: No space left on device\n.*the disk of the lake has space/;
    const ofNode = /^The cluster refused a statement: .*\n.*the lake's disk more room/;
    const [records = '', tables] = told;
    expect(records).toMatch(records.startsWith('Could') ? ofProgram : ofNode);
    expect(tables).toMatch(/^sql\/.* can't be built: .*\n.*the lake's disk more room/);
    expect(readdirSync(folder).filter((name) => name.startsWith('small.duckdb') && !name.endsWith('.lock'))).toEqual(
      [],
    );
    return told.map((text) => text.split('\n')[0]).join('; ');
  },
  { skipped: !canMount },
);

step('a server takes changes to what came from the cluster', async () => {
  const { program, url } = await startServer(path('acme.duckdb'));
  const send = async (address: string, body?: object) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(new URL(address, url), body && { method: 'POST', headers, body: JSON.stringify(body) });
    const text = await answer.text();
    expect(answer.status, text).toBe(body ? 201 : 200);
    return JSON.parse(text);
  };
  const [{ people_id, project_id }] = await send('/v3/logged-time?per-page=1');
  const written = await send('/v3/logged-time', { people_id, project_id, date: '2026-01-07', hours: 1.25 });
  const report = `start_date=2026-01-07&end_date=2026-01-07&people_id=${people_id}`;
  expect(JSON.stringify(await send(`/v3/reports/lines?${report}`))).toContain(written.logged_time_id);
  program.signal('SIGTERM');
  expect(await program.outcome).toMatchObject({ exitCode: 0 });
  return 'the line of a written record is in the report';
});
