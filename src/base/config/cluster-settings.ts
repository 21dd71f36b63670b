import { AppError } from '../error.ts';
import { parseLake } from './lake-place.ts';
import { checkSecret, readSecretFile } from './secret.ts';
import { oneOf, optional, type Parser, parseText, type Settings } from './setting.ts';

/** Matches names that every catalog takes: their schemas are directories, and Trino writes them in lower case. */
const SCHEMA_PREFIX = /^[a-z][a-z0-9_]{0,39}$/;

/** Matches names that a header can carry, and that end where a password begins. */
const USER = /^[!-9;-~]+$/;

export const ENGINE_SETTINGS = {
  engine: {
    flag: 'engine',
    variable: 'PLUMBLINE_ENGINE',
    default: 'duckdb',
    argument: 'NAME',
    help: 'The engine that the models run on: duckdb, in this process, or trino, a cluster.',
    parse: oneOf('an engine', ['duckdb', 'trino']),
  },
} satisfies Settings;

/** The settings of a load whose models run on a cluster. Secrets are in files: a command line is visible to others. */
export const CLUSTER_SETTINGS = {
  url: {
    flag: 'server',
    variable: 'PLUMBLINE_TRINO_SERVER',
    default: '',
    argument: 'URL',
    help: 'With trino, the address of the coordinator.',
    parse: required(parseServer),
  },
  catalog: {
    flag: 'catalog',
    variable: 'PLUMBLINE_TRINO_CATALOG',
    default: '',
    argument: 'NAME',
    help: 'With trino, the Iceberg catalog that gets the tables.',
    parse: required(parseText),
  },
  schemaPrefix: {
    flag: 'schema-prefix',
    variable: 'PLUMBLINE_TRINO_SCHEMA_PREFIX',
    default: '',
    argument: 'TEXT',
    help: 'With trino, the start of the names of the schemas: one for each company and database.',
    parse: required(parsePrefix),
  },
  lake: {
    flag: 'lake',
    variable: 'PLUMBLINE_LAKE',
    default: '',
    argument: 'DIR|URL',
    help: 'With trino, the place of the Parquet files: a folder that all nodes of the cluster see, too, or s3://BUCKET/PREFIX.',
    parse: required(parseLake),
  },
  lakeUri: {
    flag: 'lake-uri',
    variable: 'PLUMBLINE_LAKE_URI',
    default: '',
    argument: 'URI',
    help: 'With trino, the address of that place in the catalog.',
    shownDefault: 'local:/// for a folder, and --lake for a bucket',
    parse: parseText,
  },
  source: {
    flag: 'source',
    variable: 'PLUMBLINE_SOURCE_KIND',
    default: 'files',
    argument: 'KIND',
    help: 'With trino, where the records are: files, in DIR, or iceberg, in tables of the catalog.',
    parse: oneOf('a source', ['files', 'iceberg']),
  },
  /** The schema of the catalog that holds the records; undefined if they are in files. */
  sourceSchema: {
    flag: 'source-schema',
    variable: 'PLUMBLINE_SOURCE_SCHEMA',
    default: '',
    argument: 'NAME',
    help: 'With iceberg, the schema of the tables, each of which is named after a resource.',
    parse: optional(parseText),
  },
  functions: {
    flag: 'functions',
    variable: 'PLUMBLINE_TRINO_FUNCTIONS',
    default: 'memory',
    argument: 'NAME',
    help: 'With trino, the catalog that gets the functions of the models.',
    parse: parseText,
  },
  user: {
    flag: 'user',
    variable: 'PLUMBLINE_TRINO_USER',
    default: 'plumbline',
    argument: 'NAME',
    help: 'With trino, the user of the statements.',
    parse: parseUser,
  },
  password: {
    flag: 'password-file',
    variable: 'PLUMBLINE_TRINO_PASSWORD_FILE',
    default: '',
    argument: 'FILE',
    help: "With trino, a file that holds the user's password. PLUMBLINE_TRINO_PASSWORD can hold it instead.",
    parse: secretOf('password', 'PLUMBLINE_TRINO_PASSWORD'),
  },
  token: {
    flag: 'token-file',
    variable: 'PLUMBLINE_TRINO_TOKEN_FILE',
    default: '',
    argument: 'FILE',
    help: "With trino, a file that holds the user's token (JWT, OAuth 2.0). PLUMBLINE_TRINO_TOKEN can hold it instead.",
    parse: secretOf('token', 'PLUMBLINE_TRINO_TOKEN'),
  },
} satisfies Settings;

/** Makes a parser that refuses an empty text. */
function required<Value>(parse: Parser<Value>): Parser<Value> {
  return (text, setting, environment) => {
    if (text !== '') return parse(text, setting, environment);
    const { flag, argument, variable, help } = setting;
    throw new AppError(
      'usage',
      `--engine trino needs --${flag}: ${help.replace('With trino, ', '').replace(/\.$/, '')}`,
      { hint: `Give --${flag} ${argument}, or set ${variable}.` },
    );
  };
}

function parseServer(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '') return url;
  // The address may hold a password.
  throw new AppError('usage', '--server is not the address of a coordinator, without a user and password', {
    hint: 'Give it as in https://trino.example.com:8443.',
  });
}

function parsePrefix(text: string): string {
  if (SCHEMA_PREFIX.test(text)) return text;
  throw new AppError('usage', `--schema-prefix: "${text}" can't begin the name of a schema`, {
    hint: 'Give up to 40 small letters, digits and underscores, beginning with a letter, such as acme_.',
  });
}

function parseUser(user: string): string {
  if (USER.test(user)) return user;
  throw new AppError('usage', `--user: "${user}" can't be sent to a cluster`, {
    hint: 'Give a name of ASCII characters without spaces and colons.',
  });
}

/** Makes a parser of the file of a secret. @param variable Holds the secret if there is no file. */
function secretOf(kind: string, variable: string): Parser<string | undefined> {
  return (file, { flag }, environment) => {
    const place = { kind, fileFlag: flag, hint: `Put it there, or into ${variable}.` };
    if (file !== '') return readSecretFile(file, place);
    const given = environment[variable];
    return given === undefined ? undefined : checkSecret(given, variable, place);
  };
}
