import { existsSync, readFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AppError } from '../error.ts';
import { followLink } from './real-file.ts';

/** A setting, given by a flag or an environment variable. */
export interface ConfigSetting {
  readonly flag: string;
  readonly variable: string;
  readonly default: string;
  readonly argument: string;
  readonly help: string;
  /** The default in words, if it is not a fixed text. */
  readonly shownDefault?: string;
}

/** The least memory the database engine can work with. Unit: MiB. */
const MIN_MEMORY_MIB = 64;

/** The default memory of the engine on a large machine. Unit: MiB. */
const MAX_DEFAULT_MEMORY_MIB = 6144;

/** The share of a small machine's memory that the engine gets: the rest of the program needs some 300 MiB. */
const DEFAULT_MEMORY_SHARE = 0.4;

/**
 * Returns the default memory of the engine, in MiB. A process that uses more than its machine has is killed.
 * @param bytes The memory of the machine or container.
 */
export function defaultMemoryMib(bytes: number): number {
  const share = Math.floor((bytes / 2 ** 20) * DEFAULT_MEMORY_SHARE);
  return Math.max(MIN_MEMORY_MIB, Math.min(MAX_DEFAULT_MEMORY_MIB, share));
}

/** Returns the memory of the machine or container, in bytes. */
function readMachineBytes(): number {
  // Without a limit, Node answers 0, undefined or more than the machine has.
  return Math.min(process.constrainedMemory() || Number.POSITIVE_INFINITY, totalmem());
}

type FlagValues = Readonly<Record<string, unknown>>;
type Environment = Readonly<Record<string, string | undefined>>;

/** The settings of every command. A flag overrides the environment. */
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
    default: String(defaultMemoryMib(readMachineBytes())),
    argument: 'MIB',
    help: 'The most memory of the database engine, in MiB; beyond it, the engine uses the disk. A load uses less if that is enough.',
    shownDefault: '6144, or 0.4 of the memory of the machine or container if that is less',
  },
} as const satisfies Record<string, ConfigSetting>;

export const TOKEN_SETTINGS = {
  tokens: {
    flag: 'tokens',
    variable: 'PLUMBLINE_TOKENS',
    default: '',
    argument: 'FILE',
    help: 'The file of tokens. It holds only their hashes.',
    shownDefault: 'beside the database, as company.tokens.json',
  },
} as const satisfies Record<string, ConfigSetting>;

export const SERVER_SETTINGS = {
  ...TOKEN_SETTINGS,
  host: {
    flag: 'host',
    variable: 'PLUMBLINE_HOST',
    default: '127.0.0.1',
    argument: 'ADDRESS',
    help: 'The address to listen on; 0.0.0.0 means all addresses of the machine, which requires tokens.',
  },
  port: {
    flag: 'port',
    variable: 'PLUMBLINE_PORT',
    default: '8080',
    argument: 'PORT',
    help: 'The port to listen on; 0 takes a free one.',
  },
  opsHost: {
    flag: 'ops-host',
    variable: 'PLUMBLINE_OPS_HOST',
    default: '127.0.0.1',
    argument: 'ADDRESS',
    help: 'The address of the operations port.',
  },
  opsPort: {
    flag: 'ops-port',
    variable: 'PLUMBLINE_OPS_PORT',
    default: '',
    argument: 'PORT',
    help: 'A separate port for /healthz, /readyz, /metrics, /openapi.json and /docs, which then answer only there.',
    shownDefault: 'none: they answer on the port of the reports',
  },
  rateLimit: {
    flag: 'rate-limit',
    variable: 'PLUMBLINE_RATE_LIMIT',
    default: '1200',
    argument: 'N',
    help: 'The most requests a minute for each token, or for each address without one.',
  },
  publishEverySeconds: {
    flag: 'publish-every',
    variable: 'PLUMBLINE_PUBLISH_EVERY',
    default: '60',
    argument: 'SECONDS',
    help: 'With --write, the least time between two published generations.',
  },
  logLevel: {
    flag: 'log-level',
    variable: 'PLUMBLINE_LOG_LEVEL',
    default: 'info',
    argument: 'LEVEL',
    help: 'The level of the log, which is lines of JSON on standard error: error, warn, info (a line a request), debug or silent.',
  },
} as const satisfies Record<string, ConfigSetting>;

export interface Config {
  readonly database: string;
  readonly memoryLimitMib: number;
}

export interface ServerConfig extends Config {
  readonly tokens: string;
  readonly host: string;
  /** 0 selects a free port. */
  readonly port: number;
  readonly opsHost: string;
  /** Undefined: operations endpoints answer on the main port. */
  readonly opsPort: number | undefined;
  /** Unit: requests a minute, for each token or address. */
  readonly rateLimit: number;
  readonly publishEverySeconds: number;
  readonly logLevel: string;
}

/** More than any machine has; the engine rejects far greater numbers. Unit: MiB. */
const MAX_MEMORY_MIB = 100_000_000;

/** The longest database name: systems allow 255, and files beside it have longer names. Unit: bytes. */
const MAX_FILE_NAME_BYTES = 200;

