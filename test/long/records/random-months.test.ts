import { expect, it } from 'vitest';
import { proveMonths } from '../../ingest/random-months.ts';
import { SEED } from '../../seed.ts';

/** Number of random histories of a month. */
const MONTHS = Number(process.env['PLUMBLINE_MONTHS'] ?? 100);

it(`months exported twice come in as they are, or are refused, PLUMBLINE_SEED=${SEED}`, async () => {
  const refused = await proveMonths(MONTHS);
  expect(refused).toBeGreaterThan(0);
  expect(refused).toBeLessThan(MONTHS / 2);
});
