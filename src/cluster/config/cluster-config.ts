import { CLUSTER_SETTINGS } from '../../config/cluster-settings.ts';
import { type Environment, type FlagValues, readerOf } from '../../config/config.ts';
import { checkSecret, readSecretFile } from '../../config/secret.ts';
import type { ConfigSetting } from '../../config/settings.ts';
import { AppError } from '../../error.ts';
import { type LakeConfig, readLake } from './lake-config.ts';

/** A cluster, and the place of a company's tables there. */
export interface ClusterConfig extends LakeConfig {
  readonly url: URL;
  readonly user: string;
  readonly password: string | undefined;
  readonly token: string | undefined;
  readonly catalog: string;
  /** The schema of the catalog that holds the records; undefined if they are in files. */
  readonly sourceSchema: string | undefined;
  readonly schemaPrefix: string;
  /** The catalog of the functions. */
  readonly functions: string;
}

const SOURCES = ['files', 'iceberg'];

/** Matches names that every catalog takes: their schemas are directories, and Trino writes them in lower case. */
const SCHEMA_PREFIX = /^[a-z][a-z0-9_]{0,39}$/;

/** Matches names that a header can carry, and that end where a password begins. */
const USER = /^[!-9;-~]+$/;

/**
 * Reads the settings of a cluster from flags and environment.
 * @throws AppError usage for a missing or invalid value.
 */
export function readClusterConfig(flags: FlagValues, environment: Environment = process.env): ClusterConfig {
  const read = readerOf(flags, environment);
  const { server, catalog, schemaPrefix, lake } = CLUSTER_SETTINGS;
  for (const setting of [server, catalog, schemaPrefix, lake]) {
    if (read(setting) !== '') continue;
    throw new AppError('usage', `--engine trino needs --${setting.flag}: ${describe(setting)}`, {
      hint: `Give --${setting.flag} ${setting.argument}, or set ${setting.variable}.`,
    });
  }
  return {
    url: parseServer(read(server)),
    user: checkUser(read(CLUSTER_SETTINGS.user)),
    ...readCredentials(read, environment),
    catalog: read(catalog),
    sourceSchema: readSource(read),
    schemaPrefix: checkPrefix(read(schemaPrefix)),
    functions: read(CLUSTER_SETTINGS.functions),
    ...readLake(read(lake), read(CLUSTER_SETTINGS.lakeUri)),
  };
}

/** @returns the schema of the records, or undefined for files. */
function readSource(read: (setting: ConfigSetting) => string): string | undefined {
  const [source, schema] = [read(CLUSTER_SETTINGS.source), read(CLUSTER_SETTINGS.sourceSchema)];
  if (!SOURCES.includes(source)) {
    throw new AppError('usage', `--source: "${source}" is not a source`, { hint: `Give ${SOURCES.join(' or ')}.` });
  }
  if ((source === 'iceberg') === (schema !== '')) return schema || undefined;
  throw new AppError(
    'usage',
    source === 'iceberg'
      ? '--source iceberg needs --source-schema: the schema of the tables'
      : '--source-schema is given, which only --source iceberg uses',
    { hint: 'Give both, or none.' },
  );
}

function describe({ help }: ConfigSetting): string {
  return help.replace('With trino, ', '').replace(/\.$/, '');
}

function checkUser(user: string): string {
  if (USER.test(user)) return user;
  throw new AppError('usage', `--user: "${user}" can't be sent to a cluster`, {
    hint: 'Give a name of ASCII characters without spaces and colons.',
  });
}

function parseServer(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '') return url;
  // The address may hold a password.
  throw new AppError('usage', '--server is not the address of a coordinator, without a user and password', {
    hint: 'Give it as in https://trino.example.com:8443.',
  });
}

function checkPrefix(text: string): string {
  if (SCHEMA_PREFIX.test(text)) return text;
  throw new AppError('usage', `--schema-prefix: "${text}" can't begin the name of a schema`, {
    hint: 'Give up to 40 small letters, digits and underscores, beginning with a letter, such as acme_.',
  });
}

function readCredentials(
  read: (setting: ConfigSetting) => string,
  environment: Environment,
): Pick<ClusterConfig, 'password' | 'token'> {
  const secret = (kind: 'password' | 'token', file: string) => {
    const variable = `PLUMBLINE_TRINO_${kind.toUpperCase()}`;
    const place = { kind, fileFlag: `${kind}-file`, hint: `Put it there, or into ${variable}.` };
    if (file !== '') return readSecretFile(file, place);
    const given = environment[variable];
    return given === undefined ? undefined : checkSecret(given, variable, place);
  };
  const password = secret('password', read(CLUSTER_SETTINGS.passwordFile));
  const token = secret('token', read(CLUSTER_SETTINGS.tokenFile));
  if (password === undefined || token === undefined) return { password, token };
  throw new AppError('usage', 'A password and a token of the cluster are given together', {
    hint: 'Leave one of them out.',
  });
}
