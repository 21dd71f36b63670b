import { afterEach, describe, expect, it } from 'vitest';
import { ALL_SCREENS } from '../../page/all-screens.ts';
import { WINDOW } from '../../page/opened-numbers.ts';
import { openServer } from '../../page/opened-server.ts';

/** Where the eye of a reader gets lost, or a hand slips. */

/** Names that are wider than a screen, or can't be seen. */
const NAMES = ['A'.repeat(200), '   '];

/** Twelve months, most of them plan. */
const FISCAL_YEAR = 'start_date=2026-04-01&end_date=2027-03-31';

const opened = openServer();

afterEach(async () => {
  await opened.tab.page.unrouteAll();
  await opened.tab.page.setViewportSize({ width: 1280, height: 900 });
});

describe('the way through the screens', () => {
  it('keeps the subject from the portfolio to a project, and back by the navigation', async () => {
    const { page } = opened.tab;
    const subject = page.locator('.title .switch [aria-current]');
    await opened.tab.open(`/?${WINDOW}`);
    await page.getByRole('link', { name: 'Hours', exact: true }).click();
    await opened.tab.settle();
    await page.locator('table.months tbody th a').first().click();
    await page.getByRole('heading', { level: 1, name: 'Kestrel onboarding app' }).waitFor();
    expect(await subject.textContent()).toBe('Hours');
    for (const name of ['People', 'Portfolio']) {
      await page.locator('header nav').getByRole('link', { name }).click();
      await opened.tab.settle();
    }
    await expect.poll(() => subject.textContent()).toBe('Hours');
  });

  it.each([
    ['project&project_id=501', 'Kestrel onboarding app', 'Portfolio', 'Projects'],
    ['client&client_id=205', 'Sakura Health', 'Portfolio', 'Clients'],
    ['person&people_id=102', 'Mateo Fernández-Ruiz', 'People', 'People'],
  ])('leads back from %s, whose own filter nobody can take away', async (screen, name, list, filter) => {
    const { page } = opened.tab;
    await opened.tab.open(`/?screen=${screen}&${WINDOW}`);
    await expect.poll(() => page.title()).toBe(`${name} · Plumbline`);
    expect(await page.locator('.chip').count()).toBe(0);
    expect(await page.locator('header nav [aria-current]').textContent()).toBe(list);
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    const offered = await page.locator('.panel summary').allTextContents();
    expect(offered.length).toBeGreaterThan(10);
    expect(offered).not.toContain(filter);
    await page.locator('.crumbs a').click();
    await page.getByRole('heading', { level: 1, name: list }).waitFor();
    expect(await page.locator('.chip').count()).toBe(0);
  });

  it.each(ALL_SCREENS)('%s has one heading of the first level', async (screen) => {
    await opened.tab.open(`/?screen=${screen}&${WINDOW}`);
    expect(await opened.tab.page.getByRole('heading', { level: 1 }).count()).toBe(1);
  });

  it('tells who asks for a token what is wrong in plain words', async () => {
    const { page } = opened.tab;
    await page.route('**/v3/**', (route) =>
      route.fulfill({ status: 401, body: JSON.stringify({ message: 'Send one as "Authorization: Bearer TOKEN".' }) }),
    );
    await page.goto(`${opened.server.url}/?${WINDOW}`);
    await page.getByLabel('Token').fill('wrong');
    await page.getByRole('button', { name: 'Show the reports' }).click();
    const told = await page.getByRole('alert').textContent();
    expect(told).toBe('The token is wrong, expired or revoked. Another one is needed.');
  });
});

describe('the panel of the filters', () => {
  it('begins at its button, and Escape and a click beside it close it', async () => {
    const { page } = opened.tab;
    const button = page.getByRole('button', { name: 'Filter', exact: true });
    const panel = page.locator('.panel');
    await opened.tab.open(`/?${WINDOW}`);
    await button.click();
    const [own, at] = [await panel.boundingBox(), await button.boundingBox()];
    expect([own?.x, own?.y]).toEqual([at?.x, (at?.y ?? 0) + (at?.height ?? 0) + 4]);
    await page.keyboard.press('Escape');
    expect(await panel.count()).toBe(0);
    expect(await button.evaluate((element) => element.matches(':focus'))).toBe(true);
    await button.click();
    await page.locator('.panel summary').first().click();
    expect(await page.locator('.panel .hint').first().textContent()).not.toBe('');
    await page.mouse.click(900, 20);
    expect(await panel.count()).toBe(0);
  });
});

