import { expect, it } from 'vitest';
import { openServer } from '../../page/opened-server.ts';

/** More expenses than a table shows at first. */
const EXPENSES = 130;

/** A project whose expenses have a cost and, half of them, a fee. */
const company = {
  projects: [{ project_id: 1, name: 'Bridge', budget_type: 2, budget_total: '1000' }],
  project_expenses: Array.from({ length: EXPENSES }, (_, index) => ({
    ...{ project_expense_id: index + 1, project_id: 1, date: '2026-01-05', cost: '0.10', billable: index % 2 },
  })),
};

const opened = openServer({ data: company });

it('lists every expense of a project, and sums that open into them', async () => {
  await opened.tab.open('/?screen=project&project_id=1&start_date=2026-01-01&end_date=2026-12-31');
  const { page } = opened.tab;
  const section = page.locator('section', { has: page.getByRole('heading', { name: 'Expenses', exact: true }) });
  expect(await section.locator('tfoot td.number').allTextContents()).toEqual(['13.00', '6.50']);
  await section.getByRole('button', { name: 'Show 30 more' }).click();
  expect(await section.locator('tbody tr').count()).toBe(EXPENSES);
  await section.locator('tfoot a').first().click();
  await expect.poll(() => page.locator('dialog .sum').textContent()).toContain(`${EXPENSES} lines`);
  expect(await page.locator('dialog .sum output').textContent()).toBe('13.00');
  await page.keyboard.press('Escape');
  await section.locator('tbody th a').first().click();
  await page.locator('dialog .steps').waitFor();
});
