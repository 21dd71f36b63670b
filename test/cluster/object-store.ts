import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fetchObjectStore, fetchPrograms } from './artifacts.ts';
import type { CatalogFiles } from './catalog.ts';
import { findPorts } from './ports.ts';

/** A server of the S3 protocol on this machine's loopback, with one bucket. */
export interface ObjectStore {
  readonly bucket: string;
  /** The variables with which clients find it. */
  readonly environment: Readonly<Record<string, string>>;
  /** The bucket as Trino finds it. */
  readonly files: CatalogFiles;
  stop(): Promise<void>;
}

/** The longest time until the server answers. Unit: tries, twice a second. */
const START_TRIES = 120;

/** Starts S3Proxy, which checks signatures and checksums, and keeps the objects in a folder. */
export async function startObjectStore(folder: string): Promise<ObjectStore> {
  const bucket = 'plumbline';
  const [accessKey, secretKey, region] = ['plumbline', 'loopback-secret', 'us-east-1'];
  const [port = 0] = await findPorts(1);
  const url = `http://127.0.0.1:${port}`;
  const objects = join(folder, 'objects');
  mkdirSync(join(objects, bucket), { recursive: true });
  const settings = {
    's3proxy.endpoint': url,
    's3proxy.authorization': 'aws-v4',
    's3proxy.identity': accessKey,
    's3proxy.credential': secretKey,
    // Trino asks for attributes of Amazon's archives.
    's3proxy.ignore-unknown-headers': 'true',
    'jclouds.provider': 'filesystem',
    'jclouds.filesystem.basedir': objects,
  };
  const properties = join(folder, 's3proxy.properties');
  writeFileSync(properties, formatProperties(settings).join('\n'));
  const { java } = await fetchPrograms();
  const log = openSync(join(folder, 's3proxy.log'), 'a');
  const program = ['-Xmx256m', '-jar', await fetchObjectStore(), '--properties', properties];
  const server: ChildProcess = spawn(java, program, { stdio: ['ignore', log, log] });
  closeSync(log);
  const ended = new Promise((resolve) => server.once('exit', resolve));
  const stop = async () => {
    server.kill('SIGKILL');
    await ended;
  };
  for (let tries = 0; !(await answers(url)); tries += 1) {
    if (server.exitCode !== null || tries === START_TRIES) {
      await stop();
      throw new Error(`S3Proxy doesn't start:\n${readFileSync(join(folder, 's3proxy.log'), 'utf8')}`);
    }
    await sleep(500);
  }
  const trino = {
    'fs.native-s3.enabled': 'true',
    's3.endpoint': url,
    's3.region': region,
    's3.path-style-access': 'true',
    's3.aws-access-key': accessKey,
    's3.aws-secret-key': secretKey,
  };
  return {
    bucket,
    environment: {
      AWS_ENDPOINT_URL_S3: url,
      AWS_REGION: region,
      AWS_ACCESS_KEY_ID: accessKey,
      AWS_SECRET_ACCESS_KEY: secretKey,
    },
    files: { settings: formatProperties(trino), uri: `s3://${bucket}/` },
    stop,
  };
}

function formatProperties(settings: Readonly<Record<string, string>>): string[] {
  return Object.entries(settings).map(([name, value]) => `${name}=${value}`);
}

async function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    () => true,
    () => false,
  );
}
