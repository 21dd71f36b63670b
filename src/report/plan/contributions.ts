import type { Calendar } from '../../calendar/day.ts';
import { quoteText } from '../../database/database.ts';
import type { Amount } from '../catalogue/catalogue.ts';
import { earnedSumOf } from '../catalogue/earned.ts';
import { type SignedTerm, termsOf } from '../catalogue/measure-formula.ts';
import type { BudgetPart, CapacityPart, Measure, PersonDaysPart } from '../catalogue/measure-kinds.ts';
import type { Division } from '../catalogue/measure-meaning.ts';
import { dateLiteral } from '../catalogue/period.ts';
import { reselect } from '../request/change-query.ts';
import type { ChosenPart } from '../request/part.ts';
import type { NumberQuery } from '../request/query.ts';
import { kindColumn, lookup, namedLinesOf } from '../source/compared-lines.ts';
import { filterConditions } from '../source/filter.ts';
import { LINE_AMOUNTS } from '../source/line-amounts.ts';
import { crewPart, memberParts, rowKeysPart } from '../source/members.ts';
import { isInWindow, kindLiteral } from '../source/query-sql.ts';
import type { SqlColumn } from '../source/sql-columns.ts';
import { aliased, list } from '../source/sql-columns.ts';
import type { SummaryPlan } from '../source/summary-plan.ts';
import { lineParts, windowParts } from '../source/window-lines.ts';
import { budgetAmountParts, budgetUseOf, levelOf } from './budget.ts';
import { capacityDayParts } from './capacity.ts';
import { earnedContributions } from './earned-contributions.ts';
import { effectContributions } from './effect-contributions.ts';
import { amountOf, compileSum, flagOf, hasLines, isHours, PEOPLE } from './measure.ts';
import { loggedDaysPart, loggedWeeksPart } from './person-days.ts';
import { planSummary } from './plan-summary.ts';

/**
 * Returns the lines behind a number (`contributions`): each line, person-day or budget of which the number is the sum, with
 * its contribution. The contribution is null where the amount is unknown; the number is null if all are (R5).
 * @param number Its one measure is no percentage.
 */
export function contributionParts(number: NumberQuery, calendar: Calendar): string[] {
  const [measure] = number.grouping.measures;
  const counted = measure?.kind === 'effect' ? number : reselect(number, number.row);
  const plan = planSummary(counted, calendar);
  return [...wholeParts(plan, number, measure), contributionsOf(number.parts)];
}

/** Returns the lines behind a whole number (`whole`). */
function wholeParts(plan: SummaryPlan, number: NumberQuery, measure: Measure | undefined): string[] {
  const earned = measure && earnedSumOf(measure);
  if (earned) return earnedContributions(plan, earned);
  switch (measure?.kind) {
    case 'people':
      return capacityDayContributions(plan, measure.of);
    case 'effect':
      return effectContributions(plan, measure.of, number);
    case 'person_days':
      return loggedDayContributions(plan, measure.of);
    case 'budget':
      return budgetContributions(plan, measure.of);
    default:
      return lineContributions(plan, measure ? termsOf(measure) : []);
  }
}

/** Keys by which lines behind a number are divided, as SQL. */
export const DIVISION_KEYS: Readonly<Record<Division, string>> = {
  person: 'people_id',
  month: 'pl_first_of_month(date)',
  cost_rate_source: 'CAST(cost_rate_source AS VARCHAR)',
  bill_rate_source: 'CAST(bill_rate_source AS VARCHAR)',
};

function contributionsOf(parts: readonly ChosenPart[]): string {
  const conditions = parts.map(partCondition);
  return `contributions AS (SELECT * FROM whole WHERE ${conditions.length === 0 ? 'TRUE' : conditions.join(' AND ')})`;
}

function partCondition({ by, key }: ChosenPart): string {
  if (by === 'until') return `date <= ${dateLiteral(key ?? '')}`;
  if (by === 'after') return `date > ${dateLiteral(key ?? '')}`;
  if (key === null) return `${DIVISION_KEYS[by]} IS NULL`;
  const value = { person: String, month: dateLiteral, cost_rate_source: quoteText, bill_rate_source: quoteText }[by];
  return `${DIVISION_KEYS[by]} = ${value(key)}`;
}

