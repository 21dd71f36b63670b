import { expect, it } from 'vitest';
import { openServer } from './opened-server.ts';

/** 8 hours at 100 on each of four days after the cutoff, which is today: a budget of 2,000 breaks on the third, one of 9,000 holds. */
const company = {
  people: [{ people_id: 1, name: 'Ada', default_hourly_rate: '100', cost_rate: '60' }],
  projects: [
    { project_id: 1, name: 'Holds', budget_type: 2, budget_total: '9000' },
    { project_id: 2, name: 'Breaks', budget_type: 2, budget_total: '2000' },
  ].map((project) => ({ ...project, client_id: null })),
  tasks: [1, 2].map((id) => ({
    ...{ task_id: id, people_id: 1, project_id: id, hours: '8', status: 2, billable: 1 },
    ...{ start_date: '2026-06-15', end_date: '2026-06-19' },
  })),
};

const opened = openServer({ data: company });

it('tells which budget breaks first, and on which day, in one click', { tags: ['slow'] }, async () => {
  const { page, faults } = opened.tab;
  await opened.tab.open('/');
  await page.getByRole('link', { name: 'Outlook' }).click();
  await page.getByRole('heading', { level: 1, name: 'Outlook' }).waitFor();
  await opened.tab.settle();
  const rows = page.locator('tbody tr');
  const texts = await rows.evaluateAll((all) =>
    all.map((row) => [...row.children].slice(0, 4).map((cell) => cell.textContent?.trim())),
  );
  expect(texts).toEqual([
    ['Breaks ▲ at risk', '18 Jun 2026', '160.00', '2,000.00'],
    ['Holds ✓ on plan', '–', '35.56', '9,000.00'],
  ]);
  await rows.first().getByRole('link', { name: '18 Jun 2026' }).click();
  await page.locator('dialog .sum').waitFor();
  await page.keyboard.press('Escape');
  await rows.first().getByRole('link', { name: 'Breaks' }).click();
  await page.getByRole('heading', { level: 1, name: 'Breaks' }).waitFor();
  expect(await page.locator('.window').textContent()).toContain('Whole life');
  expect(faults).toEqual([]);
});
