import { expect, it } from 'vitest';
import { Prng } from '../../oracle/prng.ts';
import { openFolds } from '../../page/all-screens.ts';
import { openNumbers, SCREENS_OF_NUMBERS, WINDOW } from '../../page/opened-numbers.ts';
import { openServer } from '../../page/opened-server.ts';

/** Numbers opened on each screen; PLUMBLINE_PAGE_NUMBERS=100 makes it 1,000 of all. */
const NUMBERS = Number(process.env['PLUMBLINE_PAGE_NUMBERS'] ?? 20);

/** The screens of one thing, and those of another subject or with charts of their own. */
const MORE_SCREENS = [
  'portfolio&by=hours',
  'project&project_id=510&by=revenue',
  'person&people_id=102',
  'client&client_id=205',
  'explore&group_by=month&measures=variance_cost%2Cactual_margin_percent',
];

const opened = openServer();

it.each([...SCREENS_OF_NUMBERS, ...MORE_SCREENS])(`${NUMBERS} numbers on %s open lines that add up`, async (screen) => {
  await opened.tab.open(`/?screen=${screen}&${WINDOW}`);
  await openFolds(opened.tab.page);
  expect(await opened.tab.page.locator('a.figure:visible').count()).toBeGreaterThan(10);
  await openNumbers(opened.tab, new Prng(50), NUMBERS);
});

it('leads from a finding to its record, which has its hours', async () => {
  const { page } = opened.tab;
  await opened.tab.open(`/?screen=quality&${WINDOW}`);
  const rows = page.locator('dialog tbody tr:has-text("logged_time")');
  const random = new Prng(28);
  for (let opened = 0; opened < NUMBERS; opened += 1) {
    await page.locator('main a.opens').first().click();
    await rows.first().waitFor();
    const all = await rows.count();
    expect(all).toBeGreaterThan(10);
    const row = rows.nth(random.int(0, all - 1));
    const hours = (await row.locator('td.number').first().textContent()) ?? '';
    await row.locator('td a').first().click();
    await page.locator('dialog .steps').waitFor();
    expect(await page.locator('dialog .steps').textContent()).toContain(`${hours} h`);
    await page.keyboard.press('Escape');
  }
});
