import type { Measure } from '../catalogue/measure-kinds.ts';
import { amountsOf } from '../kinds/kinds.ts';
import { planSummary } from '../plan/plan-summary.ts';
import { reselect } from '../request/change-query.ts';
import { agreedFeesOf, readsAgreedFees } from '../source/agreed-fees.ts';
import type { ChangePlan } from './change-plan.ts';

/*
 * Lines of agreed fees have two causes (X10): `budget` is the earlier state computed with the totals of the present one, `estimate` is the
 * rest, since hours of others move a line's part. Their points are the line then, the line then with the budgets of now, and the line now.
 */

/** Tests whether a measure adds up what lines earn of agreed fees, or what is beyond them. */
export function isOfAgreedFees(measure: Measure): boolean {
  return readsAgreedFees({ amounts: amountsOf(measure) });
}

/** The states of an agreed fee, with the relation of the lines' parts of it. */
const STATES = ['fees_then', 'fees_agreed', 'fees_now'] as const;

/** The points of a line of an agreed fee: its side, the parts that it has there, and the causes that lead to it and away. */
const FEE_POINTS = [
  { side: 'then', fees: 'fees_then', arrival: 'NULL', departure: `'budget'` },
  { side: 'then', fees: 'fees_agreed', arrival: `'budget'`, departure: `'estimate'` },
  { side: 'now', fees: 'fees_now', arrival: `'estimate'`, departure: 'NULL' },
] as const;

/** Returns the parts that lines have of agreed fees in each state (`fees_...`), the lines (`fee_ids`), and those whose part differs (`fee_moves`). */
export function feeStateParts({ plan, earlier, later }: ChangePlan): string[] {
  const present = later ? planSummary(reselect(plan.query, later), plan.calendar) : plan;
  const all = STATES.map((name) => `SELECT * FROM ${name}`).join(' UNION ALL ');
  return [
    statePart('fees_then', agreedFeesOf(plan, earlier)),
    statePart('fees_agreed', agreedFeesOf(plan, earlier, plan.source)),
    statePart('fees_now', agreedFeesOf(present, present.source)),
    `fee_states AS (${all})`,
    'fee_ids AS (SELECT DISTINCT line_id FROM fee_states WHERE is_agreed)',
    `fee_moves AS (
  SELECT ANY_VALUE(kind) AS kind, ANY_VALUE(task_id) AS task_id, ANY_VALUE(logged_time_id) AS logged_time_id,
    ANY_VALUE(project_expense_id) AS project_expense_id
  FROM fee_states WHERE line_id IN (SELECT line_id FROM fee_ids)
  GROUP BY line_id
  HAVING COUNT(earned_fee) < ${STATES.length} OR MIN(earned_fee) <> MAX(earned_fee) OR MIN(fee_beyond) <> MAX(fee_beyond)
    OR BOOL_OR(is_left) <> BOOL_AND(is_left)
)`,
  ];
}

function statePart(name: string, fees: string): string {
  const columns = 'line_id, kind, task_id, logged_time_id, project_expense_id, is_left, earned_fee, fee_beyond';
  return `${name} AS (
  SELECT ${columns}, agreed_fee IS NOT NULL AS is_agreed
  FROM (${fees}) AS fees
)`;
}

/**
 * Returns the points of all lines with what they earn (`points`), those of agreed fees in the place of their own (`plain_points`).
 * @param select Selects the points of a side from `paired`.
 */
export function feePointsPart(select: (side: 'then' | 'now', arrival: string, departure: string) => string): string {
  const isAgreed = ['then', 'now']
    .map((side) => `COALESCE(${side}_line_id IN (SELECT line_id FROM fee_ids), FALSE)`)
    .join(' OR ');
  const points = FEE_POINTS.map(
    ({ side, fees, arrival, departure }) => `SELECT point.*, fees.is_left AS is_fee_left,
    CASE WHEN fees.line_id IS NULL THEN point.fee ELSE fees.earned_fee END AS earned_fee, COALESCE(fees.fee_beyond, 0) AS fee_beyond
  FROM (${select(side, arrival, departure)} WHERE ${side}_line_id IS NOT NULL AND (${isAgreed})) AS point
  LEFT JOIN ${fees} AS fees ON fees.line_id = point.${side}_line_id`,
  );
  return `points AS (
  SELECT *, CAST(NULL AS BOOLEAN) AS is_fee_left, fee AS earned_fee, 0 AS fee_beyond FROM plain_points WHERE NOT (${isAgreed})
  UNION ALL BY NAME
  ${points.join('\n  UNION ALL BY NAME\n  ')}
)`;
}
