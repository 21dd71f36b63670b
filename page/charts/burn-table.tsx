import { linkToQuery } from '../data/address.ts';
import type { Point, Series } from '../data/burn-points.ts';
import { baselineName } from '../data/catalogue.ts';
import { formatDecimal, formatMonth } from '../data/numbers.ts';
import { setParts } from '../parts/opened-sums.tsx';

/** The sums at the end of each month. */
export function BurnUpTable({ points, unit, linkAt }: { points: readonly Point[]; unit: string; linkAt: LinkAt }) {
  const baseline = baselineName();
  const columns: readonly [Series, string][] = [
    ...(baseline === undefined ? [] : [['baseline', `Baseline (${baseline})`] as [Series, string]]),
    ['scheduled', 'Scheduled'],
    ['actual', 'Actual'],
    ['forecast', 'Forecast'],
  ];
  const linked = (sum: string | null | undefined, href: string | undefined) =>
    href === undefined || sum === undefined ? (
      writeSum(sum)
    ) : (
      <a class="figure" href={href}>
        {writeSum(sum)}
      </a>
    );
  return (
    <div class="scroll">
      <table>
        <caption>Sums from the beginning to the end of each month</caption>
        <thead>
          <tr>
            <th scope="col">To the end of</th>
            {columns.map(([, label]) => (
              <th scope="col" class="number">
                {label} <span class="unit">{unit}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {points.slice(1).map((point) => (
            <tr>
              <th scope="row">{formatMonth(point.end)}</th>
              {columns.map(([of]) => (
                <td class="number">{linked(point[of], linkAt(point.end, of))}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Returns a sum in words: nothing where there is none, and unknown where no amount of it is known. */
export function writeSum(sum: string | null | undefined): string {
  if (sum === undefined) return '';
  return sum === null ? 'unknown' : formatDecimal(sum);
}

/**
 * Makes the links to the lines of a series from the beginning to a day; none without lines.
 * @param project The query of the project's lines, for the forecast of its budget, which billable hours have alone.
 * @param plan The query of the lines with the plan of the data, if that of the others is the baseline's.
 */
export function linkUpTo(
  lines: string | null,
  project: string | null,
  subject: string,
  plan: string | null | undefined,
): LinkAt {
  return (end, of) => {
    const isOfBudget = of === 'forecast' && subject === 'billable_hours';
    const path = isOfBudget ? project : of === 'scheduled' && plan !== undefined ? plan : lines;
    if (path === null) return undefined;
    const query = new URLSearchParams(path.slice(path.indexOf('?') + 1));
    query.set('measure', isOfBudget ? 'budget_forecast' : `${of === 'baseline' ? 'scheduled' : of}_${subject}`);
    if (isOfBudget) setParts(query, [{ by: 'until', key: end }]);
    else query.set('end_date', end);
    return linkToQuery(`?${query}`);
  };
}

export type LinkAt = (end: string, of: Series) => string | undefined;
