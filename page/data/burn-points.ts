import { type Row, textOf } from './answer.ts';
import { endOfMonth } from './days.ts';
import { addDecimals } from './numbers.ts';

/** The lines of a burn-up. */
export type Series = 'baseline' | 'scheduled' | 'actual' | 'forecast';

/** The exact sums of a project from its beginning to the end of a month. */
export interface Point {
  /** The last day of the month, as YYYY-MM-DD. */
  readonly end: string;
  /** The plan of the baseline; undefined without one. */
  readonly baseline: string | null | undefined;
  /** Null while no amount is known, as in all of them. */
  readonly scheduled: string | null;
  /** Undefined after the cutoff. */
  readonly actual: string | null | undefined;
  /** Undefined before the month of the cutoff. */
  readonly forecast: string | null | undefined;
}

/**
 * Returns the sums at the end of each month, led by 0 at the end of the month before.
 * @param rows The months of the whole life.
 * @param subject The ending of the measures that are added up.
 * @param plan The months with the plan of the data, if that of the others is the baseline's.
 */
export function pointsOf(
  rows: readonly Row[],
  subject: string,
  project: Row,
  cutoff: string,
  plan?: readonly Row[],
): Point[] {
  const [first] = rows;
  if (!first) return [];
  const planned = new Map(plan?.map((row) => [row['month'], row]));
  const sumOf = (row: Row, name: string) => textOf(row, `${name}_${subject}`);
  const scheduledOf = (row: Row) => {
    const own = plan ? planned.get(row['month'] ?? null) : row;
    return own ? sumOf(own, 'scheduled') : '0';
  };
  const add = (...sums: (string | null)[]) => addDecimals(sums.flatMap((sum) => sum ?? []));
  const isLater = (row: Row) => String(row['month']) > cutoff;
  const hasForecast = rows.some((row) => row[`forecast_${subject}`] !== undefined);
  let baseline: string | null = null;
  let scheduled: string | null = null;
  let actual: string | null = null;
  let forecast: string | null = null;
  if (!hasForecast) {
    // Billable hours have no forecast by month: it is that of the budget, less what is scheduled later.
    const later = add(...rows.filter(isLater).map(scheduledOf));
    forecast = add(textOf(project, 'budget_forecast'), negate(later ?? '0'));
  }
  const points: Point[] = [
    {
      end: endOfMonth(String(first['month']), -1),
      baseline: plan && '0',
      scheduled: '0',
      actual: isLater(first) ? undefined : '0',
      forecast: undefined,
    },
  ];
  for (const [index, row] of rows.entries()) {
    baseline = add(baseline, sumOf(row, 'scheduled'));
    scheduled = add(scheduled, scheduledOf(row));
    actual = add(actual, sumOf(row, 'actual'));
    if (hasForecast) forecast = add(forecast, sumOf(row, 'forecast'));
    else if (isLater(row)) forecast = add(forecast, scheduledOf(row));
    const next = rows[index + 1];
    const isOfCutoff = !isLater(row) && next !== undefined && isLater(next);
    points.push({
      end: endOfMonth(String(row['month'])),
      baseline: plan && baseline,
      scheduled,
      actual: isLater(row) ? undefined : actual,
      forecast: isLater(row) || isOfCutoff ? forecast : undefined,
    });
  }
  return points;
}

function negate(decimal: string): string {
  return decimal.startsWith('-') ? decimal.slice(1) : `-${decimal}`;
}
