import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { readPageFiles } from '../../src/doors/http/page/page-files.ts';
import { openBrowser } from '../../test/page/browser.ts';
import { readNumber, withConnection } from '../connection.ts';
import { median } from '../measure.ts';
import { type ServerProcess, startServer } from './child.ts';

/*
 * The page in a browser: `node dist/bench/interfaces/page.js FILE [START END] [RUNS]` with a loaded database FILE of
 * size M. Page and comparator alternate, so that other load affects both.
 */

/** The most that all files of the page may take, compressed. Unit: bytes. */
const MAX_PAGE_BYTES = 155_000;

/** The most that a screen may take beside 1.3 times its slowest call. Unit: ms. */
const SCREEN_EXTRA_MS = 300;
const SCREEN_RATIO = 1.3;

/** Screens beside the portfolio, with the first of their numbers. The project is the first of a generated company. */
const SCREENS: readonly (readonly [screen: string, number: string])[] = [
  ['people', 'table.weeks .figure'],
  ['explore', 'main .figure'],
  ['quality', 'main .opens'],
  ['project&project_id=2000001', 'main .figure'],
];

/** The most that first lines may take, as a multiple of the call that lists them. */
const LINES_RATIO = 2;

/** The most script that draws the weeks of 200 people. Unit: ms. */
const WEEKS_MS = 100;
const PEOPLE = 200;

/** The first number of the table of projects. */
const PORTFOLIO = 'table.months .figure';

/** Lines of size L. */
const LARGE_LINES = 50_000_000;

/** Reports of size L with the most that each may take. Unit: ms. */
const LARGE_REPORTS: readonly (readonly [title: string, path: string, must: number])[] = [
  ['projects of a quarter', 'projects?start_date=2025-04-01&end_date=2025-06-30', 200],
  ['projects of a year', 'projects?start_date=2025-01-01&end_date=2025-12-31', 210],
  [
    'client by month over five years',
    'pivot?group_by=client,month&measures=actual_hours,actual_cost&start_date=2021-01-01&end_date=2025-12-31',
    800,
  ],
];

/** Time for a screen to show its numbers. Unit: ms. */
const SCREEN_MS = 120_000;

const [file, start = '2025-01-01', end = '2025-12-31', runs = '3'] = process.argv.slice(2);
if (!file) throw new Error('FILE is missing: a loaded database');
const WINDOW = `start_date=${start}&end_date=${end}&cutoff_date=${end}`;

const print = (step: string, value: number, must: number, unit: string, more = '') => {
  const isMet = value <= must;
  if (!isMet) process.exitCode = 1;
  const format = (number: number) => number.toFixed(unit === 'x' ? 2 : 0);
  const numbers = `${format(value).padStart(8)} ${unit.padEnd(8)} must ${format(must).padStart(6)}  ${isMet ? 'ok  ' : 'OVER'}`;
  process.stdout.write(`${step.padEnd(58)} ${numbers}  ${more}\n`);
};

/** Returns the time of a call alone. Unit: ms. */
async function timeCall(url: string): Promise<number> {
  const startedAt = performance.now();
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
  await response.arrayBuffer();
  return performance.now() - startedAt;
}

/** Returns a script that waits for an element, without asking for it again and again. */
const awaitElement = (selector: string) => `new Promise((resolve, reject) => {
  setTimeout(() => reject(new Error('There is no ' + ${JSON.stringify(selector)})), ${SCREEN_MS});
  new MutationObserver((_, observer) => {
    if (document.querySelector(${JSON.stringify(selector)}) === null) return;
    observer.disconnect();
    resolve(performance.now());
  }).observe(document, { childList: true, subtree: true });
})`;

/**
 * Clicks on a link without the library, which would look for roles and styles in the measured script.
 * @returns The time until an element is there. Unit: ms.
 */
function follow(page: Page, link: string, selector: string): Promise<number> {
  return page.evaluate(`(async () => {
    const shown = ${awaitElement(selector)};
    const clickedAt = performance.now();
    document.querySelector(${JSON.stringify(link)}).click();
    return (await shown) - clickedAt;
  })()`);
}

/** A screen with drawn numbers. */
interface Loaded {
  readonly page: Page;
  /** The time until they were drawn. Unit: ms. */
  readonly ms: number;
  /** The calls of reports. */
  readonly calls: readonly string[];
}

/** Loads a screen in a browser without copies of anything. @returns Its time in ms, and its calls of reports. */
async function loadScreen(browser: Browser, url: string, screen = 'portfolio', number = PORTFOLIO): Promise<Loaded> {
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 900 } })).newPage();
  const calls: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/v3/reports/')) calls.push(request.url());
  });
  await page.addInitScript({ content: `globalThis.drawn = ${awaitElement(number)}` });
  await page.goto(`${url}/?screen=${screen}&${WINDOW}`);
  return { page, ms: await page.evaluate('drawn'), calls };
}

