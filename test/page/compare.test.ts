import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { periodsBetween } from '../../page/data/days.ts';
import { percentOf, subtractDecimals } from '../../page/data/numbers.ts';
import { openServer } from './opened-server.ts';

/** Hours of a week in February of two years; the second project is new, the third one is gone. */
const HOURS = [
  ['2025-02-03', 1, '8'],
  ['2025-02-04', 3, '2'],
  ['2026-02-02', 1, '6.5'],
  ['2026-02-03', 2, '4'],
] as const;

const opened = openServer({
  data: {
    people: [{ people_id: 1, name: 'Ada', default_hourly_rate: '100', cost_rate: '40' }],
    projects: ['Bridge', 'Canal', 'Dam'].map((name, index) => ({ project_id: index + 1, name })),
    logged_time: HOURS.map(([date, project, hours], index) => ({
      ...{ logged_time_id: `L${index}`, people_id: 1, project_id: project, date, hours },
      billable: 1,
    })),
  },
});

it.each([
  ['6.50', '8', '-1.50'],
  ['-6.5', '-8', '1.5'],
  ['99999999999999999999.99', '-0.01', '100000000000000000000.00'],
])('subtracts from %s %s without a digit lost', (one, other, difference) => {
  expect(subtractDecimals(one, other)).toBe(difference);
});

it.each([
  ['-1.50', '8', '-18.8'],
  ['1', '8', '12.5'],
  ['0.05', '100', '0.1'],
  ['-0.0499', '100', '-0.0'],
  ['50', '-100', '50.0'],
  ['1', '0.00', undefined],
])('rounds the percentage of %s of %s half away from zero: %s', (part, whole, percent) => {
  expect(percentOf(part, whole)).toBe(percent);
});

it.each([
  ['2026-02-01', '2026-02-01', ['client', 'month'], 0],
  ['2026-02-01', '2026-04-01', ['month'], 2],
  ['2026-01-01', '2025-12-29', ['week'], 0],
  ['2026-01-01', '2026-01-05', ['week'], 1],
  ['2026-01-01', '2026-01-05', ['day'], 4],
  ['2025-05-15', '2025-04-01', ['quarter'], 0],
  ['2025-05-15', '2025-07-01', ['quarter'], 1],
])('counts from %s to %s by %s', (start, day, kinds, count) => {
  expect(String(periodsBetween(start, day, kinds))).toBe(String(count));
});

describe('a year before', { tags: ['slow'] }, () => {
  const WINDOW = 'start_date=2026-02-01&end_date=2026-02-28&cutoff_date=2026-02-28&compare=year_before';
  const textsOf = (selector: string) => opened.tab.page.locator(selector).allInnerTexts();

  it('is a change in every figure and row, which opens the lines of the number before', async () => {
    const { page } = opened.tab;
    await opened.tab.open(`/?screen=explore&group_by=project&measures=actual_hours,actual_profit&${WINDOW}`);
    expect(await page.locator('.provenance').textContent()).toContain(
      'Changes are from 1 Feb to 28 Feb 2025, with a row that this window hasn’t, actuals until 28 Feb 2025.',
    );
    const rows = (await textsOf('tbody tr, tfoot tr')).map((text) => text.split(/\s*[\t\n]\s*/));
    expect(rows).toEqual([
      ['Bridge', '6.50', '−1.50 (−18.8 %)', '390.00', '−90.00 (−18.8 %)U'],
      ['Canal', '4.00', 'new', '240.00', 'new'],
      ['Total', '10.50', '+0.50 (+5.0 %)', '630.00', '+30.00 (+5.0 %)F'],
    ]);
    await page.getByRole('link', { name: '−1.50 (−18.8 %)' }).click();
    const drawer = page.getByRole('dialog');
    await drawer.locator('.sum').waitFor();
    expect(await drawer.locator('.sum').textContent()).toContain('8.00');
  });

  it('is a series of each chart, and in the copy of a table', async () => {
    const { page } = opened.tab;
    await opened.tab.open(`/?by=hours&${WINDOW}`);
    expect(await textsOf('.figures .change')).toContain('+0.50 (+5.0 %)');
    await page.locator('.chart circle').first().waitFor();
    expect(await page.locator('.chart circle').count()).toBe(1);
    const tip = await page.locator('.chart a[data-tip]').first().getAttribute('data-tip');
    expect(tip?.split('\n').at(-1)).toBe('A year before: 10.00 h');
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'CSV' }).first().click();
    const [head = ''] = readFileSync(await (await saved).path(), 'utf8').split('\r\n');
    expect(head).toContain('"Margin, %","Margin, %, change"');
  });

  it('is read when it is chosen in the menu, and read again when the other one is', async () => {
    const { page } = opened.tab;
    await opened.tab.open(
      '/?screen=explore&group_by=project&measures=actual_hours&start_date=2026-02-01&end_date=2026-02-28&cutoff_date=2026-02-28',
    );
    const choose = async (name: string) => {
      await page.locator('.window .menu > button').click();
      await page.getByRole('link', { name: `Compare: ${name}` }).click();
    };
    const totals = () => page.locator('tfoot td').allInnerTexts();
    await choose('a year before');
    await expect.poll(totals).toEqual([expect.stringContaining('+0.50')]);
    await choose('the period before');
    await expect.poll(totals).toEqual([expect.stringContaining('+10.50')]);
    await page.goBack();
    await expect.poll(totals).toEqual([expect.stringContaining('+0.50')]);
  });

  it('is none over the whole life of a project', async () => {
    await opened.tab.open('/?screen=project&project_id=1&compare=year_before');
    expect(await textsOf('.change')).toEqual([]);
    expect(opened.tab.faults).toEqual([]);
  });
});
