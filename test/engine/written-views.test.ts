import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../src/base/database/database.ts';
import { loadModels, qualifiedName } from '../../src/numbers/model/models.ts';
import { findRelationNames, parseSelects } from '../../src/numbers/model/relation-names.ts';
import { writeViews } from '../../src/numbers/model/written-views.ts';
import { sqlFolder } from '../refresh/working.ts';

let database: Database;

beforeAll(async () => {
  database = await openDatabase(':memory:');
});
afterAll(() => database.close());

type Storage = 'view' | 'table' | 'table at rest';

async function write(models: readonly (readonly [name: string, storage: Storage, select: string])[]) {
  const trees = await parseSelects(
    database,
    models.map(([, , select]) => select),
  );
  return writeViews(
    models.map(([name, storage, select], index) => ({ name, storage, select, names: findRelationNames(trees[index]) })),
  );
}

it('has a view that others read once in a statement, under the names by which these call it', async () => {
  const views = await write([
    ['core.a', 'table at rest', 'SELECT 1 AS id UNION ALL SELECT 2'],
    ['core.b', 'view', 'SELECT a.id, other.id AS next FROM core.a JOIN core.a AS other ON other.id = a.id + 1'],
    [
      'core.c',
      'table at rest',
      'WITH a AS (SELECT id FROM core.a) SELECT a.id, b.next FROM a LEFT JOIN core.b ON b.id = a.id',
    ],
  ]);
  const statement = views.get('core.c') ?? '';
  expect(statement.match(/SELECT 1 AS id/g)).toHaveLength(1);
  expect(await database.rows(`${statement} ORDER BY id`)).toEqual([
    { id: 1, next: 2 },
    { id: 2, next: null },
  ]);
});

it('leaves tables, and views of nothing but tables, to be named', async () => {
  const views = await write([
    ['core.a', 'table', 'SELECT 1 AS id'],
    ['core.b', 'view', 'SELECT * FROM core.a'],
    ['core.c', 'table at rest', 'SELECT * FROM core.a UNION ALL SELECT * FROM core.b'],
  ]);
  expect([...views]).toEqual([['core.c', 'SELECT * FROM core.a UNION ALL SELECT * FROM core.b']]);
});

it('has every model at rest as a statement that names none of the others', async () => {
  const models = await loadModels(database, sqlFolder);
  const atRest = models.filter(({ storage }) => storage === 'table at rest');
  const names = new Set(atRest.map(qualifiedName));
  const trees = await parseSelects(
    database,
    atRest.map(({ written = '' }) => written),
  );
  expect(atRest.length).toBeGreaterThan(5);
  const named = trees.map((tree) => findRelationNames(tree).filter(({ name }) => names.has(name)));
  expect(named).toEqual(atRest.map(() => []));
});
