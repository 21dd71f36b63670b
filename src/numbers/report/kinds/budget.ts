import type { BudgetPart, Measure } from '../catalogue/measure-kinds.ts';
import { dateLiteral } from '../catalogue/period.ts';
import type { Selection } from '../request/query.ts';
import { memberParts, rowKeysPart } from '../source/members.ts';
import { LINES_MART, relationName } from '../source/relations.ts';
import { list } from '../source/sql-columns.ts';
import type { SummaryPlan } from '../source/summary-plan.ts';
import { lineParts } from '../source/window-lines.ts';
import {
  BUDGET,
  budgetAmountParts,
  budgetLineId,
  budgetUses,
  IS_FORECAST,
  levelOf,
  USE_IN_UNIT,
} from './budget-amounts.ts';
import { type Kind, type TermSql, termOf } from './kind.ts';

/** The use of a budget is its lines, so the budget itself contributes only to its total and to what remains. */
function budgetRows(plan: SummaryPlan, part: BudgetPart): string[] {
  const budgetLevel = levelOf(plan);
  const { level, ids } = budgetLevel;
  const { source } = plan;
  const same = (left: string, right: string) => ids.map((id) => `${left}.${id} = ${right}.${id}`).join(' AND ');
  const isUse = { total: 'FALSE', used: 'is_used', remaining: 'is_used', forecast: IS_FORECAST }[part];
  const own = part === 'total' || part === 'remaining' ? 'total' : '0';
  return [
    ...lineParts(plan),
    ...memberParts(plan),
    rowKeysPart(plan),
    ...budgetAmountParts(plan),
    `listed_budgets AS (
  SELECT budgets.project_id, budgets.phase_id, budgets.task_meta_id, budget_amounts.budget_unit, total,
    ${part} IS NOT NULL AND MIN(budget_amounts.budget_unit) OVER () = MAX(budget_amounts.budget_unit) OVER () AS has_amount
  FROM (SELECT DISTINCT ${list(ids)} FROM budget_members) AS budget_members
  JOIN budget_amounts ON ${same('budget_amounts', 'budget_members')}
  JOIN ${source.relation('budgets')} AS budgets ON budgets.level = '${level}' AND ${same('budgets', 'budget_members')}
)`,
    `budget_life_lines AS (
  SELECT *, date <= ${plan.querySql.cutoff} AS is_to_date, ${plan.querySql.hasStatus('status')} AS is_asked
  FROM ${source.alone.relation('named_lines')}
)`,
    `whole AS (
  SELECT 'budget' AS kind, ${budgetLineId(budgetLevel, 'listed_budgets')} AS line_id, CAST(NULL AS DATE) AS date,
    NULL AS people_id, NULL AS person, listed_budgets.project_id, project, listed_budgets.phase_id, phase,
    listed_budgets.task_meta_id, task, NULL AS status, NULL AS billable, NULL AS hours, NULL AS fee, budget_unit,
    CASE WHEN has_amount THEN ${own} END AS contribution
  FROM listed_budgets
  LEFT JOIN ${source.relation('named_projects')} AS projects ON projects.project_id = listed_budgets.project_id
  LEFT JOIN ${source.relation('phases')} AS phases ON phases.phase_id = listed_budgets.phase_id
  LEFT JOIN ${source.relation('project_tasks')} AS tasks ON tasks.task_meta_id = listed_budgets.task_meta_id
  UNION ALL
  SELECT CAST(kind AS VARCHAR) AS kind, line_id, date, people_id, person, uses.project_id, project, uses.phase_id, phase,
    uses.task_meta_id, task, CAST(status AS VARCHAR) AS status, billable, hours, fee, budget_unit,
    CASE WHEN has_amount THEN ${part === 'remaining' ? '-' : ''}${USE_IN_UNIT} END AS contribution
  FROM listed_budgets
  JOIN ${budgetUses(source, 'budget_life_lines')} ON ${same('uses', 'listed_budgets')}
  WHERE ${isUse} AND billable
)`,
  ];
}

function termsOfBudget(part: BudgetPart, _: Measure, { cutoffDate }: Selection): readonly TermSql[] {
  const cutoff = dateLiteral(cutoffDate);
  const isLine = "kind <> 'budget'";
  const total = { ...termOf('+', 'budgets', 'contribution', 'budget_total'), condition: "kind = 'budget'" };
  // The budget itself is one of the lines of its use, with 0: without any line, nothing of it is used.
  const use = (contribution: string) => `CASE WHEN ${isLine} THEN ${contribution} ELSE contribution * 0 END`;
  const used = {
    ...termOf('+', 'use up to the cutoff', use('contribution'), 'budget_used'),
    condition: `(date <= ${cutoff} OR NOT (${isLine}))`,
  };
  const later = {
    ...termOf('+', 'plan after the cutoff', 'contribution', 'budget_forecast'),
    condition: `${isLine} AND date > ${cutoff}`,
    part: { by: 'after' as const, key: cutoffDate },
  };
  return {
    total: [total],
    used: [used],
    remaining: [total, { ...used, sign: '-' as const, expression: use('-contribution') }],
    forecast: [used, later],
  }[part];
}

const WORDS: Readonly<Record<BudgetPart, string>> = {
  total: "the row's budgets added up, if they have one unit",
  used: 'the part of those budgets used up to the cutoff',
  remaining: '`budget_total` less what is known of `budget_used`',
  forecast: '`budget_used` plus hours or fees after the cutoff',
};

/** Amounts of budgets, over the whole life of what they are for. */
export const BUDGET_KIND: Kind<BudgetPart> = {
  wholes: (part) => (part === 'total' ? [] : ['projects']),
  facts: () => [BUDGET],
  amount: (part) => `budget__${part}`,
  rows: {
    parts: budgetRows,
    columns: 'of_budgets',
    // Without any budget a number is nothing.
    nothing: (_, { parts }) => (parts.length === 0 ? 'NULL' : '0'),
    terms: termsOfBudget,
  },
  budgetPart: (part) => part,
  words: (part) => WORDS[part],
  addsUp: () => 'over projects',
  source: () => `${relationName('budgets')}, ${LINES_MART}: hours, fee`,
  total: () => 'given',
};
