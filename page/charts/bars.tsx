import { linkToLines } from '../data/address.ts';
import { type Answer, BEFORE, type Row, textOf } from '../data/answer.ts';
import { type Column, unitOf } from '../data/catalogue.ts';
import { compareDecimals, formatDecimal, judge, toFloat } from '../data/numbers.ts';
import { beforeOf } from '../parts/change.tsx';
import { BeforeKey, Chart, Key, numberScale } from './chart.tsx';
import { type Bar, drawLying, drawUpright, type PlaceLabel } from './draw-bars.ts';

/** Places of a chart at most; the table has all rows. */
const MAX_BARS = 40;

/** Series at most that have a color of their own: the largest ones. */
const COLORS = 6;

/** A part of a place: the row of its number, and the series that colors it. */
interface Part {
  readonly series: string | undefined;
  readonly row: Row;
}

/** A place of a chart: its name, the row of its whole, and its parts. */
export interface Place {
  readonly name: string;
  readonly total: Row;
  readonly parts: readonly Part[];
}

interface BarsProps {
  readonly places: readonly Place[];
  readonly measure: Column;
  /** The measures on the same scale: those drawn in the same unit. */
  readonly scaled: readonly Column[];
  /** The colors of the largest series, by name; none where places aren't split. */
  readonly colors: ReadonlyMap<string, string>;
  /** The answer whose rows are drawn: as long as it is the same, so is the chart, and the focus comes back to it from a drawer. */
  readonly answer: Answer;
  /** True for places in the order of time, whose bars stand upright. */
  readonly isTime: boolean;
  /** True if the places have an order: the reader has chosen one, or they have periods. Otherwise bars go by size. */
  readonly isSorted: boolean;
}

/** Bars of one measure by place, split into series by color. Each part opens its lines. */
export function Bars({ places: all, measure, scaled, colors, answer, isTime, isSorted }: BarsProps) {
  const unit = unitOf(measure, answer.meta.currency);
  const ordered = isTime || isSorted ? all : all.toSorted((one, other) => bySize(one.total, other.total, measure.name));
  const places = ordered.slice(0, MAX_BARS);
  const bars = places.flatMap((place, index) =>
    place.parts
      .map((part) => barOf(place, part, index, measure, unit, colors))
      // The others stand last.
      .toSorted((one, other) => rankOf(one) - rankOf(other)),
  );
  const labels = places.map((place, index) => labelOf(place, index, measure, unit));
  const scale = numberScale(
    all.flatMap((place) => scaled.flatMap((each) => extentOf(place, each))),
    5,
  );
  const names = places.map(({ name }) => name);
  const drawing = { names, bars, labels, scale, isSplit: colors.size > 0, isStacked: isSum(measure) };
  return (
    <section>
      <h2>
        {measure.label} <span class="unit">{unit}</span>
      </h2>
      {places.length < all.length && (
        <p class="hint">
          The {isTime || isSorted ? 'first' : 'largest'} {MAX_BARS} rows; the table has all of them.
        </p>
      )}
      <div class="legend">
        {[...colors].map(([series, color]) => (
          <Key of={color} label={series} />
        ))}
        {bars.some(({ color }) => color === 's0') && <Key of="s0" label="others" />} <BeforeKey of={labels} />
      </div>
      <Chart
        label={`Bars of ${measure.label}. Each opens its lines; the numbers are in the table below.`}
        draw={(width) => (isTime ? drawUpright(width, drawing) : drawLying(width, drawing))}
        of={answer}
      />
    </section>
  );
}

/** Returns the place of a bar among those of its stack: series have one order in all stacks. */
function rankOf({ color }: Bar): number {
  return color === 's0' ? COLORS + 1 : Number(color.slice(1));
}

/** Compares rows by the size of a number, whatever its sign: the largest first, unknown ones last. */
function bySize(one: Row, other: Row, measure: string): number {
  const [left, right] = [textOf(one, measure), textOf(other, measure)];
  if (left === null || right === null) return Number(left === null) - Number(right === null);
  return compareDecimals(right.replace('-', ''), left.replace('-', ''));
}

/** Returns whether the numbers of a measure add up, so that parts stand on each other. */
function isSum({ unit }: Column): boolean {
  return ['hours', 'money', 'budget', 'count'].includes(unit);
}

/** Returns the colors of the series that are largest in a measure, by name. */
export function colorsOf(places: readonly Place[], measure: string): ReadonlyMap<string, string> {
  const sizes = new Map<string, number>();
  for (const { series, row } of places.flatMap(({ parts }) => parts))
    if (series !== undefined) sizes.set(series, (sizes.get(series) ?? 0) + Math.abs(toFloat(row[measure])));
  const largest = [...sizes].toSorted(([, one], [, other]) => other - one).slice(0, COLORS);
  return new Map(largest.map(([series], index) => [series, `s${index + 1}`]));
}

/** Returns the values that a place reaches on the scale of a measure. */
function extentOf({ total, parts }: Place, measure: Column): number[] {
  const values = parts.map(({ row }) => toFloat(row[measure.name]));
  const before = toFloat(total[BEFORE]?.[measure.name]);
  if (!isSum(measure)) return [...values, before];
  const sum = (sign: number) => values.reduce((all, value) => all + (value * sign > 0 ? value : 0), 0);
  return [sum(1), sum(-1), before];
}

/** Colors of a variance by its judgment; those of the cells of tables. */
const FILLS = { F: 'var(--f5)', U: 'var(--u5)' };

function barOf(
  place: Place,
  { series, row }: Part,
  index: number,
  measure: Column,
  unit: string,
  colors: ReadonlyMap<string, string>,
): Bar {
  const number = textOf(row, measure.name);
  const lines = textOf(row, '_lines');
  const isVariance = measure.name.startsWith('variance');
  const shown = number === null ? 'unknown' : `${formatDecimal(number, isVariance)} ${unit}`;
  const judged = isVariance && number !== null ? judge(number, measure.better) : undefined;
  const color = series === undefined ? '' : (colors.get(series) ?? 's0');
  return {
    ...{ index, color, value: toFloat(number) },
    fill: color === '' ? (judged ? FILLS[judged] : 'var(--actual)') : `var(--${color})`,
    label: [place.name, series, shown, beforeOf(row, measure.name, unit)?.words].filter(Boolean).join('\n'),
    href: lines === null ? undefined : linkToLines(lines, measure.name),
  };
}

function labelOf(place: Place, index: number, measure: Column, unit: string): PlaceLabel {
  const number = textOf(place.total, measure.name);
  const [high = 0] = extentOf(place, measure);
  const before = beforeOf(place.total, measure.name, unit);
  const shown = number === null ? '' : formatDecimal(number, measure.name.startsWith('variance'));
  const isSplit = place.parts[0]?.series !== undefined;
  // Parts that don't add up have no whole beside them. Below 0, the number stands where its bar isn't.
  return { index, before, shown: isSplit && !isSum(measure) ? '' : shown, end: Math.max(0, high, before?.value ?? 0) };
}
