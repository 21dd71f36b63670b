import { setTimeout } from 'node:timers/promises';
import type { BrowserContext, Page } from 'playwright-core';
import type { Tab } from './browser.ts';
import { type Control, findControls, readScreen, useControl } from './controls.ts';

/** Longest time until what was asked for is there, on a busy machine. Unit: ms. */
const SETTLE_MS = 180_000;

/** Time without a request or a sign of reading after which a screen is settled. Unit: ms. */
const QUIET_MS = 60;

/** Menus in menus, and folds in folds. */
const MAX_DEPTH = 3;

/** A control that a walk leaves, with the test that uses it. */
export interface Left {
  readonly name: RegExp;
  readonly kind?: Control['kind'];
  readonly why: string;
}

/** The walk through the controls of a screen. */
export interface Walk {
  /** Faults, each with its control and address. */
  readonly faults: string[];
  /** The families of controls that were used. */
  readonly used: Set<string>;
  /** The controls that were left. */
  readonly left: Set<Left>;
}

/** Returns whether a page is reading, once it has drawn what it has and asked for what it then lacks. */
const READING = `new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => {
  // A chart is drawn once its width is known.
  const isUndrawn = [...document.querySelectorAll('.chart > div:empty')].some(({ parentElement }) => parentElement.clientWidth > 0);
  resolve(isUndrawn || document.querySelector('.loading, .shape, main:empty') !== null || document.body.innerText.includes('Reading '));
}))))`;

/** A page whose requests are counted. */
export interface Watched {
  readonly page: Page;
  readonly refused: string[];
  settle(): Promise<void>;
}

/** Watches a page: what it waits for, and what the server refused. */
export function watch(page: Page): Watched {
  let pending = 0;
  let last = 0;
  const refused: string[] = [];
  const isOurs = (url: string) => url.includes('/v3/');
  page.on('request', (request) => {
    if (isOurs(request.url())) pending += 1;
  });
  const end = (url: string) => {
    if (!isOurs(url)) return;
    pending -= 1;
    last = Date.now();
  };
  page.on('requestfinished', (request) => end(request.url()));
  page.on('requestfailed', (request) => end(request.url()));
  page.on('response', (response) => {
    if (response.status() >= 400) refused.push(`${response.status()} ${response.url()}`);
  });
  const settle = async () => {
    const until = Date.now() + SETTLE_MS;
    const from = Date.now();
    for (let isReading = true; isReading || pending > 0 || Date.now() < Math.max(from, last) + QUIET_MS; ) {
      if (Date.now() > until) throw new Error(`stays reading, with ${pending} requests`);
      await setTimeout(QUIET_MS / 3);
      if (pending === 0) isReading = await page.evaluate<boolean>(READING);
    }
  };
  return { page, refused, settle };
}

/**
 * Opens a second window of a context: in a window with two tabs, the one behind is drawn once a second, so a click in it takes two.
 */
export async function openWindow(context: BrowserContext): Promise<Page> {
  const [first] = context.pages();
  const [page] = await Promise.all([
    context.waitForEvent('page'),
    first?.evaluate("void window.open('about:blank', '_blank', 'popup,noopener')"),
  ]);
  return page;
}

/** Returns a function that reads what an address shows when it is opened anew in another window, once for each address. */
export function readAnew({ page, settle }: Watched): (url: string, width: number) => Promise<readonly string[]> {
  const known = new Map<string, readonly string[]>();
  return async (url, width) => {
    const found = known.get(`${width} ${url}`);
    if (found) return found;
    await page.setViewportSize({ width, height: 900 });
    await page.goto(url);
    await settle();
    const shown = await readScreen(page);
    known.set(`${width} ${url}`, shown);
    return shown;
  };
}

interface WalkOptions {
  readonly tab: Tab;
  readonly watched: Watched;
  readonly readNew: ReturnType<typeof readAnew>;
  readonly lefts: readonly Left[];
  /** Returns whether a control is to be used; others are met alone. */
  readonly isWanted: (control: Control) => boolean;
  /** The place of the control of each family that is used, counted around: other walks use others. */
  readonly turn: number;
}

/** Uses all controls of a screen, and of what they open, one after the other. */
export async function walkScreen(options: WalkOptions, url: string, walk: Walk): Promise<void> {
  const { watched } = options;
  await watched.page.goto(url);
  await watched.settle();
  const base = { url: watched.page.url(), shown: await readScreen(watched.page) };
  await walkControls(options, base, [], walk);
}

/** A screen before a control is used. */
interface Base {
  readonly url: string;
  readonly shown: readonly string[];
}

/** Uses the controls that the last of some disclosures brings, or those of the screen. */
async function walkControls(
  options: WalkOptions,
  base: Base,
  opened: readonly Control[],
  walk: Walk,
  before: readonly Control[] = [],
): Promise<void> {
  const { page } = options.watched;
  const known = new Set(before.map(({ key }) => key));
  const found = (await findControls(page)).filter(({ key }) => !known.has(key));
  for (const control of pickControls(options, found, walk)) {
    walk.used.add([...opened, control].map(({ family }) => family).join(' > '));
    try {
      await tryControl(options, base, opened, control, walk);
    } catch (error) {
      const path = [...opened, control].map(({ key }) => key).join(' > ');
      const fault = `${path} at ${base.url}: ${(error as Error).message.slice(0, 400)}`;
      walk.faults.push(fault);
      // The others are used as well, which takes minutes.
      process.stderr.write(`${fault}\n`);
      await reopen(options, base, opened).catch(() => undefined);
    }
  }
}