describe('the first screen', () => {
  it.each([WINDOW, FISCAL_YEAR])('has eight projects above the fold of a small laptop: %s', async (window) => {
    const { page } = opened.tab;
    const fold = 800;
    await page.setViewportSize({ width: 1280, height: fold });
    await opened.tab.open(`/?${window}`);
    const eighth = await page.locator('table.months tbody tr').nth(7).boundingBox();
    expect((eighth?.y ?? fold) + (eighth?.height ?? 0)).toBeLessThanOrEqual(fold);
  });
});

describe('the search in the portfolio', () => {
  it('finds the projects of a client, and keeps the totals', async () => {
    const { page } = opened.tab;
    await opened.tab.open(`/?${WINDOW}`);
    const totals = await page.locator('table.months tfoot').textContent();
    await page.getByRole('searchbox').fill('atlas');
    const clients = page.locator('table.months tbody th small:has-text("Atlas Freight")');
    await expect.poll(() => page.locator('table.months tbody tr').count()).toBe(2);
    expect(await clients.count()).toBe(2);
    expect(await page.locator('table.months tfoot').textContent()).toBe(totals);
  });
});

describe('people', () => {
  it('are links under dates that stay in sight, in groups that fold', async () => {
    const { page } = opened.tab;
    await opened.tab.open(`/?screen=people&group=department&${WINDOW}`);
    const people = page.locator('table.weeks tbody tr');
    const all = await people.count();
    expect(await page.locator('table.weeks tbody th > a').count()).toBe(
      all - (await page.locator('table.weeks .group').count()),
    );
    const head = page.locator('table.weeks thead th').nth(1);
    const foot = page.locator('table.weeks tfoot td').first();
    await page.evaluate(`scrollTo(0, ${(await head.boundingBox())?.y} + 300)`);
    await expect.poll(async () => (await head.boundingBox())?.y).toBeCloseTo(0, 0);
    const { y = 0, height = 0 } = (await foot.boundingBox()) ?? {};
    expect(y + height).toBeLessThanOrEqual(page.viewportSize()?.height ?? 0);
    expect(await page.locator('td abbr[title="time off or holidays"]').count()).toBeGreaterThan(10);
    await page.locator('.fold').first().click();
    expect(await people.locator('visible=true').count()).toBeLessThan(all);
  });
});

describe('a screen that is being read', () => {
  it('shows as many numbers and as wide a table as are to come', async () => {
    const { page } = opened.tab;
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/v3/reports/**', async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(`${opened.server.url}/?${WINDOW}`);
    const shapes = page.locator('.loading .figures .shape');
    await shapes.first().waitFor();
    const table = await page.locator('.loading .shape.rows').boundingBox();
    const numbers = await shapes.count();
    answer();
    await opened.tab.settle();
    expect(numbers).toBe(await page.locator('dl.figures > div').count());
    expect(table?.width).toBe((await page.locator('.scroll').first().boundingBox())?.width);
  });
});

describe('a window in which nothing happens', () => {
  const EMPTY = 'start_date=2031-01-01&end_date=2031-12-31';

  it.each(['portfolio', 'people&show=scheduled_percent', 'explore'])(
    'is a sentence on %s, not a table of 0',
    async (screen) => {
      await opened.tab.open(`/?screen=${screen}&${EMPTY}`);
      expect(await opened.tab.page.locator('.empty').textContent()).toContain('in this window');
      expect(await opened.tab.page.locator('main table').count()).toBe(0);
    },
  );

  it('is not called as planned, because nothing was planned', async () => {
    await opened.tab.open(`/?screen=project&project_id=501&${EMPTY}`);
    expect(await opened.tab.page.locator('.headline').textContent()).toContain('with nothing planned to date');
  });
});

describe('names that are long or blank', () => {
  const named = openServer({
    data: {
      people: [{ people_id: 1, name: NAMES[1] }],
      projects: NAMES.map((name, index) => ({ project_id: index + 1, name })),
      logged_time: NAMES.map((_, index) => ({
        ...{ logged_time_id: `L${index}`, project_id: index + 1, people_id: 1, date: '2026-01-06', hours: '3' },
      })),
    },
  });

  it('wrap, or have an id that can be clicked', async () => {
    const { page } = named.tab;
    await named.tab.open(`/?screen=project&project_id=1&${WINDOW}`);
    const [screen, view] = await page.evaluate<number[]>('[document.documentElement.scrollWidth, innerWidth]');
    expect(screen).toBe(view);
    await named.tab.open(`/?${WINDOW}`);
    await page.getByRole('table').getByRole('link', { name: '(no name) 2' }).click();
    await page.getByRole('heading', { level: 1, name: '(no name) 2' }).waitFor();
    await named.tab.open(`/?screen=people&${WINDOW}`);
    expect(await page.locator('table.weeks tbody th > a').allTextContents()).toEqual(['(no name) 1']);
  });
});
