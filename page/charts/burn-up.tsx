import { lineY, plot, rectY, ruleX, ruleY, text } from '@observablehq/plot';
import { type Answer, type Row, rowsOf, textOf } from '../data/answer.ts';
import { type Point, pointsOf, type Series } from '../data/burn-points.ts';
import { baselineName } from '../data/catalogue.ts';
import { formatDate, formatMonth, toFloat } from '../data/numbers.ts';
import { BurnUpTable, type LinkAt, linkUpTo, writeSum } from './burn-table.tsx';
import { Chart, Key, numberScale, spots } from './chart.tsx';

/** Height of the chart. Unit: px. */
const HEIGHT = 280;

/** Least distance between the labels at the ends of lines. Unit: px. */
const LABEL_PX = 16;

interface BurnUpProps {
  readonly project: Row;
  /** The months of the project's whole life. */
  readonly life: Answer;
  /** The same with the plan of the data, if that of the others is the baseline's. */
  readonly plan: Answer | undefined;
  readonly currency: string;
  readonly cutoff: string;
  /** The first day on which what was used exceeds the budget, if it does. */
  readonly passed?: string | undefined;
}

/** The growth of a project over its whole life: scheduled, actual and forecast against the budget. */
export function BurnUp({ project, life, plan, currency, cutoff, passed }: BurnUpProps) {
  const unit = textOf(project, 'budget_unit');
  const subject = unit === null ? 'hours' : unit === 'hours' ? 'billable_hours' : 'revenue';
  const points = pointsOf(rowsOf(life), subject, project, cutoff, plan && rowsOf(plan));
  const baseline = baselineName();
  if (points.length === 0) return null;
  const named = { hours: 'hours', billable_hours: 'billable hours', revenue: `fees and expenses, ${currency}` }[
    subject
  ];
  const shownUnit = subject === 'revenue' ? currency : 'h';
  const linkAt = linkUpTo(
    textOf(life.totals, '_lines'),
    textOf(project, '_lines'),
    subject,
    plan && textOf(plan.totals, '_lines'),
  );
  const draw = { points, budget: textOf(project, 'budget_total'), cutoff, passed, unit: shownUnit, linkAt };
  return (
    <section>
      <h2>Burn-up over the whole life: {named}</h2>
      <p class="legend">
        {baseline !== undefined && <Key of="line-baseline" label={`baseline (${baseline})`} />} <Key of="scheduled" />{' '}
        <Key of="line-actual" label="actual" /> <Key of="line-forecast" label="forecast" />
        {unit !== null && <Key of="budget" />}
      </p>
      <Chart
        label={`Lines of ${named} ${baseline === undefined ? '' : `the baseline ${baseline}, `}scheduled, actual and forecast, at the end of each month${unit === null ? '' : ', with the budget'}. Each month opens the lines up to its end; the table below has the numbers, too.`}
        draw={(width) => drawBurnUp(width, draw)}
        of={life}
      />
      <details>
        <summary>The burn-up as a table</summary>
        <BurnUpTable points={points} unit={shownUnit} linkAt={linkAt} />
      </details>
    </section>
  );
}

interface Drawn {
  readonly points: readonly Point[];
  readonly budget: string | null;
  readonly cutoff: string;
  readonly passed: string | undefined;
  readonly unit: string;
  readonly linkAt: LinkAt;
}

/** The room for a month below the axis, and those beside it, for amounts and the names of lines. Unit: px. */
const TICK = 48;
const MARGIN_LEFT = 56;
const MARGIN_RIGHT = 80;

