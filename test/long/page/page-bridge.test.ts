import { expect, it } from 'vitest';
import { openTab, type Tab } from '../../page/browser.ts';
import { openServer } from '../../page/opened-server.ts';

const WINDOW = 'start_date=2026-01-05&end_date=2026-01-16&cutoff_date=2026-01-16';

/** A project with 8 h at 60.00 planned, of which 6 were logged, and 4 h of somebody cheaper; one whose person has no rate. */
const data = {
  roles: [{ role_id: 1, name: 'Lead' }],
  people: [
    { people_id: 1, name: 'Ana', role_id: 1, cost_rate: '60', default_hourly_rate: '100' },
    { people_id: 2, name: 'Ben', cost_rate: '40', default_hourly_rate: '80' },
    { people_id: 3, name: 'Cy' },
  ],
  projects: [
    { project_id: 1, name: 'Quay' },
    { project_id: 2, name: 'Pier' },
  ],
  tasks: [{ task_id: 1, people_id: 1, project_id: 1, start_date: '2026-01-05', end_date: '2026-01-05', hours: 8 }],
  logged_time: [
    { logged_time_id: 'a', people_id: 1, project_id: 1, date: '2026-01-05', hours: 6 },
    { logged_time_id: 'b', people_id: 2, project_id: 1, date: '2026-01-12', hours: 4 },
    { logged_time_id: 'c', people_id: 3, project_id: 2, date: '2026-01-12', hours: 2 },
  ],
};

const opened = openServer({ data, scopes: ['reports', 'rates'] });

/** Opens a project, and returns the section of its bridge. */
async function openBridge(tab: Tab, query: string) {
  await tab.open(`/?screen=project&${WINDOW}&${query}`);
  const section = tab.page.locator('section', { has: tab.page.getByRole('navigation', { name: 'Bridge' }) });
  await section.locator(':is(.chart svg, .empty)').waitFor();
  return section;
}

/** Opens a tab whose reader has the scopes. */
async function openReader(scopes: ('reports' | 'rates')[]): Promise<Tab> {
  const browser = opened.tab.page.context().browser();
  if (!browser) throw new Error('The browser is closed');
  const tab = await openTab(browser, opened.server.url);
  const { token, header } = await opened.server.token(scopes);
  // The server follows its file of tokens.
  await expect.poll(async () => (await opened.server.get('/v3/reports', { authorization: header })).status).toBe(200);
  await tab.page.addInitScript(`sessionStorage.setItem('plumbline.token', ${JSON.stringify(token)})`);
  return tab;
}

it('leads from the plan to the actual amount, and each step opens its cells and their hours', async () => {
  const tab = await openReader(['reports', 'rates']);
  const { page } = tab;
  const section = await openBridge(tab, 'project_id=1');
  const spots = section.locator('.chart a[data-tip]');
  const tips = await spots.evaluateAll((links) => links.map((link) => link.getAttribute('data-tip')?.split('\n')));
  expect(tips).toEqual([
    ['Scheduled labour cost to date', '480.00 USD'],
    ['Volume, effect on labour cost', '+120.00 USD'],
    ['Role mix, effect on labour cost', '−80.00 USD'],
    ['Actual labour cost', '520.00 USD'],
  ]);
  await section.locator('summary').click();
  expect(await section.locator('tbody tr').count()).toBe(8);
  await spots.nth(2).focus();
  await page.keyboard.press('Enter');
  await page.locator('dialog .sum output', { hasText: '−80.00' }).waitFor();
  const ben = page.locator('dialog section tbody tr', { hasText: 'Ben' });
  expect(await ben.textContent()).toContain('−80.00');
  await ben.getByRole('link', { name: '4.00' }).click();
  await page
    .locator('dialog .sum', { hasText: '1 line; their contributions add up to 4.00 h, on 12 Jan 2026' })
    .waitFor();
  expect(tab.faults).toEqual([]);
});

it('takes profit apart into fees and cost', async () => {
  const tab = await openReader(['reports', 'rates']);
  const section = await openBridge(tab, 'project_id=1&bridge=profit');
  await section.locator('.chart a[data-tip]').nth(1).click();
  const drawer = tab.page.getByRole('dialog');
  await drawer.getByRole('link', { name: /^Volume, effect on fees/ }).waitFor();
  await drawer.getByRole('link', { name: /^Volume, effect on labour cost/ }).click();
  await drawer.locator('.sum output', { hasText: '120.00' }).waitFor();
  await tab.page.keyboard.press('Escape');
  await section.getByRole('link', { name: 'Fees' }).click();
  await section.locator('.chart[aria-label*="actual fees"]').waitFor();
});

it('says in words that no effect is known', async () => {
  const section = await openBridge(await openReader(['reports', 'rates']), 'project_id=2');
  expect(await section.locator('.empty').textContent()).toContain('No hour of this project has a known cost');
  expect(await section.locator('svg').count()).toBe(0);
});

it('shows readers without rates the bridges of fees and revenue alone', async () => {
  const section = await openBridge(await openReader(['reports']), 'project_id=1&bridge=cost');
  expect(await section.getByRole('navigation').getByRole('link').allTextContents()).toEqual(['Fees', 'Revenue']);
  expect(await section.getByRole('heading').textContent()).toBe('Bridge from plan to actual: fees');
});
