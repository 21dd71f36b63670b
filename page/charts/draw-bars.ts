import { barX, barY, dot, plot, ruleX, ruleY, text } from '@observablehq/plot';
import type { Before } from '../parts/change.tsx';
import { type numberScale, ringsBefore, type Spot, spots } from './chart.tsx';

/** Bars from which their labels are turned. */
const MANY_BARS = 16;

/** Width of a character of a label. Unit: px. */
const CHARACTER_PX = 8;

/** Width of a bar from which its number stands above it. Unit: px. */
const LABELED_PX = 72;

/** Room for numbers beside lying bars. Unit: px. */
const NUMBER_PX = 96;

/** Radius of a point, and of the spot that opens it. Unit: px. */
const [POINT_PX, SPOT_PX] = [4, 8];

/** A part of a chart; equal names stay apart by the index. */
export interface Bar extends Spot {
  readonly index: number;
  readonly value: number;
  /** The name of the color of its series; empty without series. */
  readonly color: string;
  readonly fill: string;
}

/** The number of a place as a text beside its bar, and the number before. */
export interface PlaceLabel {
  readonly index: number;
  readonly shown: string;
  readonly end: number;
  readonly before: Before | undefined;
}

/** The bars of a chart, with the names of their places. */
interface Drawing {
  readonly names: readonly string[];
  readonly bars: readonly Bar[];
  readonly labels: readonly PlaceLabel[];
  readonly scale: ReturnType<typeof numberScale>;
  /** True if places have several parts. */
  readonly isSplit: boolean;
  /** True for parts that stand on each other; others are points. */
  readonly isStacked: boolean;
}

/** Draws bars or points upon the names of their places. */
export function drawUpright(width: number, { names, bars, labels, scale: y, isSplit, isStacked }: Drawing): Element {
  const [low = 0, high = 1] = y.domain;
  const isTurned = names.length > MANY_BARS;
  const isPoints = isSplit && !isStacked;
  const spot = spots<Bar>((bar) => bar);
  return plot({
    className: 'plot',
    width,
    height: 240,
    marginLeft: 56,
    marginTop: 24,
    marginBottom: isTurned ? 64 : 32,
    x: {
      ...{ type: 'band', label: null, domain: names.map((_, index) => index) },
      tickFormat: (index: number) => names[index] ?? '',
      tickRotate: isTurned ? -45 : 0,
    },
    y,
    marks: [
      isPoints
        ? dot(bars, { x: 'index', y: 'value', fill: 'fill', r: POINT_PX })
        : barY(bars, { x: 'index', y: 'value', fill: 'fill' }),
      ruleY([0]),
      ...ringsBefore(labels, { place: 'x', name: 'index' }),
      ...(width / names.length < LABELED_PX
        ? []
        : [
            text(labels, {
              x: 'index',
              y: 'end',
              text: 'shown',
              lineAnchor: 'bottom',
              dy: -6,
              fill: 'var(--text)',
            }),
          ]),
      isPoints
        ? dot(bars, { x: 'index', y: 'value', r: SPOT_PX, ...spot })
        : barY(bars, { x: 'index', ...(isSplit ? { y: 'value' } : { y1: low, y2: high }), ...spot }),
    ],
  });
}

/** Draws bars or points beside the names of their places. */
export function drawLying(width: number, { names, bars, labels, scale: x, isSplit, isStacked }: Drawing): Element {
  const [low = 0, high = 1] = x.domain;
  const marginLeft = Math.min(320, width / 3);
  const isPoints = isSplit && !isStacked;
  const spot = spots<Bar>((bar) => bar);
  return plot({
    className: 'plot',
    width,
    height: 40 + names.length * 22,
    marginLeft,
    marginRight: NUMBER_PX,
    x,
    y: {
      ...{ type: 'band', label: null, domain: names.map((_, index) => index) },
      tickFormat: (index: number) => shorten(names[index] ?? '', Math.floor(marginLeft / CHARACTER_PX)),
    },
    marks: [
      isPoints
        ? dot(bars, { x: 'value', y: 'index', fill: 'fill', r: POINT_PX })
        : barX(bars, { x: 'value', y: 'index', fill: 'fill' }),
      ruleX([0]),
      ...ringsBefore(labels, { place: 'y', name: 'index' }),
      text(labels, { x: 'end', y: 'index', text: 'shown', textAnchor: 'start', dx: 8, fill: 'var(--text)' }),
      isPoints
        ? dot(bars, { x: 'value', y: 'index', r: SPOT_PX, ...spot })
        : barX(bars, { y: 'index', ...(isSplit ? { x: 'value' } : { x1: low, x2: high }), ...spot }),
    ],
  });
}

/** Returns a text of at most so many characters, the last one a mark if it was longer. */
function shorten(text: string, characters: number): string {
  const all = [...text];
  return all.length <= characters
    ? text
    : `${all
        .slice(0, characters - 1)
        .join('')
        .trimEnd()}…`;
}
