import { readModel, readRule } from './fact-rules.ts';
import { type LifeOptions, type ReadUses, useParts } from './fee-uses.ts';
import { columnOfFilter } from './filter.ts';
import { WITHOUT_AGREED_FEE } from './line-amounts.ts';
import { canFilterMonths } from './month-sums.ts';
import { kindConditions, kindLiteral, statusLiteral } from './query-sql.ts';
import { hasRetainers, plannedSource, type StateSource } from './state-source.ts';
import type { SummaryPlan } from './summary-plan.ts';

/** The rules of how places earn their agreed fees, of the parts of lines (3.3.1), and of what no line of work carries (K4). */
const LIVES = readRule('facts/fee_lives');
const STEPS = readRule('facts/fee_steps');
const FEES = readRule('facts/agreed_fees');
const REVENUE = readRule('kinds/revenue');

/** The rules of lots of retainers: what lines use, where they stand among the lots, what they take, and what they earn (T3, T6). */
const RETAINER_USES = readRule('facts/retainer_uses');
const RETAINER_WALK = readRule('facts/retainer_walk');
const RETAINER_TAKES = readRule('facts/retainer_takes');
const RETAINER_FEES = readRule('facts/retainer_fees');
const RETAINER_EARNED = readRule('facts/retainer_earned');

/** The columns of RETAINER_EARNED without a row. */
const NOTHING_EARNED = `SELECT FALSE AS is_plan, ${['retainer_id', 'project_id', 'phase_key', 'units'].map((name) => `CAST(NULL AS BIGINT) AS ${name}`).join(', ')},
  ${['cutoff_date', 'date'].map((name) => `CAST(NULL AS DATE) AS ${name}`).join(', ')}, 0 AS minor_units, ${statusLiteral('confirmed')} AS status WHERE FALSE`;

/** The sums of lines by place and month, and those with a retainer by day. */
const MONTHS = readModel('core/fee_months');
const DAYS = readModel('core/retainer_days');

/** The relations of what contracts say, which a comparison takes from another state. */
const CONTRACTS = ['places', 'fee_milestones', 'retained_places', 'retainer_periods', 'retainer_calendar'] as const;

/** Tests whether a plan reads what lines earn of agreed fees. */
export function readsAgreedFees({ amounts }: Pick<SummaryPlan, 'amounts'>): boolean {
  return amounts.some((amount) => WITHOUT_AGREED_FEE[amount] !== undefined);
}

/** Tests whether a plan reads what its plan earns of agreed fees. */
export function readsPlannedFees({ amounts }: Pick<SummaryPlan, 'amounts'>): boolean {
  return amounts.includes('planned_fee');
}

/**
 * Returns the parts that lines have of agreed fees (`agreed_fees`), and what earns beside them (`revenue_lines`); and if a query reads it, what the
 * plan earns with each line (`planned_fees`): by the same rules, as if nothing had been logged (K5).
 * Their lines are those of projects with places.
 */
export function feeParts(plan: SummaryPlan, read: ReadUses, asked: Omit<LifeOptions, 'plan'> = {}): string[] {
  const { source } = plan;
  if (!readsPlannedFees(plan) || source.baseline) {
    const planned =
      source.baseline && readsPlannedFees(plan) ? [`planned_fees AS (${selectKeptPlan(plan, read)})`] : [];
    return [...lifeParts(plan, read, asked), ...earningParts(source, 'agreed_fees', 'revenue_lines'), ...planned];
  }
  return [
    ...lifeParts(plan, read, { ...asked, plan: 'beside' }),
    ...earningParts(source, 'all_fees', 'all_revenue'),
    'agreed_fees AS (SELECT * FROM all_fees WHERE NOT is_plan)',
    'revenue_lines AS (SELECT * FROM all_revenue WHERE NOT is_plan)',
    `planned_fees AS (${selectPlanned('all_fees', 'all_revenue')})`,
  ];
}

/** Returns the lives of places (`fee_lives`), the steps of their progress (`fee_steps`) and the lots of retainers (`retainer_walk`), with what lines use of them. */
export function lifeParts(plan: SummaryPlan, read: ReadUses, asked: LifeOptions = {}): string[] {
  return [
    ...useParts(plan, read, asked),
    `fee_lives AS (${LIVES(plan.source)})`,
    `fee_steps AS (${STEPS(plan.source)})`,
    ...retainerParts(plan.source),
  ];
}

