import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NOW, type Served, type ServeOptions, serve } from '../../http/served.ts';
import { openBrowser, openTab, type Tab } from '../../page/browser.ts';

const WINDOW = 'start_date=2026-01-01&end_date=2026-06-30&cutoff_date=2026-05-31';

const SCREENS = ['portfolio', 'people', 'explore', 'quality', 'project&project_id=1'];

/** Projects of a large company, and their number on the screen at first. */
const PROJECTS = 2000;
const SHOWN = 50;

const company = {
  people: [{ people_id: 1, name: 'Ada', cost_rate: '80', default_hourly_rate: '150' }],
  projects: [{ project_id: 1, name: 'Bridge' }],
  logged_time: [{ logged_time_id: 'L1', project_id: 1, people_id: 1, date: '2026-01-06', hours: '3', billable: 1 }],
};

let browser: Browser;
let server: Served;
let tab: Tab;
const open = async (options: ServeOptions) => {
  server = await serve(options);
  tab = await openTab(browser, server.url);
};
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser?.close());

describe('a token that expires in the middle', () => {
  let now = NOW;
  beforeAll(() => open({ data: company, now: () => now, scopes: ['reports', 'rates'] }));
  afterAll(() => server.close());

  it('is asked for again, and leads back to the same place', async () => {
    const { page } = tab;
    const today = NOW.toISOString().slice(0, 10);
    await tab.open(`/?by=hours&${WINDOW}`);
    await page.getByLabel('Token').fill((await server.token(['reports'], today)).token);
    await page.getByRole('button').click();
    await page.locator('table.months').waitFor();
    now = new Date(NOW.getTime() + 2 * 86_400_000);
    await page.locator('dl.figures dd a').nth(1).click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').textContent()).toContain('expired');
    expect(await page.locator('.figure').count()).toBe(0);
    await page.getByLabel('Token').fill((await server.token(['reports'])).token);
    await page.getByRole('button').click();
    await expect.poll(() => page.locator('dialog .sum output').textContent()).toBe('3.00');
  });
});

describe('a server that stops and comes back with other data', () => {
  beforeAll(() => open({ data: company }));
  afterAll(() => server.close());

  it('is told in place, and shows the whole screen of the other data', async () => {
    const { page } = tab;
    await tab.open(`/?by=hours&${WINDOW}`);
    const { port } = new URL(server.url);
    await server.close();
    await page.locator('dl.figures dd a').nth(1).click();
    await page.locator('dialog').getByText('The server does not answer.').first().waitFor();
    const [record] = company.logged_time;
    server = await serve({ data: { ...company, logged_time: [{ ...record, hours: '4.5' }] }, port: Number(port) });
    await page.locator('dialog').getByRole('button', { name: 'Try again' }).first().click();
    await expect.poll(() => page.locator('dialog .sum output').textContent()).toBe('4.50');
    expect(await page.locator('dl.figures dd').nth(1).textContent()).toBe('4.50');
    expect(tab.faults).toEqual([]);
  });
});

describe('data that a check refuses', () => {
  const prepareSource: ServeOptions['prepareSource'] = async (source) => {
    await source.database.run('UPDATE source.logged_time SET hours = hours + 1');
    return source;
  };
  beforeAll(async () => {
    await open({ data: company, write: true, prepareSource });
    // The checks run with the first change.
    const { status } = await server.post('/v3/logged-time', {
      people_id: 1,
      project_id: 1,
      date: '2026-01-07',
      hours: 1,
    });
    expect(status).toBe(201);
  });
  afterAll(() => server.close());

  it.each(SCREENS)('shows the check and no number on %s', async (screen) => {
    await tab.open(`/?screen=${screen}&${WINDOW}`);
    const message = await tab.page.getByRole('alert').first().textContent();
    expect(message).toContain('The check checks/logged_hours_are_in_the_ledger.sql failed');
    expect(await tab.page.locator('.figure').count()).toBe(0);
  });
});

describe('a window without data', () => {
  beforeAll(() => open({ data: { projects: company.projects } }));
  afterAll(() => server.close());

  it.each([
    ['portfolio', 'No project has lines in this window'],
    ['people', 'Nobody has hours in this window'],
    ['explore', 'No line is in this window'],
    ['quality', 'No check found anything in this window'],
    ['project&project_id=1', 'so nothing leads from the plan to the actual amount'],
  ])('is told in a sentence on %s', async (screen, sentence) => {
    await tab.open(`/?screen=${screen}&start_date=2001-01-01&end_date=2001-12-31`);
    expect(await tab.page.locator('.empty').first().textContent()).toContain(sentence);
    expect(await tab.page.getByRole('alert').count()).toBe(0);
    expect(tab.faults).toEqual([]);
  });
});

describe(`${PROJECTS} projects`, () => {
  const ids = Array.from({ length: PROJECTS }, (_, index) => index + 1);
  const data = {
    people: company.people,
    projects: ids.map((id) => ({ project_id: id, name: `Project ${id}` })),
    logged_time: ids.map((id) => ({ ...company.logged_time[0], logged_time_id: `L${id}`, project_id: id })),
  };
  beforeAll(() => open({ data }));
  afterAll(() => server.close());

  it('are shown some at a time, found by name, and summed by the server', async () => {
    const { page } = tab;
    await tab.open(`/?by=hours&${WINDOW}`);
    const rows = page.locator('table.months tbody tr');
    expect(await rows.count()).toBe(SHOWN);
    await page.getByRole('button', { name: `Show ${SHOWN} more` }).click();
    expect(await rows.count()).toBe(2 * SHOWN);
    expect(await page.locator('dl.figures dd').nth(1).textContent()).toBe('6,000.00');
    await page.getByRole('searchbox').fill('project 1999');
    await expect.poll(() => rows.count()).toBe(1);
    await page.getByRole('link', { name: 'Project 1999' }).click();
    await page.getByRole('heading', { level: 1, name: 'Project 1999' }).waitFor();
  });
});
