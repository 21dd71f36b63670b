import { isLabour } from '../../relation/line-kinds.ts';
import { EARNED_SUMS, type EarnedIn, type EarnedSum } from '../catalogue/earned-choice.ts';
import { baselineColumns } from '../source/compared-lines.ts';
import {
  fromHourUnits,
  fromMoneyUnits,
  HOUR_UNIT,
  hourUnits,
  MINOR_UNIT,
  moneyUnits,
  quotient,
} from '../source/exact-units.ts';
import { statusLiteral } from '../source/query-sql.ts';
import type { SqlColumn } from '../source/sql-columns.ts';
import { aliased, groupBy, list } from '../source/sql-columns.ts';
import type { StateSource } from '../source/state-source.ts';
import type { Facts, SummaryPlan } from '../source/summary-plan.ts';
import { BUDGET_LEVELS, type BudgetLevel, membersPart } from './budget-amounts.ts';
import { flagOf } from './lines.ts';

/** Earned value of each row and of all rows, in one unit. */
export const EARNED: Facts = {
  name: 'earned',
  population: 'lives',
  parts: earnedParts,
  of: (plan, { name }) => {
    const { ids } = lifeLevelOf(plan);
    const members =
      name === 'row' ? 'earned_members' : `(SELECT DISTINCT ${list(ids)} FROM earned_members) AS earned_members`;
    return {
      from: `${members} JOIN earned_values ON ${ids.map((id) => `earned_values.${id} = earned_members.${id}`).join(' AND ')}`,
    };
  },
  sums: sumsOfLives,
};

/** Returns the amount of a line, and the condition of the lines that have it: of what is no labour only billable fees. */
export function earnedAmount(earnedIn: EarnedIn): { readonly amount: string; readonly condition: string } {
  return {
    hours: { amount: 'hours', condition: `${isLabour()} AND billable` },
    cost: { amount: 'cost', condition: isLabour() },
    fees: { amount: 'fee', condition: `(${isLabour()} OR billable)` },
  }[earnedIn];
}

/** Budget types by what they are counted in; money is a budget of fees. */
const BUDGET_TYPES: Readonly<Record<EarnedIn, string>> = { hours: '1', cost: 'NULL', fees: '2, 3' };

/** The sets of the catalogue that the lines of a life are in. */
const SETS = [
  'scheduled',
  'scheduled_to_date',
  'scheduled_after_cutoff',
  'actual',
  'expense',
  'expense_to_date',
] as const;

/** Returns the level of the lives of a plan's rows: phases if rows name them, else projects. A subtotal adds up those of its rows. */
export function lifeLevelOf({ query: { grouping } }: SummaryPlan): BudgetLevel {
  const [, phase, project] = BUDGET_LEVELS;
  const { dimensions, rowDimensions = dimensions } = grouping;
  return rowDimensions.some(({ name }) => name === phase.level) ? phase : project;
}

/**
 * Returns the ids of each row's projects or phases (`earned_members`), and the earned value of each of them (`earned_values`).
 * It covers the whole life up to the cutoff, whatever the window and the filters.
 */
export function earnedParts(plan: SummaryPlan): string[] {
  const level = lifeLevelOf(plan);
  return [membersPart(plan, level, 'earned_members'), ...lifeParts(plan, level), valuesPart(plan, level)];
}

/** Returns the membership of a line in each set, and in each sum of earned value. */
export function earnedFlags({ query }: SummaryPlan): { readonly sets: SqlColumn[]; readonly sums: SqlColumn[] } {
  const { catalogue, earned } = query.selection;
  const ofWork = earned.earnedIn === 'cost' ? 'TRUE' : 'is_billable';
  const progress = {
    remaining: [`in_actual AND ${ofWork}`, `(in_actual OR in_scheduled_after_cutoff) AND ${ofWork}`],
    completed: ['in_scheduled AND is_completed', 'in_scheduled'],
  }[earned.technique];
  const conditions: Readonly<Record<EarnedSum, string>> = {
    progress_part: progress[0] ?? '',
    progress_whole: progress[1] ?? '',
    budget: 'in_scheduled OR in_expense',
    planned: 'in_scheduled_to_date OR in_expense_to_date',
    actual: 'in_actual OR in_expense_to_date',
    later: 'in_scheduled_after_cutoff OR in_expense AND NOT is_to_date',
  };
  return {
    sets: SETS.map((set) => flagOf(catalogue, set)),
    sums: EARNED_SUMS.map((sum) => ({ name: `of_${sum}`, expression: conditions[sum] })),
  };
}