type ColumnsOfKind = 'of_people' | 'of_person_days' | 'of_cells' | 'of_budgets' | 'of_earned' | 'of_sums';

/** Returns the columns of a measure's contributions, among those of the report that lists them. */
export function contributionColumns({ kind }: Measure): ColumnsOfKind {
  switch (kind) {
    case 'effect':
      return 'of_cells';
    case 'people':
      return 'of_people';
    case 'person_days':
      return 'of_person_days';
    case 'earned':
      return 'of_earned';
    case 'budget':
      return 'of_budgets';
    default:
      return 'of_sums';
  }
}

/** The terms of a sum measure on a line: an amount, null outside the term's set of lines. */
function lineContributions({ query, querySql }: SummaryPlan, terms: readonly SignedTerm[]): string[] {
  const sets = [...new Set(terms.map(({ lines }) => lines))];
  const amounts = terms.map((term): SqlColumn => {
    const { expression } = LINE_AMOUNTS[term.amount as Amount];
    return { name: amountOf(term), expression: `CASE WHEN in_${term.lines} THEN ${expression} END` };
  });
  const isBehind = terms.map((term) => (isHours(term) ? `${amountOf(term)} IS NOT NULL` : hasLines(term)));
  const conditions = [
    isInWindow(querySql, 'listed.date'),
    `listed.kind IN (${query.selection.report.lines?.map(kindLiteral).join(', ')})`,
    ...filterConditions(query.selection, 'listed'),
  ];
  return [
    `listed AS (
  SELECT listed.*, ${querySql.hasStatus('listed.status')} AS is_asked, listed.billable AS is_billable,
    listed.date <= ${querySql.cutoff} AS is_to_date, listed.date > ${querySql.today} AS is_future
  FROM ${namedLinesOf(query.selection)} AS listed
  WHERE ${conditions.join('\n    AND ')}
)`,
    `sets AS (SELECT *, ${list(sets.map((set) => aliased(flagOf(query.selection.catalogue, set))))} FROM listed)`,
    `terms AS (SELECT *, ${list(
      sets.map((set) => `in_${set} AS has_${set}`),
      amounts.map(aliased),
    )} FROM sets)`,
    `whole AS (SELECT ${query.selection.baseline ? `* REPLACE (${kindColumn(query.selection)})` : '*'}, ${compileSum(terms)} AS contribution FROM terms WHERE ${isBehind.join(' OR ')})`,
  ];
}

/** The days of people of whose hours a measure is a part, or else of the measure itself. */
const CAPACITY_DAYS: Partial<Record<CapacityPart, string>> = {
  capacity: 'capacity + time_off',
  capacity_to_date: 'capacity_to_date + time_off',
  unscheduled: 'capacity',
};

function capacityDayContributions(plan: SummaryPlan, measure: CapacityPart): string[] {
  const behind = CAPACITY_DAYS[measure] ?? PEOPLE[measure];
  return [
    ...lineParts(plan),
    ...memberParts(plan),
    crewPart(plan),
    ...capacityDayParts(plan),
    `whole AS (
  SELECT 'day' AS kind, CONCAT('d:', person_days.people_id, ':', person_days.date) AS line_id, person_days.date,
    person_days.people_id, people.person, capacity + time_off AS work_hours, time_off AS time_off_hours,
    capacity AS capacity_hours, scheduled_hours, ${PEOPLE[measure]} AS contribution
  FROM person_days
  LEFT JOIN ${lookup('marts.people', plan.query.selection)} AS people ON people.people_id = person_days.people_id
  WHERE ${behind} <> 0
)`,
  ];
}

