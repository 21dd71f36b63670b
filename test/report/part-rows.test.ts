import { expect, it } from 'vitest';
import { readPartRows } from '../../src/numbers/report/source/part-rows.ts';
import { relationName, SOURCE_RELATIONS } from '../../src/numbers/report/source/relations.ts';
import { readCatalogues } from '../../src/store/generation/own-reports.ts';

it('each relation that definitions name has a rule for the rows of a part', () => {
  const { reports, dimensions } = readCatalogues().full;
  const named = [
    ...[...reports.values()].flatMap(({ relation, population }) => [
      relation,
      population?.relation,
      population?.always,
    ]),
    ...[...dimensions.values()].map(({ relation }) => relation),
  ].filter((relation) => relation !== undefined);
  expect(named.length).toBeGreaterThan(10);
  const rows = readPartRows();
  expect(named.filter((relation) => !rows.has(relation))).toEqual([]);
});

it('so has each that statements read', () => {
  const rows = readPartRows();
  expect(SOURCE_RELATIONS.map(relationName).filter((relation) => !rows.has(relation))).toEqual([]);
});
