import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../src/base/database/database.ts';
import { ingestDirectory } from '../../src/records/ingest/ingest.ts';
import { assertNothingLost } from '../../src/store/generation/shrink-guard.ts';
import { writeFiles } from '../errors/gallery.ts';

type Records = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;

const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index);
const people = (first: number, last: number) =>
  range(first, last).map((id) => ({ people_id: id, name: `P${id}`, cost_rate: 9 }));
const clients = (first: number, last: number) => range(first, last).map((id) => ({ client_id: id, name: `C${id}` }));
const EUR = [{ currency: 'EUR' }];

const kept = { people: people(1, 10), clients: clients(1, 100), settings: EUR };

let folder = '';
let published = '';
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'plumbline-shrink-'));
  published = await publish(kept);
});
afterAll(() => rmSync(folder, { recursive: true }));

async function ingest(database: Database, records: Records): Promise<Database> {
  const directory = mkdtempSync(join(folder, 'data-'));
  await writeFiles(
    directory,
    Object.fromEntries(Object.entries(records).map(([name, list]) => [`${name}.json`, list])),
  );
  await ingestDirectory(database, directory);
  return database;
}

/** Returns the file of a database with records. */
async function publish(records: Records): Promise<string> {
  const file = join(mkdtempSync(join(folder, 'published-')), 'company.duckdb');
  await (await ingest(await openDatabase(file), records)).close();
  return file;
}

/** Returns the losses that a load of records over published ones is stopped for. */
async function losses(file: string, after: Records): Promise<string[]> {
  const database = await ingest(await openDatabase(':memory:'), after);
  try {
    await assertNothingLost(database, file);
    return [];
  } catch (error) {
    expect(error).toMatchObject({ code: 'input', hint: expect.stringContaining('--accept-shrink') });
    return (error as Error).message.split('\n  ').slice(1);
  } finally {
    // Nothing stays attached, so the database can be checkpointed and renamed.
    expect(await database.rows("SELECT 1 FROM duckdb_databases() WHERE database_name = 'published'")).toEqual([]);
    await database.close();
  }
}

it.each<[string, Records, string[]]>([
  ['the same records', kept, []],
  ['more records', { ...kept, clients: clients(1, 200) }, []],
  ['20 % less', { ...kept, clients: clients(1, 80) }, []],
  ['21 of 100 gone', { ...kept, clients: clients(1, 79) }, ['clients: 100 before, 79 after, and 21 gone']],
  ['as many others instead', { ...kept, clients: clients(101, 200) }, ['clients: 100 before, 100 after, and 100 gone']],
  ['9 of 10 gone', { ...kept, people: people(1, 1) }, []],
  ['all of 10 gone', { ...kept, people: people(11, 12) }, ['people: 10 before, 2 after, and 10 gone']],
  [
    'all cost rates gone',
    { ...kept, people: kept.people.map(({ people_id, name }) => ({ people_id, name })) },
    ['cost rates: 10 before, none after'],
  ],
  ['another currency', { ...kept, settings: [{ currency: 'SEK' }] }, ['currency: EUR before, SEK after']],
  [
    'only records that are set aside, and no settings',
    { people: [{ name: 'no id' }] },
    [
      'clients: 100 before, 0 after, and 100 gone',
      'people: 10 before, 0 after, and 10 gone',
      'cost rates: 10 before, none after',
      'currency: EUR before, USD after',
    ],
  ],
])('a load is stopped only if it loses much: %s', { tags: ['slow'] }, async (_, after, expected) => {
  expect(await losses(published, after)).toEqual(expected);
});

it('an empty database loses nothing, not even its currency', async () => {
  expect(await losses(await publish({ settings: EUR }), { people: people(1, 3) })).toEqual([]);
});

it('nothing is lost without a published database', async () => {
  const database = await ingest(await openDatabase(':memory:'), kept);
  await assertNothingLost(database, join(folder, 'none.duckdb'));
  await database.close();
});

it('records that another version published are compared as far as their columns are the same', async () => {
  const file = await publish(kept);
  const earlier = await openDatabase(file);
  await earlier.run(`
    ALTER TABLE source.clients ALTER client_id TYPE VARCHAR;
    ALTER TABLE source.people DROP COLUMN cost_rate;
    DROP TABLE source.phases;
    DROP TABLE source.settings`);
  await earlier.close();
  const database = await ingest(await openDatabase(':memory:'), { people: people(11, 20) });
  await expect(assertNothingLost(database, file)).rejects.toThrow(
    `The load would lose too much of ${file}:\n  people: 10 before, 10 after, and 10 gone`,
  );
  await database.close();
});
