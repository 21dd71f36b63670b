import { describe, expect, it } from 'vitest';
import { openServer } from './opened-server.ts';

/** Days without any line of the bundled company. */
const NO_LINES = 'start_date=2027-02-01&end_date=2027-02-28';

/** A quarter with more deviations than a chart draws, of both signs. */
const DEVIATIONS = 'start_date=2026-01-01&end_date=2026-06-30&cutoff_date=2026-05-31';

const opened = openServer();

describe('filters', { tags: ['slow'] }, () => {
  it.each([
    ['People', 'people?fields=people_id', 40],
    ['Departments', 'people?fields=department_id', 5],
    ['Own roles', 'people?fields=role_id', 10],
    ['Projects', 'projects?fields=project_id', 25],
  ])('offer all %s, whether they have lines in the window or not', async (label, list, least) => {
    const { page } = opened.tab;
    await opened.tab.open(`/?screen=people&${NO_LINES}`);
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.locator('.panel summary', { hasText: new RegExp(`^${label}$`) }).click();
    const boxes = page.locator('.panel fieldset').getByRole('checkbox');
    await boxes.first().waitFor();
    const [report = '', fields = ''] = list.split('?fields=');
    const reply = await opened.server.get(`/v3/reports/${report}?period=2027&include_empty=1&fields=${fields}`);
    const ids = new Set<number | null>(reply.json()[report].map((row: Record<string, number | null>) => row[fields]));
    ids.delete(null);
    expect(ids.size).toBeGreaterThanOrEqual(least);
    expect(await boxes.count()).toBeGreaterThanOrEqual(ids.size);
  });

  it('close by an Escape as soon as they can be seen', async () => {
    const { page } = opened.tab;
    await opened.tab.open(`/?screen=people&${NO_LINES}`);
    await page.getByRole('button', { name: 'Filter', exact: true }).waitFor();
    const isPressed = await page.evaluate<boolean>(`new Promise((resolve) => {
      new MutationObserver((_, observer) => {
        if (!document.querySelector('.panel')) return;
        observer.disconnect();
        document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }));
        resolve(true);
      }).observe(document.body, { childList: true, subtree: true });
      [...document.querySelectorAll('.menu > button')].find(({ textContent }) => textContent === 'Filter').click();
    })`);
    expect(isPressed).toBe(true);
    await page.locator('.panel').waitFor({ state: 'detached' });
  });

  it('find a value by a part of its name, and name one without lines above the screen', async () => {
    const { page } = opened.tab;
    await opened.tab.open(`/?screen=people&${NO_LINES}`);
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.locator('.panel summary', { hasText: /^People$/ }).click();
    await page.getByLabel('Find in People').fill('moreau');
    await page.getByRole('checkbox', { name: 'Léa Moreau' }).check();
    await expect.poll(() => page.locator('.chip').textContent()).toContain('Léa Moreau');
  });
});

