import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { findPorts } from './ports.ts';

const run = promisify(execFile);

/** A catalog of Iceberg tables. */
export interface LakeCatalog {
  readonly name: string;
  /** The file of the catalog's properties. */
  readonly properties: string;
  stop(): Promise<void>;
}

/** The files of a catalog's tables. */
export interface CatalogFiles {
  /** The lines of their file system in the properties of a catalog. */
  readonly settings: readonly string[];
  /** The address of their folder, with a slash at its end. */
  readonly uri: string;
}

/** The places of PostgreSQL's programs on Debian. */
const POSTGRES_FOLDER = '/usr/lib/postgresql';

/** The tables of Iceberg's JDBC catalog, which Trino doesn't create. */
const CATALOG_TABLES = `
  CREATE TABLE iceberg_tables (
    catalog_name VARCHAR(255) NOT NULL, table_namespace VARCHAR(255) NOT NULL, table_name VARCHAR(255) NOT NULL,
    metadata_location VARCHAR(1000), previous_metadata_location VARCHAR(1000), iceberg_type VARCHAR(5),
    PRIMARY KEY (catalog_name, table_namespace, table_name));
  CREATE TABLE iceberg_namespace_properties (
    catalog_name VARCHAR(255) NOT NULL, namespace VARCHAR(255) NOT NULL, property_key VARCHAR(255),
    property_value VARCHAR(1000), PRIMARY KEY (catalog_name, namespace, property_key))`;

/** Makes a folder for the files of a catalog. */
function localFiles(lake: string): CatalogFiles {
  mkdirSync(lake, { recursive: true });
  return { settings: ['fs.native-local.enabled=true', `local.location=${lake}`], uri: 'local:///' };
}

/**
 * Starts a catalog on PostgreSQL; on a machine without it, one in files, which Trino has for tests.
 * @param files Default: those of the folder `lake` there.
 */
export async function startCatalog(folder: string, files = localFiles(join(folder, 'lake'))): Promise<LakeCatalog> {
  const shared = [
    'connector.name=iceberg',
    'iceberg.add-files-procedure.enabled=true',
    'iceberg.max-partitions-per-writer=1560',
    ...files.settings,
  ];
  const programs = findPrograms();
  if (programs === undefined) {
    const own = ['iceberg.catalog.type=TESTING_FILE_METASTORE', `hive.metastore.catalog.dir=${files.uri}catalog`];
    return { name: 'files', properties: [...shared, ...own, ''].join('\n'), stop: async () => undefined };
  }
  const { port, stop } = await startPostgres(programs, join(folder, 'postgres'));
  const own = [
    'iceberg.catalog.type=jdbc',
    'iceberg.jdbc-catalog.catalog-name=lake',
    'iceberg.jdbc-catalog.driver-class=org.postgresql.Driver',
    `iceberg.jdbc-catalog.connection-url=jdbc:postgresql://127.0.0.1:${port}/postgres`,
    'iceberg.jdbc-catalog.connection-user=plumbline',
    'iceberg.jdbc-catalog.connection-password=unused',
    `iceberg.jdbc-catalog.default-warehouse-dir=${files.uri}catalog`,
  ];
  return { name: 'PostgreSQL', properties: [...shared, ...own, ''].join('\n'), stop };
}

function findPrograms(): string | undefined {
  const versions = existsSync(POSTGRES_FOLDER) ? readdirSync(POSTGRES_FOLDER) : [];
  return versions
    .map((version) => join(POSTGRES_FOLDER, version, 'bin'))
    .find((programs) => existsSync(join(programs, 'initdb')));
}

async function startPostgres(
  programs: string,
  folder: string,
): Promise<{ readonly port: number; readonly stop: () => Promise<void> }> {
  const data = join(folder, 'data');
  mkdirSync(folder, { recursive: true });
  const account = await unprivilegedAccount();
  if (account) chownSync(folder, account.uid, account.gid);
  await run(join(programs, 'initdb'), ['-D', data, '-A', 'trust', '-N', '-U', 'plumbline'], { ...account });
  const [port = 0] = await findPorts(1);
  const settings = ['fsync=off', 'listen_addresses=127.0.0.1', `unix_socket_directories=${folder}`];
  const server: ChildProcess = spawn(
    join(programs, 'postgres'),
    ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
    { ...account, stdio: 'ignore' },
  );
  const ended = new Promise((resolve) => server.once('exit', resolve));
  const query = (sql: string) =>
    run(join(programs, 'psql'), ['-h', '127.0.0.1', '-p', String(port), '-U', 'plumbline', '-c', sql, 'postgres']);
  for (let tries = 0; tries < 60; tries += 1) {
    if (await query('SELECT 1').catch(() => undefined)) break;
    await sleep(500);
  }
  await query(CATALOG_TABLES);
  return {
    port,
    async stop() {
      server.kill('SIGKILL');
      await ended;
    },
  };
}

/** Returns an account to run PostgreSQL with, which refuses to run as root. */
async function unprivilegedAccount(): Promise<{ uid: number; gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const [uid, gid] = await Promise.all(['-u', '-g'].map((flag) => run('id', [flag, 'postgres'])));
  return { uid: Number(uid?.stdout), gid: Number(gid?.stdout) };
}
