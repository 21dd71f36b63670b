import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Served, serve } from '../../http/served.ts';
import { openBrowser, openTab, type Tab } from '../../page/browser.ts';

const WINDOW = 'start_date=2026-01-01&end_date=2026-06-30&cutoff_date=2026-05-31';

/** A cost rate that no other number contains. */
const CANARY = '97.31';

/** Names that a careless page would run, cut or lose. */
const NAMES = ['<img src=x onerror=alert(1)>', `${'long '.repeat(39)}name.`, '', '"quoted" & <b>bold</b> \u202eevil'];

/** Presses of Tab within which a number, and then a line, is reached in a small company. */
const MAX_TABS = 60;

/** A tag that is one item of a list, though it has a comma. */
const TAG = 'fixed, fee';

/** A tag whose mark turns it around. */
const TURNED = '\u202eevil';

const SCREENS = ['portfolio', 'people', 'explore', 'quality', 'project&project_id=1'];

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser?.close());

/** A company whose projects and person have dangerous names. */
const company = {
  people: [{ people_id: 1, name: NAMES[0], cost_rate: CANARY, default_hourly_rate: '150' }],
  projects: NAMES.map((name, index) => ({
    ...{ project_id: index + 1, name, budget_type: 1, budget_total: '100', tags: [[TAG], [], [], [TURNED]][index] },
  })),
  tasks: NAMES.flatMap((_, index) =>
    // January is logged up to the 6th; March is plan alone.
    ['2026-01-0', '2026-03-0'].map((days, month) => ({
      ...{ task_id: index * 2 + month + 1, project_id: index + 1, people_id: 1, hours: '2' },
      ...{ start_date: `${days}5`, end_date: `${days}9`, status: 2 },
    })),
  ),
  logged_time: NAMES.map((_, index) => ({
    ...{
      logged_time_id: `L${index}`,
      project_id: index + 1,
      people_id: 1,
      date: '2026-01-06',
      hours: '3',
      billable: 1,
    },
  })),
};

describe('a reader without the scope rates', () => {
  let [server, tab] = [] as unknown as [Served, Tab];
  beforeAll(async () => {
    server = await serve({ data: company, scopes: ['reports', 'rates'] });
    tab = await openTab(browser, server.url);
  });
  afterAll(() => server?.close());

  it('is asked for a token, which is in no address and gone after a reload', async () => {
    const { token } = await server.token(['reports']);
    await tab.open(`/?${WINDOW}`);
    await tab.page.getByLabel('Token').fill('wrong');
    await tab.page.getByRole('button').click();
    await tab.page.getByRole('alert').waitFor();
    await tab.page.getByLabel('Token').fill(token);
    await tab.page.getByRole('button').click();
    await tab.page.getByRole('heading', { name: 'Projects by months' }).waitFor();
    expect(tab.page.url()).not.toContain(token);
    await tab.page.reload();
    await tab.page.getByLabel('Token').fill(token);
    await tab.page.getByLabel('Keep it').check();
    await tab.page.getByRole('button').click();
    await tab.page.getByRole('heading', { name: 'Projects by months' }).waitFor();
    await tab.page.reload();
    await tab.page.getByRole('heading', { name: 'Projects by months' }).waitFor();
  });

  it.each(SCREENS)('sees no cost rate, and names as text, on %s', async (screen) => {
    await tab.open(`/?screen=${screen}&${WINDOW}`);
    const html = await tab.page.content();
    expect(html).not.toContain(CANARY);
    expect(await tab.page.locator('main img, main b').count()).toBe(0);
    expect(tab.faults).toEqual([]);
  });

  it('sees no cost rate in the drawer, nor in the reasons of a line', async () => {
    await tab.open(`/?by=revenue&${WINDOW}`);
    await tab.page.locator('dl.figures dd a').nth(1).click();
    await tab.page.locator('dialog .sum').waitFor();
    expect(await tab.page.content()).not.toContain(CANARY);
    await tab.page.locator('dialog th.date a').first().click();
    await tab.page.locator('dialog .steps').waitFor();
    const html = await tab.page.content();
    expect(html).not.toContain(CANARY);
    expect(await tab.page.locator('dialog .steps').textContent()).toContain('150.00');
  });

  it('is told which scope a cost needs', async () => {
    await tab.open(`/?by=cost&${WINDOW}`);
    expect(await tab.page.getByRole('alert').textContent()).toContain('Costs need the scope "rates"');
  });

  it('is asked again once the token is revoked', async () => {
    await tab.page.evaluate("sessionStorage.setItem('plumbline.token', 'revoked')").catch(() => undefined);
    await tab.page.reload();
    await tab.page.getByLabel('Token').waitFor();
  });
});

