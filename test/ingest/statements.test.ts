import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packageDirectory } from '../../src/base/config/package.ts';
import {
  buildItemQuery,
  buildNestedRelation,
  buildRecordQuery,
} from '../../src/records/ingest/records/record-query.ts';
import { settingsResource } from '../../src/records/resource/company-resources.ts';
import { SQL_TYPES } from '../../src/records/resource/field.ts';
import { findResource, resources } from '../../src/records/resource/resources.ts';

/*
 * The statements that validate records, for review: a change of the generator, or of a resource, shows here
 * as a change of SQL. They may change freely; what they accept and refuse is held by other tests.
 */

const RELATION = 'FROM given';
const AT = '2026-01-01 00:00:00';

async function expectStatements(file: string, statements: readonly string[]): Promise<void> {
  const golden = join(packageDirectory, 'test', 'ingest', 'statements', `${file}.sql`);
  await expect(`${statements.map((sql) => `${sql.trim()};`).join('\n\n')}\n`).toMatchFileSnapshot(golden);
}

/** Resources that have every type of field and both forms of lists between them. */
const NAMES = [
  'accounts',
  'people',
  'holidays',
  'tasks',
  'phases',
  'logged_time',
  'project_stages',
  'project_expenses',
  'progress',
  'retainers',
];

const chosen = [settingsResource, ...resources].filter(({ name }) => name === 'settings' || NAMES.includes(name));

it('the resources shown have every type of field, and both forms of lists', () => {
  const lists = chosen.flatMap((resource) => Object.values(resource.lists));
  const fields = [...chosen, ...lists].flatMap((each) => Object.values(each.fields));
  expect(new Set(fields.map(({ type }) => type))).toEqual(new Set(Object.keys(SQL_TYPES)));
  expect(new Set(lists.map(({ shape }) => shape))).toEqual(new Set(['list', 'entries']));
});

it.each(chosen)('$name and its lists', async (resource) => {
  const lists = Object.entries(resource.lists).map(([list, items]) => buildItemQuery(resource, list, items));
  await expectStatements(resource.name, [buildRecordQuery(resource, RELATION, { at: AT }), ...lists]);
});

it('records of which the usual keys are known, and some fields absent', async () => {
  const usualKeys = [
    ['client_id', 'name'],
    ['name', 'client_id'],
  ];
  const absent = ['created_by', 'modified_by'];
  await expectStatements('clients-usual-keys', [
    buildRecordQuery(findResource('clients'), RELATION, { at: AT, usualKeys, absent }),
  ]);
});

it('records nested in those of another resource', async () => {
  const containers = resources.flatMap((resource) =>
    Object.entries(resource.nested).map((each) => [resource, each] as const),
  );
  expect(containers.length).toBeGreaterThan(0);
  const statements = containers.map(([container, [list, name]]) => {
    const relation = buildNestedRelation(container, list);
    return buildRecordQuery(findResource(name), relation, { at: AT, containerId: container.id });
  });
  await expectStatements('nested', statements);
});
