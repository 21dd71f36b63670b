import { barY, plot, ruleY, text } from '@observablehq/plot';
import type { Column } from './catalogue.ts';
import { Chart, numberScale, type Spot, spots } from './chart.tsx';
import { formatDecimal, judge, tickFormat, toFloat } from './numbers.ts';

/** Height of the chart. Unit: px. */
const HEIGHT = 240;

/** Ticks of the axis. Unit: ticks. */
const TICKS = 5;

/** Width of the numbers of the axis. Unit: px. */
const AXIS_PX = 76;

/** Width that the number above a bar takes. Unit: px. */
const LABEL_PX = 88;

/** Further height for the names under narrow bars, which are slanted. Unit: px. */
const SLANTED_PX = 40;

/** Part of the largest value below which no value falls where bars are broken. From 0 on, steps would be lower than a tenth. */
const BROKEN_FROM = 0.9;

/** Part of the height of a chart that a gap in a broken bar takes. */
const GAP = 0.025;

/** Colors of steps by their judgment. */
const FILLS = { F: 'var(--f5)', U: 'var(--u5)', none: 'var(--muted)' };

/** An amount of a bridge: the first or the last one, or a step between them. */
export interface Step {
  /** Its name under the bar. */
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
  const y = {
    ...numberScale([least, most], TICKS),
    ...(floor !== undefined && {
      ...{ domain: [floor, most + room], nice: false },
      tickFormat: tickFormat(floor, most + room, TICKS),
    }),
  };
  const base = floor ?? 0;
  const isNarrow = width - AXIS_PX < bars.length * LABEL_PX;
  return plot({
    className: 'plot',
    width,
    height: HEIGHT + (isNarrow ? SLANTED_PX : 0),
    ...(isNarrow && { marginBottom: 30 + SLANTED_PX }),
    marginLeft: AXIS_PX,
    marginTop: 24,
    x: {
      type: 'band',
      label: null,
      domain: bars.map(({ name }) => name),
      padding: 0.3,
      ...(isNarrow && { tickRotate: -40 }),
    },
    y,
    marks: [
      ruleY([base], { stroke: 'var(--muted)' }),
      barY(bars, {
        x: 'name',
        y1: (bar: Bar) => Math.max(bar.low, base),
        y2: 'high',
        fill: 'fill',
      }),
      ...(floor === undefined ? [] : breakMarks(bars, floor, most + room - floor)),
      ...(isNarrow
        ? []
        : [text(bars, { x: 'name', y: 'high', text: 'shown', lineAnchor: 'bottom', dy: -4, fill: 'var(--text)' })]),
      barY(bars, {
        x: 'name',
        y1: base,
        y2: floor === undefined ? Math.max(most, 0) : most + room,
        ...spots<Bar>((bar) => bar),
      }),
    ],
  });
}

/** Returns the marks of an axis that doesn't begin at 0: gaps in the bars that do, and a sentence. */
function breakMarks(bars: readonly Bar[], floor: number, height: number) {
  const ends = bars.filter(({ isEnd }) => isEnd);
  const gap = (part: number) =>
    barY(ends, { x: 'name', y1: floor + height * part, y2: floor + height * (part + GAP), fill: 'var(--ground)' });
  return [
    gap(2 * GAP),
    gap(4 * GAP),
    text([`broken: begins at ${tickFormat(floor, floor + height, TICKS)(floor)}, not at 0`], {
      ...{ frameAnchor: 'top-left', dy: -16, fill: 'var(--muted)' },
      text: (words: string) => words,
    }),
  ];
}
