import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase, quoteText } from '../../src/base/database/database.ts';
import {
  type Failure,
  findInCause,
  isDiskFull,
  isFailure,
  outOfMemoryError,
} from '../../src/base/database/engine-errors.ts';

const folder = mkdtempSync(join(tmpdir(), 'plumbline-engine-errors-'));
const json = join(folder, 'records.json');
let database: Database;
beforeAll(async () => {
  database = await openDatabase(':memory:', { settings: { memory_limit: '64MiB', max_temp_directory_size: '0KiB' } });
  writeFileSync(json, '{"a": 1,,}');
});
afterAll(async () => {
  await database.close();
  rmSync(folder, { recursive: true });
});

/** Failures that a statement provokes, each by the engine's own message. */
const STATEMENTS: readonly (readonly [Failure, string])[] = [
  ['noRelation', 'FROM core.settings'],
  ['noMemory', 'SELECT list(range) FROM range(100000000)'],
  ['outOfMemory', 'SELECT list(range) FROM range(100000000)'],
  ['malformedJson', `FROM read_json(${quoteText(json)}, format = 'newline_delimited', columns = {a: 'BIGINT'})`],
  ['diskFull', "COPY (SELECT 1) TO '/dev/full' (FORMAT csv)"],
];

describe('the engine still reports its failures in the words that the program knows', () => {
  it.each(STATEMENTS)('%s', async (failure, sql) => {
    const error = await database.rows(sql).then(
      () => undefined,
      (cause: unknown) => cause,
    );
    expect(isFailure(error, failure), String(error)).toBe(true);
  });

  it('notSelect', async () => {
    const [row] = await database.rows<{ tree: string }>(
      "SELECT CAST(json_serialize_sql('DROP TABLE x') AS VARCHAR) AS tree",
    );
    expect(isFailure(JSON.parse(row?.tree ?? '').error_message, 'notSelect')).toBe(true);
  });

  it('otherFile', async () => {
    const { cause: other } = await openDatabase(json, { readOnly: true }).catch((error) => error);
    expect(isFailure(other, 'otherFile'), String(other)).toBe(true);
  });
});

it('a full disk is found in an error and in its cause, and nowhere else', () => {
  const full = new Error('No space left on device');
  expect([full, new Error('x', { cause: full }), new Error('a name "ENO"')].map(isDiskFull)).toEqual([
    true,
    true,
    false,
  ]);
  expect(findInCause(new Error('x', { cause: new Error('a: Permission denied') }), 'forbidden')).toBe(
    'Permission denied',
  );
});

it('no other file tells messages of the engine apart', () => {
  const words = /No space left|ENOSPC|set lock|does not exist\/|Conflict on|bad_alloc|malformed json|\^Only SELECT/;
  const isCode = (line: string) => !/^\s*(\*|\/\/|\/\*)/.test(line);
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const telling = files.filter((file) => {
    const lines = readFileSync(join('src', file), 'utf8').split('\n');
    return lines.some((line) => words.test(line) && isCode(line));
  });
  expect(telling).toEqual([join('base', 'database', 'engine-errors.ts')]);
});

it('a statement that needs more memory than allowed says so, with the setting that allows more', async () => {
  const error = await database.rows('SELECT list(range) FROM range(100000000)').catch(outOfMemoryError);
  expect(error).toMatchObject({ code: 'limit', message: expect.stringMatching(/may use \([\d.]+ MiB\/64\.0 MiB\)$/) });
  expect(error).toHaveProperty('hint', expect.stringContaining('--memory-limit'));
  const quoted = new Error('Conversion Error: could not read "Out of Memory Error"');
  expect(outOfMemoryError(quoted)).toBe(quoted);
});
