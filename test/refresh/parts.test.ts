import { expect, test } from 'vitest';
import { openDatabase } from '../../src/base/database/database.ts';
import { loadModels, type Model } from '../../src/numbers/model/models.ts';
import { loadTouched, makeParts } from '../../src/numbers/model/refresh/parts.ts';
import { resources } from '../../src/records/resource/resources.ts';
import { sqlFolder } from './working.ts';

const model = (name: string, storage: Model['storage'], reads: readonly string[]): Model => ({
  schema: 'core',
  name,
  file: `core/${name}.sql`,
  comment: 'One row.',
  storage,
  select: 'SELECT 1 AS one',
  reads,
});

test('a part reads the tables and the stored models that its model reads through views', () => {
  const parts = makeParts([
    model('raw', 'view', ['source.people', 'source.contracts']),
    model('people', 'table', ['core.raw', 'source.departments']),
    model('hours', 'view', ['core.people', 'core.raw']),
    model('work_hours', 'table', ['core.hours', 'source.settings']),
  ]);
  expect(parts.map(({ model: { name }, reads }) => [name, [...reads].sort()])).toEqual([
    ['people', ['source.contracts', 'source.departments', 'source.people']],
    ['work_hours', ['core.people', 'source.contracts', 'source.people', 'source.settings']],
  ]);
});

test('a stored model without a part is refused', () => {
  expect(() => makeParts([model('people', 'table', []), model('findings', 'table', [])])).toThrow('core.findings');
  expect(makeParts([model('people', 'table', []), model('findings', 'table at rest', [])])).toHaveLength(1);
});

test('each part comes after all parts of the stored models that it reads, except when rows have gone', async () => {
  const database = await openDatabase(':memory:');
  const parts = makeParts(await loadModels(database, sqlFolder));
  await database.close();
  const nameOf = (each: Model) => `${each.schema}.${each.name}`;
  const late = parts.filter((part, index) =>
    parts.slice(index + 1).some((later) => part.model !== later.model && part.reads.has(nameOf(later.model))),
  );
  expect(late.map((part) => nameOf(part.model))).toEqual([
    'core.assignments',
    'core.assignments',
    'core.ledger',
    'core.ledger',
    'core.ledger',
    'core.ledger',
  ]);
});

test('every file of sql/refresh is named by a resource', () => {
  const names = new Set(resources.map(({ name }) => name));
  expect([...loadTouched(sqlFolder).keys()].filter((name) => !names.has(name))).toEqual([]);
});
