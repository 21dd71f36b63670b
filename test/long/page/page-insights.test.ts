import { Decimal } from 'decimal.js';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Insight, InsightNumber, PlacedInsight } from '../../../src/numbers/report/catalogue/insight.ts';
import { type Served, serve } from '../../http/served.ts';
import { randomDataset } from '../../oracle/random.ts';
import { openBrowser, openTab, type Tab } from '../../page/browser.ts';
import { SEED } from '../../seed.ts';
import type { Records } from '../../sql/company.ts';

/** Random companies, each on a server of its own. */
const COMPANIES = 3;

/** Projects of a company whose screens are read, and numbers opened on a screen. */
const PROJECTS = 3;
const OPENED = 4;

/** A project with its sentences, gravest first. */
interface ToldProject {
  readonly project_id: number | string;
  readonly _insights: readonly Insight[];
}

const SEVERITIES = ['over', 'at_risk', 'notice'];

/** The days of random companies. */
const WINDOW = 'start_date=2024-01-01&end_date=2024-06-30&cutoff_date=2024-05-31';

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser?.close());

const seeds = Array.from({ length: COMPANIES }, (_, index) => SEED + index);

describe.each(seeds)('the company of PLUMBLINE_SEED=%i', (seed) => {
  let [server, tab] = [] as unknown as [Served, Tab];
  beforeAll(async () => {
    server = await serve({ data: randomDataset(seed) as Records });
    tab = await openTab(browser, server.url);
  });
  afterAll(() => server?.close());

  const ask = async (query: string) =>
    (await server.get(`/v3/reports/projects?${query}&${WINDOW}&insights=1&decimals=string`)).json();

  it('has the sentences of the API on its portfolio, each number a link', async () => {
    const { meta, projects } = await ask('sort=-variance_cost');
    await tab.open(`/?${WINDOW}`);
    const worst: PlacedInsight[] = meta.insights.worst;
    const told: ToldProject[] = projects.filter(
      ({ _insights: [first] }: ToldProject) => first && first.severity !== 'on_plan',
    );
    // The projects of the worst sentences come first, in the order of these; then the others, the gravest first.
    const ids = [...new Set(worst.map(({ row }) => row['project_id']))];
    const rankOf = ({ project_id: id, _insights: [first] }: ToldProject) =>
      ids.includes(String(id)) ? ids.indexOf(String(id)) : ids.length + SEVERITIES.indexOf(first?.severity ?? '');
    const ordered = told.toSorted((one, other) => rankOf(one) - rankOf(other)).flatMap(({ _insights }) => _insights);
    // Sentences about all rows, such as that of internal work, stand above the cards.
    const sentences: Insight[] = [...meta.insights.overall, ...ordered];
    await expectSentences(tab.page, sentences);
    await tab.page.evaluate("for (const button of document.querySelectorAll('.card button')) button.click()");
    await openSums(tab.page, sentences.slice(0, 3));
    expect(tab.faults).toEqual([]);
  });

  it('has them on the screens of its projects', async () => {
    const { projects } = await ask('include_empty=1');
    const told = projects.filter((row: { _insights: unknown[] }) => row._insights.length > 0);
    for (const { project_id: id, _insights: insights } of told.slice(0, PROJECTS)) {
      await tab.open(`/?screen=project&project_id=${id}&${WINDOW}`);
      await expectSentences(tab.page, insights);
      await openSums(tab.page, insights);
    }
    expect(tab.faults).toEqual([]);
  });
});

/** Expects that a screen has these sentences, and that each of their numbers opens its lines. */
async function expectSentences(page: Page, insights: readonly Insight[]): Promise<void> {
  const items = await page.locator('.sentences li').all();
  const shown = await Promise.all(
    items.map(async (item) => ({
      text: await item.textContent(),
      links: await item
        .locator('a')
        .evaluateAll((links) => links.map((link) => [link.textContent, link.getAttribute('href')])),
    })),
  );
  const told = insights.map(({ text, numbers }) => ({
    text,
    links: linked(numbers).map(({ shown, query }) => [shown, sortQuery(query)]),
  }));
  const read = shown.map(({ text, links }) => ({
    text,
    links: links.map(([name, href]) => [name, sortQuery(new URLSearchParams(href?.slice('/?'.length)).get('lines'))]),
  }));
  expect(read).toEqual(told);
  // Numbers of work that waits for progress, and a loss without it, which is the first of its sentence, are parts of what lines are chosen by.
  const ofLines = insights.flatMap(({ text, numbers }) => {
    if (text.startsWith('No progress since')) return [];
    return text.includes('since the latest progress') ? numbers.slice(1) : numbers;
  });
  const unlinked = ofLines.filter(({ query }) => query === null);
  // The end of a project is a field of its record.
  for (const number of unlinked) expect(number).toMatchObject({ unit: 'date' });
}

/** Returns the parameters of a query in one order: those of a row are in the order of its own call. */
function sortQuery(query: string | null): string {
  const parameters = new URLSearchParams(query?.slice(query.indexOf('?') + 1));
  parameters.sort();
  return parameters.toString();
}

const linked = (numbers: readonly InsightNumber[]) =>
  numbers.filter(({ query }) => query !== null).toSorted((one, other) => one.at - other.at);

/** Opens numbers of sentences that are sums: their lines add up to them. */
async function openSums(page: Page, insights: readonly Insight[]): Promise<void> {
  const links = page.locator('.sentences a');
  const numbers = insights.flatMap((insight) => linked(insight.numbers));
  const sums = [...numbers.entries()].filter(([, { measure, unit }]) => measure !== null && /hours|money/.test(unit));
  for (const [index, { value, query }] of sums.slice(0, OPENED)) {
    await links.nth(index).click();
    await page.locator('dialog .sum').waitFor();
    const sum = (await page.locator('dialog .sum output').textContent()) ?? '';
    const exact = new Decimal(sum.replaceAll(',', '').replace('−', '-'));
    expect(exact.abs().toFixed(), query ?? '').toBe(new Decimal(value).abs().toFixed());
    await page.keyboard.press('Escape');
  }
}
