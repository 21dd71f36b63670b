import { describe, expect, it } from 'vitest';
import { openServer } from './opened-server.ts';

/** Hours of placeholders and of people, by role: Ada is busy, Bo is free but for a tentative day, Cy is off. */
const company = {
  roles: [
    { id: 1, name: 'Engineer' },
    { id: 2, name: 'Writer' },
  ],
  people: [
    { people_id: 1, name: 'Ada', role_id: 1 },
    { people_id: 2, name: 'Bo', role_id: 1 },
    { people_id: 3, name: '=Cy', role_id: 2 },
    { people_id: 9, name: 'Somebody', role_id: 1, people_type_id: 3 },
  ],
  projects: [{ project_id: 1, name: 'Bridge' }],
  tasks: [
    { task_id: 1, people_id: 1, hours: '6', status: 2, start_date: '2026-06-15', end_date: '2026-06-19' },
    { task_id: 2, people_id: 2, hours: '8', status: 1, start_date: '2026-06-16', end_date: '2026-06-16' },
    { task_id: 3, people_id: 9, hours: '4', status: 2, start_date: '2026-06-22', end_date: '2026-06-23' },
  ].map((task) => ({ ...task, project_id: 1 })),
  timeoffs: [{ timeoff_id: 1, people_ids: [3], full_day: 1, start_date: '2026-06-15', end_date: '2026-06-19' }],
};

// Today is Monday 2026-06-15.
const opened = openServer({ data: company });

const readRows = (selector: string) =>
  opened.tab.page
    .locator(selector)
    .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent?.trim() ?? '')));

describe('People', { tags: ['slow'] }, () => {
  it('opens at this week and six more, those with the most free hours first', async () => {
    await opened.tab.open('/?screen=people');
    await opened.tab.page.locator('table.weeks').waitFor();
    const [heads = []] = await readRows('table.weeks thead tr');
    expect(heads).toEqual([
      ...['Person', 'Capacityh', 'Plannedh', 'Tentativeh', 'Freeh ↓', '15 Junthis week'],
      ...['22 Jun', '29 Jun', '6 Jul', '13 Jul', '20 Jul', '27 Jul'],
    ]);
    const free = ['40.00', '40.00', '40.00', '40.00', '40.00', '40.00'];
    expect(await readRows('table.weeks tbody tr')).toEqual([
      [...['Bo', '280.00', '0.00', '8.00', '280.00', '40.00'], ...free],
      [...['Ada', '280.00', '30.00', '0.00', '250.00', '10.00'], ...free],
      [...['=Cy', '240.00', '0.00', '0.00', '240.00', 'off'], ...free],
      [...['Somebodyplaceholder, h', '0.00', '8.00', '0.00', '0.00'], ...['0', '8.00', '0', '0', '0', '0', '0']],
    ]);
  });

  it('shows the free hours of everybody before the weeks are read', async () => {
    const { page } = opened.tab;
    let answer = () => {};
    const isAsked = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route(/group_by=(person%2C)?week/, async (route) => {
      await isAsked;
      await route.continue();
    });
    await page.goto(`${opened.server.url}/?screen=people`);
    await page.locator('table.weeks tbody').getByRole('link', { name: '280.00' }).first().waitFor();
    expect((await readRows('table.weeks tbody tr'))[1]).toEqual(['Ada', '280.00', '30.00', '0.00', '250.00']);
    answer();
    await opened.tab.settle();
    await page.unroute(/group_by=(person%2C)?week/);
    expect((await readRows('table.weeks tbody tr'))[1]?.slice(5, 7)).toEqual(['10.00', '40.00']);
  });

  it('shows the hours without a person beside those that are free, by role, and opens both', async () => {
    const { page } = opened.tab;
    await opened.tab.open('/?screen=people');
    expect(await readRows('section:has(h2:text("Demand without a person")) tbody tr')).toEqual([
      ['Engineer', '8.00', '0.00', '530.00'],
    ]);
    await page.getByRole('row', { name: 'Engineer 8.00' }).getByRole('link', { name: '530.00' }).click();
    await expect.poll(() => page.locator('dialog .sum output').textContent()).toBe('530.00');
  });

  it('sorts by any column in the address, and copies what is seen', async () => {
    const { page } = opened.tab;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await opened.tab.open('/?screen=people');
    await page.getByRole('link', { name: 'Planned' }).click();
    await expect
      .poll(async () => (await readRows('table.weeks tbody tr')).map(([name]) => name))
      .toEqual([...['Ada', 'Somebodyplaceholder, h', '=Cy', 'Bo']]);
    await opened.tab.settle();
    expect(new URL(page.url()).searchParams.get('sort')).toBe('-scheduled_hours');
    await page.locator('.tools').last().getByRole('button', { name: 'Copy' }).click();
    await page.getByText('Copied').waitFor();
    const lines = (await page.evaluate<string>('navigator.clipboard.readText()'))
      .split('\n')
      .map((line) => line.split('\t'));
    expect(lines.map(([name, , planned]) => [name, planned])).toEqual([
      ['Person', 'Planned'],
      ['Ada', '30.00'],
      ['Somebody', '8.00'],
      ["'=Cy", '0.00'],
      ['Bo', '0.00'],
      ['Everybody', '38.00'],
    ]);
    expect(lines[3]?.slice(5)).toEqual(['off', ...Array.from({ length: 6 }, () => '40.00')]);
  });

  it('answers who is free next month in two clicks', async () => {
    const { page } = opened.tab;
    await opened.tab.open('/?screen=people');
    await page.locator('.window .menu > button').click();
    await page.getByRole('link', { name: 'Next month' }).click();
    await expect.poll(() => page.locator('.window').textContent()).toContain('1 Jul to 31 Jul 2026');
    await expect
      .poll(async () => (await readRows('table.weeks tbody tr'))[0]?.slice(0, 5))
      .toEqual([...['=Cy', '184.00', '0.00', '0.00', '184.00']]);
  });

  it('leads to a person with the weeks ahead and missing time, without a verdict', async () => {
    const { page } = opened.tab;
    await opened.tab.open('/?screen=people');
    await page.getByRole('link', { name: 'Ada' }).click();
    await page.getByRole('heading', { level: 1, name: 'Ada' }).waitFor();
    await opened.tab.settle();
    expect(await page.locator('dl.figures dd').allTextContents()).toEqual([
      ...['280.00', '30.00', '0.00', '250.00', '0.00', '0.00', '10.71'],
    ]);
    expect((await readRows('section:has(h2:text("Weeks")) tbody tr'))[0]).toEqual([
      ...['15 Jun 2026', '40.00', '30.00', '0.00', '10.00', '0.00', '0.00', '75.00'],
    ]);
    expect(await page.locator('main').textContent()).not.toMatch(/favorable/);
    // A cutoff outside the weeks of the sentence says nothing about them.
    expect(await page.locator('main p:has(a:text("Timesheet"))').textContent()).not.toMatch(/up to/);
    await page.getByRole('link', { name: 'Timesheet', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Timesheets' }).waitFor();
    await expect.poll(() => page.locator('.chip').textContent()).toContain('Ada');
  });
});