/** Returns the columns that tell the lines of sets and sums apart. Lines are completed if their allocation or their phase is now. */
export function earnedDistinctions({ query, source, querySql }: SummaryPlan): SqlColumn[] {
  const completed = `task_id IN (SELECT task_id FROM ${source.alone.relation('allocations')} WHERE status = ${statusLiteral('completed')})
        OR phase_id IN (SELECT phase_id FROM ${source.alone.relation('phases')} WHERE phase_status = 'completed')`;
  return [
    { name: 'is_billable', expression: 'billable' },
    { name: 'is_asked', expression: `(${querySql.hasStatus('status')} OR ${isFirm(source)})` },
    { name: 'is_to_date', expression: `date <= ${querySql.cutoff}` },
    ...(query.selection.earned.technique === 'completed' ? [{ name: 'is_completed', expression: completed }] : []),
  ];
}

/** Tests for a plan as firm as the less firm of its project and phase (3.3.1): a tentative project isn't done because its plan is tentative. */
function isFirm({ alone }: StateSource): string {
  const [draft, tentative] = [statusLiteral('draft'), statusLiteral('tentative')];
  const isOf = (places: string, phases: string) =>
    `(project_id IN (SELECT project_id FROM ${alone.relation('projects')} WHERE ${places})
        OR phase_id IN (SELECT phase_id FROM ${alone.relation('phases')} WHERE ${phases}))`;
  return `(status NOT IN (${list([draft, tentative])}) OR ${isOf('status = 0', "phase_status = 'draft'")}
        OR status = ${tentative} AND ${isOf('status = 1', "phase_status = 'tentative'")})`;
}

/** Returns what a sum of earned value adds up: progress by remaining work is counted in hours. */
export function amountOfSum({ query }: SummaryPlan, sum: EarnedSum): 'hours' | 'amount' {
  const isWork = query.selection.earned.technique === 'remaining' && sum.startsWith('progress');
  return isWork ? 'hours' : 'amount';
}

/** Sums the lines of each life: `has_x` tells whether a sum x has lines, `is_known` whether every line has the amount. */
function lifeParts(plan: SummaryPlan, { ids }: BudgetLevel): string[] {
  const { query, source } = plan;
  const { amount, condition } = earnedAmount(query.selection.earned.earnedIn);
  const { sets, sums } = earnedFlags(plan);
  const distinctions = earnedDistinctions(plan);
  const sides = ['kind', ...baselineColumns(source)];
  const columns = [...ids, ...sides, ...distinctions.map(({ name }) => name)];
  return [
    `earned_cells AS (
  SELECT ${columns.join(', ')}, SUM(hours) AS hours, SUM(amount) AS amount, COUNT(*) > COUNT(amount) AS is_unknown
  FROM (
    SELECT ${list(ids, sides, ['hours', `${amount} AS amount`], distinctions.map(aliased))}
    FROM ${source.relation('ledger')} AS ledger
    WHERE ${condition} AND status <> ${statusLiteral('canceled')}
      AND project_id IN (SELECT project_id FROM earned_members)
  ) AS lines
  ${groupBy(columns)}
)`,
    `earned_sets AS (SELECT *, ${list(sets.map(aliased))} FROM earned_cells)`,
    `earned_uses AS (SELECT *, ${list(sums.map(aliased))} FROM earned_sets)`,
    `earned_lives AS (
  SELECT ${list(
    ids,
    EARNED_SUMS.map((sum) => `SUM(CASE WHEN of_${sum} THEN ${amountOfSum(plan, sum)} END) AS ${sum}`),
    EARNED_SUMS.map((sum) => `BOOL_OR(of_${sum}) AS has_${sum}`),
    ['NOT BOOL_OR(is_unknown AND (of_budget OR of_planned OR of_actual OR of_later)) AS is_known'],
  )}
  FROM earned_uses ${groupBy(ids)}
)`,
  ];
}

