import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** Widths of telephones, of a tablet and of a laptop. Unit: px. */
const WIDTHS = [360, 390, 768, 1280];

/** The script that finds the chart. */
const BRIDGE = `document.querySelector('main .chart[aria-label^="A bridge"]')`;

/** The longest time in which a chart is drawn for a new width. Unit: ms. */
const DRAW_MS = 5_000;

/** A text of a chart with its edges. */
interface Text {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** The texts of a chart, the numbers of its steps, and its edges. */
interface Read {
  readonly texts: readonly Text[];
  readonly steps: readonly string[];
  readonly frame: Text;
}

/** Expects that a bridge on the screen shows the number of each step, and that none of its texts covers another or is cut. */
export async function expectReadableBridge(page: Page): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    const isDrawn = () =>
      page.evaluate<boolean>(`(() => {
        const chart = ${BRIDGE};
        return Number(chart?.querySelector('svg')?.getAttribute('width')) === chart?.clientWidth;
      })()`);
    await expect.poll(isDrawn, { timeout: DRAW_MS }).toBe(true);
    const { texts, steps, frame } = await page.evaluate<Read>(`(() => {
      const chart = ${BRIDGE};
      const edgesOf = (each) => {
        const { left, right, top, bottom } = each.getBoundingClientRect();
        return { text: each.textContent, left, right, top, bottom };
      };
      const texts = [...chart.querySelectorAll('text:not(:has(*)), tspan')].map(edgesOf);
      const steps = [...chart.querySelectorAll('a[data-tip]')].map((link) => link.dataset.tip.split('\\n').at(-1));
      return { texts, steps, frame: edgesOf(chart) };
    })()`);
    expect(steps.length).toBeGreaterThan(2);
    const shown = texts.map(({ text }) => text);
    for (const step of steps) expect(shown, `at ${width} px`).toContain(step.replace(/ \S+$/, ''));
    const faults = texts.flatMap((one, index) => [
      ...texts.slice(index + 1).flatMap((other) => (isOver(one, other) ? [`${one.text} over ${other.text}`] : [])),
      ...(one.left < frame.left || one.right > frame.right ? [`${one.text} is cut`] : []),
    ]);
    expect(faults, `at ${width} px`).toEqual([]);
  }
}

function isOver(one: Text, other: Text): boolean {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
}