/** Returns the control of each family that is used, without those that are left. */
function pickControls({ lefts, isWanted, turn }: WalkOptions, found: readonly Control[], walk: Walk): Control[] {
  const families = new Map<string, Control[]>();
  for (const control of found) {
    const left = lefts.find(({ name, kind }) => name.test(control.name) && (kind ?? control.kind) === control.kind);
    if (left) walk.left.add(left);
    else if (isWanted(control)) families.set(control.family, [...(families.get(control.family) ?? []), control]);
  }
  return [...families.values()].flatMap((members) => members[turn % members.length] ?? []);
}

/** The key of the present entry of the browser's history: a replaced entry keeps it. */
const ENTRY = 'navigation.currentEntry.key';

/** Uses one control: its screen is that of its address, and back undoes it. */
async function tryControl(
  options: WalkOptions,
  base: Base,
  opened: readonly Control[],
  control: Control,
  walk: Walk,
): Promise<void> {
  const { tab, watched, readNew } = options;
  const { page } = watched;
  const before = await findControls(page);
  const entry = await page.evaluate<string>(ENTRY);
  watched.refused.length = 0;
  await useControl(page, control);
  await watched.settle();
  if (watched.refused.length > 0) throw new Error(`the server refused ${watched.refused}`);
  if (tab.faults.length > 0) throw new Error(`the page failed: ${tab.faults.splice(0)}`);
  const [url, shown] = [page.url(), await readScreen(page)];
  if (url === base.url) {
    compare('shows', shown, base.shown);
    const isOpen = await isExpanded(page, control);
    if (isOpen && opened.length < MAX_DEPTH) await walkControls(options, base, [...opened, control], walk, before);
    // A menu that closed, or a fold that was open, has taken controls away.
    const isAsBefore = keysOf(await findControls(page)) === keysOf(before);
    return isAsBefore ? undefined : await reopen(options, base, opened);
  }
  const isReplaced = (await page.evaluate<string>(ENTRY)) === entry;
  // The other window reads the address while this one goes back.
  const [expected, undone] = await Promise.allSettled([
    readNew(url, page.viewportSize()?.width ?? 0),
    isReplaced ? reopen(options, base, opened) : goBack(options, base, opened),
  ]);
  if (expected.status === 'rejected') throw expected.reason;
  compare('shows', shown, expected.value);
  if (undone.status === 'rejected') throw undone.reason;
}

function keysOf(controls: readonly Control[]): string {
  return controls.map(({ key }) => key).join('\n');
}

/** Goes back to the screen, and opens what was open. */
async function goBack(options: WalkOptions, base: Base, opened: readonly Control[]): Promise<void> {
  const { page, settle } = options.watched;
  await page.goBack();
  await settle();
  if (page.url() !== base.url) throw new Error(`back leads to ${page.url()}`);
  compare('after back shows', await readScreen(page), base.shown);
  await openAll(options, opened);
}

/** Opens the screen again with what was open. */
async function reopen(options: WalkOptions, base: Base, opened: readonly Control[]): Promise<void> {
  await goTo(options, base);
  await openAll(options, opened);
}

/** Opens what isn't open. */
async function openAll({ watched }: WalkOptions, controls: readonly Control[]): Promise<void> {
  for (const control of controls) {
    // An open one may say so in its words.
    const isThere = (await findControls(watched.page)).some(({ key }) => key === control.key);
    if (!isThere || (await isExpanded(watched.page, control))) continue;
    await useControl(watched.page, control);
    await watched.settle();
  }
}

async function goTo({ watched, tab }: WalkOptions, { url }: Base): Promise<void> {
  await watched.page.goto(url);
  await watched.settle();
  tab.faults.length = 0;
}

async function isExpanded(page: Page, { key }: Control): Promise<boolean> {
  const name = `[data-control=${JSON.stringify(key)}]`;
  const place = page.locator(`${name}[aria-expanded=true], details[open] > ${name}`);
  return (await place.count()) > 0 || (await page.locator('dialog.finder').count()) > 0;
}

/** @throws Error that names the first lines that differ. */
function compare(words: string, shown: readonly string[], expected: readonly string[]): void {
  const at = shown.findIndex((line, index) => line !== expected[index]);
  if (at < 0 && shown.length === expected.length) return;
  const from = at < 0 ? Math.min(shown.length, expected.length) : at;
  const [one = '', other = ''] = [shown[from], expected[from]];
  // Long links differ somewhere in their midst.
  const place = Math.max(0, [...one].findIndex((letter, index) => letter !== other[index]) - 60);
  const some = (lines: readonly string[]) =>
    JSON.stringify(lines.slice(from, from + 3).map((line) => line.slice(place, place + 160)));
  throw new Error(`${words} ${some(shown)}, and its address ${some(expected)}`);
}
