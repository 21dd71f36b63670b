import { readFileSync } from 'node:fs';
import { AppError, fileReasonOf } from '../error.ts';
import { parseDuration } from './duration.ts';
import { RATES_SETTINGS } from './rates-setting.ts';
import { checkSecret, readSecretFile, type SecretPlace } from './secret.ts';
import {
  type Environment,
  type FlagValues,
  numberFrom,
  optional,
  parseText,
  readSettings,
  type Settings,
} from './setting.ts';

/** The most requests a minute that a user can allow, for a source of their own. Unit: requests a minute. */
const MAX_REQUESTS_PER_MINUTE = 60_000;

/** The settings of a sync. The token itself isn't a setting: a command line is visible to others. */
export const SYNC_SETTINGS = {
  /** Undefined: one run. Unit: s. */
  everySeconds: {
    flag: 'every',
    variable: 'PLUMBLINE_SYNC_EVERY',
    default: '',
    argument: 'DURATION',
    help: 'Keep running, with this time between runs: 90s, 15m, 2h or 1d.',
    shownDefault: 'one run',
    parse: optional((text, { flag }) => parseDuration(flag, text)),
  },
  tokenEnv: {
    flag: 'token-env',
    variable: 'PLUMBLINE_TOKEN_ENV',
    default: 'PLUMBLINE_SOURCE_TOKEN',
    argument: 'NAME',
    help: "The environment variable that holds the source's token.",
    parse: parseText,
  },
  tokenFile: {
    flag: 'token-file',
    variable: 'PLUMBLINE_TOKEN_FILE',
    default: '',
    argument: 'FILE',
    help: "A file that holds the source's token instead; it is read again before each request.",
    parse: parseText,
  },
  requestsPerMinute: {
    flag: 'requests-per-minute',
    variable: 'PLUMBLINE_REQUESTS_PER_MINUTE',
    default: '200',
    argument: 'N',
    help: 'The maximum number of requests per minute to the source; never more than 10 per second.',
    parse: numberFrom(1, MAX_REQUESTS_PER_MINUTE, 'requests'),
  },
  /** Undefined: the database keeps its settings. */
  settingsFile: {
    flag: 'settings',
    variable: 'PLUMBLINE_SETTINGS',
    default: '',
    argument: 'FILE',
    help: 'A JSON file with the settings of the company (currency, time zone, week), which the source does not provide. The first run and full runs read it.',
    parse: optional(parseReadableFile),
  },
  /** Undefined: there are no records beside those of the source. */
  besideFolder: {
    flag: 'with',
    variable: 'PLUMBLINE_WITH',
    default: '',
    argument: 'DIR',
    help: 'A folder with files of records that no source has, such as progress.csv. Each run reads them.',
    parse: optional(parseText),
  },
  ...RATES_SETTINGS,
} satisfies Settings;

/** The interval of syncs in a server, unless --every says otherwise. */
const SERVER_EVERY = '15m';

/** The settings of a sync in a server, which always repeats it. */
export const SERVER_SYNC_SETTINGS = {
  ...SYNC_SETTINGS,
  everySeconds: {
    ...SYNC_SETTINGS.everySeconds,
    help: 'With --sync, the time between two runs: 90s, 15m, 2h or 1d.',
    shownDefault: SERVER_EVERY,
    parse: (text, { flag }) => parseDuration(flag, text || SERVER_EVERY),
  },
} satisfies typeof SYNC_SETTINGS;

export type SyncConfig = ReturnType<typeof readSyncConfig>;

/**
 * Reads the settings of a sync from flags and environment.
 * @throws AppError usage for an invalid value, or a missing token.
 */
export function readSyncConfig(
  url: string,
  flags: FlagValues,
  settings = SYNC_SETTINGS,
  environment: Environment = process.env,
) {
  const { tokenFile, tokenEnv, ...config } = readSettings(settings, flags, environment);
  const token = tokenReader(tokenFile, tokenEnv, environment);
  token();
  return { url, token, ...config };
}

function parseReadableFile(file: string): string {
  try {
    readFileSync(file);
    return file;
  } catch (cause) {
    throw new AppError('usage', `--settings: can't read ${file}: ${fileReasonOf(cause)}`, {
      hint: 'Name a JSON file such as {"currency": "EUR", "time_zone": "Europe/Berlin"}, or leave it out.',
      cause,
    });
  }
}

const TOKEN: SecretPlace = {
  fileFlag: SYNC_SETTINGS.tokenFile.flag,
  kind: 'token',
  hint: 'Put the token of the source there, or name another place with --token-env or --token-file.',
};

/** Makes a function that returns the token, and throws AppError usage if it is missing. */
function tokenReader(file: string, variable: string, environment: Environment): () => string {
  if (file !== '') return () => readSecretFile(file, TOKEN);
  return () => checkSecret(environment[variable] ?? '', `the environment variable ${variable}`, TOKEN);
}
