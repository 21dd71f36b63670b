import { expect, it } from 'vitest';
import { ALL_SCREENS } from '../../page/all-screens.ts';
import { WINDOW } from '../../page/opened-numbers.ts';
import { openServer } from '../../page/opened-server.ts';

/** The most time between the first and the last request of a screen. Unit: ms. */
const TOGETHER_MS = 100;

/** Tries of a screen, of which the best counts: other work on the machine only adds time. */
const TRIES = 4;

const opened = openServer();

/** A screen's calls of reports, and when its numbers were drawn, from the navigation. Unit: ms. */
interface Timing {
  readonly calls: readonly { readonly start: number; readonly duration: number }[];
  readonly drawn: number;
}

it.each(ALL_SCREENS)('%s asks for its reports together, and draws them soon after the slowest', async (screen) => {
  const { page } = opened.tab;
  await page.addInitScript(`new MutationObserver(() => {
    const isDrawn = document.querySelector('main :is(.figure, .opens)') && !document.querySelector('.loading');
    if (isDrawn) window.drawn ??= performance.now();
  }).observe(document, { childList: true, subtree: true, attributes: true });`);
  const timings: Timing[] = [];
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    await opened.tab.open(`/?screen=${screen}&${WINDOW}`);
    await page.waitForFunction('window.drawn !== undefined');
    timings.push(
      await page.evaluate<Timing>(`({
        drawn: window.drawn,
        calls: performance.getEntriesByType('resource')
          .filter(({ name }) => name.includes('/v3/reports/'))
          .map(({ startTime, duration }) => ({ start: startTime, duration })),
      })`),
    );
  }
  const spreads = timings.map(({ calls }) => {
    const starts = calls.map(({ start }) => start);
    return Math.max(...starts) - Math.min(...starts);
  });
  expect(Math.min(...spreads)).toBeLessThan(TOGETHER_MS);
  const over = timings.map(({ calls, drawn }) => drawn - 1.3 * Math.max(...calls.map(({ duration }) => duration)));
  expect(Math.min(...over)).toBeLessThan(300);
});