/** Returns the lots of retainers: the rules of a state without any would only make statements long. */
function retainerParts(source: StateSource): string[] {
  if (!hasRetainers(source)) return [];
  return [
    `retainer_uses AS (${RETAINER_USES(source)})`,
    `retainer_walk AS (${RETAINER_WALK(source)})`,
    `retainer_takes AS (${RETAINER_TAKES(source)})`,
  ];
}

function earningParts(source: StateSource, fees: string, revenue: string): string[] {
  const retained = hasRetainers(source)
    ? ` UNION ALL BY NAME SELECT * FROM (${RETAINER_FEES(source)}) AS retained`
    : '';
  const earned = hasRetainers(source) ? RETAINER_EARNED(source) : NOTHING_EARNED;
  return [
    `${fees} AS (SELECT * FROM (${FEES(source)}) AS agreed${retained})`,
    `${revenue} AS (WITH retainer_earned AS (${earned}) SELECT * FROM (${REVENUE(source)}) AS revenue)`,
  ];
}

function selectPlanned(fees: string, revenue: string): string {
  return `SELECT * RENAME (earned_fee AS planned_fee)
  FROM (SELECT * FROM ${fees} WHERE is_plan UNION ALL BY NAME SELECT * FROM ${revenue} WHERE is_plan) AS planned`;
}

/** Selects what the plan of a baseline earns by its contracts. Its sums by month lack the expenses of the reported state, so its lines are read. */
function selectKeptPlan(plan: SummaryPlan, read: ReadUses): string {
  const kept = { ...plan, source: plannedSource(plan.source), hasFixedDays: false };
  const parts = [
    ...lifeParts(kept, read, { plan: 'alone' }),
    ...earningParts(kept.source, 'kept_fees', 'kept_revenue'),
  ];
  return `WITH ${parts.join(',\n')}
  ${selectPlanned('kept_fees', 'kept_revenue')}`;
}

/** The columns of what earns beside lines, but for its id and amount. */
export const EARNING_KEYS = ['kind', 'date', 'project_id', 'phase_id', 'task_meta_id', 'status', 'billable'];

/** A line of kind revenue of the plan earns nothing by itself. */
export const NOT_EARNED = `CASE WHEN kind = ${kindLiteral('revenue')} THEN 0 END AS earned_fee`;

/** The columns of lines whose parts are compared, with those that the rules read: all of them, in each state, would take much memory. */
const COMPARED_COLUMNS = [
  ...[
    'line_id',
    'kind',
    'task_id',
    'logged_time_id',
    'project_expense_id',
    'date',
    'project_id',
    'phase_id',
    'task_meta_id',
  ],
  ...['status', 'billable', 'hours', 'fee'],
];

/**
 * Selects the lines of a state with their parts of agreed fees, and those of kind revenue. What the plan earns with a line is a further row of it.
 * @param agreedIn The state whose contracts count. Default: the same.
 */
export function agreedFeesOf(plan: SummaryPlan, source: StateSource, agreedIn = source): string {
  const isRevenue = `kind = ${kindLiteral('revenue')}`;
  const rows = [
    'SELECT *, NULL AS planned_fee FROM agreed_fees',
    'SELECT *, 0 AS planned_fee, 0 AS fee_beyond FROM revenue_lines',
    ...(readsPlannedFees(plan)
      ? [`SELECT * REPLACE (CASE WHEN ${isRevenue} THEN 0 END AS fee_beyond), ${NOT_EARNED} FROM planned_fees`]
      : []),
  ];
  const fees = `WITH ${feeParts({ ...plan, source: { ...source, contracts: agreedIn.contracts } }, 'by line', { columns: COMPARED_COLUMNS }).join(',\n')}
    SELECT *, ${isRevenue} OR is_retained OR agreed_fee IS NOT NULL AS is_agreed FROM (${rows.join('\n    UNION ALL BY NAME ')}) AS fees`;
  if (agreedIn === source) return fees;
  // Sums that are kept are of the contracts of their own state.
  const computed = fees
    .replaceAll(source.relation('fee_months'), `(${MONTHS(source)})`)
    .replaceAll(source.relation('retainer_days'), `(${DAYS(source)})`);
  return CONTRACTS.reduce(
    (text, relation) => text.replaceAll(source.relation(relation), agreedIn.relation(relation)),
    computed,
  );
}

/** Tests whether a query has all lines of its window that use an agreed fee, or none. */
export function hasWholeFees({ query: { selection }, hasFixedDays }: SummaryPlan): boolean {
  const { report, filters } = selection;
  return (
    hasFixedDays &&
    canFilterMonths(selection) &&
    kindConditions(report, 'lines').length === 0 &&
    filters.every((filter) => columnOfFilter(filter, report) === 'project_id')
  );
}