/** The highest valid port. */
const MAX_PORT = 65_535;

/** More than a server can answer. Unit: requests a minute. */
const MAX_RATE_LIMIT = 1_000_000_000;

/** One day. Unit: s. */
const MAX_PUBLISH_SECONDS = 86_400;

const LOG_LEVELS = ['error', 'warn', 'info', 'debug', 'silent'];

/**
 * Reads the settings of a command from flags and environment.
 * @throws AppError usage for an invalid value.
 */
export function readConfig(flags: FlagValues, environment: Environment = process.env): Config {
  const read = readerOf(flags, environment);
  const database = read(SETTINGS.database);
  // DuckDB opens both as a database in memory.
  if (database === '' || database.startsWith(':memory:')) {
    throw new AppError('usage', `--database: "${database}" is not a file`, {
      hint: 'Name a file: a database in memory would hold nothing.',
    });
  }
  const nameBytes = Buffer.byteLength(basename(database));
  if (nameBytes > MAX_FILE_NAME_BYTES) {
    throw new AppError(
      'usage',
      `--database: the file's name has ${nameBytes} bytes, and may have ${MAX_FILE_NAME_BYTES}: ${basename(database)}`,
      { hint: 'Choose a shorter name: files beside the database have its name and more.' },
    );
  }
  const memory = read(SETTINGS.memoryLimitMib);
  return {
    database: followLink(database, 'database'),
    memoryLimitMib: parseNumber('memory-limit', memory, 'of MiB ', MIN_MEMORY_MIB, MAX_MEMORY_MIB),
  };
}

/**
 * Returns the path of the token file, from flags and environment.
 * @throws AppError usage for an invalid value, storage for a broken link.
 */
export function readTokensFile(flags: FlagValues, environment: Environment = process.env): string {
  const { database } = readConfig(flags, environment);
  const read = readerOf(flags, environment);
  const given = read(TOKEN_SETTINGS.tokens);
  if (given) return followLink(given, 'tokens');
  const file = tokensBeside(database);
  const besideLink = tokensBeside(read(SETTINGS.database));
  // Without tokens a server is open to everyone, so a token file must not be missed.
  if (!existsSync(file) && existsSync(besideLink)) {
    throw new AppError(
      'storage',
      `${besideLink} lies beside a link to ${database}, and not beside the database itself`,
      {
        hint: `Move it to ${file}, or name it with --tokens.`,
      },
    );
  }
  return followLink(file, 'tokens');
}

function tokensBeside(database: string): string {
  return `${database.replace(/\.duckdb$/, '')}.tokens.json`;
}

/**
 * Reads the settings of the server from flags and environment.
 * @throws AppError usage for an invalid value.
 */
export function readServerConfig(flags: FlagValues, environment: Environment = process.env): ServerConfig {
  const read = readerOf(flags, environment);
  const port = (setting: ConfigSetting) => parseNumber(setting.flag, read(setting), '', 0, MAX_PORT);
  const logLevel = read(SERVER_SETTINGS.logLevel);
  if (!LOG_LEVELS.includes(logLevel)) {
    throw new AppError('usage', `--log-level: "${logLevel}" is not a level`, {
      hint: `Give one of ${LOG_LEVELS.join(', ')}.`,
    });
  }
  return {
    ...readConfig(flags, environment),
    tokens: readTokensFile(flags, environment),
    host: read(SERVER_SETTINGS.host),
    port: port(SERVER_SETTINGS.port),
    opsHost: read(SERVER_SETTINGS.opsHost),
    opsPort: read(SERVER_SETTINGS.opsPort) === '' ? undefined : port(SERVER_SETTINGS.opsPort),
    rateLimit: parseNumber('rate-limit', read(SERVER_SETTINGS.rateLimit), 'of requests ', 1, MAX_RATE_LIMIT),
    publishEverySeconds: parseNumber(
      'publish-every',
      read(SERVER_SETTINGS.publishEverySeconds),
      'of seconds ',
      1,
      MAX_PUBLISH_SECONDS,
    ),
    logLevel,
  };
}

function readerOf(flags: FlagValues, environment: Environment): (setting: ConfigSetting) => string {
  return (setting) => {
    const flag = flags[setting.flag];
    return typeof flag === 'string' ? flag : (environment[setting.variable] ?? setting.default);
  };
}

function parseNumber(flag: string, text: string, unit: string, least: number, most: number): number {
  if (/^\d+$/.test(text) && Number(text) >= least && Number(text) <= most) return Number(text);
  throw new AppError('usage', `--${flag}: "${text}" is not a number ${unit}from ${least} to ${most}`);
}

/** The package folder, which holds sql/ and reports/, whether code runs from src/ or dist/src/. */
export const packageDirectory = findPackageDirectory(dirname(fileURLToPath(import.meta.url)));

function findPackageDirectory(directory: string): string {
  return existsSync(join(directory, 'package.json')) ? directory : findPackageDirectory(dirname(directory));
}

export function readVersion(): string {
  const { version } = JSON.parse(readFileSync(join(packageDirectory, 'package.json'), 'utf8')) as { version: string };
  return version;
}
