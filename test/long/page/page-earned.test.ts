import { expect, it } from 'vitest';
import { settleDrawer } from '../../page/all-screens.ts';
import { openServer } from '../../page/opened-server.ts';

const WINDOW = 'start_date=2026-01-01&end_date=2026-06-30&cutoff_date=2026-03-31';

/** Half of the hours of a budget are logged, and 60 hours are left. */
const company = {
  settings: { currency: 'EUR' },
  people: [{ people_id: 102, name: 'Ada', cost_rate: '50', default_hourly_rate: '100' }],
  projects: [{ project_id: 501, name: 'Bridge', budget_type: 1, budget_total: '80' }],
  tasks: [
    {
      ...{ task_id: 1, project_id: 501, people_id: 102, hours: 4, status: 2 },
      ...{ start_date: '2026-04-06', end_date: '2026-04-24' },
    },
  ],
  logged_time: [1, 2, 3, 4, 5, 6].map((day) => ({
    ...{ logged_time_id: `L${day}`, project_id: 501, people_id: 102, date: `2026-03-0${day}`, hours: 10 },
  })),
};

const opened = openServer({ data: company });

it('Explore shows earned value beside its technique, and opens what it is made of down to lines', async () => {
  const { page } = opened.tab;
  await opened.tab.open(`/?screen=explore&${WINDOW}&group_by=project&measures=cpi,earned_value`);
  const table = page.locator('main table').last();
  expect(await table.locator('tbody tr').first().textContent()).toMatch(
    /Bridge\s*remaining\s*budget\s*0\.6667\s*40(\.00)?/,
  );
  await page.getByLabel('Earned value in').selectOption('cost');
  await page.waitForURL(/earned_in=cost/);
  await expect.poll(() => table.locator('tbody tr').first().textContent()).toMatch(/schedule\s*0\.5000/);
  await table.locator('tbody a', { hasText: '0.5000' }).click();
  await settleDrawer(opened.tab);
  const drawer = page.getByRole('dialog');
  expect(await drawer.textContent()).toContain('the whole life of the project, whatever the window');
  await drawer.getByRole('link', { name: /^Earned value \(EV\)/ }).click();
  await expect.poll(() => drawer.locator('h2').first().textContent()).toBe('Earned value (EV)');
  await drawer.getByRole('link', { name: /^Work done 60/ }).click();
  await expect.poll(() => drawer.textContent()).toContain('6 lines; their contributions add up to 60');
});
