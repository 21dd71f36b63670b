import { barY, plot, ruleX, ruleY, tickY } from '@observablehq/plot';
import { type Answer, rowsOf, textOf } from './api.ts';
import { type Catalogue, columnsOf, unitOf } from './catalogue.ts';
import { Chart, Key } from './chart.tsx';
import { formatDate, formatMonth, toFloat } from './numbers.ts';
import { ReportTable } from './table.tsx';

/** Height of a chart. Unit: px. */
const HEIGHT = 220;

/** Scheduled against actual by month, with the forecast after the cutoff. The table beneath has the numbers. */
export function MonthsChart({ catalogue, by, answer }: { catalogue: Catalogue; by: string; answer: Answer }) {
  const columns = columnsOf(catalogue, 'pivot', [
    'month',
    `scheduled_${by}`,
    `actual_${by}`,
    `forecast_${by}`,
    `variance_${by}_percent`,
  ]);
  const unit = columns[1] ? unitOf(columns[1], answer.meta.currency) : '';
  const cutoff = answer.meta.cutoff?.date ?? '';
  return (
    <section>
      <h2>Scheduled against actual by month</h2>
      <p class="legend">
        <Key of="scheduled" /> <Key of="actual" /> <Key of="forecast" label={`forecast beyond actual, ${unit}`} />
        <Key of="cutoff" label={`actuals until ${formatDate(cutoff)}`} />
      </p>
      <Chart
        label={`Bars of actual and forecast ${by} by month, with marks of what was scheduled. The numbers are in the table below.`}
        draw={(width) => drawMonths(width, by, answer, cutoff)}
        of={answer}
      />
      <details>
        <summary>The months as a table</summary>
        <ReportTable
          caption="Months"
          columns={columns}
          rows={rowsOf(answer)}
          totals={answer.totals}
          currency={answer.meta.currency}
          cells={{ month: (row) => formatMonth(textOf(row, 'month') ?? '') }}
        />
      </details>
    </section>
  );
}

function drawMonths(width: number, by: string, answer: Answer, cutoff: string): Element {
  const bars = rowsOf(answer).map((row) => ({
    month: textOf(row, 'month') ?? '',
    scheduled: toFloat(row[`scheduled_${by}`]),
    actual: toFloat(row[`actual_${by}`]),
    forecast: toFloat(row[`forecast_${by}`]),
  }));
  const after = bars.find(({ month }) => month > cutoff)?.month;
  return plot({
    className: 'plot',
    width,
    height: HEIGHT,
    marginLeft: 56,
    x: {
      type: 'band',
      label: null,
      tickFormat: (month: string) => (width / bars.length > 40 || month.slice(5, 7) === '01' ? formatMonth(month) : ''),
      padding: 0.3,
    },
    y: { label: null, grid: true, tickFormat: 's', ticks: 5 },
    marks: [
      barY(bars, {
        x: 'month',
        y1: 'actual',
        y2: 'forecast',
        fill: 'var(--forecast)',
        stroke: 'var(--actual)',
        strokeDasharray: '3 2',
      }),
      barY(bars, { x: 'month', y: 'actual', fill: 'var(--actual)' }),
      tickY(bars, { x: 'month', y: 'scheduled', stroke: 'var(--scheduled)', strokeWidth: 3 }),
      ...(after === undefined
        ? []
        : [
            ruleX([after], {
              x: (month: string) => month,
              stroke: 'var(--muted)',
              strokeDasharray: '2 3',
              dx: -Math.round((width - 76) / bars.length / 2),
            }),
          ]),
      ruleY([0], { stroke: 'var(--muted)' }),
    ],
  });
}
