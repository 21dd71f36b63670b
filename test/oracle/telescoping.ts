import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BRIDGES, type Bridge, effectsOf } from '../../src/report/catalogue/bridges.ts';
import { SEED } from '../seed.ts';
import type { EngineRow } from './compare.ts';
import { openEngine } from './engine.ts';
import { Exact, ZERO } from './exact.ts';
import { writeDataset } from './files.ts';
import { PIVOT_COLUMNS } from './pivot.ts';
import { Prng } from './prng.ts';
import { randomDataset, randomQuery } from './random.ts';

const QUERIES = 3;

/** The rows of single cells, whose rate is 0 unless they are both planned and worked. */
const CELLS = 'project,role,person';

/**
 * Tests that the effects of every row, subtotal, period and total lead from the plan to the actual amount.
 * Makes one test for each dataset.
 */
export function testTelescoping(datasets: number): void {
  const seeds = Array.from({ length: datasets }, (_, index) => SEED + index);
  describe(`V4: bridges add up in every grouping, PLUMBLINE_SEED=${SEED}`, () => {
    it.each(seeds)('on the dataset of seed %i', { timeout: 120_000 }, async (seed) => {
      const dataset = randomDataset(seed);
      const directory = await mkdtemp(join(tmpdir(), 'plumbline-bridges-'));
      await writeDataset(dataset, directory, seed);
      const engine = await openEngine(directory);
      const random = new Prng(seed);
      try {
        for (let index = 0; index < QUERIES; index += 1) {
          const { parameters } = randomQuery(seed * QUERIES + index, dataset);
          const { measures: _, group_by: __, interval: ___, expand: ____, include_empty: _____, ...sent } = parameters;
          const bridge = random.pick([...BRIDGES]);
          const groups = random.some(random.shuffled(Object.keys(PIVOT_COLUMNS)), 2, 3).join(',');
          const of = (more: Record<string, string>) => engine.report('pivot', { ...sent, bridge, ...more });
          for (const more of [
            { group_by: groups, subtotals: '1' },
            { group_by: `person,${groups}`, columns: 'month' },
          ]) {
            const { rows, totals, subtotals } = await of(more);
            for (const row of [...rows, totals, ...subtotals.map((each) => each.row)])
              expectSum(bridge, row, `${JSON.stringify({ ...sent, bridge, ...more })} ${JSON.stringify(row)}`);
          }
          const cells = await engine.report('pivot', {
            ...sent,
            group_by: CELLS,
            measures: `scheduled_to_date_hours,actual_hours,${bridge}_rate_effect`,
          });
          for (const row of cells.rows) {
            const isBoth = [row['scheduled_to_date_hours'], row['actual_hours']].every(
              (each) => !decimal(each).isZero(),
            );
            if (!isBoth) expect(decimal(row[`${bridge}_rate_effect`]).toFixed(), JSON.stringify(row)).toBe('0');
          }
        }
      } finally {
        await engine.close();
        await rm(directory, { recursive: true, force: true });
      }
    });
  });
}

function decimal(value: unknown): Exact {
  return value === null || value === undefined ? ZERO : new Exact(String(value));
}

/**
 * Expects that the effects lead from the plan to the actual amount, in the row and in each of its periods.
 * They are unknown together if no line of the query has the amount, as cost may be where profit is known from fees.
 */
function expectSum(bridge: Bridge, row: EngineRow, where: string): void {
  const suffixes = Object.keys(row).flatMap((name) => name.match(new RegExp(`^actual_${bridge}(.*)$`))?.[1] ?? []);
  for (const suffix of suffixes) {
    const at = (name: string) => decimal(row[`${name}${suffix}`]);
    const effects = effectsOf(bridge).map((effect) => at(`${bridge}_${effect}_effect`));
    const unknown = effectsOf(bridge).filter((effect) => row[`${bridge}_${effect}_effect${suffix}`] === null);
    if (unknown.length > 0) {
      expect(unknown, where + suffix).toEqual(effectsOf(bridge));
      continue;
    }
    const sum = effects.reduce((total, effect) => total.plus(effect), at(`scheduled_to_date_${bridge}`));
    expect(sum.toFixed(), where + suffix).toBe(at(`actual_${bridge}`).toFixed());
  }
}
