import { existsSync } from 'node:fs';
import { AppError } from '../error.ts';
import { isLoopback } from './loopback.ts';
import { followLink } from './real-file.ts';
import { type ConfigOf, type Environment, type FlagValues, readSettings, settingText } from './setting.ts';
import { SERVER_SETTINGS, SETTINGS, TOKEN_SETTINGS } from './settings.ts';
import { readSignInConfig, type SignInConfig } from './sign-in-settings.ts';

export type Config = ConfigOf<typeof SETTINGS>;

export type ServerConfig = Config &
  ConfigOf<typeof SERVER_SETTINGS> & {
    readonly tokens: string;
    /** Undefined on a server whose readers have tokens alone. */
    readonly signIn: SignInConfig | undefined;
  };

/**
 * Reads the settings of a command from flags and environment.
 * @throws AppError usage for an invalid value.
 */
export function readConfig(flags: FlagValues, environment: Environment = process.env): Config {
  return readSettings(SETTINGS, flags, environment);
}

/**
 * Returns the path of the token file, from flags and environment.
 * @throws AppError usage for an invalid value, storage for a broken link.
 */
export function readTokensFile(flags: FlagValues, environment: Environment = process.env): string {
  const { database } = readConfig(flags, environment);
  const { tokens } = readSettings(TOKEN_SETTINGS, flags, environment);
  if (tokens !== undefined) return tokens;
  const file = tokensBeside(database);
  const besideLink = tokensBeside(settingText(SETTINGS.database, flags, environment));
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
  const server = readSettings(SERVER_SETTINGS, flags, environment);
  return {
    ...readConfig(flags, environment),
    ...server,
    tokens: readTokensFile(flags, environment),
    signIn: readSignInConfig(flags, environment, isLoopback(server.host)),
  };
}

/** Tells whether a flag or the environment sets the memory limit; otherwise it is the default. */
export function isMemoryGiven(flags: FlagValues, environment: Environment = process.env): boolean {
  const { flag, variable } = SETTINGS.memoryLimitMib;
  return typeof flags[flag] === 'string' || environment[variable] !== undefined;
}
