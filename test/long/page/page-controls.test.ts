import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../../eventually.ts';
import { type Served, serve } from '../../http/served.ts';
import { ALL_SCREENS } from '../../page/all-screens.ts';
import { openBrowser, openTab, type Tab } from '../../page/browser.ts';
import type { Control } from '../../page/controls.ts';
import { LEFT } from '../../page/left-controls.ts';
import { WINDOW } from '../../page/opened-numbers.ts';
import { type Left, openWindow, readAnew, type Walk, type Watched, walkScreen, watch } from '../../page/walk.ts';
import { SEED } from '../../seed.ts';

/** Widths of a screen, a tablet and a telephone. Unit: px. */
const WIDTHS = [1440, 768, 390];

/** The longest walk, on a busy machine. Unit: ms. */
const WALK_MS = 3_600_000;

const NUMBER = encodeURIComponent(`report=projects&measure=variance_cost&project_id=501&${WINDOW}`);

/** Screens with what they show on request, and the drawer with all that it opens. */
const BASES = [
  ...[...ALL_SCREENS, 'changes', 'data'],
  ...['portfolio&compare=year_before', 'people&group=role&show=utilization_percent', 'portfolio&since=yesterday'],
  ...[`portfolio&lines=${NUMBER}`, `portfolio&lines=${NUMBER}&line=s:7248:102:2026-01-02`, 'quality&findings=all'],
];

let moment = new Date('2026-06-14T12:00:00Z');
let server: Served;
let browser: Browser;
// All walks are in one context, whose cache keeps the answers that were asked for before.
let tab: Tab;
let watched: Watched;
let other: Watched;
const met = new Set<Left>();

beforeAll(async () => {
  server = await serve({ now: () => moment, write: true });
  const { header } = await server.token(['reports', 'rates', 'write', 'load', 'close']);
  const keep = () => server.post('/v3/closings', { name: 'sunday' }, { authorization: header });
  await eventually(async () => expect((await keep()).status).toBeLessThan(300));
  moment = new Date('2026-06-15T12:00:00Z');
  browser = await openBrowser();
  tab = await openTab(browser, server.url);
  const context = tab.page.context();
  const token = JSON.stringify(header.slice('Bearer '.length));
  await context.addInitScript(`sessionStorage.setItem('plumbline.token', ${token})`);
  watched = watch(tab.page);
  other = watch(await openWindow(context));
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

const ALL_CASES = BASES.flatMap((base, screen) =>
  WIDTHS.map((width, place) => ({ base, width, turn: screen + place })),
);

/** The cases that are tried: PLUMBLINE_WALKS of them by the seed, far from each other, or all. */
const WALKS = Number(process.env['PLUMBLINE_WALKS'] ?? ALL_CASES.length);
const STEP = Math.floor(ALL_CASES.length / WALKS);
const CASES = Array.from({ length: WALKS }, (_, walk) => ALL_CASES[(SEED + walk * STEP) % ALL_CASES.length]).flatMap(
  (each) => (each ? [each] : []),
);

/** Returns whether a walk uses a control: one of the frame at one of the widths of a screen, at each width on a third of the screens. */
function isWanted({ isFrame, family }: Control, turn: number): boolean {
  const place = [...family].reduce((sum, letter) => sum + letter.charCodeAt(0), turn);
  return !isFrame || place % WIDTHS.length === 0;
}

it.each(CASES)(
  '$base, $width px wide: each control leads to what its address shows, and back undoes it',
  { timeout: WALK_MS },
  async ({ base, width, turn }) => {
    await tab.page.setViewportSize({ width, height: 900 });
    const walk: Walk = { faults: [], used: new Set(), left: met };
    const readNew = readAnew(other);
    const options = { tab, watched, readNew, lefts: LEFT, isWanted: (each: Control) => isWanted(each, turn), turn };
    await walkScreen(options, `${server.url}/?screen=${base}&${WINDOW}`, walk);
    // The views that were kept.
    await tab.page.evaluate('localStorage.clear()');
    expect(walk.used.size).toBeGreaterThan(0);
    expect(walk.faults).toEqual([]);
  },
);

it.skipIf(CASES.length < ALL_CASES.length)('leaves no control out that no screen has', () => {
  expect(LEFT.filter((left) => !met.has(left))).toEqual([]);
});
