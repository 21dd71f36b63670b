import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openServer } from '../../../src/doors/http/server.ts';
import { createToken } from '../../../src/doors/identity/tokens.ts';
import { copyKeptCompany, type KeptCompany } from '../../history/kept-company.ts';
import { serverConfig } from '../../http/server-config.ts';
import { openBrowser, openTab, type Tab } from '../../page/browser.ts';
import { expectReadableBridge } from '../../page/readable-bridge.ts';

const [CLOSED, NOW] = ['2026-04-03T16:20:05Z', '2026-06-20T08:00:00Z'];
const MARCH = 'start_date=2026-03-01&end_date=2026-03-31';

/** Opens a company whose March was closed with 9 hours, at 50.00 of cost, and has 3 since. */
async function openClosed(): Promise<Tab> {
  const company = await copyKeptCompany();
  await company.run(CLOSED, 'close', '2026-03', '--label', 'March');
  await company.load(2, NOW);
  return openCompany(company);
}

/** Opens a company for a reader who has a token, and is asked for it. */
async function openCompany(company: KeptCompany): Promise<Tab> {
  const tokens = join(company.folder, 'tokens.json');
  const reader = { label: 'reader', scopes: ['reports' as const, 'rates' as const], expires: null, numbers: false };
  const { token } = await createToken(tokens, reader, new Date(NOW));
  const config = serverConfig({ database: company.database, tokens });
  const server = await openServer(config, { log: () => {}, now: () => new Date(NOW) });
  onTestFinished(async () => void (await server.close()));
  const browser = await openBrowser();
  onTestFinished(() => browser.close());
  const tab = await openTab(browser, server.url);
  await tab.open('/?screen=changes');
  await tab.page.getByLabel('Token').fill(token);
  await tab.page.getByLabel('Keep it').check();
  await tab.page.getByRole('button').click();
  // Requests refused without the token are sent again, and a refusal is no empty list.
  await tab.page.getByRole('combobox', { name: 'From' }).waitFor();
  return tab;
}

it('shows March as it was reported, and marks it closed with what has come since', async () => {
  const tab = await openClosed();
  const { page } = tab;
  const actual = () => page.locator('.figures dd').nth(1).textContent();
  const since = page.waitForRequest((request) => request.url().includes('from=closings'));
  await tab.open(`/?${MARCH}&project_id=1`);
  // Changes since the closing are those of the screen: in its window and its filters.
  expect((await since).url()).toMatch(/start_date=2026-03-01.*project_id=1/);
  expect(await actual()).toBe('150.00');
  await page.locator('a.closed', { hasText: 'closed, −300.00 since' }).waitFor();

  await page.getByRole('button', { name: 'Data: now' }).click();
  const states = page.getByRole('list', { name: 'States of the data' });
  await states.getByRole('link', { name: 'March, closed, 3 Apr 2026' }).click();
  await page.locator('.news', { hasText: 'As of March, closed, 3 Apr 2026' }).waitFor();
  await tab.settle();
  expect(page.url()).toContain('as_of=2026-03%401');
  expect(await actual()).toBe('450.00');
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Close memo' }).click();
  expect((await saved).suggestedFilename()).toBe('memo-2026-03@1.xlsx');

  // A number, its lines and a line of it are of the same state, although the record has other hours now.
  await page.locator('.figures dd a').nth(1).click();
  await page.locator('dialog .sum output', { hasText: '450.00' }).waitFor();
  await page.getByRole('link', { name: '5 Mar 2026' }).click();
  await page.locator('dialog', { hasText: '400.00' }).waitFor();
  expect(tab.faults).toEqual([]);
});

