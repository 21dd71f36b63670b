import { barX, plot, ruleX, text } from '@observablehq/plot';
import type { Column } from '../data/catalogue.ts';
import { formatDecimal, judge, tickFormat, toFloat } from '../data/numbers.ts';
import { Chart, numberScale, type Spot, spots } from './chart.tsx';

/** Height of a bar with the gap after it. Unit: px. */
const BAR_PX = 28;

/** Height above the bars, where a sentence says that they are broken, and below them for the numbers of the axis. Unit: px. */
const [TOP_PX, AXIS_PX] = [24, 28];

/** Most ticks of the axis. Unit: ticks. */
const MOST_TICKS = 6;

/** Width of the names of the steps, and of their numbers. Unit: px. */
const [NAME_PX, NUMBER_PX] = [108, 108];

/** Distance of the numbers from the rim, on which a half of a pixel would be cut. Unit: px. */
const RIM_PX = 1;

/** Width that a number of the axis takes at least. Unit: px. */
const TICK_PX = 72;

/** Part of the largest value below which no value falls where bars are broken. From 0 on, steps would be lower than a tenth. */
const BROKEN_FROM = 0.9;

/** Part of the width of a chart that a gap in a broken bar takes. */
const GAP = 0.025;

/** Colors of steps by their judgment. */
const FILLS = { F: 'var(--f5)', U: 'var(--u5)', none: 'var(--muted)' };

/** An amount of a bridge: the first or the last one, or a step between them. */
export interface Step {
  /** Its name beside the bar. */
  readonly name: string;
  /** Its name in full. */
  readonly title: string;
  /** Null where it is unknown, which adds nothing. */
  readonly value: string | null;
  readonly isEnd: boolean;
  readonly better: Column['better'];
  /** The link to its lines. */
  readonly href: string | undefined;
}

/** A bar from one sum to the next; the floats are geometry alone. */
interface Bar extends Spot {
  readonly name: string;
  readonly low: number;
  readonly high: number;
  readonly isEnd: boolean;
  readonly fill: string;
  readonly shown: string;
}

interface BridgeChartProps {
  /** A sentence that says what the chart shows, for readers who hear it. */
  readonly label: string;
  readonly steps: readonly Step[];
  readonly unit: string;
}

/** A bridge from one amount to another: each step is a bar, which opens its lines. */
export function BridgeChart({ label, steps, unit }: BridgeChartProps) {
  // Equal steps aren't drawn again, so that the focus comes back to one when its drawer is closed.
  return <Chart label={label} draw={(width) => drawBridge(width, barsOf(steps, unit))} of={JSON.stringify(steps)} />;
}

function barsOf(steps: readonly Step[], unit: string): readonly Bar[] {
  let sum = 0;
  return steps.map(({ name, title, value, isEnd, better, href }): Bar => {
    const before = isEnd ? 0 : sum;
    sum = before + toFloat(value);
    const shown = value === null ? 'unknown' : formatDecimal(value, !isEnd);
    return {
      name,
      low: Math.min(before, sum),
      high: Math.max(before, sum),
      isEnd,
      fill: isEnd ? 'var(--actual)' : FILLS[judge(value ?? '0', better) ?? 'none'],
      shown,
      label: `${title}\n${value === null ? shown : `${shown} ${unit}`}`,
      href,
    };
  });
}

function drawBridge(width: number, bars: readonly Bar[]): Element {
  const steps = bars.filter(({ isEnd }) => !isEnd).flatMap(({ low, high }) => [low, high]);
  const ends = bars.filter(({ isEnd }) => isEnd).map(({ high, low }) => (high > 0 ? high : low));
  const [least, most] = [Math.min(...steps, ...ends), Math.max(...steps, ...ends)];
  // Small differences of large values would not be seen from 0 on: the bars of the values are then broken, and say so.
  const room = (most - least) * 0.3;
  const floor = least < most && least > most * BROKEN_FROM ? least - room : undefined;
  const ticks = Math.max(1, Math.min(MOST_TICKS, Math.floor((width - NAME_PX - NUMBER_PX) / TICK_PX)));
  const end = most + room;
  const x = {
    ...numberScale([least, most], ticks),
    ...(floor !== undefined && { domain: [floor, end], nice: false, tickFormat: tickFormat(floor, end, ticks) }),
  };
  const [left = 0, right = 1] = x.domain;
  const base = floor ?? 0;
  return plot({
    className: 'plot',
    width,
    height: TOP_PX + bars.length * BAR_PX + AXIS_PX,
    marginLeft: NAME_PX,
    marginRight: NUMBER_PX,
    marginTop: TOP_PX,
    marginBottom: AXIS_PX,
    x,
    y: { type: 'band', label: null, domain: bars.map(({ name }) => name), padding: 0.2 },
    marks: [
      ruleX([base], { stroke: 'var(--muted)' }),
      barX(bars, { y: 'name', x1: (bar: Bar) => Math.max(bar.low, base), x2: 'high', fill: 'fill' }),
      ...(floor === undefined ? [] : breakMarks(bars, floor, end - floor, x.tickFormat(floor))),
      text(bars, {
        ...{ y: 'name', text: 'shown', frameAnchor: 'right', textAnchor: 'end', dx: NUMBER_PX - RIM_PX },
        fill: 'var(--text)',
      }),
      barX(bars, { y: 'name', x1: left, x2: right, ...spots<Bar>((bar) => bar) }),
    ],
  });
}

/** Returns the marks of an axis that doesn't begin at 0: gaps in the bars that do, and a sentence. */
function breakMarks(bars: readonly Bar[], floor: number, width: number, begin: string) {
  const ends = bars.filter(({ isEnd }) => isEnd);
  const gap = (part: number) =>
    barX(ends, { y: 'name', x1: floor + width * part, x2: floor + width * (part + GAP), fill: 'var(--ground)' });
  return [
    gap(2 * GAP),
    gap(4 * GAP),
    text([`broken: begins at ${begin}, not at 0`], {
      ...{ frameAnchor: 'top-left', dy: -16, fill: 'var(--muted)' },
      text: (words: string) => words,
    }),
  ];
}
