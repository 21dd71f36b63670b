import { expect, it } from 'vitest';
import { readCatalogues } from '../../src/generation/own-reports.ts';
import { PART_ROWS } from '../../src/report/source/part-rows.ts';

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
  expect(named.filter((relation) => !PART_ROWS.has(relation))).toEqual([]);
});
