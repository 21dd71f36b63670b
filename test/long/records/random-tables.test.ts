import { expect, it } from 'vitest';
import { proveTables } from '../../ingest/prove-tables.ts';
import { SEED } from '../../seed.ts';

/** Number of random tables. */
const TABLES = Number(process.env['PLUMBLINE_TABLES'] ?? 200);

it(`random tables of unknown programs come in as they were written, or are asked, PLUMBLINE_SEED=${SEED}`, async () => {
  const { right, answered, asked } = await proveTables(TABLES);
  expect(right + answered + asked).toBe(TABLES);
  // Most need no answer: a proposal that asked about all of them would never be wrong, either.
  expect(right).toBeGreaterThan(TABLES / 2);
});
