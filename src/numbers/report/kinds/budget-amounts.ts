import { countsAs, isBesidePlan } from '../../relation/line-kinds.ts';
import { readRule } from '../source/fact-rules.ts';
import { list } from '../source/sql-columns.ts';
import type { StateSource } from '../source/state-source.ts';
import type { Facts } from '../source/summary-plan.ts';
import { keyNames, rowLines, type SummaryPlan } from '../source/summary-plan.ts';

/** Ids that find a budget of each level, and the dimensions that carry them. */
export const BUDGET_LEVELS = [
  { level: 'task', ids: ['task_meta_id'], dimensions: ['task'] },
  { level: 'phase', ids: ['project_id', 'phase_id'], dimensions: ['project', 'phase'] },
  { level: 'project', ids: ['project_id'], dimensions: ['project'] },
] as const;

export type BudgetLevel = (typeof BUDGET_LEVELS)[number];

const AMOUNTS = ['total', 'used', 'remaining', 'forecast'];

/**
 * The budgets of each row and of all rows, each once, in one unit.
 * A budget covers the whole life of its project, phase or task, whatever the window and the filters.
 * Budgets in different units are not added up.
 */
export const BUDGET: Facts = {
  name: 'budget',
  population: 'lives',
  takesMonths: true,
  columns: [
    {
      name: 'budget_unit',
      label: 'Budget unit',
      unit: 'text',
      description: 'The unit of the budget: hours, or the currency.',
      needsRates: false,
      better: undefined,
    },
  ],
  parts: budgetAmountParts,
  of: (plan, { name }) => {
    const { ids } = levelOf(plan);
    const members =
      name === 'row' ? 'budget_members' : `(SELECT DISTINCT ${list(ids)} FROM budget_members) AS budget_members`;
    return {
      from: `${members} JOIN budget_amounts ON ${ids.map((id) => `budget_amounts.${id} = budget_members.${id}`).join(' AND ')}`,
    };
  },
  sums: () => [
    { name: 'budget_unit', expression: ofOneUnit('MIN(budget_unit)') },
    ...AMOUNTS.map((amount) => ({ name: `budget__${amount}`, expression: ofOneUnit(`SUM(${amount})`) })),
  ],
};

const ofOneUnit = (expression: string) => `CASE WHEN MIN(budget_unit) = MAX(budget_unit) THEN ${expression} END`;

/** Returns the ids of each row's budgets (`budget_members`), and the amounts of those budgets (`budget_amounts`). */
export function budgetAmountParts(plan: SummaryPlan): string[] {
  return amountParts(plan, 'budget_members');
}

/** Returns the same with the amounts of all budgets of the level, those of no row as well. */
export function allBudgetAmountParts(plan: SummaryPlan): string[] {
  return amountParts(plan, plan.source.relation('budgets'));
}

function amountParts(plan: SummaryPlan, members: string): string[] {
  const level = levelOf(plan);
  return [
    membersPart(plan, level, 'budget_members'),
    budgetedPart(plan, level, members),
    ...usePart(plan, level),
    amountsPart(level),
  ];
}

/** Returns the level of a plan's budgets, with the ids that find them: a subtotal adds up those of its rows. */
export function levelOf({ query: { grouping } }: SummaryPlan): BudgetLevel {
  const { dimensions, rowDimensions = dimensions } = grouping;
  return BUDGET_LEVELS.find(({ level }) => rowDimensions.some(({ name }) => name === level)) ?? BUDGET_LEVELS[2];
}

/** Returns SQL of the line_id of a budget: all its ids, since those without a phase share phase_id 0. @param from Has the ids. */
export function budgetLineId({ level, ids }: BudgetLevel, from: string): string {
  return `CONCAT('b:${level}', ${ids.map((id) => `':', ${from}.${id}`).join(', ')})`;
}

const USES = readRule('facts/budget_uses');

/** Returns the lines that use a budget. @param from Lines with is_to_date and is_asked. */
export function budgetUses(source: StateSource, from: string): string {
  return `(${USES(source).replaceAll(/\buse_lines\b/g, from)}) AS uses`;
}

/** The condition of uses up to the cutoff or after it. */
export const IS_FORECAST = '(is_used OR is_left)';

/** The use of a line by what a budget is counted in. */
export const COUNTED = { hours: 'billable_hours', fees: 'fee' };

export type CountedIn = keyof typeof COUNTED;

/** The use of a line by the unit of its budget. */
export const USE_IN_UNIT = `CASE WHEN budget_unit = 'hours' THEN ${COUNTED.hours} ELSE ${COUNTED.fees} END`;

