import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Decimal } from 'decimal.js';
import { describe, expect, it } from 'vitest';
import type { InsightNumber, RowInsights } from '../../src/report/catalogue/table.ts';
import { SEED } from '../seed.ts';
import { type Engine, openEngine } from './engine.ts';
import { writeDataset } from './files.ts';
import { type SaidRow, sayRows } from './insights.ts';
import type { Parameters } from './parameters.ts';
import { randomDataset, randomQuery } from './random.ts';

const QUERIES = 4;

/** The most numbers of a report whose lines are added up. */
const OPENED = 10;

/**
 * Compares what is said about the rows of random companies with what the oracle says: every number, day and name.
 * The lines of some numbers are added up. Makes one test for each dataset.
 * @param datasets Number of random datasets; PLUMBLINE_DATASETS overrides it.
 * @param rules Rules that at least one row of them must bring about.
 */
export function testInsights(datasets: number, rules: readonly string[] = []): void {
  const count = Number(process.env['PLUMBLINE_DATASETS'] ?? datasets);
  const seeds = Array.from({ length: count }, (_, index) => SEED + index);
  const met = new Set<string>();
  describe(`6.7 every claim of a sentence is true, PLUMBLINE_SEED=${SEED}`, () => {
    it.each(seeds)('on the dataset of seed %i', { timeout: 600_000 }, async (seed) => {
      const dataset = randomDataset(seed);
      const directory = await mkdtemp(join(tmpdir(), 'plumbline-oracle-'));
      await writeDataset(dataset, directory, seed);
      const engine = await openEngine(directory);
      try {
        for (let index = 0; index < QUERIES; index += 1) {
          const { interval: _, expand: __, ...parameters } = randomQuery(seed * QUERIES + index, dataset).parameters;
          const sent = withoutPivot(parameters);
          const name = index % 2 === 0 ? 'projects' : 'phases';
          const rows = await engine.told(name, sent);
          const said = new Map(sayRows(dataset, name, sent).map((row) => [row.key, row]));
          const text = `seed ${seed}: ${name} ${JSON.stringify(sent)}`;
          for (const { row, told } of rows) {
            const key = name === 'projects' ? `${row['project_id']}` : `${row['project_id']},${row['phase_id']}`;
            const { sentences, status } = said.get(key) as SaidRow;
            for (const [rule] of sentences) met.add(rule);
            expect(saidBy(told), `${text}, row ${key}`).toEqual([...sentences].sort(byRule));
            expect(told.status?.status ?? null, `${text}, row ${key}`).toBe(status);
          }
          const numbers = rows.flatMap(({ told }) => told.insights.flatMap((insight) => insight.numbers));
          for (const number of numbers.filter(isSum).slice(0, OPENED)) {
            expect(await sumLines(engine, number), `${text} ${JSON.stringify(number)}`).toBe(plain(number));
          }
        }
      } finally {
        await engine.close();
        await rm(directory, { recursive: true, force: true });
      }
    });
    it.runIf(rules.length > 0)('and every rule has said something', () =>
      expect([...met]).toEqual(expect.arrayContaining([...rules])),
    );
  });
}

/** Leaves out the parameters that only a pivot takes, and the filter that only reports of people take. */
function withoutPivot({ group_by: _, measures: __, ...parameters }: Parameters): Parameters {
  return parameters;
}

const byRule = (a: readonly string[], b: readonly string[]) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);

function saidBy({ insights }: RowInsights): (readonly string[])[] {
  return insights.map(({ rule, numbers }) => [rule, ...numbers.map(plain)]).sort(byRule);
}

function plain({ value, unit }: InsightNumber): string {
  return unit === 'date' || unit === 'text' ? value : new Decimal(value).toFixed();
}

function isSum({ measure, query, unit }: InsightNumber): boolean {
  return measure !== null && query !== null && (unit === 'hours' || unit === 'money');
}

async function sumLines(engine: Engine, { query }: InsightNumber): Promise<string> {
  const { totals } = await engine.report('lines', Object.fromEntries(new URLSearchParams(query?.split('?')[1])));
  return new Decimal(String(totals['contribution'])).toFixed();
}
