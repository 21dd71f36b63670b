import { expect, it } from 'vitest';
import { openServer } from './opened-server.ts';

/** Ada and Ben have no cost rate. */
const company = {
  people: [
    { people_id: 1, name: 'Ada' },
    { people_id: 2, name: 'Ben' },
  ],
  projects: [{ project_id: 1, name: 'Bridge', default_hourly_rate: 100 }],
  logged_time: [
    { logged_time_id: 'a', project_id: 1, people_id: 1, date: '2026-06-08', hours: 8 },
    { logged_time_id: 'b', project_id: 1, people_id: 1, date: '2026-06-10', hours: 2 },
    { logged_time_id: 'c', project_id: 1, people_id: 2, date: '2026-06-10', hours: 1 },
  ],
};

/** Nobody has a bill rate. */
const unbilled = {
  people: [{ people_id: 1, name: 'Ada', cost_rate: 60 }],
  projects: [{ project_id: 1, name: 'Bridge' }],
  logged_time: [
    { logged_time_id: 'a', project_id: 1, people_id: 1, date: '2026-06-08', hours: 8 },
    { logged_time_id: 'b', project_id: 1, people_id: 1, date: '2026-06-10', hours: 2 },
  ],
};

const written = openServer({ data: company, write: true });
const priced = openServer({ data: unbilled, write: true });
const read = openServer({ data: company });

const FINDINGS = '/?screen=quality&period=this_year&findings=hours_without_cost_rate';

it('gives a missing rate from its finding, after its effect was shown', { tags: ['slow'] }, async () => {
  const { page } = written.tab;
  await written.tab.open(`${FINDINGS}:1`);
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

it('gives a bill rate from a day or always, and says what each moves', { tags: ['slow'] }, async () => {
  await priced.tab.open('/?screen=quality&period=this_year&findings=hours_without_bill_rate:1');
  const drawer = priced.tab.page.getByRole('dialog');
  await drawer.getByLabel('Bill rate').fill('100.00');
  await drawer.getByLabel('from', { exact: true }).fill('2026-06-10');
  await drawer.getByRole('button', { name: 'Show its effect' }).click();
  await drawer.getByText('The rates move 1 line, 2026-06-10: fees +200.00.').waitFor();
  await drawer.getByLabel('holds').selectOption('always');
  await drawer.getByRole('button', { name: 'Show its effect' }).click();
  await drawer.getByText('The rates move 2 lines, 2026-06-08 to 2026-06-10: fees +1,000.00.').waitFor();
  await drawer.getByRole('button', { name: 'Give the rate' }).click();
  await drawer.waitFor({ state: 'detached' });
  expect((await priced.server.get('/v3/people/1')).json().default_hourly_rate).toBe('100.0000');
});

it.each([
  ['where nothing can be written', read],
  ['to a token that may try changes, and not write them', written],
])('shows no form %s', { tags: ['slow'] }, async (_, { tab, server }) => {
  const { token } = await server.token(['reports', 'rates', 'preview']);
  await tab.page.addInitScript(`sessionStorage.setItem('plumbline.token', '${token}')`);
  await tab.open(`${FINDINGS}:2`);
  await tab.page.getByRole('dialog').getByText('Give the person a contract').waitFor();
  await tab.page.waitForLoadState('networkidle');
  expect(await tab.page.getByRole('button', { name: 'Show its effect' }).count()).toBe(0);
});
