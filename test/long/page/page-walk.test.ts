import { expect, it } from 'vitest';
import { readNumber, WINDOW } from '../../page/opened-numbers.ts';
import { openServer } from '../../page/opened-server.ts';

const opened = openServer();

const drawer = (selector: string) => opened.tab.page.locator(`dialog ${selector}`);

/** Clicks on a number, and waits until the drawer's sum is it: the contributions of its lines add up to it. */
async function openNumber(selector: string): Promise<string> {
  const figure = opened.tab.page.locator(selector).first();
  const text = (await readNumber(figure)).replace('+', '');
  await figure.click();
  await expect.poll(() => drawer('.sum output').textContent()).toBe(text);
  return text;
}

it('leads with the mouse from the portfolio to the project most over, since when, who, at which rate, and why', async () => {
  const { page } = opened.tab;
  await opened.tab.open(`/?${WINDOW}`);

  // Which project is most over: the first one, its sign and letter say so, too.
  const worst = page.locator('table.months tbody tr').first();
  expect(await worst.locator('th a').textContent()).toBe('Kestrel onboarding app');
  expect(await worst.locator('td.heat a').first().textContent()).toBe('+36U');
  await worst.locator('th a').first().click();
  await page.getByRole('heading', { level: 1, name: 'Kestrel onboarding app' }).waitFor();

  // Since when, by how much and who, in words.
  const [said] = await page.locator('.sentences li').allTextContents();
  expect(said).toBe(
    'Over budget since 26 August 2025: 1,192,947.11 of 848,500.00 EUR (140.59 %), 344,447.11 too much. The largest part is that of Rajesh Iyer: 257,955.00 EUR.',
  );

  // By how much in this window, and since when: the parts by month.
  expect(await openNumber('.headline a')).toBe('11,998.35');
  const byMonth = drawer('details').filter({ hasText: 'By month' });
  await expect.poll(() => byMonth.locator('tbody th').allTextContents()).toEqual(['Jan 26']);

  // The largest part by person opens the lines of that person.
  const byPerson = drawer('details').filter({ hasText: 'By person' });
  const [name, sum] = await byPerson.locator('tbody tr').first().locator('th, a').allTextContents();
  expect([name, sum]).toEqual(['Mateo Fernández-Ruiz', '3,459.41']);
  await byPerson.locator('tbody a').first().click();
  await expect.poll(() => drawer('.sum output').textContent()).toBe(sum);

  // At which rate, and why that rate: a line and its reasons, with the level that decided.
  const line = drawer('section tbody tr').filter({ hasText: 'actual' }).first();
  expect(await drawer('.constants').textContent()).toContain('102.50');
  await line.locator('th a').click();
  await drawer('.steps').waitFor();
  const costs = drawer('.steps li').filter({ hasText: 'Why this cost rate' });
  const decided = costs.locator('tr.wins');
  expect(await decided.count()).toBe(1);
  expect(await decided.textContent()).toContain('102.50');

  // Back to all projects, by the mouse alone.
  await drawer('.close').click();
  await page.locator('nav').getByRole('link', { name: 'Portfolio', exact: true }).click();
  await expect.poll(() => page.locator('table.months tbody tr').count()).toBeGreaterThan(10);
  expect(await page.locator('.chip').count()).toBe(0);
  expect(opened.tab.faults).toEqual([]);
});

it('prints the drawer whole, without the screen beneath', async () => {
  await opened.tab.open(`/?${WINDOW}`);
  await opened.tab.page.locator('dl.figures dd a').first().click();
  await drawer('.sum').waitFor();
  await opened.tab.page.emulateMedia({ media: 'print' });
  expect(await opened.tab.page.locator('dl.figures').isVisible()).toBe(false);
  const { y, height } = (await drawer('section tbody tr').last().boundingBox()) ?? { y: 0, height: 0 };
  const page = await opened.tab.page.evaluate<number>('document.documentElement.scrollHeight');
  expect(y + height).toBeLessThanOrEqual(page);
  await opened.tab.page.emulateMedia({ media: null });
});
