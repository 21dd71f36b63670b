import { expect, it } from 'vitest';
import { WINDOW } from '../../page/opened-numbers.ts';
import { openServer } from '../../page/opened-server.ts';

/** A day soon after the end of the worst project, in the same fiscal year. */
const TODAY = new Date('2026-02-10T12:00:00Z');

const opened = openServer({ now: () => TODAY });

it('tells with two clicks and no date which project is worst, since when, who, at which rate and why', async () => {
  const { page } = opened.tab;
  const textOf = async (selector: string) => (await page.locator(selector).allInnerTexts()).join(' ');
  await opened.tab.open('/');

  // Which: the first that needs a look, with the reason.
  const worst = page.locator('.worst .card').first();
  expect(await worst.locator('.place').textContent()).toBe('Kestrel onboarding app');
  await worst.locator('.place').click();
  await page.getByRole('heading', { level: 1, name: 'Kestrel onboarding app' }).waitFor();
  await opened.tab.settle();

  // Since when, by how much, who, and why: the plan alone exceeds the budget, and hours are above plan.
  const said = await textOf('.sentences');
  expect(said).toContain('Over budget since 26 August 2025: 1,192,947.11 of 848,500.00 EUR');
  expect(said).toContain('The plan alone exceeds the budget, since 10 November 2025');
  expect(said).toContain('The largest part is that of Rajesh Iyer: 257,955.00 EUR');

  // At which rate, and why that rate: the lines of that person have their rate and the level that decided.
  await page.getByRole('link', { name: '257,955.00' }).first().click();
  await page.locator('dialog .sum').waitFor();
  await page.locator('dialog .loading').first().waitFor({ state: 'detached' });
  expect(await textOf('dialog .sum')).toContain('257,955.00');
  const headers = await page.locator('dialog section thead th').allInnerTexts();
  const line = await page.locator('dialog section tbody tr').first().locator('th, td').allInnerTexts();
  const [rate, level] = ['Bill rateEUR/h', 'Bill rate source'].map((name) => line[headers.indexOf(name)]?.trim());
  expect([rate, level]).toEqual(['145.00', 'project']);
  expect(opened.tab.faults).toEqual([]);
});

it('asks for a window once a date is finished, and for nothing while a search is typed', async () => {
  const { page } = opened.tab;
  const asked: string[] = [];
  const note = (request: { url(): string }) => {
    if (request.url().includes('/v3/')) asked.push(request.url());
  };
  await opened.tab.open(`/?${WINDOW}`);
  await page.waitForLoadState('networkidle');
  const entries = await page.evaluate<number>('history.length');
  const path = ({ pathname, search }: URL) => pathname + search;
  page.on('request', note);

  await page.locator('.window .menu > button').click();
  const field = page.getByLabel('From', { exact: true });
  await field.focus();
  // Another year: four digits, of which the first three are years of their own.
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.type('2025', { delay: 30 });
  expect(asked).toEqual([]);
  await page.keyboard.press('Enter');
  await opened.tab.settle();
  await page.waitForLoadState('networkidle');
  expect(new URL(page.url()).searchParams.get('start_date')).toBe('2025-01-01');
  expect(await page.evaluate<number>('history.length')).toBe(entries + 1);
  const windows = new Set(asked.map((url) => new URL(url).searchParams.get('start_date')).filter(Boolean));
  expect([...windows]).toEqual(['2025-01-01']);
  expect(new Set(asked.map((url) => path(new URL(url)))).size).toBe(asked.length);

  asked.length = 0;
  await page.getByRole('searchbox', { name: 'Find a project or a client' }).pressSequentially('kestrel', { delay: 20 });
  await expect.poll(() => page.locator('table.months tbody tr').count()).toBeLessThan(10);
  await page.keyboard.press('Control+k');
  await page.locator('.finder input').waitFor();
  await page.waitForLoadState('networkidle');
  await page.locator('.finder input').pressSequentially('k');
  await page.locator('.finder [role=option]').first().waitFor();
  await page.waitForLoadState('networkidle');
  const ofNames = asked.length;
  expect(ofNames).toBeLessThanOrEqual(2);
  await page.locator('.finder input').pressSequentially('estrel', { delay: 20 });
  expect(await page.locator('.finder [role=option]').count()).toBeGreaterThan(0);
  await page.waitForLoadState('networkidle');
  expect(asked.length).toBe(ofNames);
  page.off('request', note);
});
