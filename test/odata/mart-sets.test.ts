import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Database, openDatabase, quoteName } from '../../src/base/database/database.ts';
import { readMartSets } from '../../src/doors/odata/row-source.ts';
import { tokenize } from '../../src/numbers/condition/tokenize.ts';
import { type LoadedCompany, loadBundled } from '../sql/company.ts';

let company: LoadedCompany;
let database: Database;
beforeAll(async () => {
  company = await loadBundled();
  database = await openDatabase(company.file, { readOnly: true });
});
afterAll(async () => {
  await database.close();
  company.remove();
});

it('every mart is an entity set with all its columns', async () => {
  const sets = await readMartSets(database);
  const columns = await database.rows<{ mart: string; name: string }>(
    "SELECT table_name AS mart, column_name AS name FROM duckdb_columns() WHERE schema_name = 'marts' ORDER BY table_name, column_index",
  );
  const expected = columns.map(({ mart, name }) => `${mart}.${name}`);
  const found = [...sets.values()].flatMap(({ name, properties }) => properties.map((each) => `${name}.${each.name}`));
  expect(found.filter((each) => each !== 'data_quality.row_number')).toEqual(expected);
});

it('moments are texts in the order and the form of OData', async () => {
  const set = (await readMartSets(database)).get('logged_time');
  expect(set?.properties.find(({ name }) => name === 'created')?.type).toBe('Edm.DateTimeOffset');
  const [row] = await database.rows(`SELECT MIN(created) AS first, COUNT(*) AS count FROM ${set?.from}`);
  expect(row?.['first']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  expect(tokenize('created ge 2026-01-01T00:00:00Z', '$filter')).toContainEqual({
    at: 11,
    literal: { kind: 'moment', text: '2026-01-01T00:00:00Z' },
  });
});

it('the key of every entity set has no null and no value twice, and its order no ties', async () => {
  const sets = [...(await readMartSets(database)).values()];
  expect(sets.filter(({ key }) => key.includes('row_number')).map(({ name }) => name)).toEqual(['data_quality']);
  for (const { name, from, key, order } of sets) {
    const list = (names: readonly string[]) => names.map(quoteName).join(', ');
    const [row] = await database.rows(`
      SELECT COUNT(*) AS rows, COUNT(DISTINCT (${list(key)})) AS keys, COUNT(DISTINCT (${list(order)})) AS places,
        COUNT(*) FILTER (WHERE ${key.map((each) => `${quoteName(each)} IS NULL`).join(' OR ')}) AS missing
      FROM ${from}`);
    const count = row?.['rows'];
    expect([name, row]).toEqual([name, { rows: count, keys: count, places: count, missing: 0 }]);
  }
});