function drawBurnUp(width: number, drawn: Drawn): Element {
  const { points, cutoff, passed, unit, linkAt } = drawn;
  const budget = toFloat(drawn.budget);
  const at = ({ end }: Point) => dateOf(end);
  const line = (of: Series, stroke: string, more = {}) => {
    const own = points.filter((point) => point[of] !== undefined);
    return lineY(own, { x: at, y: (point: Point) => toFloat(point[of]), stroke, strokeWidth: 2, ...more });
  };
  const y = numberScale([budget, ...points.flatMap((point) => SERIES.map((of) => toFloat(point[of])))], 6);
  const last = points.at(-1)?.end ?? '';
  const dates = points.slice(1).map(at);
  const every = Math.max(1, Math.ceil((dates.length * TICK) / (width - MARGIN_LEFT - MARGIN_RIGHT)));
  const marked = [
    ...(cutoff < last ? [{ day: cutoff, label: `actuals until ${formatDate(cutoff)}` }] : []),
    ...(passed === undefined ? [] : [{ day: passed, label: `budget passed, ${formatMonth(passed)}` }]),
  ];
  const marks = marked.map(({ day, label }, line) => ({ date: dateOf(day), label, line }));
  const label = ({ end, baseline, scheduled, actual, forecast }: Point) =>
    [
      `To the end of ${formatMonth(end)}`,
      ...(baseline === undefined ? [] : [`Baseline (${baselineName()}): ${writeSum(baseline)} ${unit}`]),
      `Scheduled: ${writeSum(scheduled)} ${unit}`,
      ...(actual === undefined ? [] : [`Actual: ${writeSum(actual)} ${unit}`]),
      ...(forecast === undefined ? [] : [`Forecast: ${writeSum(forecast)} ${unit}`]),
    ].join('\n');
  return plot({
    className: 'plot',
    width,
    height: HEIGHT,
    marginLeft: MARGIN_LEFT,
    marginRight: MARGIN_RIGHT,
    marginTop: 36,
    x: {
      type: 'utc',
      label: null,
      ticks: dates.filter((_, index) => (dates.length - 1 - index) % every === 0),
      tickFormat: (date: Date) => formatMonth(date.toISOString()),
    },
    y,
    marks: [
      ruleY([0], { stroke: 'var(--muted)' }),
      ...(budget > 0 ? [ruleY([budget], { stroke: 'var(--budget)', strokeWidth: 2, strokeDasharray: '8 3' })] : []),
      ruleX(marks, { x: 'date', stroke: 'var(--muted)', strokeDasharray: '2 3' }),
      ...marks.map((mark) =>
        text([mark], { x: 'date', text: 'label', frameAnchor: 'top', dy: -10 - 14 * mark.line, fill: 'var(--muted)' }),
      ),
      line('baseline', 'var(--muted)', { strokeDasharray: '2 3' }),
      line('scheduled', 'var(--scheduled)', { strokeWidth: 1.5 }),
      line('forecast', 'var(--actual)', { strokeDasharray: '4 3' }),
      line('actual', 'var(--actual)', { strokeWidth: 3 }),
      ...endLabels(points, budget, y.domain),
      rectY(points.slice(1), {
        x1: (point: Point) => dateOf(points[points.indexOf(point) - 1]?.end ?? point.end),
        x2: at,
        y1: y.domain[0] ?? 0,
        y2: y.domain[1] ?? 1,
        ...spots<Point>((point) => ({
          label: label(point),
          // After the month of the cutoff, all of it is plan.
          href: linkAt(point.end, point.actual === undefined ? 'scheduled' : 'actual'),
        })),
      }),
    ],
  });
}

const SERIES: readonly Series[] = ['baseline', 'scheduled', 'actual', 'forecast'];

/** Returns the names of the lines, each at its end, and apart from the others. */
function endLabels(points: readonly Point[], budget: number, [low = 0, high = 1]: readonly number[]) {
  const last = dateOf(points.at(-1)?.end ?? '');
  const ends = SERIES.flatMap((of) => {
    const sum = points.findLast((point) => point[of] !== undefined)?.[of];
    const isAtEnd = points.at(-1)?.[of] !== undefined;
    return sum === undefined || !isAtEnd ? [] : [{ label: String(of), value: toFloat(sum), last }];
  });
  if (budget > 0) ends.push({ label: 'budget', value: budget, last });
  const perPixel = (high - low) / (HEIGHT - 66);
  let above = Number.NEGATIVE_INFINITY;
  const placed = ends
    .toSorted((one, other) => one.value - other.value)
    .map((end) => {
      above = Math.max(end.value, above + LABEL_PX * perPixel);
      return { ...end, place: above };
    });
  return [
    text(placed, {
      x: 'last',
      y: 'place',
      text: 'label',
      textAnchor: 'start',
      dx: 6,
      fill: 'var(--muted)',
      clip: false,
    }),
  ];
}

function dateOf(day: string): Date {
  return new Date(`${day.slice(0, 10)}T00:00:00Z`);
}
