import { expect, it } from 'vitest';
import { openServer } from './opened-server.ts';

const company = {
  people: [{ people_id: 1, name: 'Ada', default_hourly_rate: 100 }],
  projects: [{ project_id: 1, name: 'Bridge' }],
  phases: [{ phase_id: 7, project_id: 1, name: 'Care' }],
  logged_time: [{ logged_time_id: 'a', project_id: 1, phase_id: 7, people_id: 1, date: '2026-03-10', hours: 8 }],
};

const opened = openServer({ data: company, write: true });

const PROJECT = '/?screen=project&project_id=1&start_date=2026-01-01&end_date=2026-12-31';

it('agrees on a retainer of a phase, shows its periods, and takes another amount', { tags: ['slow'] }, async () => {
  const { tab, server } = opened;
  await tab.open(PROJECT);
  const { page } = tab;
  await page.getByText('Agree on a retainer').click();
  const form = page.getByRole('form', { name: 'A new retainer' });
  await form.getByLabel('Project or phase').selectOption('Care');
  await form.getByLabel('from').fill('2026-03-01');
  await form.getByLabel('to', { exact: true }).fill('2026-02-01');
  await form.getByLabel('holds').fill('40');
  await form.getByLabel('for the price').fill('3600');
  await form.getByLabel('What is left').selectOption('goes on');
  await form.getByRole('button', { name: 'Write' }).click();
  await form.getByText('end_date is before start_date').waitFor();
  await form.getByLabel('to', { exact: true }).fill('2026-12-31');
  await form.getByRole('button', { name: 'Write' }).click();
  const rows = page.getByRole('table', { name: /^Retainers/ }).locator('tbody tr');
  await rows.first().waitFor();
  const [march = ''] = await rows.allTextContents();
  expect(march).toMatch(/1 Mar 2026.*40.*8.*20.*32/);
  await page.getByText('Agree on a retainer').click();
  const other = page.getByRole('form', { name: 'Another amount' });
  await other.getByLabel('from').fill('2026-06-01');
  await other.getByLabel('holds').fill('50');
  await other.getByRole('button', { name: 'Write' }).click();
  const amounts = async () => {
    const [retainer] = (await server.get('/v3/retainers?per-page=200')).json();
    const { phase_id, rollover, amounts: entries } = retainer;
    return { phase_id, rollover, amounts: entries };
  };
  await expect.poll(amounts).toEqual({
    phase_id: 7,
    rollover: 'surplus',
    amounts: [
      { amount: 40, price: 3600, effective_date: null },
      // The price stays, as no other is given.
      { amount: 50, price: 3600, effective_date: '2026-06-01' },
    ],
  });
});

it('shows no form to a reader who may not write', { tags: ['slow'] }, async () => {
  const { tab, server } = opened;
  const { token } = await server.token(['reports', 'progress']);
  await tab.page.addInitScript(`sessionStorage.setItem('plumbline.token', '${token}')`);
  await tab.open(PROJECT);
  await tab.page.getByRole('heading', { name: 'Phases' }).first().waitFor();
  expect(await tab.page.getByText('Agree on a retainer').count()).toBe(0);
});