async function measureScreen(browser: Browser, url: string, screen: string, number: string): Promise<void> {
  const [pages, alone]: [number[], number[]] = [[], []];
  let slowest = '';
  for (let run = 0; run < Number(runs); run += 1) {
    const { page, ms, calls } = await loadScreen(browser, url, screen, number);
    pages.push(ms);
    const times = await inTurn(calls, timeCall);
    alone.push(Math.max(...times));
    slowest = new URL(calls[times.indexOf(Math.max(...times))] ?? url).pathname;
    await page.context().close();
  }
  const must = SCREEN_RATIO * median(alone) + SCREEN_EXTRA_MS;
  const more = `${slowest} ${median(alone).toFixed(0)} ms`;
  print(`${screen}, first load to drawn numbers`, median(pages), must, 'ms', more);
}

async function measureReload(browser: Browser, url: string): Promise<void> {
  const { page } = await loadScreen(browser, url);
  // The browser answers scripts with its copy; a 304 of the server is what the protocol of its debugger tells.
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  const others: string[] = [];
  let unchanged = 0;
  session.on('Network.responseReceivedExtraInfo', ({ statusCode }) => {
    if (statusCode === 304) unchanged += 1;
    else others.push(String(statusCode));
  });
  await page.reload();
  await page.evaluate('drawn');
  print('the same again, data unchanged: answers but 304', others.length, 0, 'answers', `${unchanged} times 304`);
  await page.context().close();
}

/** Clicks on the key figure of scheduled hours, whose lines are those of the whole window. */
async function measureLines(browser: Browser, url: string): Promise<void> {
  const [clicks, alone]: [number[], number[]] = [[], []];
  for (let run = 0; run < Number(runs); run += 1) {
    const { page, calls } = await loadScreen(browser, url);
    clicks.push(await follow(page, 'dl.figures dd a', 'dialog section tbody tr'));
    alone.push(await timeCall(calls.find((call) => call.includes('/lines?')) ?? ''));
    await page.context().close();
  }
  const more = `${median(clicks).toFixed(0)} ms, the call ${median(alone).toFixed(0)} ms`;
  print('from a click on a total to its first lines', median(clicks) / median(alone), LINES_RATIO, 'x', more);
}

async function measureWeeks(browser: Browser, url: string): Promise<void> {
  const { page } = await loadScreen(browser, url);
  const session = await page.context().newCDPSession(page);
  // Processor time of the thread, which other load doesn't lengthen.
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const readScript = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? Number.NaN) * 1000;
  };
  const times: number[] = [];
  let cells = 0;
  for (let run = 0; run < Number(runs); run += 1) {
    const before = await readScript();
    await follow(page, 'nav a[href*=people]', `table.weeks tbody tr:nth-child(${PEOPLE}) td:not(.sum)`);
    times.push((await readScript()) - before);
    cells = await page.locator('table.weeks td').count();
    await follow(page, 'nav a', PORTFOLIO);
  }
  print(`weeks of ${PEOPLE} people: all script from click to drawn`, median(times), WEEKS_MS, 'ms', `${cells} cells`);
  await page.context().close();
}

async function measureLargeReports({ url, readStats }: ServerProcess): Promise<void> {
  for (const [title, path, must] of LARGE_REPORTS) {
    await timeCall(`${url}/v3/reports/${path}`);
    await readStats();
    const times = await inTurn(Array(Number(runs)).fill(`${url}/v3/reports/${path}`), timeCall);
    const { cpuSeconds } = await readStats();
    print(title, median(times), must, 'ms', `${((cpuSeconds * 1000) / times.length).toFixed(0)} ms of processor time`);
  }
}

async function inTurn<T, Result>(items: readonly T[], work: (item: T) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}

const bytes = readPageFiles().reduce((sum, { forms }) => sum + forms.gzip.body.length, 0);
print('all files of the page, compressed', bytes / 1000, MAX_PAGE_BYTES / 1000, 'kB');
const lines = await withConnection(file, (connection) => readNumber(connection, 'SELECT COUNT(*) FROM core.ledger'));
const server = await startServer('plumbline', file, join(tmpdir(), `${randomUUID()}.tokens.json`));
const browser = await openBrowser();
try {
  await measureScreen(browser, server.url, 'portfolio', PORTFOLIO);
  for (const [screen, number] of SCREENS) await measureScreen(browser, server.url, screen, number);
  await measureReload(browser, server.url);
  await measureLines(browser, server.url);
  await measureWeeks(browser, server.url);
  if (lines >= LARGE_LINES) await measureLargeReports(server);
} finally {
  await browser.close();
  server.close();
}
