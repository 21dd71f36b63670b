import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { ALL_SCREENS, openFolds, settleDrawer } from '../page/all-screens.ts';
import { WINDOW } from '../page/opened-numbers.ts';
import { openServer } from '../page/opened-server.ts';

/** Widths of a telephone, and of a screen that is just too wide for the rules of narrow ones. Unit: px. */
const WIDTHS = [360, 620];

/** Numbers whose derivation has the most columns: terms with hours without a rate, and sums up to each month. */
const WIDE_NUMBERS = ['variance_cost', 'budget_used', 'actual_margin_percent'];

const opened = openServer();

describe.each(WIDTHS)('%i px wide', (width) => {
  it.each(ALL_SCREENS)('%s never scrolls sideways as a whole, with its folds, menus and drawer', async (screen) => {
    const { page } = opened.tab;
    await page.setViewportSize({ width, height: 800 });
    await opened.tab.open(`/?screen=${screen}&${WINDOW}&compare=year_before`);
    await openFolds(page);
    await expectNoOverflow(page);
    for (const menu of await page.locator('.menu > button').all()) {
      await menu.click();
      await page.locator('.panel').waitFor();
      await openFolds(page);
      await page.locator('.loading').first().waitFor({ state: 'detached' });
      await expectNoOverflow(page);
      await page.keyboard.press('Escape');
    }
    await page.locator('main a:is(.figure, .opens):visible').first().click();
    await settleDrawer(opened.tab);
    await openFolds(page);
    await expectNoOverflow(page);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.locator('.finder input').fill('a');
    await expectNoOverflow(page);
  });

  it.each(WIDE_NUMBERS)('the lines behind %s never scroll sideways as a whole', async (measure) => {
    const { page } = opened.tab;
    await page.setViewportSize({ width, height: 800 });
    const number = encodeURIComponent(`report=projects&measure=${measure}&project_id=501&${WINDOW}`);
    await opened.tab.open(`/?${WINDOW}&lines=${number}`);
    await settleDrawer(opened.tab);
    await openFolds(page);
    await expectNoOverflow(page);
    // A line, whose reasons have the levels of its rates.
    const line = page.locator('dialog th.date a').first();
    if ((await line.count()) === 0) return;
    await line.click();
    await page.locator('dialog .steps').waitFor();
    await expectNoOverflow(page);
  });
});

/** Expects that the screen and the drawer over it are as wide as their frame. */
async function expectNoOverflow(page: Page): Promise<void> {
  const beyond = await page.evaluate<string[]>(`[...document.querySelectorAll('html, dialog, .drawer')]
    .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
    .map(({ localName, scrollWidth, clientWidth }) => localName + ': ' + scrollWidth + ' of ' + clientWidth)`);
  expect(beyond, page.url()).toEqual([]);
}