describe('a reader with all scopes', () => {
  let [server, tab] = [] as unknown as [Served, Tab];
  beforeAll(async () => {
    server = await serve({ data: company, write: true, inMemory: true });
    tab = await openTab(browser, server.url);
  });
  afterAll(() => server?.close());

  it('is told until when numbers are actual, and sees later months as plan, not as savings', async () => {
    await tab.open('/?start_date=2026-01-01&end_date=2026-06-30');
    const told = 'Actuals until 6 Jan 2026, the last day with logged time; later days are plan.';
    await tab.page.getByText(told).waitFor();
    expect(await tab.page.locator('.chart').first().textContent()).toContain('actuals until 6 Jan 2026');
    const rows = tab.page.locator('tbody tr:has(td.plan)');
    expect(await rows.count()).toBe(NAMES.length);
    for (const cell of await rows.locator('td.plan').allTextContents()) expect(cell).not.toMatch(/[FU]/);
    await tab.open('/?screen=people&start_date=2026-01-01&end_date=2026-06-30');
    await tab.page.getByText(told).waitFor();
  });

  it('is told that a budget covers the whole life of its project', async () => {
    await tab.open(`/?lines=${encodeURIComponent(`report=projects&measure=budget_used&project_id=1&${WINDOW}`)}`);
    expect(await tab.page.locator('dialog').textContent()).toContain(
      'the whole life of the project, whatever the window',
    );
  });

  it('finds the names as they are', async () => {
    await tab.open(`/?${WINDOW}`);
    const shown = await tab.page.locator('table.months tbody th').allTextContents();
    expect(shown.sort()).toEqual(NAMES.map((name) => name.replace('\u202e', '\\u202e') || '(no name) 3').sort());
  });

  it('finds what has no name by its id in a chart, too', async () => {
    await tab.open(`/?screen=explore&group_by=project&measures=actual_hours&${WINDOW}`);
    await tab.page.locator('.plot').waitFor();
    const labels = await tab.page.locator('.plot text').allTextContents();
    expect(labels).toContain('(no name) 3');
    expect(labels).toContain('<img src=x onerror=alert(1)>');
    await tab.open(`/?screen=explore&group_by=client&measures=actual_hours&${WINDOW}`);
    await tab.page.locator('.plot').waitFor();
    expect(await tab.page.locator('.plot text').allTextContents()).toContain('(none)');
    expect(await tab.page.locator('tbody th').allTextContents()).toEqual(['(none)']);
  });

  it('reaches a line and its reasons by keyboard, and comes back', async () => {
    const { keyboard } = tab.page;
    const focused = tab.page.locator(':focus');
    const tabTo = async (selector: string) => {
      for (let presses = 0; presses < MAX_TABS; presses += 1) {
        await keyboard.press('Tab');
        if ((await tab.page.locator(`${selector}:focus`).count()) > 0) return;
      }
      throw new Error(`${MAX_TABS} times Tab didn't reach ${selector}`);
    };
    await tab.open(`/?by=hours&${WINDOW}`);
    await tabTo('table.months a.figure');
    const number = await focused.getAttribute('href');
    await keyboard.press('Enter');
    await tab.page.locator('dialog .value').waitFor();
    await tabTo('dialog p a');
    await keyboard.press('Enter');
    await tab.page.locator('dialog .sum').waitFor();
    await tabTo('dialog th.date a');
    await keyboard.press('Enter');
    await tab.page.locator('dialog .steps').waitFor();
    await keyboard.press('Escape');
    await tab.page.locator('dialog').waitFor({ state: 'detached' });
    expect(await focused.getAttribute('href')).toBe(number);
  });

  it('goes back and forward, and a link shows the same to somebody else', async () => {
    await tab.open(`/?${WINDOW}`);
    await tab.page.getByRole('link', { name: 'Hours', exact: true }).click();
    await tab.settle();
    await tab.page.getByRole('link', { name: 'People', exact: true }).click();
    await tab.settle();
    await tab.page.goBack();
    await tab.settle();
    const months = 'table.months';
    const hours = await tab.page.locator(months).textContent();
    const link = tab.page.url().replace(server.url, '');
    expect(link).toContain('by=hours');
    await tab.page.goBack();
    await tab.page.goForward();
    await tab.settle();
    const other = await openTab(browser, server.url);
    await other.open(link);
    expect(await tab.page.locator(months).textContent()).toBe(hours);
    expect(await other.page.locator(months).textContent()).toBe(hours);
    await other.page.context().close();
  });

  it('is told of new data, and sees all of it at once', async () => {
    await tab.page.clock.install();
    await tab.open(`/?by=hours&${WINDOW}`);
    const actual = tab.page.locator('dl.figures dd').nth(1);
    expect(await actual.textContent()).toContain('12.00');
    const record = { logged_time_id: 'L9', project_id: 1, people_id: 1, date: '2026-01-07', hours: '1.5', billable: 1 };
    expect((await server.post('/v3/logged-time', record)).status).toBeLessThan(300);
    await tab.page.clock.runFor(31_000);
    await tab.page.getByRole('button', { name: 'Show it' }).click();
    await tab.settle();
    await expect.poll(() => actual.textContent()).toContain('13.50');
  });

  it('filters by a name, with a comma or without', async () => {
    await tab.open(`/?screen=explore&group_by=project&measures=actual_hours&${WINDOW}`);
    expect(await tab.page.locator('tbody tr').count()).toBe(NAMES.length);
    await tab.page.getByRole('button', { name: 'Filter', exact: true }).click();
    await tab.page.locator('.panel summary', { hasText: /^Tags$/ }).click();
    await tab.page.getByRole('checkbox', { name: TAG }).check();
    await tab.settle();
    await expect.poll(() => tab.page.locator('tbody tr').count()).toBe(1);
    // Until the names are read, the filter shows the items as they stand in the address.
    await expect.poll(() => tab.page.locator('.chip').textContent()).toContain(TAG);
  });

  it('filters by a tag whose mark turns it around, written out', async () => {
    await tab.open(`/?screen=explore&group_by=project&measures=actual_hours&${WINDOW}`);
    await tab.page.getByRole('button', { name: 'Filter', exact: true }).click();
    await tab.page.locator('.panel summary', { hasText: /^Tags$/ }).click();
    await tab.page.getByRole('checkbox', { name: TURNED.replace('\u202e', '\\u202e') }).check();
    await tab.settle();
    await expect.poll(() => tab.page.locator('tbody tr').count()).toBe(1);
    await expect.poll(() => tab.page.locator('.chip').textContent()).toContain('\\u202eevil');
    for (const text of await tab.page.locator('main').allInnerTexts()) expect(text).not.toContain('\u202e');
    expect((await tab.page.locator('.plot text').allTextContents()).join()).not.toContain('\u202e');
  });

  it('opens a number of newer data only together with its whole screen', async () => {
    await tab.open(`/?by=hours&${WINDOW}`);
    const record = {
      logged_time_id: 'L10',
      project_id: 1,
      people_id: 1,
      date: '2026-01-08',
      hours: '0.25',
      billable: 1,
    };
    expect((await server.post('/v3/logged-time', record)).status).toBeLessThan(300);
    await tab.page.locator('dl.figures dd a').nth(1).click();
    await expect.poll(() => tab.page.locator('dialog .sum output').textContent()).toBe('13.75');
    expect(await tab.page.locator('dl.figures dd').nth(1).textContent()).toBe('13.75');
  });

  it('reads nothing twice that has not changed', async () => {
    await tab.open(`/?by=hours&${WINDOW}`);
    // Findings come late: an answer that isn't there yet can't be unchanged.
    await tab.page.waitForLoadState('networkidle');
    const before = server.log().length;
    await tab.page.reload();
    await tab.page.locator('table.months').waitFor();
    // Answers with 304 are not in the log.
    expect(server.log().slice(before)).not.toContain('"path":"/v3/');
    expect(server.log()).toContain('"path":"/v3/');
  });

  it('is told when the server is gone, and goes on when it is back', async () => {
    await tab.open(`/?${WINDOW}`);
    await tab.page.route('**/v3/**', (route) => route.abort());
    await tab.page.getByRole('link', { name: 'People', exact: true }).click();
    await tab.page.getByText('The server does not answer.').waitFor();
    await tab.page.unroute('**/v3/**');
    await tab.page.getByRole('button', { name: 'Try again' }).click();
    await tab.settle();
    await tab.page.locator('table.weeks').waitFor();
  });

  it('sees the check that failed, and no number', async () => {
    const message = 'The check "scheduled_hours: sum of the rows, total" failed';
    const body = JSON.stringify({ name: 'internal_error', message, code: 'check', status: 500 });
    await tab.page.route('**/v3/reports/pivot?**', (route) => route.fulfill({ status: 500, body }));
    await tab.open(`/?by=hours&${WINDOW}`);
    expect(await tab.page.getByRole('alert').textContent()).toContain(message);
    expect(await tab.page.locator('.figure').count()).toBe(0);
    await tab.page.unroute('**/v3/reports/pivot?**');
  });
});
