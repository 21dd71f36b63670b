import { expect, it } from 'vitest';
import { ALL_SCREENS, openFolds, settleDrawer } from '../../page/all-screens.ts';
import { findBarriers } from '../../page/browser.ts';
import { WINDOW } from '../../page/opened-numbers.ts';
import { openServer } from '../../page/opened-server.ts';
import { takePart } from '../../seed.ts';

/** Widths of a telephone, a laptop and a wall. Unit: px. Colors don't depend on it. */
const VIEWS = [
  ['light', 360],
  ['light', 1920],
  ['dark', 1280],
] as const;

/** Each screen in all views, whose order differs from screen to screen, so that a part of the cases has each screen and view. */
const CASES = ALL_SCREENS.flatMap((screen, place) =>
  VIEWS.map((_, index) => [screen, ...(VIEWS[(index + place) % VIEWS.length] ?? VIEWS[0])] as const),
);

const opened = openServer();

it.each(takePart(CASES))(
  '%s, %s, %i px wide, has no barrier that axe finds serious, with its menus and the drawer',
  async (screen, colorScheme, width) => {
    const { page } = opened.tab;
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    await opened.tab.open(`/?screen=${screen}&${WINDOW}`);
    const menus = page.locator('.menu > button');
    expect(await menus.count()).toBeGreaterThan(1);
    for (const menu of await menus.all()) {
      await menu.click();
      await page.locator('.panel').waitFor();
      expect(await findBarriers(page, '.menu:has(.panel)')).toEqual([]);
      await page.keyboard.press('Escape');
    }
    await openFolds(page);
    expect(await findBarriers(page)).toEqual([]);
    await page.locator('main a:is(.figure, .opens):visible').first().click();
    await settleDrawer(opened.tab);
    expect(await findBarriers(page, 'dialog')).toEqual([]);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.locator('.finder input').fill('a');
    expect(await findBarriers(page, 'dialog')).toEqual([]);
  },
);
