import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { generateCompany } from '../../bench/generate.ts';
import { openClusterLoad } from '../../src/command/cluster-load.ts';
import { loadDataset } from '../../src/command/load-command.ts';
import type { ClusterConfig } from '../../src/config/cluster-config.ts';
import { packageDirectory } from '../../src/config/package.ts';
import { openDatabase } from '../../src/database/database.ts';
import { fileWithoutRates } from '../../src/live/generation-files.ts';
import { BUNDLED, LOADED } from '../sql/company.ts';
import { type LakeCatalog, startCatalog } from './catalog.ts';
import { type Cluster, startCluster } from './cluster.ts';

const run = promisify(execFile);

/** The longest time for a step. Unit: ms. */
const STEP_MS = 900_000;

const PROGRAM = join(packageDirectory, 'dist', 'src', 'main.js');

/** Reports that read every stored table. */
const REPORTS = [
  'projects --cutoff-date 2026-03-31',
  'pivot --group-by project,phase --cutoff-date 2026-03-31',
  'people --interval month --cutoff-date 2026-03-31',
  'pivot --group-by client,month --cutoff-date 2026-03-31',
  'lines --limit 100000',
  'data-quality',
];

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
  cluster = await startCluster({ workers: 2, catalogs, retriesTasks: true });
}, STEP_MS);

afterAll(async () => {
  await cluster?.stop();
  await catalog?.stop();
  rmSync(folder, { recursive: true, force: true });
  process.stdout.write(`\nA catalog on ${catalog?.name}, a coordinator and two workers:\n`);
  console.table(results);
});

const path = (name: string) => join(folder, name);

const configOf = (schemaPrefix: string): ClusterConfig => ({
  url: cluster.coordinator.url,
  user: 'plumbline',
  password: undefined,
  token: undefined,
  catalog: 'lake',
  schemaPrefix,
  functions: 'memory',
  lake: path('lake'),
  lakeUri: 'local:///',
});

/** Runs a step of the test, and notes what it returns. */
function step(name: string, work: () => Promise<string>): void {
  it(name, { timeout: STEP_MS }, async () => {
    const start = performance.now();
    const found = await work();
    results.push({ step: name, found, seconds: Math.round((performance.now() - start) / 1000) });
  });
}

/** Compares each relation of two databases, and each report. @returns a summary. */
async function compareFiles(one: string, other: string): Promise<string> {
  const [relations, rows] = await compareRelations(one, other);
  await compareRelations(fileWithoutRates(one), fileWithoutRates(other));
  for (const report of REPORTS) {
    const [name = '', ...flags] = report.split(' ');
    const dates = ['--start-date', '2025-07-01', '--end-date', '2026-06-30'];
    const read = async (file: string) => {
      const args = [PROGRAM, 'report', name, ...dates, ...flags, '--format', 'csv', '--database', file];
      return (await run(process.execPath, args, { maxBuffer: 2 ** 28 })).stdout;
    };
    const expected = await read(one);
    expect((await read(other)) === expected, report).toBe(true);
  }
  return `${relations} relations with ${rows} rows and ${REPORTS.length} reports are equal`;
}

/** Returns the number of relations, and of their rows. */
async function compareRelations(one: string, other: string): Promise<readonly [number, number]> {
  const database = await openDatabase(':memory:');
  try {
    await database.run(`ATTACH '${one}' AS one (READ_ONLY); ATTACH '${other}' AS other (READ_ONLY)`);
    const relations = await database.rows<{ name: string }>(`
      SELECT DISTINCT table_schema || '."' || table_name || '"' AS name FROM information_schema.tables
      WHERE table_catalog = 'one' AND table_name <> 'generation'`);
    let rows = 0;
    for (const { name } of relations) {
      const [counted] = await database.rows<{ rows: number; left: number; right: number }>(`
        SELECT (SELECT count(*) FROM one.${name}) AS rows,
          (SELECT count(*) FROM (FROM one.${name} EXCEPT ALL FROM other.${name})) AS left,
          (SELECT count(*) FROM (FROM other.${name} EXCEPT ALL FROM one.${name})) AS right`);
      expect(counted, name).toMatchObject({ left: 0, right: 0 });
      rows += counted?.rows ?? 0;
    }
    return [relations.length, rows];
  } finally {
    await database.close();
  }
}

/** Reads the schemas of a prefix in the catalog. */
async function readSchemas(prefix: string): Promise<string[]> {
  const { rows } = await cluster.client.run('SHOW SCHEMAS FROM lake');
  return rows.map(([name]) => String(name)).filter((name) => name.startsWith(prefix));
}

step('the bundled company', async () => {
  await loadDataset(BUNDLED, path('duckdb.duckdb'), { now: LOADED });
  await loadDataset(BUNDLED, path('acme.duckdb'), { now: LOADED, cluster: configOf('acme_') });
  return compareFiles(path('duckdb.duckdb'), path('acme.duckdb'));
});

step('several workers have tasks of the ledger', async () => {
  const { rows } = await cluster.client.run(`
    SELECT count(DISTINCT tasks.node_id), count(*)
    FROM system.runtime.tasks AS tasks
    JOIN system.runtime.queries AS queries ON queries.query_id = tasks.query_id
    WHERE queries.query LIKE 'CREATE TABLE%core%ledger%' AND tasks.node_id LIKE 'worker%'`);
  expect(rows[0]?.[0]).toBe(2);
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
  await cluster.waitForWorkers(2);
  return compareFiles(path('s-duckdb.duckdb'), path('s.duckdb'));
});

step('the command, with the coordinator killed', async () => {
  const before = readFileSync(path('acme.duckdb'));
  const { lake, url } = configOf('acme_');
  const flags = [
    '--engine',
    'trino',
    '--server',
    url.href,
    '--catalog',
    'lake',
    '--schema-prefix',
    'acme_',
    '--lake',
    lake,
  ];
  const load = spawn(process.execPath, [PROGRAM, 'load', BUNDLED, ...flags, '--database', path('acme.duckdb')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let told = '';
  load.stderr.on('data', (text) => {
    told += text;
  });
  const ended = once(load, 'exit');
  await expect
    .poll(async () => (await readSchemas('acme_')).filter((name) => name.endsWith('_marts')).length, {
      timeout: STEP_MS,
    })
    .toBe(2);
  await cluster.coordinator.kill();
  expect(await ended).toEqual([1, null]);
  expect(told).toMatch(/Error: .*(?:refused|was lost)/);
  expect(readFileSync(path('acme.duckdb')).equals(before)).toBe(true);
  expect(readdirSync(folder).filter((name) => name.includes('.next-'))).toEqual([]);
  await cluster.coordinator.restart();
  await cluster.waitForWorkers(2);
  const left = await readSchemas('acme_');
  await (await openClusterLoad(configOf('acme_'), path('acme.duckdb'))).close();
  const kept = await readSchemas('acme_');
  expect([left.length, kept.length]).toEqual([10, 5]);
  return `exit code 1, the database unchanged; the next load removed ${left.length - kept.length} schemas`;
});
