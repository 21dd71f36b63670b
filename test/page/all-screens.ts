import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Tab } from './browser.ts';

/** Every screen of the page, with things of the bundled company. */
export const ALL_SCREENS = [
  ...['portfolio', 'outlook', 'people', 'timesheets', 'explore', 'quality', 'to-bill'],
  ...['project&project_id=501', 'person&people_id=102', 'client&client_id=205'],
];

/** Opens every fold of a screen, its drawer and its open menu. */
export async function openFolds(page: Page): Promise<void> {
  await page.evaluate("for (const folded of document.querySelectorAll('details')) folded.open = true");
}

/** Waits until the drawer has its lines, reasons or findings: a failure tells what it has instead, and whether the address opens it. */
export async function settleDrawer({ page }: Tab): Promise<void> {
  const readState = () =>
    page.evaluate<string>(`(() => {
      const drawer = document.querySelector('dialog');
      const isShown = (selector) => [...(drawer?.querySelectorAll(selector) ?? [])].some((each) => each.checkVisibility());
      if (!drawer) return 'closed';
      if (isShown('.message')) return drawer.querySelector('.message').textContent;
      return isShown('.value, .steps, .sum') && !isShown('.loading') ? 'settled' : 'being read';
    })()`);
  await expect.poll(readState, { message: page.url() }).toBe('settled');
}
