import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { AppError } from '../error.ts';
import { followLink } from './real-file.ts';
import { type ConfigSetting, MIN_MEMORY_MIB, SERVER_SETTINGS, SETTINGS, TOKEN_SETTINGS } from './settings.ts';

export type FlagValues = Readonly<Record<string, unknown>>;
export type Environment = Readonly<Record<string, string | undefined>>;

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
  /** The origins whose pages may call the server from a browser. */
  readonly corsOrigins: readonly string[];
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
      `--database: the file name has ${nameBytes} bytes; at most ${MAX_FILE_NAME_BYTES} are allowed: ${basename(database)}`,
      { hint: 'Choose a shorter name: files beside the database have its name and more.' },
    );
  }
  const memory = read(SETTINGS.memoryLimitMib);
  const file = followLink(database, 'database');
  // The engine takes what follows for the parameters of an address, and puts its log elsewhere.
  if (resolve(file).includes('?')) {
    throw new AppError('usage', `--database: the path contains a question mark: ${resolve(file)}`, {
      hint: 'Name a file without one, in a folder without one.',
    });
  }
  return {
    database: file,
    memoryLimitMib: parseNumberFlag('memory-limit', memory, 'of MiB ', MIN_MEMORY_MIB, MAX_MEMORY_MIB),
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
    throw new AppError('storage', `${besideLink} is beside a link to ${database}, not beside the database itself`, {
      hint: `Move it to ${file}, or name it with --tokens.`,
    });
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
  const port = (setting: ConfigSetting) => parseNumberFlag(setting.flag, read(setting), '', 0, MAX_PORT);
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
    corsOrigins: parseOrigins(read(SERVER_SETTINGS.corsOrigins)),
    rateLimit: parseNumberFlag('rate-limit', read(SERVER_SETTINGS.rateLimit), 'of requests ', 1, MAX_RATE_LIMIT),
    publishEverySeconds: parseNumberFlag(
      'publish-every',
      read(SERVER_SETTINGS.publishEverySeconds),
      'of seconds ',
      1,
      MAX_PUBLISH_SECONDS,
    ),
    logLevel,
  };
}

/** Parses a list of origins. A star is none: without tokens, any page in a browser could then read a local server. */
function parseOrigins(text: string): string[] {
  const items = text.split(',').map((item) => item.trim());
  const wrong = items.find((item) => !isOrigin(item));
  if (text === '' || wrong === undefined) return text === '' ? [] : items;
  throw new AppError('usage', `--cors-origin: "${wrong}" is not an origin`, {
    hint: 'Give scheme, host and port as a browser sends them, such as https://dashboards.example.com or http://localhost:3000.',
  });
}

function isOrigin(text: string): boolean {
  return /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text;
}

/** Returns a reader of settings: a flag comes before the environment, and that before the default. */
export function readerOf(flags: FlagValues, environment: Environment): (setting: ConfigSetting) => string {
  return (setting) => {
    const flag = flags[setting.flag];
    return typeof flag === 'string' ? flag : (environment[setting.variable] ?? setting.default);
  };
}

/** Tells whether a flag or the environment sets the memory limit; otherwise it is the default. */
export function isMemoryGiven(flags: FlagValues, environment: Environment = process.env): boolean {
  const { flag, variable } = SETTINGS.memoryLimitMib;
  return typeof flags[flag] === 'string' || environment[variable] !== undefined;
}

/** @throws AppError usage for another text. */
export function parseNumberFlag(flag: string, text: string, unit: string, least: number, most: number): number {
  if (/^\d+$/.test(text) && Number(text) >= least && Number(text) <= most) return Number(text);
  throw new AppError('usage', `--${flag}: "${text}" is not a number ${unit}from ${least} to ${most}`);
}