/** The days of people, or their weeks, which are named by their first day. */
function loggedDayContributions(plan: SummaryPlan, measure: PersonDaysPart): string[] {
  const isWeek = measure === 'plan_error';
  const [kind, day, from] = isWeek ? ['week', 'week', 'logged_weeks'] : ['day', 'date', 'logged_days'];
  const condition = isWeek || measure === 'covered' ? `${measure} <> 0` : 'unlogged > 0';
  return [
    ...windowParts(plan),
    loggedDaysPart(plan, 'logged_days', 'lines', []),
    ...(isWeek ? [loggedWeeksPart(plan, 'logged_weeks', 'logged_days', [])] : []),
    `whole AS (
  SELECT '${kind}' AS kind, CONCAT('${kind.charAt(0)}:', ${from}.people_id, ':', ${day}) AS line_id, ${day} AS date,
    ${from}.people_id, people.person, scheduled_hours, actual_hours, ${measure} AS contribution
  FROM ${from}
  LEFT JOIN ${lookup('marts.people', plan.query.selection)} AS people ON people.people_id = ${from}.people_id
  WHERE ${condition}
)`,
  ];
}

/** The use of a budget is its lines, so the budget itself contributes only to its total and to what remains. */
function budgetContributions(plan: SummaryPlan, measure: BudgetPart): string[] {
  const { level, ids } = levelOf(plan);
  const same = (left: string, right: string) => ids.map((id) => `${left}.${id} = ${right}.${id}`).join(' AND ');
  const { used, later } = budgetUseOf(plan);
  const isUse = { total: 'FALSE', used, remaining: used, forecast: `(${used} OR ${later})` }[measure];
  const own = measure === 'total' || measure === 'remaining' ? 'total' : '0';
  return [
    ...lineParts(plan),
    ...memberParts(plan),
    rowKeysPart(plan),
    ...budgetAmountParts(plan),
    `listed_budgets AS (
  SELECT budgets.project_id, budgets.phase_id, budgets.task_meta_id, budget_amounts.budget_unit, total,
    ${measure} IS NOT NULL AND MIN(budget_amounts.budget_unit) OVER () = MAX(budget_amounts.budget_unit) OVER () AS has_amount
  FROM (SELECT DISTINCT ${list(ids)} FROM budget_members) AS budget_members
  JOIN budget_amounts ON ${same('budget_amounts', 'budget_members')}
  JOIN marts.budgets AS budgets ON budgets.level = '${level}' AND ${same('budgets', 'budget_members')}
)`,
    `whole AS (
  SELECT 'budget' AS kind, CONCAT('b:${level}:', listed_budgets.${ids[ids.length - 1]}) AS line_id, CAST(NULL AS DATE) AS date,
    NULL AS people_id, NULL AS person, listed_budgets.project_id, project, listed_budgets.phase_id, phase,
    listed_budgets.task_meta_id, task, NULL AS status, NULL AS billable, NULL AS hours, NULL AS fee, budget_unit,
    CASE WHEN has_amount THEN ${own} END AS contribution
  FROM listed_budgets
  LEFT JOIN ${lookup('marts.projects', plan.query.selection)} AS projects ON projects.project_id = listed_budgets.project_id
  LEFT JOIN ${lookup('marts.phases', plan.query.selection)} AS phases ON phases.phase_id = listed_budgets.phase_id
  LEFT JOIN ${lookup('marts.project_tasks', plan.query.selection)} AS tasks ON tasks.task_meta_id = listed_budgets.task_meta_id
  UNION ALL
  SELECT CAST(kind AS VARCHAR) AS kind, line_id, date, people_id, person, lines.project_id, project, lines.phase_id, phase,
    lines.task_meta_id, task, CAST(status AS VARCHAR) AS status, billable, hours, fee, budget_unit,
    CASE WHEN has_amount THEN ${measure === 'remaining' ? '-' : ''}CASE WHEN budget_unit = 'hours' THEN hours ELSE fee END END AS contribution
  FROM listed_budgets
  JOIN (SELECT *, date <= ${plan.querySql.cutoff} AS is_to_date FROM core.named_lines) AS lines ON ${same('lines', 'listed_budgets')}
  WHERE ${isUse} AND billable
)`,
  ];
}