/** Computes progress and earned value of each life; unknown while a line of it lacks the rate. */
function valuesPart(plan: SummaryPlan, { level, ids }: BudgetLevel): string {
  const { source } = plan;
  const { earnedIn } = plan.query.selection.earned;
  const same = (relation: string) => ids.map((id) => `${relation}.${id} = members.${id}`).join(' AND ');
  const zeroes = EARNED_SUMS.map((sum) => `CASE WHEN has_${sum} THEN ${sum} ELSE 0 END AS ${sum}`);
  const [units, fromUnits] = earnedIn === 'hours' ? [hourUnits, fromHourUnits] : [moneyUnits, fromMoneyUnits];
  const progress = amountOfSum(plan, 'progress_part') === 'hours' ? hourUnits : units;
  const value = `${quotient(`(${progress('progress_part')} * ${units('budget')})`, `(${progress('progress_whole')} * unit)`)} * unit`;
  return `earned_values AS (
  SELECT *, pl_percent(progress_part, progress_whole) AS percent, CASE WHEN is_known THEN ${fromUnits(`(${value})`)} END AS value
  FROM (
    SELECT * REPLACE (COALESCE(CAST(budget_total AS DECIMAL(38, 6)), budget) AS budget, has_budget OR budget_total IS NOT NULL AS has_budget)
    FROM (
      SELECT ${ids.map((id) => `members.${id}`).join(', ')}, budget_total, ${list(zeroes)},
        ${EARNED_SUMS.map((sum) => `COALESCE(has_${sum}, FALSE) AS has_${sum}`).join(', ')}, COALESCE(is_known, TRUE) AS is_known,
        CASE WHEN budget_total IS NULL THEN '${source.baseline ? 'baseline' : 'schedule'}' ELSE 'budget' END AS source
      FROM (SELECT DISTINCT ${list(ids)} FROM earned_members) AS members
      LEFT JOIN earned_lives ON ${same('earned_lives')}
      LEFT JOIN ${source.relation('budgets')} AS budgets ON budgets.level = '${level}' AND ${same('budgets')} AND budget_type IN (${BUDGET_TYPES[earnedIn]})
    ) AS lives
  ) AS counted
  CROSS JOIN ${earnedIn === 'hours' ? HOUR_UNIT : MINOR_UNIT}
)`;
}

/**
 * Returns the sums over lives. Progress of several is what they have earned of their budgets.
 * Those that indexes divide are of the lives that have an earned value: an index of one project's plan and another's work says nothing.
 */
function sumsOfLives(plan: SummaryPlan): SqlColumn[] {
  const known = (expression: string) => `CASE WHEN COALESCE(BOOL_AND(is_known), TRUE) THEN ${expression} END`;
  const value = known('SUM(value)');
  const indexed = (sum: EarnedSum) => known(`SUM(CASE WHEN value IS NOT NULL THEN ${sum} END)`);
  const sums = {
    source: "CASE WHEN MIN(source) <> MAX(source) THEN 'mixed' ELSE MIN(source) END",
    technique: `'${plan.query.selection.earned.technique}'`,
    progress_part: sumKnown('progress_part'),
    progress_whole: sumKnown('progress_whole'),
    budget: sumKnown('budget'),
    planned: sumKnown('planned'),
    actual: known('COALESCE(SUM(actual), 0)'),
    later: known('COALESCE(SUM(later), 0)'),
    percent: `CASE WHEN COUNT(*) = 1 THEN MAX(percent) ELSE pl_percent(${value}, ${indexed('budget')}) END`,
    value,
    indexed_budget: indexed('budget'),
    indexed_planned: indexed('planned'),
    indexed_actual: indexed('actual'),
    unit: 'MAX(unit)',
    scale: 'MAX(scale)',
  };
  return Object.entries(sums).map(([name, expression]) => ({ name: `earned__${name}`, expression }));
}

/** Adds up an amount of lives: unknown if there are lines and none of them has it (R5). */
function sumKnown(sum: EarnedSum): string {
  const known = `SUM(CASE WHEN has_${sum} THEN ${sum} END)`;
  return `CASE WHEN ${known} IS NOT NULL OR NOT COALESCE(BOOL_OR(has_${sum}), FALSE) THEN COALESCE(${known}, 0) END`;
}
