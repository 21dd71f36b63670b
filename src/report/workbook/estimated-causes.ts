import type { Value } from '../../database/database.ts';
import { Exact } from '../../exact-decimal.ts';
import type { FindingCause } from '../catalogue/table.ts';
import type { Query } from '../request/query.ts';
import { readCauses } from '../run/causes.ts';
import type { ReportContext } from '../run/context.ts';

/** The most causes in the words of a workbook. */
const MAX_CAUSES = 8;

/** Significant digits of an estimate. */
const ESTIMATE_DIGITS = 2;

/** Findings with one cause, and an estimate of their unknown amount. */
export interface Cause extends FindingCause {
  /** Null if nothing says how large it is. */
  readonly estimate: string | null;
}

/** The causes of a window's findings, gravest first, and the rates of their estimates. */
export interface Causes {
  /** All of them. */
  readonly all: readonly Cause[];
  readonly listed: readonly Cause[];
  /** The number of further causes, and that of their findings. */
  readonly others: { readonly causes: number; readonly findings: number };
  /** The number of causes of each severity. */
  readonly counts: Readonly<Record<string, number>>;
  readonly averages: Averages;
}

/** The average amount of an hour whose amount is known. */
export interface Averages {
  readonly cost: string | null;
  readonly fee: string | null;
}

/** Checks that leave an amount unknown, each with that amount. */
const UNKNOWN_AMOUNTS: Readonly<Record<string, keyof Averages>> = {
  hours_without_cost_rate: 'cost',
  hours_without_bill_rate: 'fee',
};

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
  const averages = averagesOf(totals);
  const found = await readCauses(context, quality);
  const causes = found.map((cause) => ({ ...cause, estimate: estimateOf(cause, averages) }));
  const others = causes.slice(MAX_CAUSES);
  const findings = others.reduce((sum, cause) => sum + cause.findings, 0);
  const counts: Record<string, number> = {};
  for (const { severity } of causes) counts[severity] = (counts[severity] ?? 0) + 1;
  return {
    all: causes,
    listed: causes.slice(0, MAX_CAUSES),
    others: { causes: others.length, findings },
    counts,
    averages,
  };
}

/** Returns the averages of the actual hours with a rate; fees over billable hours. */
function averagesOf(totals: ReadonlyMap<string, Value>): Averages {
  const average = (amount: string, hours: string, unknown: string) => {
    const [sum, all, without] = [amount, hours, unknown].map((name) => totals.get(name) ?? null);
    if (sum == null || all == null || without == null) return null;
    const known = new Exact(String(all)).minus(String(without));
    return known.isPositive() && !known.isZero() ? new Exact(String(sum)).div(known).toFixed(4) : null;
  };
  return {
    cost: average('actual_cost', 'actual_hours', 'actual_hours_without_cost_rate'),
    fee: average('actual_fees', 'actual_billable_hours', 'actual_hours_without_bill_rate'),
  };
}

/** Estimates the amount that is missing in actual ones: that of the hours logged, not of the plan. */
function estimateOf(
  { check, hours, scheduled_hours: planned }: Pick<Cause, 'check' | 'hours' | 'scheduled_hours'>,
  averages: Averages,
): string | null {
  const unknown = UNKNOWN_AMOUNTS[check];
  const average = unknown && averages[unknown];
  if (!average || hours === null) return null;
  const logged = new Exact(hours).minus(planned ?? 0);
  if (logged.isZero()) return null;
  return logged.times(average).toSignificantDigits(ESTIMATE_DIGITS).toFixed();
}
