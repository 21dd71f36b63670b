import { expect, it } from 'vitest';
import { SEED } from '../seed.ts';
import { proveMonths } from './random-months.ts';

it(`a month exported twice comes in as it is, or is refused, PLUMBLINE_SEED=${SEED}`, { tags: ['slow'] }, async () => {
  expect(await proveMonths(12)).toBeLessThan(12);
});
