import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isClusterChosen, readClusterConfig } from '../../src/base/config/cluster-config.ts';
import { formatForeign } from '../../src/base/foreign-text.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'plumbline-lake-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const flags = (rest: object = {}) => ({
  engine: 'trino',
  server: 'https://trino.example.com:8443',
  catalog: 'lake',
  'schema-prefix': 'acme_',
  lake: folder,
  ...rest,
});

it('a cluster is given by flags and the environment', () => {
  expect(isClusterChosen({}, {})).toBe(false);
  const environment = { PLUMBLINE_TRINO_USER: 'ada', PLUMBLINE_TRINO_PASSWORD: 'horse-battery\n' };
  expect(readClusterConfig(flags({ 'lake-uri': 'file:///mnt/lake' }), environment)).toMatchObject({
    user: 'ada',
    password: 'horse-battery',
    token: undefined,
    lake: folder,
    lakeUri: 'file:///mnt/lake/',
  });
});

it('a bucket has its own address in the catalog', () => {
  const read = (rest: object) => readClusterConfig(flags(rest), {});
  expect(read({ lake: 's3://bucket' })).toMatchObject({ lake: 's3://bucket', lakeUri: 's3://bucket/' });
  expect(read({ lake: 's3://bucket/a/b/' })).toMatchObject({ lake: 's3://bucket/a/b', lakeUri: 's3://bucket/a/b/' });
  expect(read({})).toMatchObject({ lakeUri: 'local:///' });
});

it('a token is read from a file', () => {
  const file = join(folder, 'token');
  writeFileSync(file, 'abc\n');
  expect(readClusterConfig(flags({ 'token-file': file }), {})).toMatchObject({ token: 'abc', password: undefined });
});

it.each<[string, object, Record<string, string>, string]>([
  ['another engine', { engine: 'spark' }, {}, '--engine: "spark" is not an engine'],
  ['no server', { server: undefined }, {}, '--engine trino needs --server: the address of the coordinator'],
  ['no prefix', { 'schema-prefix': undefined }, {}, '--engine trino needs --schema-prefix'],
  ['a server of another kind', { server: 'jdbc:trino://x' }, {}, '--server is not the address of a coordinator'],
  [
    'a password in the address',
    { server: 'https://ada:horse-battery@x' },
    {},
    '--server is not the address of a coordinator',
  ],
  [
    'a prefix with capitals',
    { 'schema-prefix': 'Acme' },
    {},
    '--schema-prefix: "Acme" can\'t begin the name of a schema',
  ],
  ['a user beyond ASCII', { user: 'Łukasz' }, {}, '--user: "Łukasz" can\'t be sent to a cluster'],
  ['a user with a colon', { user: 'ada:x' }, {}, '--user: "ada:x" can\'t be sent to a cluster'],
  ['another storage', { lake: 'gs://bucket' }, {}, '--lake: gs://bucket is no folder, and no address of a bucket'],
  ['a bucket with capitals', { lake: 's3://Bucket' }, {}, '--lake: s3://Bucket is no folder'],
  ...['..', '../x', 'a/./b', 'a/..', '%2e%2e/x', 'a//b', 'a b', 'a\u001b', 'a\u202e', 'a\nb'].map(
    (path): [string, object, Record<string, string>, string] => [
      `the path ${JSON.stringify(path)} in a bucket`,
      { lake: `s3://bucket/${path}` },
      {},
      `--lake: ${formatForeign(`s3://bucket/${path}`)} is no folder, and no address of a bucket`,
    ],
  ),
  ['a lake that is missing', { lake: '/nowhere/lake' }, {}, '--lake: there is no folder /nowhere/lake'],
  ['a file that is missing', { 'password-file': '/nowhere/p' }, {}, "--password-file: can't read /nowhere"],
  ['an empty password', {}, { PLUMBLINE_TRINO_PASSWORD: ' ' }, 'There is no password in PLUMBLINE_TRINO_PASSWORD'],
  [
    'both credentials',
    {},
    { PLUMBLINE_TRINO_PASSWORD: 'horse-battery', PLUMBLINE_TRINO_TOKEN: 'horse-battery' },
    'A password and a token of the cluster are given together',
  ],
  ['another source', { source: 'hive' }, {}, '--source: "hive" is not a source'],
  ['no schema of tables', { source: 'iceberg' }, {}, '--source iceberg needs --source-schema'],
  ['a schema without tables', { 'source-schema': 'raw' }, {}, '--source-schema is given, which only --source iceberg'],
  ['a flag without effect', { engine: 'duckdb' }, {}, '--server is given, which only --engine trino uses'],
])('%s is refused, and no secret is shown', (_, rest, environment, message) => {
  const read = () => isClusterChosen(flags(rest), environment) && readClusterConfig(flags(rest), environment);
  expect(read).toThrow(message);
  expect(read).not.toThrow('horse-battery');
});
