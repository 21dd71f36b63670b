import { barY, plot, ruleX, ruleY } from '@observablehq/plot';
import { linkToLines } from '../data/address.ts';
import { type Answer, type Row, rowsOf, textOf } from '../data/answer.ts';
import { type Catalogue, columnsOf, unitOf } from '../data/catalogue.ts';
import { formatDecimal, formatMonth, toFloat } from '../data/numbers.ts';
import { type Before, beforeOf } from '../parts/change.tsx';
import { BeforeKey, Chart, Key, numberScale, ringsBefore, type Spot, spots } from './chart.tsx';

/** The measures of a month: what is actual, that and what is confirmed, and tentative work after the cutoff. */
export const OUTLOOK_MONTH = ['actual_revenue', 'forecast_revenue', 'soft_backlog_fees'];

/** Height of the chart. Unit: px. */
const HEIGHT = 220;

/** Width of the axis and the margin of the chart. Unit: px. */
const AXIS_PX = 76;

/** Least width of the name of a month. Unit: px. */
const NAME_PX = 44;

/** A month on the chart; the floats are geometry alone. */
interface Bar extends Spot {
  readonly month: string;
  readonly actual: number;
  readonly forecast: number;
  /** The top of the bar: forecast and tentative work. */
  readonly top: number;
  /** Actual revenue of the compared window, and after the cutoff its forecast. */
  readonly before: Before | undefined;
}

/** Revenue by month: actual, then confirmed, then tentative. Each month opens its lines. */
export function OutlookChart({ catalogue, answer }: { catalogue: Catalogue; answer: Answer }) {
  const columns = columnsOf(catalogue, 'pivot', OUTLOOK_MONTH);
  const unit = columns[0] ? unitOf(columns[0], answer.meta.currency) : '';
  const cutoff = answer.meta.cutoff?.date ?? '';
  const bars = rowsOf(answer).map((row): Bar => {
    const [actual, forecast, tentative] = OUTLOOK_MONTH.map((name) => toFloat(row[name]));
    const drawn = (textOf(row, 'month') ?? '') > cutoff ? 'forecast_revenue' : 'actual_revenue';
    const before = beforeOf(row, drawn, unit);
    return {
      before,
      month: textOf(row, 'month') ?? '',
      actual: actual ?? 0,
      forecast: forecast ?? 0,
      top: (forecast ?? 0) + (tentative ?? 0),
      label: [labelOf(row, columns, unit), before?.words].filter(Boolean).join('\n'),
      href: linkOf(row, drawn),
    };
  });
  return (
    <section>
      <h2>Revenue by month</h2>
      <p class="legend">
        <Key of="actual" /> <Key of="forecast" label="confirmed after the cutoff" />{' '}
        <Key of="tentative" label={`tentative fees after the cutoff, ${unit}`} /> <BeforeKey of={bars} />
      </p>
      {answer.meta.notes.map((note) => (
        <p class="hint">{note}</p>
      ))}
      <Chart
        label="Bars of revenue by month: actual, confirmed and tentative. Each month opens its lines."
        draw={(width) => drawBars(width, bars, cutoff)}
        of={answer}
      />
    </section>
  );
}

function labelOf(row: Row, columns: ReturnType<typeof columnsOf>, unit: string): string {
  const numbers = columns.map(({ name, label }) => {
    const text = textOf(row, name);
    return `${label}: ${text === null ? 'unknown' : `${formatDecimal(text)} ${unit}`}`;
  });
  return [formatMonth(textOf(row, 'month') ?? ''), ...numbers].join('\n');
}

function linkOf(row: Row, measure: string): string | undefined {
  const lines = textOf(row, '_lines');
  return lines === null ? undefined : linkToLines(lines, measure);
}

function drawBars(width: number, bars: readonly Bar[], cutoff: string): Element {
  const y = numberScale(
    bars.flatMap(({ actual, forecast, top, before }) => [actual, forecast, top, before?.value ?? 0]),
    5,
  );
  const [low = 0, high = 1] = y.domain;
  const step = (width - AXIS_PX) / Math.max(1, bars.length);
  const isWide = step >= NAME_PX;
  const after = bars.find(({ month }) => month > cutoff)?.month;
  return plot({
    className: 'plot',
    width,
    height: HEIGHT,
    marginLeft: 56,
    x: {
      type: 'band',
      label: null,
      padding: 0.3,
      tickFormat: (month: string) => (isWide || month.slice(5, 7) === '01' ? formatMonth(month) : ''),
    },
    y,
    marks: [
      barY(bars, {
        ...{ x: 'month', y1: 'forecast', y2: 'top' },
        ...{ fill: 'var(--n2)', stroke: 'var(--muted)', strokeDasharray: '3 2' },
      }),
      barY(bars, { x: 'month', y1: 'actual', y2: 'forecast', fill: 'var(--forecast)', stroke: 'var(--actual)' }),
      barY(bars, { x: 'month', y: 'actual', fill: 'var(--actual)' }),
      ...ringsBefore(bars, { place: 'x', name: 'month' }),
      ...(after === undefined
        ? []
        : [ruleX([after], { dx: -Math.round(step / 2), stroke: 'var(--muted)', strokeDasharray: '2 3' })]),
      ruleY([0], { stroke: 'var(--muted)' }),
      barY(bars, { x: 'month', y1: low, y2: high, ...spots<Bar>((bar) => bar) }),
    ],
  });
}
