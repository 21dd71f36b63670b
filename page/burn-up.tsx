import { lineY, plot, ruleX, ruleY } from '@observablehq/plot';
import { type Answer, type Row, rowsOf, textOf } from './api.ts';
import { Chart, Key } from './chart.tsx';
import { formatDate, toFloat } from './numbers.ts';

/** Height of the chart. Unit: px. */
const HEIGHT = 280;

/** A month's end on the chart; the floats serve only the geometry. */
interface Point {
  readonly date: Date;
  readonly scheduled: number;
  readonly actual: number | undefined;
  readonly forecast: number | undefined;
}

/** The growth of a project over its whole life: scheduled, actual and forecast against the budget. */
export function BurnUp({
  project,
  life,
  currency,
  cutoff,
}: {
  project: Row;
  life: Answer;
  currency: string;
  cutoff: string;
}) {
  const unit = textOf(project, 'budget_unit');
  const subject = unit === null ? 'hours' : unit === 'hours' ? 'billable_hours' : 'revenue';
  const points = accumulate(rowsOf(life), subject, project, cutoff);
  if (points.length === 0) return null;
  const named = { hours: 'hours', billable_hours: 'billable hours', revenue: `fees and expenses, ${currency}` }[
    subject
  ];
  return (
    <section>
      <h2>Burn-up over the whole life: {named}</h2>
      <p class="legend">
        <Key of="scheduled" /> <Key of="line-actual" label="actual" /> <Key of="line-forecast" label="forecast" />
        {unit !== null && <Key of="budget" />}
        <Key of="cutoff" label={`actuals until ${formatDate(cutoff)}`} />
      </p>
      <Chart
        label={`Lines of ${named} scheduled, actual and forecast, month by month${unit === null ? '' : ', with the budget'}. The numbers are in the tables below.`}
        draw={(width) => drawBurnUp(width, points, toFloat(project['budget_total']), cutoff)}
        of={life}
      />
    </section>
  );
}

function accumulate(rows: readonly Row[], subject: string, project: Row, cutoff: string): Point[] {
  let [scheduled, actual, forecast] = [0, 0, 0];
  const later = rows.filter((row) => String(row['month']) > cutoff);
  const rest = later.reduce((sum, row) => sum + toFloat(row[`scheduled_${subject}`]), 0);
  const hasForecast = rows.some((row) => row[`forecast_${subject}`] !== undefined);
  // Billable hours have no forecast by month: the forecast of the budget, less what is scheduled later.
  if (!hasForecast) forecast = toFloat(project['budget_forecast']) - rest;
  return rows.map((row) => {
    const month = String(row['month']);
    const isLater = month > cutoff;
    scheduled += toFloat(row[`scheduled_${subject}`]);
    actual += toFloat(row[`actual_${subject}`]);
    if (hasForecast) forecast += toFloat(row[`forecast_${subject}`]);
    else if (isLater) forecast += toFloat(row[`scheduled_${subject}`]);
    const end = new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5, 7)), 0));
    const isLast = !isLater && end.toISOString().slice(0, 10) >= cutoff.slice(0, 10);
    return {
      date: end,
      scheduled,
      actual: isLater ? undefined : actual,
      forecast: isLater || isLast ? forecast : undefined,
    };
  });
}

function drawBurnUp(width: number, points: readonly Point[], budget: number, cutoff: string): Element {
  const line = (y: keyof Point, stroke: string, more = {}) =>
    lineY(points, { x: 'date', y, stroke, strokeWidth: 2, ...more });
  return plot({
    className: 'plot',
    width,
    height: HEIGHT,
    marginLeft: 56,
    x: { type: 'utc', label: null },
    y: { label: null, grid: true, tickFormat: 's', ticks: 6 },
    marks: [
      ruleY([0], { stroke: 'var(--muted)' }),
      ...(budget > 0 ? [ruleY([budget], { stroke: 'var(--budget)', strokeWidth: 2, strokeDasharray: '8 3' })] : []),
      ruleX([new Date(`${cutoff}T00:00:00Z`)], { stroke: 'var(--muted)', strokeDasharray: '2 3' }),
      line('scheduled', 'var(--scheduled)', { strokeWidth: 1.5 }),
      line('forecast', 'var(--actual)', { strokeDasharray: '4 3' }),
      line('actual', 'var(--actual)', { strokeWidth: 3 }),
    ],
  });
}