/** Selects the projects, phases, tasks or people of a row (`part`): by its own keys, or by those that its lines name. */
export function membersPart(
  plan: SummaryPlan,
  { ids, dimensions }: Readonly<Record<'ids' | 'dimensions', readonly string[]>>,
  part: string,
): string {
  const names = plan.query.grouping.dimensions.map(({ name }) => name);
  const keys = keyNames(plan);
  if (!dimensions.every((name) => names.some((each) => each === name))) {
    return `${part} AS (SELECT DISTINCT ${list(keys, ids)} FROM ${rowLines(plan)})`;
  }
  const own = ids.map((id, index) => `key_${dimensions[index]} AS ${id}`);
  return `${part} AS (SELECT ${list(keys, own)} FROM row_keys)`;
}

/** Selects budgets (`budgeted`) before their lines are summed: most projects have none, or are in no row. */
function budgetedPart({ source }: SummaryPlan, { level, ids }: BudgetLevel, members: string): string {
  const id = ids[ids.length - 1];
  return `budgeted AS (
  SELECT ${list(ids, ['budget_unit', 'CAST(budget_total AS DECIMAL(38, 6)) AS total'])} FROM ${source.relation('budgets')}
  WHERE level = '${level}' AND ${id} IN (SELECT ${id} FROM ${members})
)`;
}

/**
 * Sums use before and after the cutoff, money with the decimals of hours: DuckDB would cut those of hours for both in one column.
 * Whole months are read from their sums, a month that the cutoff divides by line. The plan of months before it uses no budget.
 */
function usePart(plan: SummaryPlan, { ids: names }: BudgetLevel): string[] {
  const ids = names.join(', ');
  const id = names[names.length - 1];
  const { cutoff, hasStatus } = plan.querySql;
  // The first month that isn't wholly to date: the cutoff divides it, unless it is the last day of the month before.
  const month = `pl_first_of_month(pl_add_days(${cutoff}, 1))`;
  const isUse = `${id} IN (SELECT ${id} FROM budgeted)`;
  const columns = `${ids}, kind, ${hasStatus('status')} AS is_asked, billable, hours, fee`;
  const months = [isBesidePlan(), `${countsAs('plan')} AND month >= ${month}`].map(
    (isRead) => `SELECT ${columns}, line_count, month < ${month} AS is_to_date
  FROM ${plan.source.relation('ledger_months')} WHERE ${isRead} AND ${isUse} AND (month <> ${month} OR ${month} > ${cutoff})`,
  );
  return [
    `budget_lines AS (
  ${months.join('\n  UNION ALL\n  ')}
  UNION ALL
  SELECT ${columns}, 1 AS line_count, date <= ${cutoff} AS is_to_date
  FROM ${plan.source.alone.relation('ledger')} WHERE ${isUse} AND date >= ${month} AND date < pl_add_months(${month}, 1) AND ${month} <= ${cutoff}
)`,
    `budget_use AS (
  SELECT ${ids},
    COALESCE(SUM(CASE WHEN is_used THEN billable_hours END), 0) AS used_hours,
    COALESCE(SUM(CASE WHEN is_left THEN billable_hours END), 0) AS later_hours,
    CAST(SUM(CASE WHEN is_used THEN fee END) AS DECIMAL(38, 6)) AS used_fees,
    CAST(SUM(CASE WHEN is_left THEN fee END) AS DECIMAL(38, 6)) AS later_fees,
    COALESCE(SUM(CASE WHEN is_used THEN line_count END), 0) AS used_lines,
    COALESCE(SUM(CASE WHEN is_left THEN line_count END), 0) AS later_lines
  FROM ${budgetUses(plan.source, 'budget_lines')} GROUP BY ${ids}
)`,
  ];
}

/**
 * Computes total, used, remaining and forecast. Use and forecast are null when there are lines but none has a fee (R5);
 * what remains is the total less what is known to be used.
 */
function amountsPart({ ids }: BudgetLevel): string {
  return `budget_amounts AS (
  SELECT ${ids.map((id) => `budgeted.${id}`).join(', ')}, budget_unit, total,
    CASE
      WHEN budget_unit = 'hours' THEN COALESCE(used_hours, 0)
      WHEN used_fees IS NOT NULL OR COALESCE(used_lines, 0) = 0 THEN COALESCE(used_fees, 0)
    END AS used,
    total - COALESCE(used, 0) AS remaining,
    CASE
      WHEN budget_unit = 'hours' THEN COALESCE(used_hours + later_hours, 0)
      WHEN COALESCE(used_fees, later_fees) IS NOT NULL OR COALESCE(used_lines + later_lines, 0) = 0
        THEN COALESCE(used_fees, 0) + COALESCE(later_fees, 0)
    END AS forecast
  FROM budgeted
  LEFT JOIN budget_use ON ${ids.map((id) => `budget_use.${id} = budgeted.${id}`).join(' AND ')}
)`;
}
