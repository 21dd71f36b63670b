import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { randomWrite } from './random-writes.ts';
import { openWorking, type Working } from './working.ts';

/** How many histories are tried: about 2,000 writes. */
const HISTORIES = Number(process.env.PLUMBLINE_HISTORIES ?? 26);

const seed = Number(process.env.PLUMBLINE_SEED ?? Math.floor(Math.random() * 2 ** 31));

/** Writes between two refreshes: many to begin with, then few, so that what one misses is not made good by another. */
const history = fc.tuple(
  fc.array(randomWrite, { minLength: 50, maxLength: 80, size: 'max' }),
  fc.array(fc.array(randomWrite, { minLength: 1, maxLength: 3 }), { minLength: 4, maxLength: 8, size: 'max' }),
);

let company: Working;

beforeAll(async () => {
  company = await openWorking({ people: [{ people_id: 1, name: 'Ana' }] });
});

afterAll(() => company.close());

test(`after any history of writes every stored model is what a build from nothing makes, PLUMBLINE_SEED=${seed}`, {
  timeout: HISTORIES * 60_000,
}, async () => {
  console.log(`PLUMBLINE_SEED=${seed}`);
  let writes = 0;
  const property = fc.asyncProperty(history, async ([first, rest]) => {
    await company.reset();
    for (const batch of [first, ...rest]) {
      await company.database.transaction(async () => {
        for (const { step } of batch) await step(company);
      });
      writes += batch.length;
      await company.refresh();
      await company.expectRebuilt();
    }
  });
  await fc.assert(property, {
    numRuns: HISTORIES,
    seed,
    endOnFailure: process.env.PLUMBLINE_SHRINK === undefined,
    reporter: (result) => {
      if (!result.failed) return;
      const shown = result.counterexample?.[0].flatMap((batches) => batches.flat().map(({ name }) => name)) ?? [];
      expect.fail(
        `seed ${result.seed}, after ${result.numRuns} histories:\n${shown.join('\n')}\n${String(result.errorInstance)}`,
      );
    },
  });
  expect(writes).toBeGreaterThan(HISTORIES * 50);
});
