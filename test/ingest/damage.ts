import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openDatabase } from '../../src/base/database/database.ts';
import { AppError } from '../../src/base/error.ts';
import { ingestDirectory } from '../../src/records/ingest/ingest.ts';
import { SEED } from '../seed.ts';
import { withDirectory } from './dataset.ts';

/** A file change that a faulty disk or copy could make. */
const DAMAGE = fc.oneof(
  fc.record({ kind: fc.constant('flip' as const), at: fc.nat(), bit: fc.nat({ max: 7 }) }),
  fc.record({ kind: fc.constant('cut' as const), at: fc.nat(), bit: fc.constant(0) }),
  fc.record({ kind: fc.constant('zero' as const), at: fc.nat(), bit: fc.constant(0) }),
);

/** Tests that damaged Parquet files are refused with a message, or load with every record counted. */
export function testDamage(numRuns: number): void {
  test(`damaged Parquet is refused, or loads with every record counted: ${numRuns} files`, {
    timeout: 60_000 + numRuns * 1_000,
  }, async () => {
    const whole = await writeParquet();
    await fc.assert(
      fc.asyncProperty(DAMAGE, async (damage) => {
        const database = await openDatabase(':memory:');
        try {
          const people = damaged(whole, damage);
          const load = withDirectory({ 'people.parquet': people }, (directory) => ingestDirectory(database, directory));
          const error = await load.then(
            () => undefined,
            (reason: unknown) => reason,
          );
          if (error !== undefined) expect(error).toBeInstanceOf(AppError);
        } finally {
          await database.close();
        }
      }),
      { numRuns, seed: SEED },
    );
  });
}

/** Returns a file of 3,000 people, in two row groups. */
function writeParquet(): Promise<Uint8Array> {
  return withDirectory({}, async (directory) => {
    const file = join(directory, 'people.parquet');
    const database = await openDatabase(':memory:');
    await database.run(`
      COPY (
        SELECT i AS people_id, 'Person ' || i AS name, i % 3 = 0 AS active, DATE '2020-01-01' + CAST(i AS INTEGER) AS start_date,
          CAST(i AS DECIMAL(10, 4)) AS cost_rate, ['a', 'b'] AS tags
        FROM range(1, 3001) AS numbers (i)
      ) TO '${file}' (ROW_GROUP_SIZE 2048)`);
    await database.close();
    return readFile(file);
  });
}

function damaged(
  whole: Uint8Array,
  { kind, at, bit }: { kind: 'flip' | 'cut' | 'zero'; at: number; bit: number },
): Uint8Array {
  const place = at % whole.length;
  if (kind === 'cut') return whole.slice(0, place);
  const bytes = Uint8Array.from(whole);
  if (kind === 'zero') return bytes.fill(0, place, place + 512);
  bytes[place] = (bytes[place] ?? 0) ^ (1 << bit);
  return bytes;
}
