import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { Model } from '../../src/model/models.ts';
import { loadParts } from '../../src/model/refresh/parts.ts';

const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

const model = (name: string, storage: Model['storage']): Model => ({
  schema: 'core',
  name,
  file: `core/${name}.sql`,
  comment: 'One row.',
  storage,
  select: 'SELECT 1 AS one',
  reads: [],
});
const MODELS = [model('people', 'table'), model('named', 'view'), model('findings', 'table at rest')];

function load(...headers: string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-parts-'));
  folders.push(folder);
  mkdirSync(join(folder, 'refresh'));
  for (const [index, header] of headers.entries()) {
    writeFileSync(join(folder, 'refresh', `0${index + 1}-part.sql`), `-- ${header}\nSELECT 1 AS one\n`);
  }
  return loadParts(folder, MODELS);
}

test('a file names the models and rows it refreshes, their keys and its dependencies', () => {
  expect(load("Refreshes core.people where kind = 'a' by people_id, date after people, core.people.")).toMatchObject([
    {
      model: MODELS[0],
      where: "kind = 'a'",
      made: 'SELECT 1 AS one',
      keys: ['people_id', 'date'],
      causes: ['people', 'core.people'],
    },
  ]);
});

test('a file may name the model that makes its rows', () => {
  expect(load("Refreshes core.people where kind = 'a' from core.named by people_id after people.")).toMatchObject([
    { model: MODELS[0], where: "kind = 'a'", made: 'FROM core.named' },
  ]);
});

test('a file may add rows without replacing any, matched by columns of their source', () => {
  expect(
    load(
      'Adds to core.people from core.named by named_id after people.',
      'Refreshes core.people by people_id after people.',
    ),
  ).toMatchObject([
    { model: MODELS[0], isAddition: true, made: 'FROM core.named', keys: ['named_id'] },
    { model: MODELS[0], isAddition: false, made: 'SELECT 1 AS one', keys: ['people_id'] },
  ]);
});

test('a file may react only to rows removed from a model', () => {
  expect(load('Refreshes core.people by people_id after people, rows gone from core.people.')).toMatchObject([
    { causes: ['people', 'rows gone from core.people'] },
  ]);
});

test.each([
  ['one without a readable header', 'Refreshes core.people.'],
  ['one for a model that is not stored', 'Refreshes core.named by people_id after people.'],
  ['one from an unknown model', 'Refreshes core.people from core.nobody by people_id after people.'],
  ['one after a model that is not stored', 'Refreshes core.people by people_id after core.named.'],
  ['one caused by rows gone from a resource', 'Refreshes core.people by people_id after rows gone from people.'],
  [
    'one caused by rows gone from a model that is not stored',
    'Refreshes core.people by people_id after rows gone from core.named.',
  ],
])('%s is refused', (_name, header) => {
  expect(() => load(header)).toThrow('sql/refresh/01-part.sql:1: ');
});

test('a stored model without a refresh is refused, also when a file adds rows to it', () => {
  expect(() => load()).toThrow('core.people');
  expect(() => load('Adds to core.people from core.named by named_id after people.')).toThrow('core.people');
});
