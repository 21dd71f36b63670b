import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { ALL_SCREENS, openFolds, settleDrawer } from '../../page/all-screens.ts';
import { WINDOW } from '../../page/opened-numbers.ts';
import { openServer } from '../../page/opened-server.ts';
import { expectReadableBridge } from '../../page/readable-bridge.ts';
import { takePart } from '../../seed.ts';

/** The longest time in which a screen fits a new frame. Unit: ms. */
const FIT_MS = 5_000;

/** Widths of telephones, of a screen that is just too wide for the rules of narrow ones, of a laptop and of a desk. Unit: px. */
const WIDTHS = [360, 390, 620, 1280, 1600] as const;

/** Numbers whose derivation has the most columns: terms with hours without a rate, and sums up to each month. */
const WIDE_NUMBERS = ['variance_cost', 'budget_used', 'actual_margin_percent'];

/** A table that is wider than a telephone, whatever its font is. */
const WIDE = 'group_by=project&measures=scheduled_hours,actual_hours,scheduled_cost,actual_cost';

/** All that a mouse presses. */
const CONTROLS = 'a[href], button, input, select, summary, textarea';

const CASES = ALL_SCREENS.flatMap((screen) => WIDTHS.map((width) => [screen, width] as const));

const opened = openServer();

describe('at every width', () => {
  it.each(takePart(CASES))(
    '%s fits its frame of %i px, and nothing covers a control: its own, of a menu, of the drawer',
    async (screen, width) => {
      const { page } = opened.tab;
      await page.setViewportSize({ width: WIDTHS[0], height: 800 });
      await opened.tab.open(`/?screen=${screen}&${WINDOW}&compare=year_before`);
      await page.setViewportSize({ width, height: 800 });
      await expectControls(page, 'body');
      for (const menu of await page.locator('.menu > button').all()) {
        await menu.click();
        await page.locator('.panel').waitFor();
        await expectControls(page, '.panel');
        await page.keyboard.press('Escape');
      }
      await page.locator('main a:is(.figure, .opens):visible').first().click();
      await settleDrawer(opened.tab);
      await expectControls(page, 'dialog');
      await page.keyboard.press('Escape');
      await page.keyboard.press('Control+k');
      await page.locator('.finder input').fill('a');
      await expectControls(page, 'dialog');
      // The first press empties the field.
      await page.keyboard.press('Escape');
      await page.keyboard.press('Escape');
    },
  );

  it('the totals of a wide table below the screen cover none of its rows', async () => {
    const { page } = opened.tab;
    await page.setViewportSize({ width: 360, height: 300 });
    await opened.tab.open(`/?screen=explore&${WIDE}&${WINDOW}`);
    const [last, totals] = await page.evaluate<[number, number]>(`(() => {
      const { tBodies: [{ lastElementChild }], tFoot } = document.querySelector('.scroll:not(.fits) > table');
      return [lastElementChild.getBoundingClientRect().bottom, tFoot.getBoundingClientRect().top];
    })()`);
    expect(totals).toBeCloseTo(last, 0);
  });

  it('the totals of a wide table follow the end of a window that is made higher', async () => {
    const { page } = opened.tab;
    await page.setViewportSize({ width: 360, height: 400 });
    await opened.tab.open(`/?screen=explore&${WIDE}&${WINDOW}`);
    const table = "document.querySelector('.scroll:not(.fits) > table')";
    await page.evaluate(`${table}.scrollIntoView({ block: 'start' })`);
    const readGap = () =>
      page.evaluate<number>(`Math.round(innerHeight - ${table}.tFoot.getBoundingClientRect().bottom)`);
    await expect.poll(readGap, { timeout: FIT_MS }).toBe(0);
    await page.setViewportSize({ width: 360, height: 560 });
    await expect.poll(readGap, { timeout: FIT_MS }).toBe(0);
  });

  it.each([360, 1280])(
    'neither the head nor the totals cover a number that takes the focus, at %i px',
    async (width) => {
      const { page } = opened.tab;
      await page.setViewportSize({ width, height: 600 });
      await opened.tab.open(`/?screen=explore&group_by=project&${WINDOW}`);
      const links = page.locator('main tbody a.figure');
      await links.first().focus();
      const isFree = async () =>
        page.evaluate<boolean>(`(() => {
        const { left, top, width, height } = document.activeElement.getClientRects()[0];
        return document.activeElement.contains(document.elementFromPoint(left + width / 2, top + height / 2));
      })()`);
      for (let at = 1; at < Math.min(await links.count(), 40); at += 1) {
        await page.keyboard.press('Tab');
        await expect.poll(isFree, { message: `the link ${at}`, timeout: FIT_MS }).toBe(true);
      }
    },
  );

  it.each(ALL_SCREENS)('%s fits its frame with all folds and values of filters open', async (screen) => {
    const { page } = opened.tab;
    await page.setViewportSize({ width: 360, height: 800 });
    await opened.tab.open(`/?screen=${screen}&${WINDOW}&compare=year_before`);
    await openFolds(page);
    await expectFit(page);
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await openFolds(page);
    await page.locator('.loading').first().waitFor({ state: 'detached' });
    await expectFit(page);
  });

  it.each(['cost', 'profit'])('the bridge of %s shows the number of each step', async (bridge) => {
    await opened.tab.open(`/?screen=project&project_id=501&bridge=${bridge}&${WINDOW}`);
    await expectReadableBridge(opened.tab.page);
  });

  it.each(WIDE_NUMBERS)('the lines behind %s fit their frame', async (measure) => {
    const { page } = opened.tab;
    const number = encodeURIComponent(`report=projects&measure=${measure}&project_id=501&${WINDOW}`);
    await opened.tab.open(`/?${WINDOW}&lines=${number}`);
    await settleDrawer(opened.tab);
    await openFolds(page);
    await expectFitAtAll(page);
    // A line, whose reasons have the levels of its rates.
    const line = page.locator('dialog th.date a').first();
    if ((await line.count()) === 0) return;
    await line.click();
    await page.locator('dialog .steps').waitFor();
    await expectFitAtAll(page);
  });
});

