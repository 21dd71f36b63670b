import type { Value } from '../../../base/database/index.ts';
import { Exact } from '../../../base/index.ts';
import type { FindingCause } from '../catalogue/table.ts';
import type { EstimateDefinition } from '../layout/workbook-definition.ts';
import type { Query } from '../request/query.ts';
import { readCauses } from '../run/causes.ts';
import type { ReportContext } from '../run/context.ts';

/** Significant digits of an estimate. */
const ESTIMATE_DIGITS = 2;

/** Findings with one cause, and an estimate of their unknown amount. */
export interface Cause extends FindingCause {
  /** Null if nothing says how large it is. */
  readonly estimate: string | null;
  /** The name of the amount that is unknown; null for none. */
  readonly estimated: string | null;
}

/** The causes of a window's findings, gravest first. */
export interface Causes {
  readonly all: readonly Cause[];
  /** The average amount of an hour whose amount is known, by its name. */
  readonly averages: ReadonlyMap<string, string>;
}

/**
 * Reads the findings of a query by their cause.
 * @param quality The query of the report data-quality.
 * @param totals The value of each measure in the window, from which averages are computed.
 */
export async function readEstimatedCauses(
  context: ReportContext,
  quality: Query,
  totals: ReadonlyMap<string, Value>,
): Promise<Causes> {
  const { estimates } = quality.selection.catalogue.workbook;
  const averages = new Map(
    Object.values(estimates).flatMap((estimate) => {
      const average = averageOf(estimate, totals);
      return average === undefined ? [] : [[estimate.name, average] as const];
    }),
  );
  const found = await readCauses(context, quality);
  const all = found.map((cause): Cause => {
    const estimated = estimates[cause.check]?.name ?? null;
    const average = averages.get(estimated ?? '');
    // Actual amounts lack the hours logged, not those of the plan.
    const logged = new Exact(cause.hours ?? 0).minus(cause.scheduled_hours ?? 0);
    const estimate =
      average === undefined || logged.isZero()
        ? null
        : logged.times(average).toSignificantDigits(ESTIMATE_DIGITS).toFixed();
    return { ...cause, estimate, estimated };
  });
  return { all, averages };
}

function averageOf(
  { amount, hours, without }: EstimateDefinition,
  totals: ReadonlyMap<string, Value>,
): string | undefined {
  const [sum, all, unknown] = [amount, hours, without].map((name) => totals.get(name) ?? null);
  if (sum == null || all == null || unknown == null) return undefined;
  const known = new Exact(String(all)).minus(String(unknown));
  return known.greaterThan(0) ? new Exact(String(sum)).div(known).toFixed(4) : undefined;
}
