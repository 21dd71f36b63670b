import { expect, it } from 'vitest';
import { openServer } from './opened-server.ts';

/*
 * The questions with which people come: each is answered by two clicks from the first screen. What has changed since Monday
 * needs kept states: since.test.ts.
 */

/** Clicks that an answer may take. */
const MAX_CLICKS = 2;

const opened = openServer();

/** Opens the first screen and clicks links by their names. */
async function follow(...links: readonly string[]): Promise<void> {
  expect(links.length).toBeLessThanOrEqual(MAX_CLICKS);
  await opened.tab.open('/');
  for (const name of links) {
    await opened.tab.page.locator('header nav, main').getByRole('link', { name, exact: true }).first().click();
    await opened.tab.settle();
  }
}

const readRows = async (selector: string) =>
  (await opened.tab.page.locator(selector).allInnerTexts()).map((row) => row.split(/\s*[\t\n]\s*/));

const ask = async (query: string) => (await opened.server.get(`/v3/reports/${query}&decimals=string`)).json();

const plain = (text = '') => text.replaceAll(',', '').replace('−', '-');

it.each([
  ['role', 'Role', 'person_role', 'Engineer'],
  ['skill', 'Tag', 'people_tag', 'ux'],
])('who is free in the weeks to come, with this %s?', { tags: ['slow'] }, async (_, link, dimension, value) => {
  await follow('People', link);
  const query = `group_by=${dimension},person&measures=unscheduled_hours&period=this_and_next_6_weeks`;
  const { pivot } = await ask(`pivot?${query}`);
  const rows = await readRows('table.weeks tbody tr');
  const group = rows.findIndex(([name]) => name === value);
  const [person, , , , free] = rows[group + 1] ?? [];
  const hours = pivot
    .filter((row: Record<string, string>) => row[dimension] === value)
    .map((row: Record<string, string>) => Number(row['unscheduled_hours']));
  expect(person).not.toBe('');
  expect(Number(plain(free))).toBe(Math.max(...hours));
});

it('is the time of my team logged?', { tags: ['slow'] }, async () => {
  await follow('Timesheets');
  const { totals } = await ask('timesheets?period=last_4_weeks&interval=none');
  const said = await opened.tab.page.locator('.headline').textContent();
  expect(plain(said ?? '')).toContain(
    Number(totals.missing_hours) === 0 ? 'All timesheets are in' : totals.missing_hours,
  );
});

it('which budget breaks next, and when; what will the year bring in revenue and profit?', {
  tags: ['slow'],
}, async () => {
  await follow('Outlook');
  const { totals } = await ask('pivot?group_by=project&measures=forecast_revenue,forecast_profit&period=this_year');
  const figures = await opened.tab.page.locator('dl.figures dd').allTextContents();
  expect(figures.slice(0, 2).map(plain)).toEqual([totals.forecast_revenue, totals.forecast_profit]);
  const days = (await readRows('tbody tr')).map((cells) => cells.find((cell) => /^\d{1,2} \w{3} \d{4}$/.test(cell)));
  const known = days.filter((day) => day !== undefined).map((day) => Date.parse(`${day} UTC`));
  expect(known.length).toBeGreaterThan(0);
  expect(known).toEqual(known.toSorted((one, other) => one - other));
  // Those whose budget holds come last.
  expect(days.slice(0, known.length)).not.toContain(undefined);
});

it('which project is worst, and why?', { tags: ['slow'] }, async () => {
  await follow();
  const first = opened.tab.page.locator('.worst li').first();
  const name = await first.locator('.place').textContent();
  await first.locator('.place').click();
  await opened.tab.page.getByRole('heading', { level: 1, name: name ?? '' }).waitFor();
  expect(await opened.tab.page.locator('.sentences li').count()).toBeGreaterThan(0);
});
