import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Database } from '../../src/base/database/database.ts';
import { readMartColumns } from '../../src/numbers/report/marts/marts.ts';
import { readStar } from '../../src/numbers/report/marts/star.ts';
import { writeDataset } from '../oracle/files.ts';
import { randomDataset } from '../oracle/random.ts';
import { SEED } from '../seed.ts';
import { BUNDLED, buildDataset, LOADED } from './company.ts';

/** Random companies, whose records refer to much that has no record. */
const RANDOM_COMPANIES = 4;

async function openRandom(seed: number): Promise<Database> {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-relations-'));
  try {
    await writeDataset(randomDataset(seed), folder, seed);
    return await buildDataset(folder, LOADED);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const companies: { name: string; open: () => Promise<Database> }[] = [
  { name: 'the bundled company', open: () => buildDataset(BUNDLED, LOADED) },
  ...Array.from({ length: RANDOM_COMPANIES }, (_, index) => ({
    name: `the random company of seed ${SEED + index}`,
    open: () => openRandom(SEED + index),
  })),
];

const star = readStar();

const keyOf = (mart: string) => star.get(mart)?.key[0];

/** The marts that rows refer to, without the calendar, in which every day has a row. */
const DIMENSIONS = [...new Set([...star.values()].flatMap(({ refers = {} }) => Object.values(refers)))].filter(
  (mart) => mart !== 'calendar',
);

describe.each(companies)('$name', ({ open }) => {
  let opened: Promise<Database> | undefined;
  const database = () => {
    opened ??= open();
    return opened;
  };

  afterAll(async () => (await opened)?.close());

  it('keeps every row of a mart in inner joins with all that it refers to', { tags: ['slow'] }, async () => {
    for (const [mart, { refers }] of star) {
      if (refers === undefined) continue;
      const joins = Object.entries(refers).map(
        ([column, dimension], index) =>
          `JOIN marts.${dimension} AS joined_${index} ON joined_${index}.${keyOf(dimension)} = fact.${column}`,
      );
      const [counts] = await (await database()).rows(`
        SELECT (SELECT COUNT(*) FROM marts.${mart}) AS rows, COUNT(*) AS joined
        FROM marts.${mart} AS fact ${joins.join(' ')}`);
      expect([mart, counts]).toEqual([mart, { rows: counts?.['rows'], joined: counts?.['rows'] }]);
    }
  });

  it('has the record behind each line', { tags: ['slow'] }, async () => {
    const [counts] = await (await database()).rows(`
      SELECT COUNT(*) AS missing
      FROM marts.ledger
      LEFT JOIN marts.allocations USING (task_id)
      LEFT JOIN marts.logged_time USING (logged_time_id)
      LEFT JOIN marts.expenses USING (project_expense_id)
      WHERE CASE kind
        WHEN 'scheduled' THEN allocations.task_id IS NULL
        WHEN 'actual' THEN logged_time.logged_time_id IS NULL
        ELSE expenses.project_expense_id IS NULL END`);
    expect(counts).toEqual({ missing: 0 });
  });

  it('has each key once, and a row for none in every dimension', { tags: ['slow'] }, async () => {
    for (const mart of DIMENSIONS) {
      const key = keyOf(mart);
      const [counts] = await (await database()).rows(`
        SELECT COUNT(*) - COUNT(DISTINCT ${key}) AS repeated, COUNT(*) FILTER (${key} = 0 AND NOT is_known) AS none
        FROM marts.${mart}`);
      expect([mart, counts]).toEqual([mart, { repeated: 0, none: 1 }]);
    }
  });
});

it('names every mart and only columns that exist', { tags: ['slow'] }, async () => {
  const database = await buildDataset(BUNDLED, LOADED);
  const columns = await readMartColumns(database);
  await database.close();
  const found = new Set(columns.map(({ mart, name }) => `${mart}.${name}`));
  const marts = new Set(columns.map(({ mart }) => mart));
  const without = [...marts].filter((mart) => !star.has(mart));
  expect(without).toEqual(['data_quality']);
  const named = [...star].flatMap(([mart, { key, refers = {} }]) =>
    [...key, ...Object.keys(refers)].map((column) => `${mart}.${column}`),
  );
  // The catalog is made after the models.
  expect(named.filter((name) => !found.has(name) && !name.startsWith('catalog.'))).toEqual([]);
  const keys = new Set(DIMENSIONS.map(keyOf));
  const references = columns
    .filter(({ mart, name }) => star.has(mart) && keys.has(name))
    .map(({ mart, name }) => `${mart}.${name}`);
  expect(references.filter((name) => !named.includes(name))).toEqual([]);
});