/** Expects that the screen and the drawer over it are as wide as their frame, once charts are drawn anew for it. */
async function expectFit(page: Page): Promise<void> {
  const readBeyond = () =>
    page.evaluate<string[]>(`[...document.querySelectorAll('html, dialog, .drawer')]
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
      .map(({ localName, scrollWidth, clientWidth }) => localName + ': ' + scrollWidth + ' of ' + clientWidth)`);
  await expect.poll(readBeyond, { message: page.url(), timeout: FIT_MS }).toEqual([]);
}

async function expectFitAtAll(page: Page): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    await expectFit(page);
  }
}

/** Expects that a press on the middle of each control in a part of the page hits that control, and that the page fits. */
async function expectControls(page: Page, part: string): Promise<void> {
  await expectFit(page);
  const [seen, covered] = await page.evaluate<[number, string[]]>(`(async () => {
    const root = document.querySelector(${JSON.stringify(part)});
    const controls = [...root.querySelectorAll(${JSON.stringify(CONTROLS)})].filter((each) => each.checkVisibility() && !each.closest('.unseen'));
    const hit = (control) => {
      const { left, top, width, height } = control.getClientRects()[0] ?? {};
      return document.elementFromPoint(left + width / 2, top + height / 2);
    };
    const isFree = (control) => {
      control.scrollIntoView({ block: 'center', inline: 'end' });
      return control.contains(hit(control));
    };
    const covered = [];
    for (const control of controls.filter((each) => !isFree(each))) {
      if (isFree(control)) continue;
      // The heads and totals of wide tables follow the page in its next frame.
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      if (!control.contains(hit(control))) covered.push(control.outerHTML.slice(0, 120) + ' under ' + hit(control)?.outerHTML.slice(0, 120));
    }
    scrollTo(0, 0);
    return [controls.length, covered];
  })()`);
  expect(seen, page.url()).toBeGreaterThan(0);
  expect(covered.slice(0, 5), `${page.url()}, ${page.viewportSize()?.width} px`).toEqual([]);
}
