import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SEED } from '../seed.ts';
import { EFFECT_MEASURES } from './bridges.ts';
import { compareReports } from './compare.ts';
import { openEngine } from './engine.ts';
import { writeDataset } from './files.ts';
import { CAPACITY_MEASURES } from './measures.ts';
import type { Parameters } from './parameters.ts';
import { randomDataset, randomQuery } from './random.ts';
import { runReport } from './reports.ts';
import { TIMESHEET_MEASURES } from './timesheets.ts';

const QUERIES = 4;

/** Queries drawn at most; some have no subtotals, or no rows. */
const MAX_DRAWN = 200;

test(`subtotals are the oracle's rows by the first dimensions, PLUMBLINE_SEED=${SEED}`, {
  tags: ['slow'],
}, async () => {
  console.log(`PLUMBLINE_SEED=${SEED}`);
  const dataset = randomDataset(SEED);
  const directory = await mkdtemp(join(tmpdir(), 'plumbline-subtotals-'));
  await writeDataset(dataset, directory, SEED);
  const engine = await openEngine(directory);
  try {
    let compared = 0;
    for (let seed = SEED, queries = 0; queries < QUERIES && seed < SEED + MAX_DRAWN; seed += 1) {
      const { interval = 'none', ...sent } = randomQuery(seed, dataset).parameters;
      const dimensions = sent['group_by']?.split(',') ?? [];
      // Capacity is that of the people in the rows, which the oracle's rows by fewer dimensions don't know. Effects are sums of
      // the rows' cells, which these rows don't split.
      const measures = (sent['measures'] ?? '')
        .split(',')
        .filter((name) => ![...CAPACITY_MEASURES, ...TIMESHEET_MEASURES, ...EFFECT_MEASURES].includes(name));
      const depth = interval === 'none' ? dimensions.length - 1 : dimensions.length;
      const overlaps = ['tag', 'people_tag'].every((name) => dimensions.includes(name));
      if (depth < 1 || overlaps || measures.join('') === '') continue;
      const parameters: Parameters = { ...sent, interval, measures: measures.join(',') };
      const { subtotals, rows, totals } = await engine.report('pivot', { ...parameters, subtotals: '1' });
      // A query without rows has no subtotals to compare.
      queries += Math.min(1, rows.length);
      for (let level = 1; level <= depth; level += 1) {
        const by = { ...parameters, interval: 'none', group_by: dimensions.slice(0, level).join(',') };
        const expected = runReport(dataset, 'pivot', by);
        const actual = subtotals.filter((each) => each.level === level).map(({ row }) => row);
        expect(actual.length).toBe(expected.rows.length);
        expect(
          compareReports('pivot', by, expected, { rows: actual.map((row) => known(row, expected)), totals }),
        ).toEqual([]);
        compared += actual.length;
      }
      const plain = await engine.report('pivot', parameters);
      expect(new Set(rows.map((row) => JSON.stringify(row)))).toEqual(
        new Set(plain.rows.map((row) => JSON.stringify(row))),
      );
    }
    expect(compared).toBeGreaterThan(0);
  } finally {
    await engine.close();
    await rm(directory, { recursive: true, force: true });
  }
});

/** Leaves out the columns of further dimensions, which are null. */
function known(row: Readonly<Record<string, unknown>>, { totals, rows }: ReturnType<typeof runReport>) {
  const names = [...Object.keys(rows[0] ?? {}), ...Object.keys(totals)];
  for (const [name, value] of Object.entries(row))
    if (!names.includes(name)) expect([name, value]).toEqual([name, null]);
  return Object.fromEntries(Object.entries(row).filter(([name]) => names.includes(name)));
}
