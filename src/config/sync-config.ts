import { existsSync } from 'node:fs';
import { AppError } from '../error.ts';
import { type Environment, type FlagValues, parseNumberFlag, readerOf } from './config.ts';
import { parseDuration } from './duration.ts';
import { checkSecret, readSecretFile, type SecretPlace } from './secret.ts';
import type { ConfigSetting } from './settings.ts';

/** The settings of a sync. The token itself is no setting: a command line is visible to others. */
export const SYNC_SETTINGS = {
  tokenEnv: {
    flag: 'token-env',
    variable: 'PLUMBLINE_TOKEN_ENV',
    default: 'PLUMBLINE_SOURCE_TOKEN',
    argument: 'NAME',
    help: "The environment variable that holds the source's token.",
  },
  tokenFile: {
    flag: 'token-file',
    variable: 'PLUMBLINE_TOKEN_FILE',
    default: '',
    argument: 'FILE',
    help: "A file that holds the source's token instead; it is read again before each request.",
    shownDefault: 'none',
  },
  requestsPerMinute: {
    flag: 'requests-per-minute',
    variable: 'PLUMBLINE_REQUESTS_PER_MINUTE',
    default: '200',
    argument: 'N',
    help: 'The maximum number of requests per minute to the source; never more than 10 per second.',
  },
  settings: {
    flag: 'settings',
    variable: 'PLUMBLINE_SETTINGS',
    default: '',
    argument: 'FILE',
    help: 'A JSON file with the settings of the company (currency, time zone, week), which the source does not provide. The first run and full runs read it.',
    shownDefault: 'none',
  },
} as const satisfies Record<string, ConfigSetting>;

export const EVERY_SETTING: ConfigSetting = {
  flag: 'every',
  variable: 'PLUMBLINE_SYNC_EVERY',
  default: '',
  argument: 'DURATION',
  help: 'Keep running, with this time between runs: 90s, 15m, 2h or 1d.',
  shownDefault: 'one run',
};

export interface SyncConfig {
  readonly url: string;
  /** Returns the token. @throws AppError usage if there is none. */
  readonly token: () => string;
  readonly requestsPerMinute: number;
  /** Undefined: the database keeps its settings. */
  readonly settingsFile: string | undefined;
  /** Undefined: one run. Unit: s. */
  readonly everySeconds: number | undefined;
}

/** The most requests a minute that a user can allow, as for a source of his own. Unit: requests a minute. */
const MAX_REQUESTS_PER_MINUTE = 60_000;

/**
 * Reads the settings of a sync from flags and environment.
 * @param defaultEvery The interval unless one is given; empty for one run.
 * @throws AppError usage for an invalid value, or a missing token.
 */
export function readSyncConfig(
  url: string,
  flags: FlagValues,
  defaultEvery = '',
  environment: Environment = process.env,
): SyncConfig {
  const read = readerOf(flags, environment);
  const every = read(EVERY_SETTING) || defaultEvery;
  const most = read(SYNC_SETTINGS.requestsPerMinute);
  const token = tokenReader(read(SYNC_SETTINGS.tokenFile), read(SYNC_SETTINGS.tokenEnv), environment);
  token();
  return {
    url,
    token,
    requestsPerMinute: parseNumberFlag('requests-per-minute', most, 'of requests ', 1, MAX_REQUESTS_PER_MINUTE),
    settingsFile: checkSettings(read(SYNC_SETTINGS.settings)),
    everySeconds: every === '' ? undefined : parseDuration('every', every),
  };
}

/** Returns the path; undefined for none. */
function checkSettings(file: string): string | undefined {
  if (file === '' || existsSync(file)) return file || undefined;
  throw new AppError('usage', `--settings: there is no file ${file}`, {
    hint: 'Name a JSON file such as {"currency": "EUR", "time_zone": "Europe/Berlin"}, or leave it out.',
  });
}

const TOKEN: SecretPlace = {
  fileFlag: SYNC_SETTINGS.tokenFile.flag,
  kind: 'token',
  hint: 'Put the token of the source there, or name another place with --token-env or --token-file.',
};

function tokenReader(file: string, variable: string, environment: Environment): () => string {
  if (file !== '') return () => readSecretFile(file, TOKEN);
  return () => checkSecret(environment[variable] ?? '', `the environment variable ${variable}`, TOKEN);
}
