// Makes the pictures of the page in docs/images again, from the bundled company. With a folder, makes those of every screen there,
// narrow and wide, light, dark and as printed.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { chromium } from 'playwright-core';
import { compressPicture } from './compress-picture.js';

const PROGRAM = 'dist/program/main.js';
const BROWSER = '/usr/bin/chromium';

/** Screens by the name of their picture. The half year has months before and after its cutoff. */
const HALF_YEAR = 'start_date=2026-01-01&end_date=2026-06-30&cutoff_date=2026-05-31';
const NUMBER = 'report=projects&measure=variance_cost&project_id=501&start_date=2025-01-01&end_date=2026-06-30&cutoff_date=2026-05-31';
const SCREENS = {
  portfolio: '',
  project: '&screen=project&project_id=501',
  people: '&screen=people',
  explore: '&screen=explore&group_by=client&across=month&measures=actual_hours,variance_cost',
  quality: '&screen=quality',
  lines: `&screen=project&project_id=501&lines=${encodeURIComponent(NUMBER)}`,
  line: '&screen=project&project_id=501&line=s:7248:102:2026-01-02',
};

/** Windows of the browser. Unit: px. */
const DOCS = { width: 1280, height: 860 };
const WINDOWS = [{ width: 360, height: 780 }, DOCS, { width: 1920, height: 1080 }];

const [folder] = process.argv.slice(2);
const data = mkdtempSync(join(tmpdir(), 'plumbline-pictures-'));
try {
  const database = join(data, 'company.duckdb');
  const load = [PROGRAM, 'load', 'fixtures/company', '--database', database];
  const { status, stderr } = spawnSync(process.execPath, load, { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  const server = spawn(process.execPath, [PROGRAM, 'serve', '--database', database, '--port', '0', '--log-level', 'warn'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  try {
    await takePictures(await readUrl(server));
  } finally {
    server.kill();
  }
} finally {
  rmSync(data, { recursive: true, force: true });
}

async function readUrl(server) {
  for await (const line of createInterface({ input: server.stderr })) {
    const [, url] = /its page on (\S+),/.exec(line) ?? [];
    if (url) return url;
  }
  throw new Error('The server did not start.');
}

async function takePictures(url) {
  const browser = await chromium.launch({ executablePath: BROWSER, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    if (folder === undefined) {
      for (const screen of Object.keys(SCREENS)) await takePicture(browser, url, screen, `docs/images/page-${screen}.png`);
      return;
    }
    mkdirSync(folder, { recursive: true });
    for (const screen of Object.keys(SCREENS)) {
      for (const viewport of WINDOWS) {
        for (const colorScheme of ['light', 'dark']) {
          const path = join(folder, `${screen}-${viewport.width}-${colorScheme}.png`);
          await takePicture(browser, url, screen, path, { viewport, colorScheme });
        }
      }
      const page = await openScreen(browser, url, screen, { viewport: DOCS });
      await page.pdf({ path: join(folder, `${screen}.pdf`), preferCSSPageSize: true });
      await page.context().close();
    }
  } finally {
    await browser.close();
  }
}

async function takePicture(browser, url, screen, path, look = { viewport: DOCS }) {
  const page = await openScreen(browser, url, screen, look);
  await page.screenshot({ path });
  compressPicture(path);
  await page.context().close();
}

/** Opens a screen, and waits until nothing is being read. */
async function openScreen(browser, url, screen, look) {
  const context = await browser.newContext(look);
  const page = await context.newPage();
  await page.goto(`${url}?${HALF_YEAR}${SCREENS[screen]}`, { waitUntil: 'networkidle' });
  await page.locator('.loading').first().waitFor({ state: 'detached' });
  return page;
}
