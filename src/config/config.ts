import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AppError } from '../error.ts';
import { followLink } from './real-file.ts';

/** One setting: a flag of every command, and an environment variable. */
export interface Setting {
  readonly flag: string;
  readonly variable: string;
  readonly default: string;
  readonly argument: string;
  readonly help: string;
  /** The default in words, where it isn't one text. */
  readonly shownDefault?: string;
}

type Flags = Readonly<Record<string, unknown>>;
type Environment = Readonly<Record<string, string | undefined>>;

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
    help: 'The most memory of the database engine, in MiB; beyond it, the engine uses the disk. A load uses less if that is enough.',
  },
} as const satisfies Record<string, Setting>;

/** The setting that the server and the commands on tokens share. */
export const TOKEN_SETTINGS = {
  tokens: {
    flag: 'tokens',
    variable: 'PLUMBLINE_TOKENS',
    default: '',
    argument: 'FILE',
    help: 'The file of tokens. It holds only their hashes.',
    shownDefault: 'beside the database, as company.tokens.json',
  },
} as const satisfies Record<string, Setting>;

/** Every setting of the server. */
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
} as const satisfies Record<string, Setting>;

/** All settings of every command, complete. */
export interface Config {
  readonly database: string;
  readonly memoryLimitMib: number;
}

/** All settings of the server, complete. */
export interface ServerConfig extends Config {
  readonly tokens: string;
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly opsHost: string;
  /** Undefined: what would answer there answers on the port of the reports. */
  readonly opsPort: number | undefined;
  /** Requests a minute of each token or address. */
  readonly rateLimit: number;
  readonly publishEverySeconds: number;
  readonly logLevel: string;
}

/** The least memory that the database engine can work with. Unit: MiB. */
const MIN_MEMORY_MIB = 64;

/** More than any machine has; the engine refuses far greater numbers. Unit: MiB. */
const MAX_MEMORY_MIB = 100_000_000;

/** The longest name of a database: systems allow 255, and the files beside it have longer names. Unit: bytes. */
const MAX_FILE_NAME_BYTES = 200;

/** The highest port that there is. */
const MAX_PORT = 65_535;

/** More than a server can answer. Unit: requests a minute. */
const MAX_RATE_LIMIT = 1_000_000_000;

/** A day: whoever wants to publish less often stops the server for it. Unit: s. */
const MAX_PUBLISH_SECONDS = 86_400;

/** What can be logged. */
const LOG_LEVELS = ['error', 'warn', 'info', 'debug', 'silent'];

/**
 * Settings out of flags and environment. @throws AppError usage for a value that can't be right.
 */
export function readConfig(flags: Flags, environment: Environment = process.env): Config {
  const read = readerOf(flags, environment);
  const database = read(SETTINGS.database);
  // DuckDB takes both for a database in memory.
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
 * The file of tokens out of flags and environment.
 * @throws AppError usage for a value that can't be right, storage for a link that leads nowhere.
 */
export function readTokensFile(flags: Flags, environment: Environment = process.env): string {
  const { database } = readConfig(flags, environment);
  const read = readerOf(flags, environment);
  const given = read(TOKEN_SETTINGS.tokens);
  if (given) return followLink(given, 'tokens');
  const file = tokensBeside(database);
  const besideLink = tokensBeside(read(SETTINGS.database));
  // Without tokens a server asks nobody who it is, so none may be overlooked.
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

/** The server's settings out of flags and environment. @throws AppError usage for a value that can't be right. */
export function readServerConfig(flags: Flags, environment: Environment = process.env): ServerConfig {
  const read = readerOf(flags, environment);
  const port = (setting: Setting) => parseNumber(setting.flag, read(setting), '', 0, MAX_PORT);
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

function readerOf(flags: Flags, environment: Environment): (setting: Setting) => string {
  return (setting) => {
    const flag = flags[setting.flag];
    return typeof flag === 'string' ? flag : (environment[setting.variable] ?? setting.default);
  };
}

function parseNumber(flag: string, text: string, unit: string, least: number, most: number): number {
  if (/^\d+$/.test(text) && Number(text) >= least && Number(text) <= most) return Number(text);
  throw new AppError('usage', `--${flag}: "${text}" is not a number ${unit}from ${least} to ${most}`);
}

/** The folder of the package, where sql/ and reports/ lie, whether the program runs from src/ or from dist/src/. */
export const packageDirectory = findPackageDirectory(dirname(fileURLToPath(import.meta.url)));

function findPackageDirectory(directory: string): string {
  return existsSync(join(directory, 'package.json')) ? directory : findPackageDirectory(dirname(directory));
}

/** The version of the program. */
export function readVersion(): string {
  const { version } = JSON.parse(readFileSync(join(packageDirectory, 'package.json'), 'utf8')) as { version: string };
  return version;
}
