import { Decimal } from 'decimal.js';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Prng } from '../oracle/prng.ts';
import type { Tab } from './browser.ts';

/** A window of the bundled company with months before and after the cutoff. */
export const WINDOW = 'start_date=2026-01-01&end_date=2026-06-30&cutoff_date=2026-05-31';

/** Screens whose numbers have lines. Only active people: whether others have capacity depends on their hours in the window. */
export const SCREENS_OF_NUMBERS = [
  'portfolio',
  'people&show=scheduled_percent&active=1',
  'people&show=scheduled_percent&group=role&active=1',
  'explore',
  'project&project_id=501',
];

/** The share of numbers that are points and bars of charts, where a screen has any. */
const CHARTS = 0.3;

/** The share of opened numbers of which a term or a part is opened, too. */
const TERMS = 0.3;

/** Opens numbers of a screen, drawn at random, by keyboard: the sum of their lines is the text that was opened. */
export async function openNumbers({ page, faults }: Tab, random: Prng, count: number): Promise<void> {
  const figures = page.locator('a.figure:visible');
  const spots = page.locator('.chart a[data-tip]');
  const [all, drawn] = [await figures.count(), await spots.count()];
  const address = page.url();
  for (let opened = 0; opened < count; opened += 1) {
    const isSpot = drawn > 0 && random.chance(CHARTS);
    const figure = isSpot ? spots.nth(random.int(0, drawn - 1)) : figures.nth(random.int(0, all - 1));
    const text = isSpot ? await readSpot(figure) : await readNumber(figure);
    await figure.focus();
    await page.keyboard.press('Enter');
    await page.locator('dialog .value').waitFor();
    await page.locator('dialog .loading').first().waitFor({ state: 'detached' });
    // A percentage has no sum of lines, but a value.
    for (const sum of await page.locator('dialog :is(.sum, .value) output').allTextContents()) {
      expectShown(text, sum, page.url());
    }
    if (random.chance(TERMS)) await openTerm(page, random);
    await page.keyboard.press('Escape');
    expect(await figure.evaluate((element) => element.matches(':focus'))).toBe(true);
    expect(page.url()).toBe(address);
  }
  expect(faults).toEqual([]);
}

/** Returns the number of a figure without the letter that judges it. */
export async function readNumber(figure: Locator): Promise<string> {
  const [text, letters] = [await figure.textContent(), await figure.locator('abbr').allTextContents()];
  return (text ?? '').slice(0, (text ?? '').length - letters.join('').length);
}

/** Returns the number of a chart's point or bar that its link opens, as its label tells it. */
async function readSpot(spot: Locator): Promise<string> {
  const [label, href] = [(await spot.getAttribute('data-tip')) ?? '', (await spot.getAttribute('href')) ?? ''];
  const lines = new URLSearchParams(new URLSearchParams(href.slice('/?'.length)).get('lines') ?? '');
  const [series = ''] = lines.get('measure')?.split('_') ?? [];
  const [title, ...numbers] = label.split('\n');
  const own = numbers.find((number) => number.toLowerCase().startsWith(series)) ?? numbers[0] ?? title ?? '';
  return /(?:unknown|[+−]?\d[\d,.]*)(?= \S+$|$)/.exec(own)?.[0] ?? own;
}

/** Opens a term or a part of the opened number, a sum up to it or its hours without a rate: its lines are as many as its row counts, and add up to it. */
async function openTerm(page: Page, random: Prng): Promise<void> {
  const cells = page.locator('dialog .value ~ :not(section) td:has(a.figure):visible');
  const all = await cells.count();
  if (all === 0) return;
  const cell = cells.nth(random.int(0, all - 1));
  const headings = (await cell.locator('xpath=ancestor::table/thead/tr/th').allTextContents()).map((text) =>
    text.trim(),
  );
  const heading = headings[await cell.locator('xpath=preceding-sibling::*').count()] ?? '';
  const counted = cell.locator('xpath=ancestor::tr/*').nth(headings.indexOf('Lines'));
  const count = await counted.textContent();
  const text = digits(await cell.locator('a.figure').textContent());
  await cell.locator('a.figure').click();
  const sum = page.locator('dialog .sum');
  await sum.waitFor();
  // A sum up to a month and the hours without a rate are of other lines than those of the row.
  const isOfRow = /^Sum|^Lines/.test(heading);
  if (isOfRow) expect(await sum.textContent(), page.url()).toMatch(new RegExp(`^${count} lines?;`));
  if (heading !== 'Lines') expect(digits(await sum.locator('output').textContent()), page.url()).toBe(text);
}

/** Expects that a text shows a number: all of it, or in a colored cell its whole percents. */
function expectShown(text: string, sum: string | null, address: string): void {
  // Without capacity nothing is free: the cell says off, or nothing.
  const isOff = /^(off|–)$/.test(text) && address.includes('unscheduled_hours');
  const [shown, exact] = [digits(isOff ? '0' : text), digits(sum)];
  const isWhole = /^-?\d+$/.test(shown) && exact !== shown && address.includes('percent');
  expect(
    isWhole ? new Decimal(exact).toDecimalPlaces(0, Decimal.ROUND_HALF_UP).plus(0).toFixed() : exact,
    address,
  ).toBe(shown);
}

/** Returns a number's text without separators, signs of direction and zeros at its end. */
function digits(text: string | null): string {
  const plain = (text ?? '')
    .trim()
    .replace(/^[–-]$|^unknown$|^off$/, 'unknown')
    .replaceAll(/[,+]/g, '')
    .replace('−', '-');
  return /\.\d*$/.test(plain) ? plain.replace(/\.?0*$/, '') : plain;
}
