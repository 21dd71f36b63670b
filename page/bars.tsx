import { barX, barY, plot, ruleX, ruleY } from '@observablehq/plot';
import { linkToLines } from './address.ts';
import { type Answer, BEFORE, type Row, rowsOf, textOf } from './api.ts';
import { type Column, unitOf } from './catalogue.ts';
import { type Before, beforeOf } from './change.tsx';
import { BeforeKey, Chart, numberScale, ringsBefore, type Spot, spots } from './chart.tsx';
import { compareDecimals, formatDecimal, judge, toFloat } from './numbers.ts';

/** Bars of a chart at most; the table has all rows. */
const MAX_BARS = 40;

/** Bars from which their labels are turned. */
const MANY_BARS = 16;

/** Width of a character of a label. Unit: px. */
const CHARACTER_PX = 8;

interface BarsProps {
  readonly answer: Answer;
  readonly nameOf: (row: Row) => string;
  readonly measure: Column;
  /** The measures on the same scale: those drawn in the same unit. */
  readonly scaled: readonly Column[];
  /** True for rows in the order of time, whose bars stand upright. */
  readonly isTime: boolean;
  /** True if the rows have an order: the reader has chosen one, or they have periods. Otherwise bars go by size. */
  readonly isSorted: boolean;
}

/** Bars of one measure by row. Each opens its lines. */
export function Bars({ answer, nameOf, measure, scaled, isTime, isSorted }: BarsProps) {
  const all = rowsOf(answer);
  const ordered = isTime || isSorted ? all : all.toSorted((one, other) => bySize(one, other, measure.name));
  const unit = unitOf(measure, answer.meta.currency);
  const bars = ordered.slice(0, MAX_BARS).map((row, index) => barOf(row, index, nameOf(row), measure, unit));
  const scale = numberScale(
    all.flatMap((row) => scaled.flatMap(({ name }) => [toFloat(row[name]), toFloat(row[BEFORE]?.[name])])),
    5,
  );
  return (
    <section>
      <h2>
        {measure.label} <span class="unit">{unit}</span>
      </h2>
      {bars.length < all.length && (
        <p class="hint">
          The {isTime || isSorted ? 'first' : 'largest'} {MAX_BARS} rows; the table has all of them.
        </p>
      )}
      <BeforeKey of={bars} />
      <Chart
        label={`Bars of ${measure.label}. Each opens its lines; the numbers are in the table below.`}
        draw={(width) => (isTime ? drawUpright(width, bars, scale) : drawLying(width, bars, scale))}
        of={answer}
      />
    </section>
  );
}

/** Compares rows by the size of a number, whatever its sign: the largest first, unknown ones last. */
function bySize(one: Row, other: Row, measure: string): number {
  const [left, right] = [textOf(one, measure), textOf(other, measure)];
  if (left === null || right === null) return Number(left === null) - Number(right === null);
  return compareDecimals(right.replace('-', ''), left.replace('-', ''));
}

/** A bar; equal labels stay apart by the index. */
interface Bar extends Spot {
  readonly index: number;
  readonly name: string;
  readonly value: number;
  readonly fill: string;
  readonly before: Before | undefined;
}

/** Colors of a variance by its judgment; those of the cells of tables. */
const FILLS = { F: 'var(--f5)', U: 'var(--u5)' };

type Scale = ReturnType<typeof numberScale>;

function barOf(row: Row, index: number, name: string, measure: Column, unit: string): Bar {
  const text = textOf(row, measure.name);
  const lines = textOf(row, '_lines');
  const isVariance = measure.name.startsWith('variance');
  const before = beforeOf(row, measure.name, unit);
  const shown = text === null ? 'unknown' : `${formatDecimal(text, isVariance)} ${unit}`;
  const judged = isVariance && text !== null ? judge(text, measure.better) : undefined;
  return {
    index,
    name,
    value: toFloat(text),
    fill: judged ? FILLS[judged] : 'var(--actual)',
    before,
    label: [name, shown, before?.words].filter(Boolean).join('\n'),
    href: lines === null ? undefined : linkToLines(lines, measure.name),
  };
}

function drawUpright(width: number, bars: readonly Bar[], y: Scale): Element {
  const isTurned = bars.length > MANY_BARS;
  const [low = 0, high = 1] = y.domain;
  return plot({
    className: 'plot',
    width,
    height: 240,
    marginLeft: 56,
    marginBottom: isTurned ? 64 : 32,
    x: {
      type: 'band',
      label: null,
      tickFormat: (index: number) => bars[index]?.name ?? '',
      tickRotate: isTurned ? -45 : 0,
    },
    y,
    marks: [
      barY(bars, { x: 'index', y: 'value', fill: 'fill' }),
      ruleY([0]),
      ...ringsBefore(bars, { place: 'x', name: 'index' }),
      barY(bars, { x: 'index', y1: low, y2: high, ...spots<Bar>((bar) => bar) }),
    ],
  });
}

function drawLying(width: number, bars: readonly Bar[], x: Scale): Element {
  const marginLeft = Math.min(320, width / 3);
  const [low = 0, high = 1] = x.domain;
  return plot({
    className: 'plot',
    width,
    height: 40 + bars.length * 22,
    marginLeft,
    x,
    y: {
      type: 'band',
      label: null,
      tickFormat: (index: number) => shorten(bars[index]?.name ?? '', Math.floor(marginLeft / CHARACTER_PX)),
    },
    marks: [
      barX(bars, { x: 'value', y: 'index', fill: 'fill' }),
      ruleX([0]),
      ...ringsBefore(bars, { place: 'y', name: 'index' }),
      barX(bars, { x1: low, x2: high, y: 'index', ...spots<Bar>((bar) => bar) }),
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
