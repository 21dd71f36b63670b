import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SEED } from '../seed.ts';
import { randomWrite } from './random-writes.ts';
import { openWorking, type Working } from './working.ts';

/** Writes between refreshes: many at first, then few, so that none hides an earlier miss. */
const history = fc.tuple(
  fc.array(randomWrite, { minLength: 50, maxLength: 80, size: 'max' }),
  fc.array(fc.array(randomWrite, { minLength: 1, maxLength: 3 }), { minLength: 4, maxLength: 8, size: 'max' }),
);

/**
 * Compares every stored model with a build after random histories of about 75 writes each.
 * @param histories Number of histories; PLUMBLINE_HISTORIES overrides it.
 */
export function testHistories(histories: number): void {
  const count = Number(process.env.PLUMBLINE_HISTORIES ?? histories);
  let company: Working;

  beforeAll(async () => {
    company = await openWorking({ people: [{ people_id: 1, name: 'Ana' }] });
  });

  afterAll(() => company.close());

  test(`after any history of writes every stored model equals a build from nothing, PLUMBLINE_SEED=${SEED}`, {
    timeout: count * 60_000,
  }, async () => {
    console.log(`PLUMBLINE_SEED=${SEED}`);
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
      numRuns: count,
      seed: SEED,
      endOnFailure: process.env.PLUMBLINE_SHRINK === undefined,
      reporter: (result) => {
        if (!result.failed) return;
        const shown = result.counterexample?.[0].flatMap((batches) => batches.flat().map(({ name }) => name)) ?? [];
        expect.fail(
          `seed ${result.seed}, after ${result.numRuns} histories:\n${shown.join('\n')}\n${String(result.errorInstance)}`,
        );
      },
    });
    expect(writes).toBeGreaterThan(count * 50);
  });
}
