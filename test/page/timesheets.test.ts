import { describe, expect, it } from 'vitest';
import { openServer } from './opened-server.ts';

/** Ada logged two of three weeks, Bo all that was planned, until Sunday 2026-06-14. */
const company = {
  people: [
    { people_id: 1, name: 'Ada', default_hourly_rate: '100' },
    { people_id: 2, name: 'Bo', default_hourly_rate: '100' },
  ],
  projects: [{ project_id: 1, name: 'Bridge' }],
  tasks: [1, 2].map((id) => ({
    ...{ task_id: id, people_id: id, project_id: 1, hours: '8', status: 2 },
    ...{ start_date: '2026-06-01', end_date: '2026-06-05' },
  })),
  logged_time: [
    ...['2026-06-01', '2026-06-02', '2026-06-03', '2026-06-04', '2026-06-05'].map((date) => ({ people_id: 2, date })),
    ...['2026-06-01', '2026-06-02', '2026-06-03', '2026-06-12'].map((date) => ({ people_id: 1, date })),
  ].map((entry, index) => ({ ...entry, logged_time_id: `L${index}`, project_id: 1, hours: '8' })),
};

// Today is Monday 2026-06-15.
const opened = openServer({ data: company });

const readRows = (selector: string) =>
  opened.tab.page
    .locator(selector)
    .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent?.trim() ?? '')));

describe('Timesheets', { tags: ['slow'] }, () => {
  it('says in one click whose time is missing, what it is worth, and in which week', async () => {
    const { page } = opened.tab;
    await opened.tab.open('/?screen=people');
    await page.getByRole('link', { name: 'Timesheets' }).click();
    await page.locator('.headline').waitFor();
    await opened.tab.settle();
    expect(await page.locator('.headline').textContent()).toBe('16.00 h missing');
    expect(await page.locator('.window').textContent()).toContain('Last 4 weeks 18 May to 14 Jun 2026');
    expect(await page.locator('caption').textContent()).toContain('2 people, 1 of them with missing time');
    // Planned, logged, missing, worth in revenue, value of work and cost, days without time, last logged, the four weeks.
    expect(await readRows('tbody tr')).toEqual([
      [
        'Ada',
        '40.00',
        '32.00',
        '16.00',
        '1,600.00',
        '1,600.00',
        '–',
        '16',
        '12 Jun 2026',
        '0.00',
        '0.00',
        '16.00',
        '0.00',
      ],
      ['Bo', '40.00', '40.00', '0.00', '0.00', '0.00', '0.00', '15', '5 Jun 2026', '0.00', '0.00', '0.00', '0.00'],
    ]);
    await page.locator('tbody tr').first().locator('td').nth(10).getByRole('link').click();
    await expect
      .poll(() => page.locator('dialog .sum').textContent())
      .toContain('2 lines; their contributions add up to 16.00 h');
  });

  it('gives no verdict on a window in which nothing was planned yet', async () => {
    await opened.tab.open('/?screen=timesheets&start_date=2026-06-15&end_date=2026-06-21');
    expect(await opened.tab.page.locator('.headline').textContent()).toBe(
      'Nobody was planned in this window up to the cutoff.',
    );
  });

  it('keeps its order in the address, and copies a list for a message', async () => {
    const { page } = opened.tab;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await opened.tab.open('/?screen=timesheets');
    await page.getByRole('button', { name: 'Logged h', exact: true }).click();
    await expect.poll(async () => (await readRows('tbody tr'))[0]?.[0]).toBe('Bo');
    await page.reload();
    await opened.tab.settle();
    await expect.poll(async () => (await readRows('tbody tr'))[0]?.[0]).toBe('Bo');
    await page.getByRole('button', { name: 'Copy as text' }).click();
    await page.getByText('Copied').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
      [
        'Time that is missing from 18 May 2026 to 14 Jun 2026, up to 12 Jun 2026:',
        'Ada: 16.00 h, last logged 12 Jun 2026',
      ].join('\n'),
    );
  });
});
