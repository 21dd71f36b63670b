import type { Value } from '../../database/database.ts';
import { Exact } from '../../exact-decimal.ts';
import { buildConditions } from '../plan/plan-list.ts';
import { querySqlOf } from '../plan/query-sql.ts';
import type { Query } from '../request/query.ts';
import type { ReportContext } from '../run/context.ts';

/** The most causes in the words of a workbook. */
const MAX_CAUSES = 8;

/** Significant digits of an estimate. */
const ESTIMATE_DIGITS = 2;

/** Findings with one cause. */
export interface Cause {
  readonly check: string;
  readonly severity: string;
  /** The person whose record is to be mended, if the check is about people's rates: the name, or the id of one without a record. */
  readonly person: string | null;
  /** False if the person has no record. */
  readonly isKnown: boolean;
  readonly findings: number;
  /** Findings about a scheduled day. */
  readonly scheduledDays: number;
  readonly firstDate: string | null;
  readonly hours: string | null;
  /** The sum of the amounts at risk, as far as they are known and the reader sees them. */
  readonly amount: string | null;
  /** An estimate of the unknown amount; null if nothing says how large it is. */
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

/** Checks whose findings have a person as their cause, each with the amount that is unknown. */
const UNKNOWN_AMOUNTS: Readonly<Record<string, keyof Averages>> = {
  hours_without_cost_rate: 'cost',
  hours_without_bill_rate: 'fee',
};

/**
 * Reads the findings of a query by their cause.
 * @param quality The query of the report data-quality.
 * @param totals The value of each measure in the window, from which averages are computed.
 */
export async function readCauses(
  { database }: ReportContext,
  quality: Query,
  totals: ReadonlyMap<string, Value>,
): Promise<Causes> {
  const averages = averagesOf(totals);
  const rows = await database.rows<Omit<Cause, 'estimate'>>(compileCauses(quality));
  const causes = rows.map((row) => ({ ...row, estimate: estimateOf(row, averages) }));
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

function compileCauses(quality: Query): string {
  const byPerson = Object.keys(UNKNOWN_AMOUNTS).map((check) => `'${check}'`);
  const amount = quality.selection.seesRates ? 'SUM(listed.amount_at_risk)' : 'NULL';
  return `WITH causes AS (
  SELECT "check", severity, CASE WHEN "check" IN (${byPerson.join(', ')}) THEN people_id END AS cause_people_id,
    CAST(COUNT(*) AS INTEGER) AS findings, CAST(COUNT(CASE WHEN resource = 'tasks' THEN 1 END) AS INTEGER) AS days,
    CAST(MIN(date) AS VARCHAR) AS first_date, SUM(hours) AS hours, ${amount} AS amount
  FROM marts.data_quality AS listed
  WHERE ${buildConditions(quality, querySqlOf(quality.selection))}
  GROUP BY "check", severity, cause_people_id
)
SELECT "check", severity, COALESCE(people.person, 'Person id ' || CAST(causes.cause_people_id AS VARCHAR) || ' (no record)') AS person,
  causes.cause_people_id IS NULL OR COALESCE(people.is_known, FALSE) AS "isKnown", findings, days AS "scheduledDays", first_date AS "firstDate", hours, amount
FROM causes
LEFT JOIN marts.people AS people ON people.people_id = causes.cause_people_id
ORDER BY CASE severity WHEN 'error' THEN 0 WHEN 'warning' THEN 1 ELSE 2 END, hours DESC NULLS LAST, findings DESC, "check", cause_people_id`;
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

function estimateOf({ check, hours }: Pick<Cause, 'check' | 'hours'>, averages: Averages): string | null {
  const unknown = UNKNOWN_AMOUNTS[check];
  const average = unknown && averages[unknown];
  if (!average || hours === null) return null;
  return new Exact(hours).times(average).toSignificantDigits(ESTIMATE_DIGITS).toFixed();
}
