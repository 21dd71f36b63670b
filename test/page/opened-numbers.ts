import { Decimal } from 'decimal.js';
import { expect } from 'vitest';
import type { Prng } from '../oracle/prng.ts';
import type { Tab } from './browser.ts';

/** A window of the bundled company with months before and after the cutoff. */
export const WINDOW = 'start_date=2026-01-01&end_date=2026-06-30&cutoff_date=2026-05-31';

/** Screens whose numbers have lines. Only active people: whether others have capacity depends on their hours in the window. */
export const SCREENS_OF_NUMBERS = [
  'portfolio',
  'people&active=1',
  'people&group=role&active=1',
  'explore',
  'project&project_id=501',
];

/** Opens numbers of a screen, drawn at random, by keyboard: the sum of their lines is the text that was opened. */
export async function openNumbers({ page, faults }: Tab, random: Prng, count: number): Promise<void> {
  const figures = page.locator('a.figure:visible');
  const all = await figures.count();
  const address = page.url();
  for (let opened = 0; opened < count; opened += 1) {
    const figure = figures.nth(random.int(0, all - 1));
    const text = await figure.evaluate(({ firstChild }) => firstChild?.textContent ?? '');
    await figure.focus();
    await page.keyboard.press('Enter');
    await page.locator('dialog .value').waitFor();
    await page.locator('dialog .loading').first().waitFor({ state: 'detached' });
    // A percentage has no sum of lines, but a value.
    const sum = page.locator('dialog :is(.sum, .value) output').last();
    expectShown(text, await sum.textContent(), page.url());
    await page.keyboard.press('Escape');
    expect(await figure.evaluate((element) => element.matches(':focus'))).toBe(true);
    expect(page.url()).toBe(address);
  }
  expect(faults).toEqual([]);
}

/** Expects that a text shows a number: all of it, or in a colored cell its whole percents. */
function expectShown(text: string, sum: string | null, address: string): void {
  const [shown, exact] = [digits(text), digits(sum)];
  const isWhole = /^-?\d+$/.test(shown) && exact !== shown && address.includes('percent');
  expect(
    isWhole ? new Decimal(exact).toDecimalPlaces(0, Decimal.ROUND_HALF_UP).plus(0).toFixed() : exact,
    address,
  ).toBe(shown);
}

/** Returns a number's text without separators, signs of direction and zeros at its end. */
function digits(text: string | null): string {
  const plain = (text ?? '')
    .replace(/^[–-]$|^unknown$|^off$/, 'unknown')
    .replaceAll(/[,+]/g, '')
    .replace('−', '-');
  return /\.\d*$/.test(plain) ? plain.replace(/\.?0*$/, '') : plain;
}
