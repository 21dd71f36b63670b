import { dateLiteral } from './period.ts';
import { groupBy, keyNames, list, type Plan, rowLines } from './plan.ts';

/** The ids that a budget of a level is found by, and the dimensions that have them. */
const LEVELS = [
  { level: 'task', ids: ['project_id', 'phase_id', 'task_meta_id'], dimensions: ['project', 'phase', 'task'] },
  { level: 'phase', ids: ['project_id', 'phase_id'], dimensions: ['project', 'phase'] },
  { level: 'project', ids: ['project_id'], dimensions: ['project'] },
] as const;

/**
 * The budgets of the rows (`row_budget`) and of them together, each once (`total_budget`): the whole life of the projects, phases or tasks of
 * a row, whatever the window and the filters. Budgets of different units are not added up.
 */
export function budgetParts(plan: Plan): string[] {
  const { query } = plan;
  const names = query.dimensions.map(({ name }) => name);
  const level = LEVELS.find((entry) => names.includes(entry.level)) ?? LEVELS[2];
  const ids = level.ids.join(', ');
  const isKeyed = level.dimensions.every((name) => names.includes(name));
  const keys = keyNames(plan);
  const members = isKeyed
    ? `SELECT ${list(
        keys,
        level.ids.map((id, index) => `key_${level.dimensions[index]} AS ${id}`),
      )} FROM row_keys`
    : `SELECT DISTINCT ${list(keys, [ids])} FROM ${rowLines(plan)}`;
  const cutoff = dateLiteral(query.cutoffDate);
  const statuses = query.statuses.map((status) => `'${status}'`).join(', ');
  const used = `(kind = 'actual' OR kind = 'expense' AND billable) AND date <= ${cutoff}`;
  const after = `(kind = 'scheduled' AND status IN (${statuses}) OR kind = 'expense' AND billable) AND date > ${cutoff}`;
  const join = level.ids.map((id) => `budget_use.${id} = budgets.${id}`).join(' AND ');
  const sums = ['total', 'used', 'remaining', 'forecast'].map(
    (name) => `CASE WHEN COUNT(DISTINCT budget_unit) = 1 THEN SUM(${name}) END AS budget__${name}`,
  );
  const unit = 'CASE WHEN COUNT(DISTINCT budget_unit) = 1 THEN MIN(budget_unit) END AS budget_unit';
  const joinMembers = level.ids.map((id) => `entities.${id} = budget_members.${id}`).join(' AND ');
  return [
    `budget_members AS (${members})`,
    `budget_use AS (
  SELECT ${ids},
    SUM(CASE WHEN ${used} AND billable THEN hours END) AS used_hours,
    SUM(CASE WHEN ${after} AND billable THEN hours END) AS later_hours,
    SUM(CASE WHEN ${used} THEN fee END) AS used_fees,
    SUM(CASE WHEN ${after} THEN fee END) AS later_fees,
    COUNT(CASE WHEN ${used} THEN 1 END) AS used_lines,
    COUNT(CASE WHEN ${after} THEN 1 END) AS later_lines
  FROM core.ledger GROUP BY ${ids}
)`,
    `budget_amounts AS (
  SELECT ${level.ids.map((id) => `budgets.${id}`).join(', ')}, budgets.budget_unit, budgets.budget_total AS total,
    CASE
      WHEN budget_unit = 'hours' THEN COALESCE(used_hours, 0)
      WHEN used_fees IS NOT NULL OR COALESCE(used_lines, 0) = 0 THEN COALESCE(used_fees, 0)
    END AS used,
    CASE
      WHEN budget_unit = 'hours' THEN COALESCE(used_hours, 0) + COALESCE(later_hours, 0)
      WHEN COALESCE(used_fees, later_fees) IS NOT NULL OR COALESCE(used_lines + later_lines, 0) = 0
        THEN COALESCE(used_fees, 0) + COALESCE(later_fees, 0)
    END AS forecast
  FROM marts.budgets LEFT JOIN budget_use ON ${join}
  WHERE budgets.level = '${level.level}'
)`,
    `entities AS (SELECT *, total - used AS remaining FROM budget_amounts)`,
    `row_budget AS (
  SELECT ${list(keys, [unit], sums)} FROM budget_members JOIN entities ON ${joinMembers} ${groupBy(keys)}
)`,
    `total_budget AS (
  SELECT ${list([unit], sums)}
  FROM (SELECT DISTINCT ${ids} FROM budget_members) AS budget_members JOIN entities ON ${joinMembers}
)`,
  ];
}
