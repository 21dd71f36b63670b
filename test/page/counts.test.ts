import { expect, it } from 'vitest';
import { ALL_SCREENS } from './all-screens.ts';
import { WINDOW } from './opened-numbers.ts';
import { openServer } from './opened-server.ts';

const opened = openServer();

/** Reads the counts that lead the captions of tables, each with the rows of its table. */
const COUNTED = `[...document.querySelectorAll('main table:has(> caption)')].flatMap((table) => {
  const [, count] = /(?:^|: )(\\d+) (?:rows?|projects?|people|person)\\b/.exec(table.caption.textContent) ?? [];
  const more = table.closest('.scroll')?.nextElementSibling;
  const [, all] = /^\\d+ of (\\d+) rows/.exec(more?.matches('.more') ? more.textContent : '') ?? [];
  return count === undefined ? [] : [[table.caption.textContent, Number(count), Number(all ?? table.tBodies[0].rows.length)]];
})`;

it.each([...ALL_SCREENS, 'explore&group_by=client&across=month', 'changes'])(
  '%s: each count over a table is that of its rows',
  { tags: ['slow'] },
  async (screen) => {
    await opened.tab.open(`/?screen=${screen}&${WINDOW}`);
    const counted = await opened.tab.page.evaluate<[string, number, number][]>(COUNTED);
    for (const [caption, count, rows] of counted) expect(rows, caption).toBe(count);
    if (/^(explore|project|person|client|outlook|timesheets)/.test(screen)) expect(counted).not.toEqual([]);
  },
);

it('the portfolio counts its cards and the rows that a count shows', { tags: ['slow'] }, async () => {
  const { page } = opened.tab;
  await opened.tab.open(`/?${WINDOW}`);
  const heads = page.locator('.worst > p a');
  const counts = (await heads.allTextContents()).map((text) => [Number(text.split(' ')[0]), text] as const);
  expect(counts.length).toBeGreaterThan(2);
  const cards = counts.filter(([, text]) => !text.endsWith('on plan')).reduce((sum, [count]) => sum + count, 0);
  expect(await page.locator('.worst .card').count()).toBe(cards);
  for (const [index, [count, text]] of counts.entries()) {
    await heads.nth(index).click();
    await opened.tab.settle();
    await expect.poll(() => page.locator('table.months tbody tr').count(), { message: text }).toBe(count);
    expect(await page.locator('.worst .card').count(), text).toBe(text.endsWith('on plan') ? 0 : count);
    await page.goBack();
    await opened.tab.settle();
  }
});

it('the portfolio tells internal work in a line whose numbers open their lines, and no card calls it a loss', {
  tags: ['slow'],
}, async () => {
  const { page } = opened.tab;
  await opened.tab.open(`/?${WINDOW}`);
  const line = page.locator('.worst > .sentences');
  await expect.poll(() => line.textContent()).toMatch(/^Internal work: [\d,]+\.\d\d h, [\d,]+\.\d\d EUR\.$/);
  expect(await page.locator('.worst .card', { hasText: 'Studio & learning' }).allTextContents()).not.toContainEqual(
    expect.stringContaining('Loses'),
  );
  const shown = await line.locator('a').first().textContent();
  await line.locator('a').first().click();
  expect(await page.locator('dialog .sum').textContent()).toContain(shown);
});

it('data quality counts the findings that a count opens', { tags: ['slow'] }, async () => {
  const { page } = opened.tab;
  await opened.tab.open(`/?screen=quality&${WINDOW}`);
  for (const link of await page.locator('dl.figures dd > a').all()) {
    const count = Number((await link.textContent())?.replaceAll(',', ''));
    if (count === 0) continue;
    await link.click();
    await page.locator('dialog .sum').waitFor();
    expect(await page.locator('dialog .sum').textContent()).toMatch(
      new RegExp(`^${count.toLocaleString('en')} finding`),
    );
    const shown = await page.locator('dialog tbody tr').count();
    const [, all] = /^\d+ of (\d+) rows/.exec((await page.locator('dialog .more').allTextContents()).join('')) ?? [];
    expect(Number(all ?? shown)).toBe(count);
    await page.keyboard.press('Escape');
  }
});
