import { expect, it } from 'vitest';
import { openServer } from './opened-server.ts';

const company = {
  people: [{ people_id: 1, name: 'Ada', default_hourly_rate: 100 }],
  projects: [
    { project_id: 1, name: 'Bridge', contract: 'fixed', budget_type: 2, budget_total: 10_000 },
    { project_id: 2, name: 'Tower', contract: 'fixed', budget_type: 2, budget_priority: 2 },
  ],
  phases: [7, 8].map((phase_id) => ({ phase_id, project_id: 2, name: `Stage ${phase_id}` })),
  project_tasks: [
    { task_meta_id: 5, project_id: 2, task_name: 'Walls', budget: 500 },
    { task_meta_id: 6, project_id: 2, task_name: 'Roof', budget: 500 },
  ],
  logged_time: [
    { logged_time_id: 'a', project_id: 1, people_id: 1, date: '2026-03-10', hours: 8 },
    ...[7, 8].map((phase_id) => ({
      ...{ logged_time_id: `w${phase_id}`, project_id: 2, phase_id, task_meta_id: 5 },
      ...{ people_id: 1, date: '2026-03-11', hours: 1 },
    })),
    { logged_time_id: 'r', project_id: 2, phase_id: 7, task_meta_id: 6, people_id: 1, date: '2026-03-11', hours: 1 },
  ],
};

const opened = openServer({ data: company, write: true });

const PROJECT = '/?screen=project&project_id=1&start_date=2026-03-01&end_date=2026-03-31';

it('takes an entry of progress on the project', { tags: ['slow'] }, async () => {
  const { tab, server } = opened;
  await tab.open(PROJECT);
  const form = tab.page.getByRole('form', { name: 'Progress' });
  await form.getByLabel('Progress on').fill('2026-03-31');
  await form.getByLabel('Done, %').fill('140');
  await form.getByRole('button', { name: 'Enter' }).click();
  await form.getByText('percent: outside 0 to 100').waitFor();
  await form.getByLabel('Done, %').fill('40');
  await form.getByRole('button', { name: 'Enter' }).click();
  const revenue = async () => {
    const path =
      '/v3/reports/projects?start_date=2026-03-01&end_date=2026-03-31&cutoff_date=2026-03-31&project_id=1&fields=actual_revenue';
    return (await server.get(path)).json().totals.actual_revenue;
  };
  await expect.poll(revenue).toBe(4000);
});

it('offers each project task once, in however many phases it is worked on', { tags: ['slow'] }, async () => {
  const { tab } = opened;
  await tab.open(PROJECT.replace('project_id=1', 'project_id=2'));
  const places = tab.page.getByRole('form', { name: 'Progress' }).getByLabel('Progress of').locator('option');
  await places.first().waitFor({ state: 'attached' });
  expect((await places.allTextContents()).toSorted()).toEqual(['Roof', 'Walls']);
});

it('shows no form to a reader who may not enter it', { tags: ['slow'] }, async () => {
  const { tab, server } = opened;
  const { token } = await server.token(['reports']);
  await tab.page.addInitScript(`sessionStorage.setItem('plumbline.token', '${token}')`);
  await tab.open(PROJECT);
  await tab.page.getByRole('heading', { name: 'Bridge' }).first().waitFor();
  expect(await tab.page.getByRole('form', { name: 'Progress' }).count()).toBe(0);
});
