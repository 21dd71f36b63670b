import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Decimal } from 'decimal.js';
import { describe, expect, it } from 'vitest';
import { isNumber, partsOfNumber } from '../../src/numbers/report/catalogue/measure-meaning.ts';
import { readCatalogues } from '../../src/store/generation/own-reports.ts';
import { SEED } from '../seed.ts';
import { changeDataset, modelWithBaseline } from './baseline.ts';
import { compareReports, type EngineRow } from './compare.ts';
import { type Engine, openEngine } from './engine.ts';
import { writeDataset } from './files.ts';
import { Prng } from './prng.ts';
import { randomDataset, randomQuery } from './random.ts';
import { runModel } from './reports.ts';

const { measures } = readCatalogues().full;

const QUERIES = 6;

/** Number of differences shown: the first few suffice. */
const SHOWN = 12;

const MEASURES = ['hours', 'cost', 'fees'].flatMap((amount) => [`baseline_${amount}`, `replanned_${amount}`]);

/**
 * Compares reports with a baseline with the oracle, and their numbers with the lines behind them.
 * Makes one test for each company, which is kept and then changed.
 * @param opened The most numbers of a report whose lines are added up.
 */
export function testBaselines(companies: number, opened: number): void {
  const seeds = Array.from({ length: companies }, (_, index) => SEED + index);
  describe(`B1 to B3 as the oracle has them, PLUMBLINE_SEED=${SEED}`, () => {
    it.each(seeds)('in the company of seed %i', { timeout: 600_000, tags: ['slow'] }, async (seed) => {
      const directory = await mkdtemp(join(tmpdir(), 'plumbline-baselines-'));
      const then = randomDataset(seed);
      const now = changeDataset(then, seed);
      await writeDataset(then, join(directory, 'then'), seed);
      await writeDataset(now, join(directory, 'now'), seed);
      const kept = await openEngine(join(directory, 'then'), join(directory, 'kept.duckdb'));
      await kept.close();
      const engine = await openEngine(join(directory, 'now'));
      const random = new Prng(seed);
      try {
        await engine.compareWith(join(directory, 'kept.duckdb'));
        const model = modelWithBaseline(now, then);
        for (let index = 0; index < QUERIES; index += 1) {
          const { name, parameters } = randomQuery(seed * QUERIES + index, then);
          const own =
            name === 'pivot' ? { measures: [parameters.measures, ...random.some(MEASURES, 1, 3)].join(',') } : {};
          const sent = { ...parameters, ...own, baseline: 'kept' };
          const answered = await engine.report(name, sent);
          const where = `seed ${seed}, query ${index}: ${name} ${JSON.stringify(sent)}`;
          expectSame(compareReports(name, sent, runModel(model, name, sent), answered), where);
          await expectLines(engine, name, sent, random, opened);
        }
      } finally {
        await engine.close();
        await rm(directory, { recursive: true, force: true });
      }
    });
  });
}

function expectSame(differences: readonly string[], where: string): void {
  if (differences.length === 0) return;
  expect.fail(`${where}\n${differences.length} differences:\n  ${differences.slice(0, SHOWN).join('\n  ')}`);
}

/** Compares numbers of the rows with the sums of the lines behind them. */
async function expectLines(
  engine: Engine,
  name: string,
  sent: Record<string, string>,
  random: Prng,
  opened: number,
): Promise<void> {
  const { rows } = await engine.report(name, { ...sent, links: '1' });
  const numbers = rows.flatMap((row) =>
    Object.keys(row).flatMap((measure) => {
      const found = measures.get(measure);
      return found && isNumber(found) && partsOfNumber(found).length === 0 && !['budget', 'effect'].includes(found.kind)
        ? [{ row, measure }]
        : [];
    }),
  );
  for (const { row, measure } of random.some(numbers, opened, opened)) {
    const asked = Object.fromEntries(new URLSearchParams(String(row['_lines']).split('?')[1]));
    const { rows: lines, totals } = await engine.report('lines', { ...asked, measure });
    const known = lines.flatMap(({ contribution }: EngineRow) => (contribution === null ? [] : [String(contribution)]));
    const isUnknown = known.length === 0 && lines.length > 0;
    const sum = isUnknown ? null : known.reduce((total, part) => total.plus(part), new Decimal(0)).toFixed();
    const texts = [row[measure], totals['contribution']].map((value) =>
      value === null ? null : new Decimal(String(value)).toFixed(),
    );
    expect([measure, ...texts], `${row['_lines']}`).toEqual([measure, sum, sum]);
    expect((await engine.explain({ ...asked, measure })).value, `${row['_lines']}`).toEqual(row[measure]);
  }
}
