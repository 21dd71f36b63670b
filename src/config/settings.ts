import { totalmem } from 'node:os';

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
export const MIN_MEMORY_MIB = 64;

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
    help: 'The maximum memory of the database engine, in MiB; beyond it, the engine uses the disk. Without it, a load of small files takes less.',
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
  corsOrigins: {
    flag: 'cors-origin',
    variable: 'PLUMBLINE_CORS_ORIGIN',
    default: '',
    argument: 'ORIGINS',
    help: 'The web sites whose pages may call the server from a browser, as https://dashboards.example.com, separated by commas.',
    shownDefault: 'none',
  },
  rateLimit: {
    flag: 'rate-limit',
    variable: 'PLUMBLINE_RATE_LIMIT',
    default: '1200',
    argument: 'N',
    help: 'The maximum number of requests per minute for each token, or for each address without one.',
  },
  publishEverySeconds: {
    flag: 'publish-every',
    variable: 'PLUMBLINE_PUBLISH_EVERY',
    default: '60',
    argument: 'SECONDS',
    help: 'With --write, the minimum time between two published generations.',
  },
  logLevel: {
    flag: 'log-level',
    variable: 'PLUMBLINE_LOG_LEVEL',
    default: 'info',
    argument: 'LEVEL',
    help: 'The level of the log, which is lines of JSON on standard error: error, warn, info (one line per request), debug or silent.',
  },
} as const satisfies Record<string, ConfigSetting>;
