import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../src/base/database/database.ts';
import { readPublishedResources } from '../../src/store/record/published.ts';

let database: Database;
beforeAll(async () => {
  database = await openDatabase(':memory:');
  await database.run('CREATE SCHEMA source');
  await database.run('CREATE TABLE source.clients AS SELECT 1 AS client_id');
});
afterAll(() => database.close());

it('fills in the columns that a published table lacks, whatever another state beside it has', async () => {
  await database.run("ATTACH ':memory:' AS other");
  await database.run('CREATE SCHEMA other.source');
  await database.run("CREATE TABLE other.source.clients AS SELECT 2 AS client_id, 'Kestrel' AS name");
  const clients = (await readPublishedResources(database)).get('clients');
  expect(await database.rows(`SELECT client_id, name FROM ${clients?.table}`)).toEqual([{ client_id: 1, name: null }]);
});
