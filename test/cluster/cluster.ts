import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openTrino, type TrinoClient } from '../../src/cluster/trino/trino-client.ts';
import { fetchPrograms, type Programs } from './artifacts.ts';
import { findPorts } from './ports.ts';

/** The longest time until a node answers. Unit: ms. */
const START_TIMEOUT_MS = 300_000;

/** The memory of a node's heap. Unit: MiB. */
const HEAP_MIB = 1_200;

/** A Trino node, which is a process. */
export interface Node {
  readonly name: string;
  readonly url: URL;
  /** Kills the process at once. */
  kill(): Promise<void>;
  /** Starts it again, after it was killed. */
  restart(): Promise<void>;
}

/** A coordinator and its workers on this machine's loopback. */
export interface Cluster {
  readonly coordinator: Node;
  readonly workers: readonly Node[];
  readonly client: TrinoClient;
  /** Waits until this many workers have announced themselves. */
  waitForWorkers(count: number): Promise<void>;
  /** Ends all processes and removes their files. */
  stop(): Promise<void>;
}

export interface ClusterOptions {
  readonly workers: number;
  /** Files of etc/catalog by name, such as { iceberg: 'connector.name=iceberg\n...' }. */
  readonly catalogs: Readonly<Record<string, string>>;
  /** Lines of config.properties for all nodes. */
  readonly settings?: readonly string[];
  /** True if tasks of a lost worker are done again: their results are kept in files. */
  readonly retriesTasks?: boolean;
}

/** Settings of small nodes that do tasks again; each task reserves memory, by default more than such a node has. */
const RETRY_SETTINGS = [
  'retry-policy=TASK',
  'fault-tolerant-execution-task-memory=200MB',
  'fault-tolerant-execution-coordinator-task-memory=100MB',
];

/** Starts a cluster and waits until it has all its workers. */
export async function startCluster({
  workers,
  catalogs,
  settings = [],
  retriesTasks = false,
}: ClusterOptions): Promise<Cluster> {
  const programs = await fetchPrograms();
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-cluster-'));
  const ports = await findPorts(workers + 1);
  const discovery = `http://127.0.0.1:${ports[0]}`;
  const nodes = ports.map((port, index) =>
    openNode({
      programs,
      folder,
      port,
      discovery,
      catalogs,
      settings: retriesTasks ? [...settings, ...RETRY_SETTINGS] : settings,
      retriesTasks,
      name: index === 0 ? 'coordinator' : `worker-${index}`,
    }),
  );
  const [coordinator, ...others] = nodes as [Node, ...Node[]];
  const client = openTrino({ url: coordinator.url, user: 'plumbline' });
  const cluster: Cluster = {
    coordinator,
    workers: others,
    client,
    async waitForWorkers(count) {
      await until(`${count} workers`, async () => {
        const sql = "SELECT count(*) FROM system.runtime.nodes WHERE NOT coordinator AND state = 'active'";
        // Without task retries, a statement fails that had work on a lost worker.
        const found = await client.run(sql).catch(() => undefined);
        return Number(found?.rows[0]?.[0]) === count;
      });
    },
    async stop() {
      await Promise.all(nodes.map((node) => node.kill()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
  try {
    for (const node of nodes) await node.restart();
    await cluster.waitForWorkers(workers);
  } catch (error) {
    await cluster.stop();
    throw error;
  }
  return cluster;
}

interface NodeOptions {
  readonly programs: Programs;
  readonly folder: string;
  readonly name: string;
  readonly port: number;
  readonly discovery: string;
  readonly catalogs: Readonly<Record<string, string>>;
  readonly settings: readonly string[];
  readonly retriesTasks: boolean;
}

function openNode(options: NodeOptions): Node {
  const { programs, folder, name, port } = options;
  const home = join(folder, name);
  const url = new URL(`http://127.0.0.1:${port}`);
  writeSettings(home, options);
  let running: ChildProcess | undefined;
  return {
    name,
    url,
    async kill() {
      const ended = running?.exitCode === null ? new Promise((resolve) => running?.once('exit', resolve)) : undefined;
      running?.kill('SIGKILL');
      await ended;
      running = undefined;
    },
    async restart() {
      const log = openSync(join(home, 'server.log'), 'a');
      running = spawn(programs.java, javaArguments(home, name, programs), { cwd: home, stdio: ['ignore', log, log] });
      closeSync(log);
      await until(`${name} (${home}/server.log)`, async () => {
        if (running?.exitCode !== null) throw new Error(`${name} ended:\n${tailOf(join(home, 'server.log'))}`);
        const response = await fetch(new URL('/v1/info', url)).catch(() => undefined);
        return response?.ok === true && ((await response.json()) as { starting?: boolean }).starting === false;
      });
    },
  };
}

function writeSettings(home: string, options: NodeOptions): void {
  const { folder, name, port, discovery, catalogs, settings, retriesTasks } = options;
  mkdirSync(join(home, 'etc', 'catalog'), { recursive: true });
  const lines = [
    `coordinator=${name === 'coordinator'}`,
    'node-scheduler.include-coordinator=false',
    `http-server.http.port=${port}`,
    `discovery.uri=${discovery}`,
    ...settings,
  ];
  writeFileSync(join(home, 'etc', 'config.properties'), `${lines.join('\n')}\n`);
  if (retriesTasks) {
    const exchange = `exchange-manager.name=filesystem\nexchange.base-directories=${join(folder, 'exchange')}\n`;
    writeFileSync(join(home, 'etc', 'exchange-manager.properties'), exchange);
  }
  for (const [catalog, text] of Object.entries(catalogs))
    writeFileSync(join(home, 'etc', 'catalog', `${catalog}.properties`), text);
}

/** The server reads none of its launcher's files: all of it stands on the command line. */
function javaArguments(home: string, name: string, { server }: Programs): string[] {
  return [
    `-Xmx${HEAP_MIB}m`,
    '-XX:+UseSerialGC',
    '--enable-native-access=ALL-UNNAMED',
    '--sun-misc-unsafe-memory-access=allow',
    '-Dnode.environment=test',
    `-Dnode.id=${name}`,
    `-Dnode.data-dir=${join(home, 'data')}`,
    '-Dnode.bind-ip=127.0.0.1',
    '-Dnode.internal-address=127.0.0.1',
    `-Dconfig=${join(home, 'etc', 'config.properties')}`,
    `-Dcatalog.config-dir=${join(home, 'etc', 'catalog')}`,
    `-Dexchange-manager.configuration-file=${join(home, 'etc', 'exchange-manager.properties')}`,
    `-Dplugin.dir=${join(server, 'plugin')}`,
    '-cp',
    [join(server, 'lib', '*')].join(delimiter),
    'io.trino.server.TrinoServer',
  ];
}

function tailOf(file: string): string {
  return readFileSync(file, 'utf8').slice(-3_000);
}

async function until(what: string, isDone: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + START_TIMEOUT_MS;
  while (!(await isDone())) {
    if (performance.now() > deadline) throw new Error(`${what} did not come within ${START_TIMEOUT_MS / 1000} s`);
    await sleep(500);
  }
}