it('takes the difference from a closing apart by cause, and each number opens its lines', async () => {
  const tab = await openClosed();
  const { page } = tab;
  await tab.open(`/?${MARCH}`);
  await page.locator('a.closed').click();
  await page.getByRole('heading', { level: 1, name: 'Changes' }).waitFor();
  await tab.settle();
  const said = await page.locator('.headline').textContent();
  expect(said).toContain('−300.00 USD');
  expect(said).toContain('450.00 USD as of 2026-03, actuals until 31 Mar 2026; 150.00 USD now');
  const head = await page.locator('main thead th').allInnerTexts();
  expect(head.map((text) => text.replace('USD', ''))).toEqual(['Project', 'Then', 'Hours', 'Now', 'Difference']);
  expect(await page.locator('.chart a[data-tip]').count()).toBe(3);
  await expectReadableBridge(page);

  for (const [column, text, sum] of [
    [0, '450.00', '450.00'],
    [1, '−300.00', '−300.00'],
    [2, '150.00', '150.00'],
    [3, '−300.00', '−300.00'],
  ] as const) {
    const link = page.locator('main tbody tr').first().locator('td a').nth(column);
    expect(await link.textContent()).toBe(text);
    await link.click();
    await page.locator('dialog .sum output', { hasText: sum }).waitFor();
    if (column === 1) await page.locator('dialog td', { hasText: '8.00 → 2.00' }).waitFor();
    await page.keyboard.press('Escape');
  }
  expect(tab.faults).toEqual([]);

  // The plan is the same: no line is said to be missing.
  await tab.open(`/?screen=changes&measures=scheduled_hours&${MARCH}`);
  expect(await page.locator('main :is(.hint, .empty)').allTextContents()).toEqual([
    '1 row without a difference is left out.',
    'Show all rows',
    'Nothing differs in this window, with these filters.',
  ]);

  await page.getByRole('link', { name: 'Show all rows' }).click();
  await page.getByRole('link', { name: 'Leave out rows without a difference' }).waitFor();
  await tab.settle();
  expect(await page.locator('main tbody tr').count()).toBe(1);
  expect(new URL(page.url()).searchParams.get('show')).toBe('all');

  // States that can't be read are not called none.
  const body = JSON.stringify({ message: 'The history is being repaired' });
  await page.route('**/v3/closings', (route) => route.fulfill({ status: 503, body }));
  await tab.open('/?screen=changes');
  expect(await page.getByRole('alert').textContent()).toContain('The history is being repaired');
  expect(await page.locator('.empty').count()).toBe(0);
  await tab.open(`/?${MARCH}`);
  await page.getByRole('button', { name: 'Data: now' }).click();
  expect(await page.locator('.panel').textContent()).toContain('The history is being repaired');
});

it('compares with the plan of a kept state, and keeps it in the address, links and lines', async () => {
  const company = await copyKeptCompany();
  await company.run(CLOSED, 'keep', 'kickoff-501');
  const data = join(company.folder, 'data');
  const moved = { task_id: 1, project_id: 1, people_id: 1, start_date: '2026-03-04', end_date: '2026-03-05', hours: 4 };
  writeFileSync(join(data, 'tasks.json'), JSON.stringify([moved]));
  await company.run(NOW, 'load', data);
  const tab = await openCompany(company);
  const { page } = tab;
  await tab.open(`/?screen=project&project_id=1&${MARCH}`);
  await page.getByRole('button', { name: 'Data: now' }).click();
  await page
    .getByRole('list', { name: 'Baselines' })
    .getByRole('link', { name: 'kickoff-501, kept, 3 Apr 2026' })
    .click();
  await page
    .locator('.news', { hasText: 'Baseline: the plan of kickoff-501, kept, 3 Apr 2026, which was promised then' })
    .waitFor();
  await tab.settle();
  expect(page.url()).toContain('baseline=kickoff-501%401');
  await page.getByText('The burn-up as a table').click();
  const burnUp = page.getByRole('table', { name: 'Sums from the beginning to the end of each month' });
  const head = await burnUp.locator('thead th').allInnerTexts();
  expect(head.map((text) => text.replace(/\s*h$/, ''))).toEqual([
    'To the end of',
    'Baseline (kickoff-501)',
    'Scheduled',
    'Actual',
    'Forecast',
  ]);
  const sums = burnUp.locator('tbody tr').first().locator('td');
  expect((await sums.allInnerTexts()).slice(0, 3)).toEqual(['30.00', '8.00', '9.00']);
  for (const [column, sum, kind] of [
    [0, '30.00', 'baseline'],
    [1, '8.00', 'scheduled'],
  ] as const) {
    await sums.nth(column).locator('a').click();
    await page.locator('dialog .sum output', { hasText: sum }).waitFor();
    await page.locator('dialog', { hasText: kind }).waitFor();
    await page.locator('dialog tbody a').first().click();
    await page.locator('dialog', { hasText: kind === 'baseline' ? '6.00' : '4.00' }).waitFor();
    await page.keyboard.press('Escape');
    await tab.settle();
  }
  expect(tab.faults).toEqual([]);
});
