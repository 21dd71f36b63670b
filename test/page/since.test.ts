import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ClosableServer, serveClosable } from '../http/closable-server.ts';
import { openBrowser, openTab, type Tab } from './browser.ts';

/** The moment of the server, which goes on while the tests run. */
let moment = new Date('2026-06-14T12:00:00Z');

let opened: ClosableServer;
let browser: Browser;
let tab: Tab;

beforeAll(async () => {
  opened = await serveClosable({ now: () => moment, inMemory: false });
  await opened.send('POST', '/v3/closings', { name: 'sunday' });
  moment = new Date('2026-06-15T12:00:00Z');
  const logged = { project_id: 1, people_id: 1, date: '2026-03-06', hours: 3 };
  const written = await opened.send('POST', '/v3/logged-time', logged);
  expect(written.status, written.body).toBe(201);
  browser = await openBrowser();
  tab = await openTab(browser, opened.served.url);
  const { token } = await opened.served.token(['reports', 'rates']);
  await tab.page.addInitScript(`sessionStorage.setItem('plumbline.token', ${JSON.stringify(token)})`);
}, 60_000);
afterAll(async () => {
  await browser?.close();
  await opened?.served.close();
});

const main = () => tab.page.locator('main').textContent();

it('tells on a screen what has changed since yesterday, by cause, without the rows that have not', {
  tags: ['slow'],
}, async () => {
  const { page } = tab;
  await tab.open('/?by=revenue&start_date=2026-01-01&end_date=2026-06-30');
  await page.getByRole('button', { name: 'Since …' }).click();
  await page.getByRole('link', { name: /^Yesterday/ }).click();
  const news = page.getByRole('region', { name: 'What has changed' });
  await news.getByText('Actual revenue').waitFor();
  expect(await news.textContent()).toContain('Actual revenue: +300.00');
  expect(new URL(page.url()).searchParams.get('since')).toBe('yesterday');
  await tab.settle();
  expect(await page.locator('table.months tbody tr').count()).toBe(1);
  await page.locator('table.months tbody').getByRole('link', { name: '+300.00' }).click();
  await expect.poll(() => page.locator('dialog .sum output').textContent()).toBe('+300.00');
});

it.each([
  ['people&start_date=2026-03-01&end_date=2026-03-31', '1 row without a change of scheduled hours'],
  ['timesheets&start_date=2026-03-02&end_date=2026-03-31', 'Actual hours: +3.00'],
  ['outlook&start_date=2026-01-01&end_date=2026-06-30', 'Forecast revenue: +300.00'],
  ['explore&start_date=2026-01-01&end_date=2026-06-30&group_by=month', 'Actual hours: +3.00'],
  ['project&project_id=1&by=hours', 'Actual hours: +3.00'],
  ['person&people_id=1&start_date=2026-03-02&end_date=2026-03-31', 'Actual hours: +3.00'],
])('%s: says "%s"', { tags: ['slow'] }, async (screen, sentence) => {
  await tab.open(`/?screen=${screen}&since=yesterday`);
  expect(await main()).toContain(sentence);
  expect(tab.faults).toEqual([]);
});

it('shows the rows without a change on request, and folds them', { tags: ['slow'] }, async () => {
  const { page } = tab;
  await tab.open('/?screen=people&start_date=2026-03-01&end_date=2026-03-31&since=yesterday');
  const rows = page.locator('main tbody tr');
  const before = await rows.count();
  await page.getByRole('button', { name: 'Show it' }).click();
  await expect.poll(() => rows.count()).toBe(before + 1);
  await page.getByRole('button', { name: 'Fold it' }).click();
  await expect.poll(() => rows.count()).toBe(before);
});

it('opens the lines of the rows of a table, those of a month by its days', { tags: ['slow'] }, async () => {
  const { page } = tab;
  await tab.open(
    '/?screen=explore&start_date=2026-01-01&end_date=2026-06-30&group_by=month&measures=actual_hours&since=sunday',
  );
  const row = page.locator('tbody tr');
  expect(await row.count()).toBe(1);
  await row.getByRole('link', { name: '+3.00' }).first().click();
  await expect.poll(() => page.locator('dialog .sum output').textContent()).toBe('+3.00');
});

it('names a state that is not kept', { tags: ['slow'] }, async () => {
  await tab.open('/?since=friday');
  expect(await main()).toContain('No state “friday” is kept.');
});
