import type { Page } from 'playwright-core';
import type { Tab } from './browser.ts';

/** Every screen of the page, with things of the bundled company. */
export const ALL_SCREENS = [
  ...['portfolio', 'outlook', 'people', 'timesheets', 'explore', 'quality'],
  ...['project&project_id=501', 'person&people_id=102', 'client&client_id=205'],
];

/** Opens every fold of a screen, its drawer and its open menu. */
export async function openFolds(page: Page): Promise<void> {
  await page.evaluate("for (const folded of document.querySelectorAll('details')) folded.open = true");
}

/** Waits until the drawer has its lines, reasons or findings. */
export async function settleDrawer({ page }: Tab): Promise<void> {
  await page.locator('dialog :is(.value, .steps, .sum)').first().waitFor();
  await page.locator('dialog .loading').first().waitFor({ state: 'detached' });
}
