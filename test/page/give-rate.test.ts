import { expect, it } from 'vitest';
import { openServer } from './opened-server.ts';

/** Ada has no cost rate. */
const company = {
  people: [{ people_id: 1, name: 'Ada' }],
  projects: [{ project_id: 1, name: 'Bridge', default_hourly_rate: 100 }],
  logged_time: [
    { logged_time_id: 'a', project_id: 1, people_id: 1, date: '2026-06-08', hours: 8 },
    { logged_time_id: 'b', project_id: 1, people_id: 1, date: '2026-06-10', hours: 2 },
  ],
};

const written = openServer({ data: company, write: true });
const read = openServer({ data: company });

const FINDINGS = '/?screen=quality&period=this_year&findings=hours_without_cost_rate:1';

it('gives a missing rate from its finding, after its effect was shown', { tags: ['slow'] }, async () => {
  const { page } = written.tab;
  await written.tab.open(FINDINGS);
  const drawer = page.getByRole('dialog');
  await drawer.getByLabel('Cost rate').fill('much');
  await drawer.getByRole('button', { name: 'Show its effect' }).click();
  await drawer.getByText('Change 1, PATCH /v3/people/1').waitFor();
  await drawer.getByLabel('Cost rate').fill('60.00');
  await drawer.getByRole('button', { name: 'Show its effect' }).click();
  await drawer.getByText('Actual labour cost: unknown → 600.00 USD: priced +600.00').waitFor();
  expect((await written.server.get('/v3/people/1')).json().cost_rate ?? null).toBeNull();
  await drawer.getByRole('button', { name: 'Give the rate' }).click();
  const cost = async () => {
    const { totals } = (
      await written.server.get('/v3/reports/pivot?period=this_year&group_by=project&measures=actual_cost')
    ).json();
    return totals.actual_cost;
  };
  await expect.poll(cost).toBe(600);
  await drawer.waitFor({ state: 'detached' });
});

it('shows no form where nothing can be written', { tags: ['slow'] }, async () => {
  await read.tab.open(FINDINGS);
  await read.tab.page.getByRole('dialog').getByText('Give the person a contract').waitFor();
  await read.tab.page.waitForLoadState('networkidle');
  expect(await read.tab.page.getByLabel('Cost rate').count()).toBe(0);
});
