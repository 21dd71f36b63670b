import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { openServer } from '../../page/opened-server.ts';
import { countWords, printSheets, readShown, type Sheet, textOfSheet } from '../../page/printed.ts';

/** A year, whose months and weeks are more columns than a sheet has room for. */
const YEAR = 'start_date=2026-01-01&end_date=2026-12-31&cutoff_date=2026-05-31';

/** Least margin of a sheet. Unit: pt. */
const MARGIN_PT = 20;

const SCREENS = [
  ['portfolio', 'screen=portfolio', 'Portfolio', ''],
  ['portfolio, filtered', 'screen=portfolio&client_id=205', 'Portfolio', 'Clients: Sakura Health'],
  ['project', 'screen=project&project_id=501', 'Kestrel onboarding app', ''],
  ['person', 'screen=person&people_id=102', 'Mateo Fernández-Ruiz', ''],
  ['client', 'screen=client&client_id=205', 'Sakura Health', ''],
  ['people', 'screen=people', 'People', ''],
  ['explore', 'screen=explore&group_by=client,month&measures=scheduled_hours,actual_cost', 'Explore', ''],
  ['quality', 'screen=quality', 'Data quality', ''],
] as const;

const opened = openServer();

it.each(SCREENS)('%s is printed whole, each sheet with its head', async (_, query, title, filter) => {
  const { page } = opened.tab;
  await opened.tab.open(`/?${query}&${YEAR}`);
  await page.waitForLoadState('networkidle');
  const shown = await readShown(page);
  const headers = await page.locator('main table:visible thead th').allInnerTexts();
  const rows = await readRowNames(page, 'main');
  const sheets = await printSheets(page);
  expectWhole(sheets, shown, headers);
  expectTableHeads(sheets, rows);
  expectHeads(sheets, [title, '1 Jan to 31 Dec 2026', filter]);
  expect(opened.tab.faults).toEqual([]);
});

it('prints the lines behind a number with the head of their screen', async () => {
  const { page } = opened.tab;
  await opened.tab.open(`/?screen=portfolio&${YEAR}`);
  await page.locator('dl.figures dd a').first().click();
  await page.locator('dialog .sum').waitFor();
  await page.locator('dialog table:has-text("Term")').waitFor();
  await page.waitForLoadState('networkidle');
  const shown = await readShown(page);
  expect(shown.join('')).toContain('their contributions add up to');
  const rows = await readRowNames(page, 'dialog');
  const sheets = await printSheets(page);
  expectTableHeads(sheets, rows);
  expectWhole(sheets, shown, await page.locator('dialog table:visible thead th').allInnerTexts());
  expectHeads(sheets, ['Portfolio', '1 Jan to 31 Dec 2026']);
  expect(await page.locator('dialog:modal').count()).toBe(1);
});

it('waits for the names in the head before it prints', async () => {
  const { page } = opened.tab;
  await page.addInitScript(
    'window.print = () => { window.printed = document.querySelector(".sheet-head").textContent; }',
  );
  let answer = () => {};
  const isAsked = new Promise<void>((resolve) => {
    void page.route(/group_by=client&/, async (route) => {
      resolve();
      await new Promise<void>((go) => {
        answer = go;
      });
      await route.continue();
    });
  });
  await page.goto(`${opened.server.url}/?screen=portfolio&client_id=205&${YEAR}`);
  await isAsked;
  await page.locator('table.months').waitFor();
  await page.getByRole('button', { name: 'Print or PDF' }).click();
  await page.waitForTimeout(200);
  expect(await page.evaluate('window.printed')).toBeUndefined();
  expect(await page.locator('.chip').textContent()).not.toContain('205');
  answer();
  await expect.poll(() => page.evaluate('window.printed')).toContain('Clients: Sakura Health');
  await page.unroute(/group_by=client&/);
});

/** Expects that each word of a screen and each column of its tables is on the sheets, and none beyond an edge. */
function expectWhole(sheets: readonly Sheet[], shown: readonly string[], headers: readonly string[]): void {
  const drawn = countWords(sheets.map(textOfSheet));
  const lost = [...countWords(shown)].filter(([word, count]) => (drawn.get(word) ?? 0) < count);
  expect(Object.fromEntries(lost)).toEqual({});
  const all = sheets.map(textOfSheet).join('').replaceAll(/\s/g, '');
  expect(headers.length).toBeGreaterThan(2);
  for (const header of headers) expect(all).toContain(header.replaceAll(/\s/g, ''));
  const cut = sheets.flatMap(({ width, height, texts }) =>
    texts.filter(
      ({ left, right, bottom }) =>
        left < MARGIN_PT || right > width - MARGIN_PT || bottom < MARGIN_PT || bottom > height - MARGIN_PT,
    ),
  );
  expect(cut).toEqual([]);
}

async function readRowNames(page: Page, place: string): Promise<readonly string[]> {
  const names = await page.locator(`${place} table:visible tbody th`).allInnerTexts();
  return names.map((name) => name.split('\n')[0] ?? '');
}

/** The longest text of a cell beside the name of a row. Unit: characters. */
const LONGEST_CELL = 30;

/** Lines of text at the head of each sheet. */
const HEAD_LINES = 2;

/** Expects that a table that goes on to the next sheet has its own head there again. */
function expectTableHeads(sheets: readonly Sheet[], rows: readonly string[]): void {
  const lines = sheets.map(({ texts }) => {
    const heights = [...new Set(texts.map(({ bottom }) => bottom))].sort((one, other) => other - one);
    return heights.map((height) => texts.filter(({ bottom }) => bottom === height));
  });
  // A card has its project's name, too, but beside a sentence alone.
  const isRow = ([name, ...cells]: Sheet['texts']) =>
    rows.includes(name?.text ?? '') && (cells.length !== 1 || (cells[0]?.text.length ?? 0) <= LONGEST_CELL);
  expect(lines.flat().some(isRow)).toBe(true);
  for (const line of lines) expect(isRow(line[HEAD_LINES] ?? [])).toBe(false);
}

/** Expects that each sheet names its screen, window, filters, data and day. */
function expectHeads(sheets: readonly Sheet[], parts: readonly string[]): void {
  expect(sheets.length).toBeGreaterThan(0);
  for (const sheet of sheets) {
    const text = textOfSheet(sheet);
    expect(text.trim().startsWith(parts[0] ?? '')).toBe(true);
    for (const part of parts) expect(text).toContain(part);
    expect(text).toMatch(/actuals until|Data quality/);
    expect(text).toMatch(/Data version \S+, loaded .+ UTC\. Printed \d+ \w{3} \d{4}/);
  }
}
