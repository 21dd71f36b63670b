import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SEED } from '../seed.ts';
import { compareLedgers, compareReports } from './compare.ts';
import { openEngine } from './engine.ts';
import { writeDataset } from './files.ts';
import { buildLedger } from './ledger.ts';
import { randomContractQuery, randomDataset, randomQuery } from './random.ts';
import { runReport } from './reports.ts';

const QUERIES = 6;
/** Those of a dataset that are about contracts, after the others. */
const OF_CONTRACTS = 4;
/** Number of differences shown: the first few suffice. */
const SHOWN = 12;

/**
 * Compares the engine with the oracle on random datasets, with one test for each.
 * @param datasets Number of datasets; PLUMBLINE_DATASETS overrides it.
 */
export function testAgreement(datasets: number): void {
  const count = Number(process.env.PLUMBLINE_DATASETS ?? datasets);
  const seeds = Array.from({ length: count }, (_, index) => SEED + index);

  describe.concurrent(`the engine agrees with the oracle, PLUMBLINE_SEED=${SEED}`, () => {
    let root = '';

    beforeAll(async () => {
      console.log(`PLUMBLINE_SEED=${SEED}`);
      root = await mkdtemp(join(tmpdir(), 'plumbline-oracle-'));
    });

    afterAll(async () => {
      await rm(root, { recursive: true, force: true });
    });

    it.each(seeds)('on the dataset of seed %i', async (seed) => {
      const dataset = randomDataset(seed);
      const directory = join(root, String(seed));
      await writeDataset(dataset, directory, seed);
      const engine = await openEngine(directory);
      try {
        const again = `seed ${seed}: PLUMBLINE_SEED=${seed} makes it the first dataset`;
        fail(compareLedgers(buildLedger(dataset), await engine.ledger()), again);
        for (let index = 0; index < QUERIES + OF_CONTRACTS; index += 1) {
          const chooseQuery = index < QUERIES ? randomQuery : randomContractQuery;
          const { name, parameters } = chooseQuery(seed * QUERIES + index, dataset);
          const differences = compareReports(
            name,
            parameters,
            runReport(dataset, name, parameters),
            await engine.report(name, parameters),
          );
          fail(differences, `${again}\nquery ${index}: ${name} ${JSON.stringify(parameters)}`);
        }
      } finally {
        await engine.close();
        await rm(directory, { recursive: true, force: true });
      }
    });
  });
}

function fail(differences: string[], context: string): void {
  if (differences.length === 0) return;
  const shown = differences.slice(0, SHOWN).join('\n  ');
  expect.fail(`${context}\n${differences.length} differences:\n  ${shown}`);
}