describe('Explore', { tags: ['slow'] }, () => {
  it('finds a measure among many by its words or its group', async () => {
    const { page } = opened.tab;
    await opened.tab.open(`/?screen=explore&${DEVIATIONS}`);
    await page.locator('.choice summary', { hasText: 'Measures' }).click();
    await page.getByLabel('Find in Measures').fill('capacity');
    const labels = await page.locator('.options label').allTextContents();
    expect(labels.map((label) => label.trim())).toContain('Unscheduled hours');
  });

  it('draws the largest deviations of either sign, measures of one unit on one scale', async () => {
    const { page } = opened.tab;
    const query = `group_by=project,person&measures=variance_cost,actual_cost&${DEVIATIONS}`;
    await opened.tab.open(`/?screen=explore&${query}`);
    const { pivot } = (await opened.server.get(`/v3/reports/pivot?${query}&decimals=string`)).json();
    const sizes: number[] = pivot.map(({ variance_cost }: { variance_cost: string | null }) => Number(variance_cost));
    const least = Math.min(...sizes);
    expect(Math.max(...sizes)).toBeGreaterThan(0);
    expect(-least).toBeGreaterThan(sizes.map(Math.abs).toSorted((one, other) => other - one)[39] ?? 0);
    const tips = page.locator('.chart').first().locator('a[data-tip]');
    await tips.first().waitFor();
    const drawn = await tips.evaluateAll((links) => links.map((link) => link.getAttribute('data-tip') ?? ''));
    const amounts = drawn.map((tip) =>
      Number(/([+−\d,.]+) EUR$/.exec(tip)?.[1]?.replaceAll(',', '').replace('−', '-')),
    );
    expect(amounts).toContain(least);
    expect(amounts.map(Math.abs)).toEqual(amounts.map(Math.abs).toSorted((one, other) => other - one));
    const ticks = (index: number) =>
      page.locator('.chart').nth(index).locator('g[font-variant="tabular-nums"] text, .plot text').allTextContents();
    const axis = (texts: string[]) => texts.filter((text) => /^−?[\d.]+[KM]?$/.test(text));
    expect(axis(await ticks(0))).toEqual(axis(await ticks(1)));
  });

  it('draws hours and money on no common scale', async () => {
    const { page } = opened.tab;
    const drawnOf = async (budget_type: string) => {
      await opened.tab.open(`/?screen=explore&group_by=project&measures=budget_total,actual_hours&${budget_type}`);
      return page.locator('section h2').allInnerTexts();
    };
    const all = await drawnOf(DEVIATIONS);
    expect(all).toEqual(['Actual hours h']);
    const hint = page.locator('.hint', { hasText: 'is in hours in some rows' });
    expect(await hint.allInnerTexts()).toEqual([
      'Whole-life budget is in hours in some rows and in money in others, which no chart compares.',
    ]);
    const inMoney = await drawnOf(`${DEVIATIONS}&project_id=501`);
    expect(inMoney).toEqual(['Whole-life budget EUR', 'Actual hours h']);
  });

  it('keeps the order of time, and names quarters by their months', async () => {
    const { page } = opened.tab;
    await opened.tab.open(`/?screen=explore&group_by=quarter&measures=actual_hours&${DEVIATIONS}`);
    expect(await page.locator('tbody th').allTextContents()).toEqual(['Jan 26 to Mar 26', 'Apr 26 to Jun 26']);
  });

  it('puts months across: columns of cells that open their lines, and parts of bars by color', async () => {
    const { page } = opened.tab;
    const across = `screen=explore&group_by=department&across=month&measures=actual_hours&${DEVIATIONS}`;
    await opened.tab.open(`/?${across}`);
    const query = `group_by=department&columns=month&measures=actual_hours&${DEVIATIONS}`;
    const { pivot, totals } = (await opened.server.get(`/v3/reports/pivot?${query}&decimals=string`)).json();
    const numbersOf = ({ department_id: _, department: __, ...numbers }: Record<string, string>) =>
      Object.values(numbers).map((text) => Number(text));
    const shown = await page
      .locator('tbody tr, tfoot tr')
      .evaluateAll((rows) =>
        rows.map((row) => [...row.querySelectorAll('td')].map((cell) => Number(cell.textContent?.replaceAll(',', '')))),
      );
    expect(shown).toEqual([...pivot, totals].map(numbersOf));
    const tips = page.locator('.chart a[data-tip]');
    await tips.first().waitFor();
    expect(await tips.first().getAttribute('data-tip')).toMatch(/^Jan 26\n[A-Z].*\n[\d,.]+ h$/);
    expect(await page.locator('.legend .pair').count()).toBe(pivot.length);
    await page.locator('tbody tr').first().locator('td a').first().click();
    await page.getByRole('dialog').locator('.sum').waitFor();
    expect(new URL(page.url()).searchParams.get('lines')).toContain('period_end=2026-01-31');
  });

  it('keeps a view under its name, in the address and the browser', async () => {
    const { page } = opened.tab;
    await opened.tab.open(`/?screen=explore&group_by=client&across=department&measures=actual_fees&${DEVIATIONS}`);
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByLabel('Keep this view as').fill('Fees, by who');
    await page.getByRole('button', { name: 'Keep', exact: true }).click();
    await page.getByRole('button', { name: 'View: Fees, by who', exact: true }).waitFor();
    expect(new URL(page.url()).searchParams.get('view')).toBe('Fees, by who');
    await opened.tab.open('/?screen=explore');
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('link', { name: 'Fees, by who' }).click();
    await opened.tab.settle();
    expect(new URL(page.url()).searchParams.get('across')).toBe('department');
    await page.locator('.choice summary', { hasText: 'Rows: Client' }).waitFor();
    await page.getByRole('button', { name: 'View: Fees, by who', exact: true }).click();
    await page.getByRole('button', { name: 'Remove the view Fees, by who' }).click();
    expect(await page.getByRole('button', { name: 'View: Fees, by who (not kept)' }).count()).toBe(1);
    expect(opened.tab.faults).toEqual([]);
  });
});

it('a slow answer leaves the numbers before on the screen, dimmed', { tags: ['slow'] }, async () => {
  const { page } = opened.tab;
  await opened.tab.open(`/?${DEVIATIONS}`);
  let answer = () => {};
  const isAnswered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/v3/reports/**', (route) => isAnswered.then(() => route.continue()));
  const total = () => page.locator('table.months tfoot td').first().textContent();
  const before = await total();
  await page.getByRole('link', { name: 'Revenue', exact: true }).click();
  await expect.poll(readOpacity).toBe('0.5');
  expect(await total()).toBe(before);
  answer();
  await opened.tab.settle();
  await expect.poll(readOpacity).toBe('1');
  expect(await total()).not.toBe(before);
  await page.unroute('**/v3/reports/**');

  async function readOpacity(): Promise<string> {
    return page.evaluate<string>("getComputedStyle(document.querySelector('table.months').closest('section')).opacity");
  }
});
