import { barY, plot, ruleX, ruleY, text, tickY } from '@observablehq/plot';
import { linkToLines } from '../data/address.ts';
import { type Answer, type Row, rowsOf, textOf } from '../data/answer.ts';
import { type Catalogue, type Column, columnsOf, measuresOf, pathOf, unitOf } from '../data/catalogue.ts';
import { formatDate, formatDecimal, formatMonth, toFloat } from '../data/numbers.ts';
import { type Before, beforeOf } from '../parts/change.tsx';
import { Empty } from '../parts/states.tsx';
import { ReportTable } from '../parts/table.tsx';
import { BeforeKey, Chart, Key, numberScale, ringsBefore, type Spot, spots } from './chart.tsx';

/** Height of a chart. Unit: px. */
const HEIGHT = 220;

/** Width of the axis and the margin of a chart. Unit: px. */
const AXIS_PX = 76;

/** Returns the path of the months of a subject, which the chart and its table show. */
export function pathOfMonths(catalogue: Catalogue, by: string, own: Readonly<Record<string, string>> = {}): string {
  const { report, group_by, compared } = catalogue.overview.months;
  const measures = measuresOf(catalogue, by, compared).join(',');
  return pathOf(catalogue, report, { group_by: group_by.join(','), measures, ...own });
}

/** A month on the chart; the floats are geometry alone. */
interface Month extends Spot {
  readonly month: string;
  readonly scheduled: number;
  readonly actual: number;
  readonly forecast: number;
  /** Actuals of the compared window, and after the cutoff its forecast. */
  readonly before: Before | undefined;
}

/** Scheduled against actual by month, with the forecast after the cutoff. Each month opens its lines. */
export function MonthsChart(props: { catalogue: Catalogue; by: string; answer: Answer; path: string }) {
  const { catalogue, by, answer, path } = props;
  const { report } = catalogue.overview.months;
  const shown = measuresOf(catalogue, by, ['scheduled', 'actual', 'forecast', 'variance_percent']);
  const columns = columnsOf(catalogue, report, ['month', ...shown]);
  const unit = columns[1] ? unitOf(columns[1], answer.meta.currency) : '';
  const cutoff = answer.meta.cutoff?.date ?? '';
  const months = rowsOf(answer).map((row) => monthOf(row, columns.slice(1, 4), unit, cutoff));
  const title = <h2>Plan against actual by month</h2>;
  if (months.length === 0) {
    return (
      <section>
        {title}
        <Empty>None in this window.</Empty>
      </section>
    );
  }
  return (
    <section>
      {title}
      <p class="legend">
        <Key of="scheduled" label="planned" /> <Key of="actual" />{' '}
        <Key of="forecast" label={`forecast beyond actual, ${unit}`} /> <BeforeKey of={months} />
      </p>
      <Chart
        label={`Bars of actual and forecast ${by} by month, with marks of what was scheduled. Each month opens its lines; the numbers are in the table below, too.`}
        draw={(width) => drawMonths(width, months, cutoff)}
        of={answer}
      />
      <details>
        <summary>The months as a table</summary>
        <ReportTable
          name="by-month"
          caption="Months"
          columns={columns}
          rows={rowsOf(answer)}
          totals={answer.totals}
          currency={answer.meta.currency}
          path={path}
          cells={{ month: (row) => formatMonth(textOf(row, 'month') ?? '') }}
        />
      </details>
    </section>
  );
}

/** Returns a month of the chart; it opens its actual lines, or after the cutoff those of the forecast. */
function monthOf(row: Row, columns: readonly Column[], unit: string, cutoff: string): Month {
  const month = textOf(row, 'month') ?? '';
  const lines = textOf(row, '_lines');
  const [scheduled = '', actual = '', forecast = ''] = columns.map(({ name }) => name);
  const numbers = columns.map(({ name, label }) => {
    const number = textOf(row, name);
    return `${label}: ${number === null ? 'unknown' : `${formatDecimal(number)} ${unit}`}`;
  });
  const drawn = month > cutoff ? forecast : actual;
  const before = beforeOf(row, drawn, unit);
  return {
    month,
    before,
    scheduled: toFloat(row[scheduled]),
    actual: toFloat(row[actual]),
    forecast: toFloat(row[forecast]),
    label: [formatMonth(month), ...numbers, before?.words].filter(Boolean).join('\n'),
    href: lines === null ? undefined : linkToLines(lines, drawn),
  };
}

function drawMonths(width: number, months: readonly Month[], cutoff: string): Element {
  const y = numberScale(
    months.flatMap(({ scheduled, actual, forecast, before }) => [scheduled, actual, forecast, before?.value ?? 0]),
    5,
  );
  const step = (width - AXIS_PX) / months.length;
  const isWide = step > 40;
  const after = months.find(({ month }) => month > cutoff)?.month;
  const edge = { x: (month: string) => month, dx: -Math.round(step / 2) };
  const [low = 0, high = 1] = y.domain;
  return plot({
    className: 'plot',
    width,
    height: HEIGHT,
    marginLeft: 56,
    marginTop: 24,
    x: {
      type: 'band',
      label: null,
      tickFormat: (month: string) => (isWide || month.slice(5, 7) === '01' ? formatMonth(month) : ''),
      padding: 0.3,
    },
    y,
    marks: [
      barY(months, {
        x: 'month',
        y1: 'actual',
        y2: 'forecast',
        fill: 'var(--forecast)',
        stroke: 'var(--actual)',
        strokeDasharray: '3 2',
      }),
      barY(months, { x: 'month', y: 'actual', fill: 'var(--actual)' }),
      tickY(months, { x: 'month', y: 'scheduled', stroke: 'var(--scheduled)', strokeWidth: 3 }),
      ...ringsBefore(months, { place: 'x', name: 'month' }),
      ...(after === undefined
        ? []
        : [
            ruleX([after], { ...edge, stroke: 'var(--muted)', strokeDasharray: '2 3' }),
            text([after], {
              ...edge,
              text: () => `actuals until ${formatDate(cutoff)}`,
              frameAnchor: 'top',
              textAnchor: after > (months[months.length >> 1]?.month ?? '') ? 'end' : 'start',
              dy: -12,
              fill: 'var(--muted)',
            }),
          ]),
      ruleY([0], { stroke: 'var(--muted)' }),
      barY(months, { x: 'month', y1: low, y2: high, inset: -step * 0.15, ...spots<Month>((month) => month) }),
    ],
  });
}
