import { basename, resolve } from 'node:path';
import { AppError } from '../error.ts';
import { defaultMemoryMib, MIN_MEMORY_MIB } from './default-memory.ts';
import { followLink } from './real-file.ts';
import { numberFrom, oneOf, optional, parseText, type Settings } from './setting.ts';

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

/** Ten years. Unit: days. */
const MAX_ACCESS_LOG_DAYS = 3_653;

/** The settings of every command. A flag overrides the environment. */
export const SETTINGS = {
  database: {
    flag: 'database',
    variable: 'PLUMBLINE_DATABASE',
    default: 'plumbline.duckdb',
    argument: 'FILE',
    help: 'The database file.',
    parse: parseDatabase,
  },
  memoryLimitMib: {
    flag: 'memory-limit',
    variable: 'PLUMBLINE_MEMORY_LIMIT',
    default: String(defaultMemoryMib()),
    argument: 'MIB',
    help: 'The maximum memory of the database engine, in MiB; beyond it, the engine uses the disk. Without it, a load of small files takes less.',
    shownDefault: '6144, or 0.4 of the memory of the machine or container if that is less',
    parse: numberFrom(MIN_MEMORY_MIB, MAX_MEMORY_MIB, 'MiB'),
  },
} satisfies Settings;

export const TOKEN_SETTINGS = {
  tokens: {
    flag: 'tokens',
    variable: 'PLUMBLINE_TOKENS',
    default: '',
    argument: 'FILE',
    help: 'The file of tokens. It holds only their hashes.',
    shownDefault: 'beside the database, as company.tokens.json',
    parse: optional((file, { flag }) => followLink(file, flag)),
  },
} satisfies Settings;

const parsePort = numberFrom(0, MAX_PORT);

export const SERVER_SETTINGS = {
  ...TOKEN_SETTINGS,
  host: {
    flag: 'host',
    variable: 'PLUMBLINE_HOST',
    default: '127.0.0.1',
    argument: 'ADDRESS',
    help: 'The address to listen on; 0.0.0.0 means all addresses of the machine, which requires tokens.',
    parse: parseText,
  },
  port: {
    flag: 'port',
    variable: 'PLUMBLINE_PORT',
    default: '8080',
    argument: 'PORT',
    help: 'The port to listen on; 0 takes a free one.',
    parse: parsePort,
  },
  opsHost: {
    flag: 'ops-host',
    variable: 'PLUMBLINE_OPS_HOST',
    default: '127.0.0.1',
    argument: 'ADDRESS',
    help: 'The address of the operations port.',
    parse: parseText,
  },
  opsPort: {
    flag: 'ops-port',
    variable: 'PLUMBLINE_OPS_PORT',
    default: '',
    argument: 'PORT',
    help: 'A separate port for /healthz, /readyz, /metrics, /openapi.json and /docs, which then answer only there.',
    shownDefault: 'none: they answer on the port of the reports',
    parse: optional(parsePort),
  },
  corsOrigins: {
    flag: 'cors-origin',
    variable: 'PLUMBLINE_CORS_ORIGIN',
    default: '',
    argument: 'ORIGINS',
    help: 'The web sites whose pages may call the server from a browser, as https://dashboards.example.com, separated by commas.',
    parse: parseOrigins,
  },
  rateLimit: {
    flag: 'rate-limit',
    variable: 'PLUMBLINE_RATE_LIMIT',
    default: '1200',
    argument: 'N',
    help: 'The maximum number of requests per minute for each token, or for each address without one.',
    parse: numberFrom(1, MAX_RATE_LIMIT, 'requests'),
  },
  publishEverySeconds: {
    flag: 'publish-every',
    variable: 'PLUMBLINE_PUBLISH_EVERY',
    default: '60',
    argument: 'SECONDS',
    help: 'With --write, the minimum time between two published generations.',
    parse: numberFrom(1, MAX_PUBLISH_SECONDS, 'seconds'),
  },
  accessLogDays: {
    flag: 'access-log-days',
    variable: 'PLUMBLINE_ACCESS_LOG_DAYS',
    default: '90',
    argument: 'N',
    help: 'The days for which sign-ins, refusals and exports are kept in company.access.ndjson beside the database; 0 keeps none.',
    parse: numberFrom(0, MAX_ACCESS_LOG_DAYS, 'days'),
  },
  logLevel: {
    flag: 'log-level',
    variable: 'PLUMBLINE_LOG_LEVEL',
    default: 'info',
    argument: 'LEVEL',
    help: 'The level of the log, which is lines of JSON on standard error: error, warn, info (one line per request), debug or silent.',
    parse: oneOf('a level', ['error', 'warn', 'info', 'debug', 'silent']),
  },
} satisfies Settings;

function parseDatabase(name: string): string {
  // DuckDB opens both as a database in memory.
  if (name === '' || name.startsWith(':memory:')) {
    throw new AppError('usage', `--database: "${name}" is not a file`, {
      hint: 'Name a file: a database in memory would hold nothing.',
    });
  }
  const nameBytes = Buffer.byteLength(basename(name));
  if (nameBytes > MAX_FILE_NAME_BYTES) {
    throw new AppError(
      'usage',
      `--database: the file name has ${nameBytes} bytes; at most ${MAX_FILE_NAME_BYTES} are allowed: ${basename(name)}`,
      { hint: 'Choose a shorter name: files beside the database have its name and more.' },
    );
  }
  const file = followLink(name, 'database');
  // DuckDB reads a question mark as the start of parameters, and puts its log elsewhere.
  if (resolve(file).includes('?')) {
    throw new AppError('usage', `--database: the path contains a question mark: ${resolve(file)}`, {
      hint: 'Name a file without one, in a folder without one.',
    });
  }
  return file;
}

/** Parses a list of origins. A star is refused: without tokens, any page in a browser could then read a local server. */
function parseOrigins(text: string): string[] {
  if (text === '') return [];
  const items = text.split(',').map((item) => item.trim());
  const wrong = items.find((item) => !isOrigin(item));
  if (wrong === undefined) return items;
  throw new AppError('usage', `--cors-origin: "${wrong}" is not an origin`, {
    hint: 'Give scheme, host and port as a browser sends them, such as https://dashboards.example.com or http://localhost:3000.',
  });
}

function isOrigin(text: string): boolean {
  return /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text;
}
