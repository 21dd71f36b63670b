import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BRIDGES, type Bridge, measuresOfBridge } from '../../src/numbers/report/catalogue/bridges.ts';
import { SEED } from '../seed.ts';
import { totalsOf } from './bridge-totals.ts';
import type { EngineRow } from './compare.ts';
import type { Dataset } from './dataset.ts';
import { type Engine, openEngine } from './engine.ts';
import { Exact, minorUnit, ZERO } from './exact.ts';
import { writeDataset } from './files.ts';
import { fractionOf, isWithin, times } from './fraction.ts';
import { modelOf } from './ledger.ts';
import { countedOf } from './measures.ts';
import { linesOf, type Parameters, readQuery } from './parameters.ts';
import { PIVOT_COLUMNS } from './pivot.ts';
import { Prng } from './prng.ts';
import { randomDataset, randomQuery } from './random.ts';

const QUERIES = 2;

/** The rows of single cells, whose rate is 0 unless they are both planned and worked. */
const CELLS = 'project,role,person';

/** The dimensions of a grouping; each query has all dimensions in several groupings. */
const DEPTH = 3;

/** The dimensions of whose rows a line may be in several. */
const OVERLAPPING = ['tag', 'people_tag'];

/**
 * Tests that the effects of every row, subtotal, period and total lead from the plan to the actual amount, that rows add up to
 * totals, and that totals are their closed forms. Makes one test for each dataset.
 */
export function testTelescoping(datasets: number): void {
  const seeds = Array.from({ length: datasets }, (_, index) => SEED + index);
  describe(`V4: bridges add up in every grouping, PLUMBLINE_SEED=${SEED}`, () => {
    it.each(seeds)('on the dataset of seed %i', { tags: ['slow'] }, async (seed) => {
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
          await expectSums(engine, sent, bridge, random);
          await expectRates(engine, sent, bridge);
          await expectTotals(engine, dataset, sent);
        }
      } finally {
        await engine.close();
        await rm(directory, { recursive: true, force: true });
      }
    });
  });
}

/** Expects that effects lead from the plan to the actual amount, and rows to totals, with all dimensions. */
async function expectSums(engine: Engine, sent: Parameters, bridge: Bridge, random: Prng): Promise<void> {
  const dimensions = random.shuffled(Object.keys(PIVOT_COLUMNS));
  for (let first = 0; first < dimensions.length; first += DEPTH) {
    const groups = dimensions.slice(first, first + DEPTH);
    const overlapping = groups.filter((name) => OVERLAPPING.includes(name));
    const more: Parameters = random.chance(0.3)
      ? { group_by: [...new Set(['person', ...groups])].join(','), columns: random.pick(['month', 'quarter']) }
      : { group_by: groups.join(','), ...(groups.length > 1 && overlapping.length < 2 && { subtotals: '1' }) };
    const { rows, totals, subtotals } = await engine.report('pivot', { ...sent, bridge, ...more });
    const where = JSON.stringify({ ...sent, bridge, ...more });
    for (const row of [...rows, totals, ...subtotals.map((each) => each.row)])
      expectSum(bridge, row, `${where} ${JSON.stringify(row)}`);
    if (overlapping.length > 0) continue;
    for (const level of new Set([undefined, ...subtotals.map((each) => each.level)])) {
      const added = level === undefined ? rows : subtotals.flatMap((each) => (each.level === level ? [each.row] : []));
      for (const name of stepsOf(bridge)) {
        const sum = added.reduce((total, row) => total.plus(decimal(row[name])), ZERO);
        expect(sum.toFixed(), `${where} ${name} ${level}`).toBe(decimal(totals[name]).toFixed());
      }
    }
  }
}

/** Expects that only cells both planned and worked have another rate than planned. */
async function expectRates(engine: Engine, sent: Parameters, bridge: Bridge): Promise<void> {
  const name = `${bridge === 'revenue' ? 'fees' : bridge}_rate_effect`;
  const measures = `scheduled_to_date_hours,actual_hours,${name}`;
  const { rows } = await engine.report('pivot', { ...sent, group_by: CELLS, measures });
  for (const row of rows) {
    const isBoth = [row['scheduled_to_date_hours'], row['actual_hours']].every((each) => !decimal(each).isZero());
    if (!isBoth) expect(decimal(row[name]).toFixed(), JSON.stringify(row)).toBe('0');
  }
}

/** Expects that volume and the mixes of all lines are their closed forms, but for the rounding of each cell. */
async function expectTotals(engine: Engine, dataset: Dataset, sent: Parameters): Promise<void> {
  const model = modelOf(dataset);
  const query = readQuery('pivot', sent);
  const counted = countedOf(linesOf(model, query), query);
  const digits = minorUnit(model.clean.settings.currency);
  for (const [bridge, amount] of [
    ['cost', 'cost'],
    ['fees', 'fee'],
  ] as const) {
    const { totals } = await engine.report('pivot', { ...sent, bridge, group_by: 'project' });
    const expected = totalsOf(counted, amount);
    if (!expected) expect(totals[`${bridge}_volume_effect`] ?? null, JSON.stringify(sent)).toBeNull();
    for (const { name, value } of expected?.effects ?? []) {
      // A mix is the difference of two rounded products.
      const rounding = new Exact(expected?.cells ?? 0).dividedBy(name === 'volume' ? 2 : 1);
      const most = times(fractionOf(rounding), { top: 1n, bottom: 10n ** BigInt(digits) });
      const found = decimal(totals[`${bridge}_${name}_effect`]);
      expect(isWithin(fractionOf(found), value, most), `${JSON.stringify(sent)} ${bridge} ${name} ${found}`).toBe(true);
    }
  }
}

/** Returns the measures of the steps of a bridge. */
function stepsOf(bridge: Bridge): string[] {
  return measuresOfBridge(bridge).filter((name) => name.endsWith('_effect'));
}

function decimal(value: unknown): Exact {
  return value === null || value === undefined ? ZERO : new Exact(String(value));
}

/**
 * Expects that the steps lead from the plan to the actual amount, in the row and in each of its periods.
 * The effects are unknown together if no line of the query has the amount.
 */
function expectSum(bridge: Bridge, row: EngineRow, where: string): void {
  const suffixes = Object.keys(row).flatMap((name) => name.match(new RegExp(`^actual_${bridge}(.*)$`))?.[1] ?? []);
  for (const suffix of suffixes) {
    const at = (name: string) => row[`${name}${suffix}`];
    const steps = stepsOf(bridge);
    const effects = steps.filter((name) => !name.includes('_contract_')).map((name) => at(name) ?? null);
    if (effects.includes(null)) {
      expect(new Set(effects), where + suffix).toEqual(new Set([null]));
      continue;
    }
    const sum = steps.reduce(
      (total: Exact, name) => total.plus(decimal(at(name))),
      decimal(at(`scheduled_to_date_${bridge}`)),
    );
    expect(sum.toFixed(), where + suffix).toBe(decimal(at(`actual_${bridge}`)).toFixed());
  }
}
