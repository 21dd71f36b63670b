import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AppError } from './error.ts';

/** One setting: a flag of every command, and an environment variable. */
interface Setting {
  readonly flag: string;
  readonly variable: string;
  readonly default: string;
  readonly argument: string;
  readonly help: string;
}

/** Every setting, where it is given and what stands when it isn't. A flag wins over the environment. */
export const SETTINGS = {
  database: {
    flag: 'database',
    variable: 'PLUMBLINE_DATABASE',
    default: 'plumbline.duckdb',
    argument: 'FILE',
    help: 'The database file.',
  },
  memoryLimitMib: {
    flag: 'memory-limit',
    variable: 'PLUMBLINE_MEMORY_LIMIT',
    default: '6144',
    argument: 'MIB',
    help: 'The most memory that the database engine takes, in MiB; beyond it, it works on disk. A load takes less where that is enough.',
  },
} as const satisfies Record<string, Setting>;

/** All settings, complete. */
export interface Config {
  readonly database: string;
  readonly memoryLimitMib: number;
}

/** The least memory that the database engine can work with. Unit: MiB. */
const MIN_MEMORY_MIB = 64;

/** More than any machine has; the engine refuses far greater numbers. Unit: MiB. */
const MAX_MEMORY_MIB = 100_000_000;

/**
 * Settings out of flags and environment. @throws AppError usage for a value that can't be right.
 */
export function readConfig(
  flags: Readonly<Record<string, unknown>>,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Config {
  const read = (setting: Setting) => {
    const flag = flags[setting.flag];
    return typeof flag === 'string' ? flag : (environment[setting.variable] ?? setting.default);
  };
  const memory = read(SETTINGS.memoryLimitMib);
  if (!/^\d+$/.test(memory) || Number(memory) < MIN_MEMORY_MIB || Number(memory) > MAX_MEMORY_MIB) {
    const allowed = `from ${MIN_MEMORY_MIB} to ${MAX_MEMORY_MIB}`;
    throw new AppError('usage', `--memory-limit: "${memory}" is not a number of MiB ${allowed}`);
  }
  const database = read(SETTINGS.database);
  // DuckDB takes both for a database in memory.
  if (database === '' || database.startsWith(':memory:')) {
    throw new AppError('usage', `--database: "${database}" is not a file`, {
      hint: 'Name a file: a database in memory would hold nothing.',
    });
  }
  return { database, memoryLimitMib: Number(memory) };
}

/** The folder of the package, where sql/ and reports/ lie, whether the program runs from src/ or from dist/src/. */
export const packageDirectory = findPackageDirectory(dirname(fileURLToPath(import.meta.url)));

function findPackageDirectory(directory: string): string {
  return existsSync(join(directory, 'package.json')) ? directory : findPackageDirectory(dirname(directory));
}
