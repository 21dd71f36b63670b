import { barY, plot, ruleY, text } from '@observablehq/plot';
import { type Row, textOf } from './api.ts';
import type { Column } from './catalogue.ts';
import { Chart, numberScale, type Spot, spots } from './chart.tsx';
import { formatDecimal, judge, toFloat } from './numbers.ts';

/** The causes of a difference, in the order in which the steps are taken. */
export const CAUSES = [
  ...['late', 'new', 'removed', 'moved', 'status', 'billable', 'hours', 'priced', 'rate'],
  ...['expense', 'budget', 'cutoff'],
];

/** Height of the chart. Unit: px. */
const HEIGHT = 240;

/** Width that the number above a bar takes. Unit: px. */
const LABEL_PX = 88;

/** Colors of causes by their judgment. */
const FILLS = { F: 'var(--f5)', U: 'var(--u5)', none: 'var(--muted)' };

/** A bar from one sum to the next; the floats are geometry alone. */
interface Bar extends Spot {
  readonly name: string;
  readonly low: number;
  readonly high: number;
  readonly isEnd: boolean;
  readonly fill: string;
  readonly shown: string;
}

interface BridgeProps {
  /** The row of the whole. */
  readonly total: Row;
  /** The columns of the value then, of the causes and of the value now, in this order. */
  readonly columns: readonly Column[];
  readonly measure: Column;
  readonly unit: string;
  readonly linkOf: (column: Column) => string | undefined;
}

/** A bridge from the value then to the value now: each cause is a bar, which opens its lines. Nothing if a value is unknown. */
export function ChangeBridge(props: BridgeProps) {
  const bars = barsOf(props);
  if (bars === undefined) return null;
  return (
    <Chart
      label="A bridge from the value then to the value now. Each cause opens its lines; the numbers are in the table below, too."
      draw={(width) => drawBridge(width, bars)}
      of={bars}
    />
  );
}

function barsOf({ total, columns, measure, unit, linkOf }: BridgeProps): readonly Bar[] | undefined {
  if (textOf(total, 'value_then') === null || textOf(total, 'value_now') === null) return undefined;
  let sum = 0;
  return columns
    .filter(({ name }) => name !== 'difference')
    .map((column): Bar => {
      const value = textOf(total, column.name) ?? '0';
      const isEnd = column.name.startsWith('value_');
      const before = isEnd ? 0 : sum;
      sum = before + toFloat(value);
      return {
        name: column.label,
        low: Math.min(before, sum),
        high: Math.max(before, sum),
        isEnd,
        fill: isEnd ? 'var(--actual)' : FILLS[judge(value, measure.better) ?? 'none'],
        shown: formatDecimal(value, !isEnd),
        label: `${column.label}\n${formatDecimal(value, !isEnd)} ${unit}`,
        href: linkOf(column),
      };
    });
}

function drawBridge(width: number, bars: readonly Bar[]): Element {
  const steps = bars.filter(({ isEnd }) => !isEnd).flatMap(({ low, high }) => [low, high]);
  const ends = bars.filter(({ isEnd }) => isEnd).map(({ high, low }) => (high > 0 ? high : low));
  const [least, most] = [Math.min(...steps, ...ends), Math.max(...steps, ...ends)];
  // Small differences of large values would not be seen from 0 on.
  const room = (most - least) * 0.3;
  const floor = least > 0 && least - room > 0 ? least - room : undefined;
  const y = {
    ...numberScale([least, most], 5),
    ...(floor !== undefined && { domain: [floor, most + room], nice: false }),
  };
  const base = floor ?? 0;
  return plot({
    className: 'plot',
    width,
    height: HEIGHT,
    marginLeft: 76,
    marginTop: 24,
    x: { type: 'band', label: null, domain: bars.map(({ name }) => name), padding: 0.3 },
    y,
    marks: [
      ruleY([base], { stroke: 'var(--muted)' }),
      barY(bars, {
        x: 'name',
        y1: (bar: Bar) => Math.max(bar.low, base),
        y2: 'high',
        fill: 'fill',
      }),
      ...(width < bars.length * LABEL_PX
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
