import { expect, it } from 'vitest';
import { openServer } from '../../page/opened-server.ts';

/** More people than the screen shows at first. */
const CROWD = 203;

/** One week, in which everybody can work 40 hours. */
const WEEK = 'start_date=2026-01-05&end_date=2026-01-11&cutoff_date=2026-01-11';

/** Scheduled hours a day, by person: Ada and Max are planners; Max is archived, with hours planned and without capacity (D5). */
const PEOPLE = [
  { people_id: 1, name: 'Ada', role_id: 1, hours: '8' },
  { people_id: 2, name: 'Bo', role_id: 2, hours: '4' },
  { people_id: 3, name: 'Max', role_id: 1, hours: '2', active: 0 },
];

/** One of the crowd, whose hours are less than half a percent of what all of them can work. */
const MEMBER = { people_id: 100, hours: '1', project_id: 2 };

const company = {
  departments: [{ department_id: 7, name: 'Crowd' }],
  roles: [
    { id: 1, name: 'Planner' },
    { id: 2, name: 'Drawer' },
  ],
  people: [
    ...PEOPLE.map(({ hours: _, ...person }) => person),
    ...Array.from({ length: CROWD }, (_, index) => ({
      ...{ people_id: index + 100, name: `Member ${index + 100}`, department_id: 7 },
    })),
  ],
  projects: [
    { project_id: 1, name: 'Bridge' },
    { project_id: 2, name: 'Tunnel' },
  ],
  tasks: [...PEOPLE.map((person) => ({ ...person, project_id: 1 })), MEMBER].map(
    ({ people_id, hours, project_id }) => ({
      ...{ task_id: people_id, project_id, people_id, hours, status: 2 },
      ...{ start_date: '2026-01-05', end_date: '2026-01-09' },
    }),
  ),
};

const opened = openServer({ data: company });

/** Returns the texts of the rows of people and groups: name, the sums of the window, then the week. */
const readRows = async (selector: string) => {
  const rows = await opened.tab.page.locator(`table.weeks ${selector}`).all();
  return Promise.all(rows.map((row) => row.locator('th, td').allTextContents()));
};

it.each([
  [
    '',
    [...['Drawer', '40.00', '20.00', '0.00', '20.00'], '50'],
    [...['Planner', '40.00', '50.00', '0.00', '0.00'], '125'],
    [...['Everybody', '80.00', '70.00', '0.00', '20.00'], '88'],
  ],
  [
    '&active=1',
    [...['Drawer', '40.00', '20.00', '0.00', '20.00'], '50'],
    [...['Planner', '40.00', '40.00', '0.00', '0.00'], '100'],
    [...['Everybody', '80.00', '60.00', '0.00', '20.00'], '75'],
  ],
  [
    '&active=0',
    [...['Planner', '0.00', '10.00', '0.00', '0.00'], '–'],
    [...['Everybody', '0.00', '10.00', '0.00', '0.00'], '–'],
  ],
])('sums the people shown by their own role, with the filter "%s"', async (filter, ...sums) => {
  await opened.tab.open(`/?screen=people&show=scheduled_percent&group=role&project_id=1&${WEEK}${filter}`);
  await opened.tab.page.locator('table.weeks').waitFor();
  expect(await readRows(':is(.group, tfoot tr)')).toEqual(sums);
});

it('shows more people on request, without the name of their group again', async () => {
  await opened.tab.open(`/?screen=people&show=scheduled_percent&group=department&department_id=7&${WEEK}`);
  await opened.tab.page.locator('table.weeks').waitFor();
  expect((await readRows('tr')).length).toBe(1 + 1 + 200 + 1);
  await opened.tab.page.getByRole('button', { name: 'Show 3 more' }).click();
  await expect.poll(async () => (await readRows('tr')).length).toBe(1 + 1 + CROWD + 1);
  expect(await readRows('.group')).toEqual([['Crowd', '8,120.00', '5.00', '0.00', '8,115.00', '0']]);
  // The one with hours is the least free.
  expect(await opened.tab.page.locator('table.weeks tbody th').last().textContent()).toBe('Member 100');
});
