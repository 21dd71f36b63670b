import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { ClusterConfig } from '../../src/base/config/cluster-config.ts';
import { BUNDLED } from '../sql/company.ts';
import { PROGRAM } from './compare.ts';

/** A load that runs as a process of its own. */
export interface StartedLoad {
  /** Its exit code and signal, when it has ended. */
  readonly ended: Promise<unknown[]>;
  /** Returns what it wrote to stderr. */
  told(): string;
  /** Kills it at once. */
  kill(): void;
}

/** Runs the command `load` for the bundled company. @param environment Variables besides those of this process. */
export function startLoad(
  config: ClusterConfig,
  file: string,
  environment: Readonly<Record<string, string>> = {},
): StartedLoad {
  const values = {
    engine: 'trino',
    server: config.url.href,
    catalog: config.catalog,
    'schema-prefix': config.schemaPrefix,
    lake: config.lake,
    'lake-uri': config.lakeUri,
    database: file,
  };
  const flags = Object.entries(values).flatMap(([flag, value]) => [`--${flag}`, value]);
  const load = spawn(process.execPath, [PROGRAM, 'load', BUNDLED, ...flags], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...environment },
  });
  let told = '';
  load.stderr.on('data', (text) => {
    told += text;
  });
  return { ended: once(load, 'close'), told: () => told, kill: () => load.kill('SIGKILL') };
}
