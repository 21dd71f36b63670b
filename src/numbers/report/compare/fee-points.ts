import type { Measure } from '../catalogue/measure-kinds.ts';
import { isOfLines } from '../catalogue/measure-meaning.ts';
import { amountsOf } from '../kinds/kinds.ts';
import { planSummary } from '../plan/plan-summary.ts';
import { reselect } from '../request/change-query.ts';
import { agreedFeesOf, readsAgreedFees } from '../source/agreed-fees.ts';
import { WITHOUT_AGREED_FEE } from '../source/line-amounts.ts';
import { kindLiteral } from '../source/query-sql.ts';
import { list } from '../source/sql-columns.ts';
import type { ChangePlan } from './change-plan.ts';

/*
 * Lines of agreed fees have three causes (X10): `budget` is the earlier state computed with the contracts of the present one, `cutoff` is what the later
 * cutoff does in the present one, and `estimate` is the rest, since hours of others move a line's part. Their points are the line then, the line then with
 * the contracts of now, the line now with the cutoff of then, and the line now.
 */

/** Tests whether a measure adds up what lines earn of agreed fees, or what is beyond them. */
export function isOfAgreedFees(measure: Measure): boolean {
  return isOfLines(measure) && readsAgreedFees({ amounts: amountsOf(measure) });
}

/** A point of a line of an agreed fee: its side, the relation of the parts that it has there, and the causes that lead to it and away. */
interface FeePoint {
  readonly side: 'then' | 'now';
  readonly fees: string;
  readonly arrival: string;
  readonly departure: string;
}

/** Returns the points of a line of an agreed fee. A later cutoff is the last step. */
function pointsOfFees({ later }: ChangePlan): FeePoint[] {
  const [agreed, known] = [
    { side: 'then', fees: 'fees_agreed', arrival: `'budget'`, departure: `'estimate'` },
    { side: 'now', fees: 'fees_known', arrival: `'estimate'`, departure: later ? `'cutoff'` : 'NULL' },
  ] as const;
  const then = { side: 'then', fees: 'fees_then', arrival: 'NULL', departure: `'budget'` } as const;
  const now = { side: 'now', fees: 'fees_now', arrival: `'cutoff'`, departure: 'NULL' } as const;
  return [then, agreed, known, ...(later ? [now] : [])];
}

/** The amounts that agreed fees decide. */
const AMOUNTS = Object.keys(WITHOUT_AGREED_FEE);

/** Returns the parts that lines have of agreed fees in each state (`fees_...`), the lines (`fee_ids`), and those whose part differs (`fee_moves`). */
export function feeStateParts(change: ChangePlan): string[] {
  const { plan, earlier, later } = change;
  const states = pointsOfFees(change);
  const all = states.map(({ fees }) => `SELECT * FROM ${fees}`).join(' UNION ALL ');
  const present = later && planSummary(reselect(plan.query, later), plan.calendar);
  return [
    statePart('fees_then', agreedFeesOf(plan, earlier)),
    statePart('fees_agreed', agreedFeesOf(plan, earlier, plan.source)),
    statePart('fees_known', agreedFeesOf(plan, plan.source)),
    ...(present ? [statePart('fees_now', agreedFeesOf(present, present.source))] : []),
    `fee_states AS (${all})`,
    'fee_ids AS (SELECT DISTINCT line_id FROM fee_states WHERE is_agreed)',
    `fee_moves AS (
  SELECT ANY_VALUE(kind) AS kind, ANY_VALUE(task_id) AS task_id, ANY_VALUE(logged_time_id) AS logged_time_id,
    ANY_VALUE(project_expense_id) AS project_expense_id
  FROM fee_states WHERE line_id IN (SELECT line_id FROM fee_ids)
  GROUP BY line_id
  HAVING COUNT(earned_fee) < ${states.length} OR ${AMOUNTS.map((name) => `MIN(${name}) <> MAX(${name})`).join(' OR ')}
)`,
  ];
}

function statePart(name: string, fees: string): string {
  const columns = ['kind', 'task_id', 'logged_time_id', 'project_expense_id', ...REVENUE_COLUMNS];
  return `${name} AS (
  SELECT ${list(
    ['line_id'],
    columns.map((column) => `ANY_VALUE(${column}) AS ${column}`),
    AMOUNTS.map((amount) => `SUM(${amount}) AS ${amount}`),
    ['BOOL_OR(is_agreed) AS is_agreed'],
  )}
  FROM (${fees}) AS fees GROUP BY line_id
)`;
}

/** The columns of the ledger that a line of kind revenue has. */
const REVENUE_COLUMNS = ['date', 'project_id', 'phase_id', 'task_meta_id', 'status', 'billable'];

/** Selects the lines of kind revenue of a side in the columns of the ledger (K4); those of the side then with the contracts of either state. */
export function selectRevenue(side: 'then' | 'now', change: ChangePlan): string {
  const { plan } = change;
  const states = pointsOfFees(change)
    .filter((point) => point.side === side)
    .map(({ fees }) => `SELECT * FROM ${fees}`);
  const values = ['kind', ...REVENUE_COLUMNS].map((name) => `ANY_VALUE(${name}) AS ${name}`);
  return `(
    SELECT *, CAST(NULL AS VARCHAR) AS line_id FROM ${plan.source.alone.relation('ledger')} WHERE FALSE
    UNION ALL BY NAME
    SELECT line_id, ${list(values)} FROM (${states.join(' UNION ALL ')}) AS states WHERE kind = ${kindLiteral('revenue')} GROUP BY line_id
  )`;
}

/**
 * Returns the points of all lines with what they earn (`points`), those of agreed fees in the place of their own (`plain_points`).
 * @param select Selects the points of a side from `paired`.
 */
export function feePointsPart(
  change: ChangePlan,
  select: (side: 'then' | 'now', arrival: string, departure: string) => string,
): string {
  const isAgreed = ['then', 'now']
    .map((side) => `COALESCE(${side}_line_id IN (SELECT line_id FROM fee_ids), FALSE)`)
    .join(' OR ');
  const points = pointsOfFees(change).map(
    ({
      side,
      fees,
      arrival,
      departure,
    }) => `SELECT point.*, CASE WHEN fees.line_id IS NULL THEN point.fee ELSE fees.earned_fee END AS earned_fee,
    CASE WHEN fees.line_id IS NULL THEN point.fee ELSE fees.planned_fee END AS planned_fee,
    COALESCE(fees.fee_beyond, 0) AS fee_beyond
  FROM (${select(side, arrival, departure)} WHERE ${side}_line_id IS NOT NULL AND (${isAgreed})) AS point
  LEFT JOIN ${fees} AS fees ON fees.line_id = point.${side}_line_id`,
  );
  return `points AS (
  SELECT *, fee AS earned_fee, fee AS planned_fee, 0 AS fee_beyond FROM plain_points WHERE NOT (${isAgreed})
  UNION ALL BY NAME
  ${points.join('\n  UNION ALL BY NAME\n  ')}
)`;
}
