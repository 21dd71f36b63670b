import type { EarnedSum } from '../catalogue/earned.ts';
import { kindColumn, namedLinesOf } from '../source/compared-lines.ts';
import { memberParts, rowKeysPart } from '../source/members.ts';
import { aliased, list } from '../source/sql-columns.ts';
import type { SummaryPlan } from '../source/summary-plan.ts';
import { lineParts } from '../source/window-lines.ts';
import { AMOUNT_OF, amountOfSum, earnedDistinctions, earnedFlags, earnedParts, lifeLevelOf } from './earned-lives.ts';

/** The sums that are unknown while any line of the lives lacks the rate. */
const UNKNOWN_TOGETHER: readonly EarnedSum[] = ['actual', 'later'];

/** Returns the lines behind a sum of earned value (`whole`), and the budgets behind budgets at completion. */
export function earnedContributions(plan: SummaryPlan, sum: EarnedSum): string[] {
  const { level, ids } = lifeLevelOf(plan);
  const { selection } = plan.query;
  const { amount, condition } = AMOUNT_OF[selection.earned.earnedIn];
  const { sets, sums } = earnedFlags(plan);
  const own = amountOfSum(plan, sum) === 'hours' ? 'hours' : amount;
  const contribution = UNKNOWN_TOGETHER.includes(sum)
    ? `CASE WHEN (SELECT is_known FROM earned_known) THEN ${own} END`
    : own;
  const budgets =
    sum === 'budget'
      ? `
  UNION ALL
  SELECT 'budget' AS kind, CONCAT('b:${level}:', lives.${ids[ids.length - 1]}) AS line_id, CAST(NULL AS DATE) AS date,
    NULL AS people_id, NULL AS person, budgets.project_id, project, budgets.phase_id, phase,
    NULL AS task_meta_id, NULL AS task, NULL AS status, NULL AS billable, NULL AS hours, budget AS contribution
  FROM earned_values AS lives
  JOIN marts.budgets AS budgets ON budgets.level = '${level}' AND ${ids.map((id) => `budgets.${id} = lives.${id}`).join(' AND ')}
  LEFT JOIN marts.projects AS projects ON projects.project_id = budgets.project_id
  LEFT JOIN marts.phases AS phases ON phases.phase_id = budgets.phase_id
  WHERE lives.source = 'budget'`
      : '';
  return [
    ...lineParts(plan),
    ...memberParts(plan),
    rowKeysPart(plan),
    ...earnedParts(plan),
    earnedKnownPart(),
    `listed_lives AS (
  SELECT lines.*, lives.source
  FROM (SELECT *, ${list(earnedDistinctions(plan).map(aliased))} FROM ${namedLinesOf(selection)} AS named WHERE ${condition}) AS lines
  JOIN earned_values AS lives ON ${ids.map((id) => `lives.${id} = lines.${id}`).join(' AND ')}
)`,
    `listed_sets AS (SELECT *, ${list(sets.map(aliased))} FROM listed_lives)`,
    `listed_uses AS (SELECT *, ${list(sums.map(aliased))} FROM listed_sets)`,
    `whole AS (
  SELECT ${kindColumn(selection)}, line_id, date, people_id, person, project_id, project, phase_id, phase,
    task_meta_id, task, CAST(status AS VARCHAR) AS status, billable, hours, ${contribution} AS contribution
  FROM listed_uses
  WHERE of_${sum}${sum === 'budget' ? " AND source <> 'budget'" : ''}${budgets}
)`,
  ];
}

/** Returns whether every line of the lives has the amount (`earned_known`). */
function earnedKnownPart(): string {
  return 'earned_known AS (SELECT COALESCE(BOOL_AND(is_known), TRUE) AS is_known FROM earned_values)';
}
