import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Decimal } from 'decimal.js';
import { describe, expect, it } from 'vitest';
import type { Value } from '../../src/base/database/database.ts';
import { isNumber, partsOfNumber } from '../../src/numbers/report/catalogue/measure-meaning.ts';
import { readCatalogues } from '../../src/store/generation/own-reports.ts';
import { SEED } from '../seed.ts';
import type { EngineRow } from './compare.ts';
import { type Engine, openEngine } from './engine.ts';
import { writeDataset } from './files.ts';
import { Prng } from './prng.ts';
import { randomDataset, randomQuery } from './random.ts';

const { measures } = readCatalogues().full;
const QUERIES = 6;

/** The most cells of a report that are explained. */
const EXPLAINED = 10;

/** A number on a screen: a measure of a row or of the totals. */
interface Cell {
  readonly lines: string;
  readonly measure: string;
  readonly value: Value;
  readonly isRatio: boolean;
  readonly isTotal: boolean;
}

/**
 * Compares numbers of reports with the sums of the lines that their links list, and with their explanations.
 * Makes one test for each dataset.
 * @param datasets Number of random datasets.
 * @param cells Number of cells drawn from each report.
 */
export function testContributions(datasets: number, cells: number): void {
  const seeds = Array.from({ length: datasets }, (_, index) => SEED + index);
  describe(`6.1 the lines behind a number add up to it, PLUMBLINE_SEED=${SEED}`, () => {
    it.each(seeds)('on the dataset of seed %i', { timeout: 600_000 }, async (seed) => {
      const dataset = randomDataset(seed);
      const directory = await mkdtemp(join(tmpdir(), 'plumbline-oracle-'));
      await writeDataset(dataset, directory, seed);
      const engine = await openEngine(directory);
      const random = new Prng(seed);
      try {
        for (let index = 0; index < QUERIES; index += 1) {
          const { name, parameters } = randomQuery(seed * QUERIES + index, dataset);
          if (name === 'lines' || name === 'data-quality') continue;
          const { interval = 'none' } = parameters;
          const drawn = cellsOf(await engine.report(name, { ...parameters, links: '1' }))
            // The periods of the rows split the cells of the totals, whose lines are not split.
            .filter((cell) => interval === 'none' || !cell.isTotal || measures.get(cell.measure)?.kind !== 'effect')
            .map((cell) => ({ cell, order: random.next() }))
            .sort((a, b) => a.order - b.order)
            .slice(0, cells);
          for (const [place, { cell }] of drawn.entries()) {
            const text = JSON.stringify(cell);
            if (!cell.isRatio) expect(await sumLines(engine, cell), text).toBe(plain(cell.value));
            // A number is explained only if its lines add up to it.
            if (place >= EXPLAINED) continue;
            const explained = await engine.explain(parametersOf(cell));
            expect(plain(explained.value), text).toBe(plain(cell.value));
            const opened = [...explained.terms, ...Object.values(explained.parts).flat()];
            const linked = opened.filter(({ lines }) => lines !== null);
            const part = linked[random.int(0, Math.max(0, linked.length - 1))];
            if (part) expect(await sumPart(engine, part), `${part.lines} in ${text}`).toBe(plain(part.value));
          }
        }
      } finally {
        await engine.close();
        await rm(directory, { recursive: true, force: true });
      }
    });
  });
}

function cellsOf({ rows, totals }: { rows: EngineRow[]; totals: EngineRow }): Cell[] {
  const all = [...rows, ...rows.flatMap((row) => (row['phases'] ?? []) as EngineRow[]), totals];
  return all.flatMap((row): Cell[] =>
    Object.entries(row).flatMap(([name, value]) => {
      const measure = measures.get(name);
      // The day of the last logged time is no sum of lines.
      if (!measure || !isNumber(measure)) return [];
      return [
        {
          isTotal: row === totals,
          lines: String(row['_lines']),
          measure: name,
          value: value as Value,
          isRatio: partsOfNumber(measure).length > 0,
        },
      ];
    }),
  );
}

/** Returns the parameters of a cell's lines. */
function parametersOf({ lines, measure }: Cell): Record<string, string> {
  return { ...Object.fromEntries(new URLSearchParams(lines.split('?')[1])), measure };
}

/** Returns the sum of the lines behind a cell, which must also be the total of their list; null if none is known. */
async function sumLines(engine: Engine, cell: Cell): Promise<string | null> {
  const { measure } = cell;
  const { rows, totals } = await engine.report('lines', parametersOf(cell));
  const known = rows.map(({ contribution }) => contribution).filter((part) => part !== null);
  const { kind } = measures.get(measure) ?? {};
  // An effect is unknown in all rows if no line of the query has the amount.
  const isEmpty = rows.length === 0 && kind !== 'budget' && !(kind === 'effect' && cell.value === null);
  const sum =
    known.length > 0 || isEmpty
      ? known.reduce((total: Decimal, part) => total.plus(String(part)), new Decimal(0))
      : null;
  const total = plain(totals['contribution'] as Value);
  expect(sum === null ? null : plain(sum.toFixed())).toBe(total);
  return total;
}

/** Returns the sum of the lines of a term or a part, which must also be what explains it; null if none is known. */
async function sumPart(engine: Engine, { lines }: { lines: string | null }): Promise<string | null> {
  const sent = Object.fromEntries(new URLSearchParams(lines?.split('?')[1])) as Record<string, string>;
  const { totals } = await engine.report('lines', sent);
  const total = plain(totals['contribution'] as Value);
  expect(plain((await engine.explain(sent)).value), `${lines}`).toBe(total);
  return total;
}

function plain(value: Value): string | null {
  return value === null ? null : new Decimal(String(value)).toFixed();
}
