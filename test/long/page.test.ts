import { expect, it } from 'vitest';
import { Prng } from '../oracle/prng.ts';
import { openNumbers, SCREENS_OF_NUMBERS, WINDOW } from '../page/opened-numbers.ts';
import { openServer } from '../page/opened-server.ts';

/** Numbers opened on each screen. */
const NUMBERS = 50;

const opened = openServer();

it.each(SCREENS_OF_NUMBERS)(`${NUMBERS} numbers on %s open lines that add up to them`, async (screen) => {
  await opened.tab.open(`/?screen=${screen}&${WINDOW}`);
  expect(await opened.tab.page.locator('a.figure:visible').count()).toBeGreaterThan(10);
  await openNumbers(opened.tab, new Prng(50), NUMBERS);
});
